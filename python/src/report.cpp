// One HTML file about an experiment. It takes what Node.js makes at build time, so that a build may be without.
#include <fairstep/report/report.hpp>

#include <filesystem>
#include <string>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/shown_text.hpp>
#include <fairstep/io/files.hpp>

#include "convert.hpp"
#include "parts.hpp"

namespace fairstep::python {

void bind_report(nb::module_& module) {
  nb::class_<ReportFinding>(module, "ReportFinding", "A claim as it was judged in one setting.")
      .def_ro("setting", &ReportFinding::setting)
      .def_ro("ruling", &ReportFinding::ruling, "holds, a tie, undecided, or does not hold.")
      .def_ro("evidence", &ReportFinding::evidence, "The numbers behind it, in words.")
      .def("__repr__",
           [](const ReportFinding& f) { return "ReportFinding(" + shown_text(f.setting) + ": " + f.ruling + ")"; });
  nb::class_<ReportVerdict>(module, "ReportVerdict", "A claim of the paper, judged by a stated rule.")
      .def_ro("id", &ReportVerdict::id)
      .def_ro("claim", &ReportVerdict::claim)
      .def_ro("rule", &ReportVerdict::rule)
      .def_ro("ruling", &ReportVerdict::ruling, "Over all settings.")
      .def_ro("findings", &ReportVerdict::findings, "In each setting.")
      .def("__repr__", [](const ReportVerdict& v) { return "ReportVerdict(" + v.claim + ": " + v.ruling + ")"; });
  nb::class_<Report>(module, "Report", "One HTML file about an experiment that needs nothing else, and its verdicts.")
      .def_ro("name", &Report::name, "Of the experiment.")
      .def_ro("html", &Report::html, "The page.")
      .def_ro("runs", &Report::runs, "Finished ones.")
      .def_ro("missing", &Report::missing, "Those that are not.")
      .def_ro("figures", &Report::figures)
      .def_ro("summary", &Report::summary, "Its sentences.")
      .def_ro("verdicts", &Report::verdicts)
      .def(
          "to_markdown", [](const Report& r) { return to_markdown(r); }, "Summary, numbers and verdicts.")
      .def(
          "save",
          [](const Report& r, const std::filesystem::path& path) {
            const std::string ending = path.extension().string();
            if (ending != ".html" && ending != ".htm" && ending != ".md")
              throw Refused(Error{"output is \"" + path.string() + "\", expected a name that ends in .html or .md"});
            unwrap(write_file(path, ending == ".md" ? to_markdown(r) : r.html));
          },
          nb::arg("path"), "Writes the page, or with a name that ends in .md summary, numbers and verdicts.")
      .def("to_frame", in_python("fairstep._frames", "report"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table with a row for each claim and setting.")
      .def("__repr__",
           [](const Report& r) { return "Report(" + shown_text(r.name) + ", " + std::to_string(r.runs) + " runs)"; })
      .def("_repr_html_", in_python("fairstep._html", "report"), nb::sig("def _repr_html_(self) -> str"));
  module.def(
      "report", [](const std::filesystem::path& folder) { return unwrap(make_report(folder)); }, nb::arg("folder"),
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace fairstep::python
