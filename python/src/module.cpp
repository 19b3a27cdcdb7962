// The module fairstep._core: the library's types and functions. The package on top of it has defaults, documentation,
// tables and pictures.
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <fairstep/core/missing_file.hpp>
#include <fairstep/core/shown_text.hpp>

#include "convert.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

/// `censored="drop"`, `restart=True`, `map={"reward": "COLUMN"}`, `fairstep.certify`
std::string as_argument(const Mention& mention) {
  switch (mention.kind) {
    case Mention::Kind::subject:
    case Mention::Kind::name:
      break;
    case Mention::Kind::flag:
      return mention.name + "=True";
    case Mention::Kind::word:
      return fmt::format("{}=\"{}\"", mention.name, mention.value);
    case Mention::Kind::number:
      return fmt::format("{}={}", mention.name, mention.value);
    case Mention::Kind::verb:  // counts are added by an operator
      return mention.name == "merge" ? "+" : "fairstep." + mention.name;
    case Mention::Kind::entry: {  // three dots stand for whatever it takes, as they do in Python
      const char* quote = mention.value == "..." ? "" : "\"";
      return fmt::format("{}={{\"{}\": {}{}{}}}", mention.name, mention.key, quote, mention.value, quote);
    }
  }
  return mention.name;
}

/// Where it is and what to do, a line each.
std::vector<std::string> notes_of(const Error& error) {
  std::vector<std::string> notes;
  // Without a file the message has named the entry, and a pointer would point into nothing.
  if (!error.file.empty())
    notes.push_back(error.pointer.empty() ? "in " + error.file : fmt::format("in {} at {}", error.file, error.pointer));
  if (!error.hint.empty()) notes.push_back("hint: " + error.hint);
  return notes;
}

/// A file that is not there, which is a mistake in the question as well: both a FileNotFoundError and a ValueError.
nb::object& missing_file() {
  static nb::object* const kind = new nb::object(nb::steal(PyErr_NewExceptionWithDoc(
      "fairstep.MissingFile", "A file that is not there.",
      nb::make_tuple(nb::handle(PyExc_FileNotFoundError), nb::handle(PyExc_ValueError)).ptr(), nullptr)));
  return *kind;
}

void raise(const Error& refused) {
  const Error error = spelled(refused, as_argument);
  PyObject* kind = error.message == kNoSuchFile ? missing_file().ptr()
                   : error.disk                 ? PyExc_OSError
                   : error.ours                 ? PyExc_RuntimeError
                                                : PyExc_ValueError;
  const nb::object raised = nb::handle(kind)(shown_text(error.message));
  for (const std::string& note : notes_of(error)) raised.attr("add_note")(shown_text(note));
  PyErr_SetObject(kind, raised.ptr());
}

}  // namespace

void translate_refusals() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Refused& refused) {
      raise(refused.error());
    }
  });
}

}  // namespace fairstep::python

NB_MODULE(_core, module) {
  using namespace fairstep::python;
  module.doc() = "The compiled part of fairstep. Use `import fairstep`.";
  module.attr("version") = FAIRSTEP_VERSION;
  translate_refusals();
  bind_text(module);
  bind_grounds(module);
  bind_core(module);
  bind_worlds(module);
  bind_evaluate(module);
  bind_simulate(module);
  bind_estimate(module);
  bind_audit(module);
  bind_diagnose(module);
  bind_solve(module);
  bind_alternative(module);
  bind_learn(module);
  bind_certify(module);
  bind_ingest(module);
  bind_experiment(module);
#ifdef FAIRSTEP_REPORT
  bind_report(module);
#endif
}
