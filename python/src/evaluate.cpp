#include <fairstep/evaluate/evaluate.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/feature_order.hpp>
#include <fairstep/core/in_order.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/evaluate/differences.hpp>
#include <fairstep/evaluate/ratios.hpp>

#include "convert.hpp"
#include "evaluation.hpp"
#include "grounds.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

/// The gaps alone.
Array<double, 1> widths(const std::vector<StepGap>& gaps) {
  std::vector<double> made;
  for (const StepGap& step : gaps) made.push_back(step.gap);
  return owned(std::move(made));
}

void bind_rates(nb::module_& module) {
  nb::class_<NamedRates>(module, "Rates",
                         "Shares of people, per group and step; NaN where nobody is who could have the rate.")
      .def_prop_ro(
          "groups", [](const NamedRates& r) { return r.names->groups; }, "Names of the groups, [g].")
      .def_prop_ro("accept", named_array<Rates>([](const Rates& r) -> auto& { return r.accept; }), "P(a=1), [g,h].")
      .def_prop_ro("tpr", named_array<Rates>([](const Rates& r) -> auto& { return r.tpr; }), "P(a=1 | y=1), [g,h].")
      .def_prop_ro("fpr", named_array<Rates>([](const Rates& r) -> auto& { return r.fpr; }), "P(a=1 | y=0), [g,h].")
      .def_prop_ro("qualified", named_array<Rates>([](const Rates& r) -> auto& { return r.qualified; }),
                   "P(y=1), [g,h].")
      .def("to_frame", in_python("fairstep._frames", "rates"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table with columns group, step, accept, tpr, fpr and qualified.")
      .def("__repr__",
           [](const NamedRates& r) {
             const auto [groups, steps] = r.it->accept.extents();
             return fmt::format("Rates(groups={}, steps={})", groups, steps);
           })
      .def("_repr_html_", in_python("fairstep._html", "rates"), nb::sig("def _repr_html_(self) -> str"));
}

void bind_gaps(nb::module_& module) {
  nb::class_<NamedGaps>(module, "Gaps", "The widest difference between two groups at each step, by notion of fairness.")
      .def_prop_ro(
          "dp", [](const NamedGaps& g) { return widths(g.it->dp); }, nb::rv_policy::automatic,
          "Demographic parity: of P(a=1), [h].")
      .def_prop_ro(
          "eqopt", [](const NamedGaps& g) { return widths(g.it->eqopt); }, nb::rv_policy::automatic,
          "Equal opportunity: of P(a=1 | y=1), [h].")
      .def_prop_ro(
          "eqodds", [](const NamedGaps& g) { return widths(g.it->eqodds); }, nb::rv_policy::automatic,
          "Equalized odds: the worse of P(a=1 | y=1) and P(a=1 | y=0), [h].")
      .def(
          "worst_pair",
          [](const NamedGaps& gaps, const std::string& fairness, std::size_t step) -> nb::object {
            const auto& steps = of_notion(*gaps.it, chosen<Notion>(fairness, "fairness"));
            if (step >= steps.size())
              throw Refused(Error{fmt::format("step is {}, expected less than {}", step, steps.size())});
            if (std::isnan(steps[step].gap)) return nb::none();
            return nb::make_tuple(gaps.names->groups[steps[step].first], gaps.names->groups[steps[step].second]);
          },
          nb::arg("fairness"), nb::arg("step"),
          nb::sig("def worst_pair(self, fairness: str, step: int) -> tuple[str, str] | None"),
          "The two groups that are furthest apart; None if fewer than two have the rate.")
      .def("to_frame", in_python("fairstep._frames", "gaps"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table with columns step, dp, eqopt and eqodds.")
      .def("__repr__", [](const NamedGaps& gaps) {
        const auto worst = [](const std::vector<StepGap>& steps) {
          double most = 0;
          for (const StepGap& step : steps) most = std::fmax(most, step.gap);
          return round_up_short(most, 4);
        };
        return fmt::format("Gaps(dp<={}, eqopt<={}, eqodds<={})", worst(gaps.it->dp), worst(gaps.it->eqopt),
                           worst(gaps.it->eqodds));
      });
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  bind_rates(module);
  bind_gaps(module);
  nb::class_<NamedEvaluation> evaluation(module, "Evaluation",
                                         "What a policy does to a population: exact, not simulated.");
  add_grounds<Evaluation>(evaluation, [](const Evaluation& e) { return &e; });
  evaluation
      .def_prop_ro(
          "value", [](const NamedEvaluation& e) { return e.it->value; }, "Expected total reward of a random person.")
      .def_prop_ro("value_per_step",
                   named_array<Evaluation>([](const Evaluation& e) -> auto& { return e.value_per_step; }),
                   "What step h adds; it sums to the value. [h]")
      .def_prop_ro("value_per_group",
                   named_array<Evaluation>([](const Evaluation& e) -> auto& { return e.value_per_group; }),
                   "Of a person of the group, [g].")
      .def_prop_ro(
          "rates", [](const NamedEvaluation& e) { return e.part(e.it->rates); }, "Shares of people accepted.")
      .def_prop_ro(
          "gap", [](const NamedEvaluation& e) { return e.part(e.it->gap); },
          "How far apart the groups are at each step.")
      .def(
          "ratio",
          [](const NamedEvaluation& e, const std::string& fairness, const std::optional<std::string>& reference) {
            std::optional<std::size_t> beside;
            if (reference) beside = group_called("reference", *reference, *e.names);
            std::vector<double> least;
            for (const StepRatio& step : step_ratios(e.it->rates, chosen<RatioNotion>(fairness, "fairness"), beside))
              least.push_back(step.ratio);
            return owned(least);
          },
          nb::arg("fairness") = "dp-ratio", nb::kw_only(), nb::arg("reference") = nb::none(),
          nb::sig("def ratio(self, fairness: str = 'dp-ratio', *, reference: str | None = None) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "The least ratio of any group's rate to the greatest of all, or to that of a reference, [h]: dp-ratio of "
          "accepted shares (the adverse impact ratio), eqopt-ratio of those of the qualified. NaN where there is none.")
      .def_prop_ro(
          "groups", [](const NamedEvaluation& e) { return e.names->groups; }, "Names of the groups, [g].")
      .def_prop_ro("aggregate_dp", named_array<Evaluation>([](const Evaluation& e) -> auto& { return e.aggregate_dp; }),
                   "Share of people that are accepted, over the whole episode, [g].")
      .def_prop_ro(
          "aggregate_dp_gap", [](const NamedEvaluation& e) { return e.it->aggregate_dp_gap.gap; },
          "Its widest difference between two groups.")
      .def_prop_ro("aggregate_eqopt",
                   named_array<Evaluation>([](const Evaluation& e) -> auto& { return e.aggregate_eqopt; }),
                   "Share of the qualified that are accepted, over the whole episode, [g].")
      .def_prop_ro(
          "aggregate_eqopt_gap", [](const NamedEvaluation& e) { return e.it->aggregate_eqopt_gap.gap; },
          "Its widest difference between two groups.")
      .def_prop_ro(
          "present",
          [](const NamedEvaluation& e) {
            return e.it->present ? std::optional(e.part(e.it->present->rates)) : std::nullopt;
          },
          "The rates of those who take part at a step, where people join late and leave early; otherwise None.")
      .def_prop_ro(
          "present_share",
          [](const NamedEvaluation& e) -> nb::object {
            if (!e.it->present) return nb::none();
            return nb::cast(owned(e.it->present->share));
          },
          nb::sig("def present_share(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "How many of a group's people take part, [g,h]; None as above.")
      .def_prop_ro("feature", named_array<Evaluation>([](const Evaluation& e) -> auto& { return e.feature; }),
                   "P(x), [g,h,x].")
      .def_prop_ro("mass", named_array<Evaluation>([](const Evaluation& e) -> auto& { return e.mass; }),
                   "P(x, y), [g,h,x,y].")
      .def_prop_ro("q", named_array<Evaluation>([](const Evaluation& e) -> auto& { return e.q; }),
                   "Value to go if a is taken, [g,h,x,y,a].")
      .def_prop_ro("v", named_array<Evaluation>([](const Evaluation& e) -> auto& { return e.v; }),
                   "Value to go, [g,h,x,y].")
      .def("__repr__", [](const NamedEvaluation& e) { return fmt::format("Evaluation(value={:.6g})", e.it->value); })
      .def("plot", in_python("fairstep._plots", "evaluation"),
           nb::sig("def plot(self, rate: str = 'accept', *, limit: float | Sequence[float] | None = None, "
                   "ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes"),
           "Draws a rate (accept, tpr, fpr or qualified) per step and group, with matplotlib.")
      .def("_repr_html_", in_python("fairstep._html", "evaluation"), nb::sig("def _repr_html_(self) -> str"));

  module.def(
      "evaluate",
      [](const Model& model, const Policy& policy) {
        return NamedEvaluation(unwrap(evaluate(model, in_order_of(model.names().groups, policy))), model.names(),
                               grounds_of(model));
      },
      nb::arg("model"), nb::arg("policy"), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "differences",
      [](const Model& model, const Policy& first, const NamedEvaluation& of_first, const Policy& second,
         const NamedEvaluation& of_second) {
        const Differences found = differences(model, in_order_of(model.names().groups, first), *of_first.it,
                                              in_order_of(model.names().groups, second), *of_second.it);
        std::vector<std::tuple<std::size_t, std::size_t, std::size_t, double, double, double, double, double>> cells;
        for (const Difference& cell : found.cells)
          cells.emplace_back(cell.group, cell.step, cell.feature, cell.first, cell.second, cell.people_first,
                             cell.people_second, cell.changed());
        return std::tuple(std::move(cells), found.changed, found.changed_share);
      },
      nb::arg("model"), nb::arg("first"), nb::arg("of_first"), nb::arg("second"), nb::arg("of_second"));
  module.def(
      "falls",
      [](const Model& model, const Policy& as_given, const std::vector<std::string>& order, std::size_t monotone_in) {
        const Policy policy = in_order_of(model.names().groups, as_given);
        if (auto fits = policy.check_fits(model); !fits) throw Refused(std::move(fits.error()));
        std::vector<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, double>> made;
        for (const Fall& fall :
             falls_of(policy, unwrap(feature_order(model.names().features, order, monotone_in)), 1e-12))
          made.emplace_back(fall.group, fall.step, fall.lower, fall.higher, fall.by);
        return made;
      },
      nb::arg("model"), nb::arg("policy"), nb::arg("order"), nb::arg("monotone_in"));
}

}  // namespace fairstep::python
