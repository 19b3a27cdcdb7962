// Does a log refute the model?
#include <fairstep/diagnose/diagnose.hpp>

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "convert.hpp"
#include "interruptible.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

namespace nb = nanobind;

/// With the name of its group.
struct NamedTest {
  Diagnosed test{};
  std::string group{};
};

struct NamedDiagnosis {
  double level = 0;
  std::string verdict{};
  std::vector<NamedTest> tests{};
  std::vector<std::string> doubts_of_features{};
};

NamedDiagnosis diagnosis_of(const Counts& counts, double level) {
  const Diagnosis found = unwrap(interruptible<int>(
      [&](const std::stop_token& stop, const auto&) {
        return diagnose(counts, {level, [&stop] { return stop.stop_requested(); }});
      },
      {}));
  NamedDiagnosis named{found.level, std::string(name_of(found.verdict)), {}, doubts_of_features(found)};
  for (const Diagnosed& test : found.answers) named.tests.push_back({test, counts.names().groups[test.group]});
  return named;
}

}  // namespace

void bind_diagnose(nb::module_& module) {
  nb::class_<NamedTest>(module, "DiagnosedTest", "One question to a log, about one group.")
      .def_prop_ro(
          "test", [](const NamedTest& t) { return std::string(name_of(t.test.question)); },
          "kernel-by-step, kernel-by-window, decision-by-label, leaving, step-before or labels.")
      .def_ro("group", &NamedTest::group, "The group it is about.")
      .def_prop_ro(
          "assumption", [](const NamedTest& t) { return is_assumption(t.test.question); },
          "Whether guarantees rest on it. They do not rest on labels, which has no part in the verdict.")
      .def_prop_ro(
          "verdict", [](const NamedTest& t) { return std::string(name_of(t.test.verdict)); },
          "refuted, not refuted or cannot be tested.")
      .def_prop_ro(
          "p_value", [](const NamedTest& t) { return t.test.p_value; }, "By itself; None if it was not tested.")
      .def_prop_ro(
          "adjusted", [](const NamedTest& t) { return t.test.adjusted; }, "With all tests paid for, by Holm's method.")
      .def_prop_ro(
          "effect", [](const NamedTest& t) { return t.test.effect; }, "How far a rate could be off, beyond chance.")
      .def_prop_ro(
          "sentence", [](const NamedTest& t) { return t.test.sentence; }, "What was found, or why nothing could be.")
      .def("__repr__", [](const NamedTest& t) {
        return fmt::format("DiagnosedTest({}, {}: {})", name_of(t.test.question), t.group, name_of(t.test.verdict));
      });
  nb::class_<NamedDiagnosis>(module, "Diagnosis", "Whether a log refutes the model, test by test.")
      .def_ro("level", &NamedDiagnosis::level, "The chance that anything is called refuted if the model holds.")
      .def_ro("verdict", &NamedDiagnosis::verdict, "refuted, not refuted or cannot be tested.")
      .def_ro("tests", &NamedDiagnosis::tests, "By question, then group.")
      .def_ro("doubts_of_features", &NamedDiagnosis::doubts_of_features,
              "What the log says against labels that follow features, where that is assumed: sentences.")
      .def("__repr__", [](const NamedDiagnosis& d) {
        const auto refuted = std::count_if(d.tests.begin(), d.tests.end(), [](const NamedTest& t) {
          return t.test.verdict == Verdict::refuted && is_assumption(t.test.question);
        });
        return fmt::format("Diagnosis({}, {} of {} tests refuted, level={})", d.verdict, refuted, d.tests.size(),
                           d.level);
      });
  module.def("diagnose", diagnosis_of, nb::arg("counts"), nb::arg("level"));
}

}  // namespace fairstep::python
