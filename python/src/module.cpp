// The module fairstep._core: the library's types and functions. The package on top of it has defaults, documentation,
// tables and pictures.
#include <algorithm>
#include <exception>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <fairstep/core/shown_text.hpp>

#include "convert.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

/// Where it is and what to do, a line each; options of the command are arguments here.
std::vector<std::string> notes_of(const Error& error) {
  std::vector<std::string> notes;
  // Without a file the message has named the entry, and a pointer would point into nothing.
  if (!error.file.empty())
    notes.push_back(error.pointer.empty() ? "in " + error.file : fmt::format("in {} at {}", error.file, error.pointer));
  if (!error.hint.empty()) {
    std::string hint;
    static const std::regex option("--([a-z]+)(-[a-z]+)*");
    const auto begin = std::sregex_iterator(error.hint.begin(), error.hint.end(), option);
    std::size_t from = 0;
    for (auto found = begin; found != std::sregex_iterator(); ++found) {
      const auto at = static_cast<std::size_t>(found->position());
      std::string word = found->str().substr(2);
      std::replace(word.begin(), word.end(), '-', '_');
      hint += error.hint.substr(from, at - from) + word;
      from = at + static_cast<std::size_t>(found->length());
    }
    notes.push_back("hint: " + hint + error.hint.substr(from));
  }
  return notes;
}

void raise(const Error& error) {
  PyObject* kind = error.disk ? PyExc_OSError : error.ours ? PyExc_RuntimeError : PyExc_ValueError;
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
  bind_grounds(module);
  bind_core(module);
  bind_worlds(module);
  bind_evaluate(module);
  bind_simulate(module);
  bind_estimate(module);
  bind_audit(module);
  bind_diagnose(module);
  bind_solve(module);
  bind_learn(module);
  bind_certify(module);
  bind_ingest(module);
  bind_experiment(module);
#ifdef FAIRSTEP_REPORT
  bind_report(module);
#endif
}
