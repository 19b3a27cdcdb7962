// Logs into counts: files, and frames through the Arrow C stream interface.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/frame.hpp>

#include "convert.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

CalendarUnit unit_of(const std::string& kind, std::int32_t days) {
  using Kind = CalendarUnit::Kind;
  const Kind made = kind == "days"      ? Kind::days
                    : kind == "quarter" ? Kind::quarter
                    : kind == "year"    ? Kind::year
                                        : Kind::month;
  return {made, days};
}

/// The frame behind an object with the method __arrow_c_stream__.
Frame frame_of(const nb::object& data) {
  const nb::object capsule = data.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  const nb::gil_scoped_release released;
  return unwrap(Frame::take(*stream));
}

}  // namespace

void bind_ingest(nb::module_& module) {
  nb::class_<CountOptions>(module, "CountOptions")
      .def(nb::init<>())
      .def_rw("columns", &CountOptions::columns)
      .def_rw("bins", &CountOptions::bins)
      .def_rw("groups", &CountOptions::groups)
      .def_rw("excluded_groups", &CountOptions::excluded_groups)
      .def_rw("features", &CountOptions::features)
      .def_rw("labels", &CountOptions::labels)
      .def_rw("actions", &CountOptions::actions)
      .def_rw("first_step", &CountOptions::first_step)
      .def_rw("horizon", &CountOptions::horizon)
      .def(
          "set_censored",
          [](CountOptions& options, const std::string& word) {
            const auto named = censoring_named(word);
            if (!named || *named == Censoring::none)
              throw Refused(Error{"censored is \"" + word + "\", expected drop or assume-ignorable"});
            options.censoring = named;
          },
          nb::arg("censored"))
      .def(
          "set_window",
          [](CountOptions& options, const std::string& kind, std::int32_t days) {
            options.window = unit_of(kind, days);
          },
          nb::arg("kind"), nb::arg("days"))
      .def(
          "set_delimiter", [](CountOptions& options, const std::string& text) { options.delimiter = text.at(0); },
          nb::arg("delimiter"))
      .def_rw("threads", &CountOptions::threads)
      .def_rw("memory_bytes", &CountOptions::memory_bytes)
      .def_rw("temporary_directory", &CountOptions::temporary_directory);
  module.def(
      "count_log",
      [](const std::vector<std::string>& patterns, const CountOptions& options) {
        return unwrap(count_log(unwrap(find_logs(patterns)), options)).counts;
      },
      nb::arg("patterns"), nb::arg("options"), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "count_frame",
      [](const nb::object& data, const CountOptions& options) {
        const Frame frame = frame_of(data);
        const nb::gil_scoped_release released;
        return unwrap(count_frame(frame, options)).counts;
      },
      nb::arg("data"), nb::arg("options"));
}

}  // namespace fairstep::python
