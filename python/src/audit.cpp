// How groups were treated according to counts, with bands that hold all together.
#include <fairstep/audit/audit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/in_order.hpp>
#include <fairstep/io/files.hpp>

#include "cells.hpp"
#include "convert.hpp"
#include "interruptible.hpp"
#include "parts.hpp"
#include "words.hpp"

namespace fairstep::python {
namespace {

AuditSource source_of(const Audit& audit) {
  return {audit.log && audit.log->files.size() == 1 ? audit.log->files.front() : "counts", audit.policy ? "policy" : "",
          FAIRSTEP_VERSION};
}

/// What was observed of a rate and what can be behind it, each [g,h]; None if it cannot be known or was not asked for.
nb::object rate_bands(const Audit& audit, const std::string& word) {
  const Rate wanted = chosen<Rate>(word, "rate");
  for (const AuditedRate& rate : audit.rates) {
    if (rate.rate != wanted || !rate.known) continue;
    Tensor<double, 2> observed(rate.steps.extents()), low(rate.steps.extents()), high(rate.steps.extents());
    for (std::size_t i = 0; i < observed.size(); ++i) {
      observed.flat()[i] = rate.steps.flat()[i].rate;
      low.flat()[i] = rate.steps.flat()[i].band.low;
      high.flat()[i] = rate.steps.flat()[i].band.high;
    }
    return nb::make_tuple(owned(std::move(observed)), owned(std::move(low)), owned(std::move(high)));
  }
  return nb::none();
}

/// The widest gap of a notion at each step and its band, each [h]; None if it was not asked for.
nb::object gap_bands(const Audit& audit, const std::string& word) {
  const Notion wanted = chosen<Notion>(word, "fairness");
  std::vector<double> gap, low, high;
  for (const NotionGap& step : audit.gaps) {
    if (step.notion != wanted) continue;
    gap.push_back(step.gap);
    low.push_back(step.band.low);
    high.push_back(step.band.high);
  }
  if (gap.empty()) return nb::none();
  return nb::make_tuple(owned(std::move(gap)), owned(std::move(low)), owned(std::move(high)));
}

using Bounded = std::tuple<double, double, double>;  ///< what was observed, and its band

std::optional<Bounded> episode_gap(const Audit& audit) {
  if (!audit.episode) return std::nullopt;
  const NotionGap& gap = audit.episode->gap;
  return Bounded(gap.gap, gap.band.low, gap.band.high);
}

std::vector<Bounded> episode_rates(const Audit& audit) {
  std::vector<Bounded> rates;
  if (audit.episode)
    for (const Observed& observed : audit.episode->accept)
      rates.emplace_back(observed.rate, observed.band.low, observed.band.high);
  return rates;
}

nb::object policy_gap(const Audit& audit, const std::string& word) {
  const Notion wanted = chosen<Notion>(word, "fairness");
  std::vector<double> estimate, at_most;
  if (audit.policy) {
    for (const PolicyAudit::Step& step : audit.policy->gaps) {
      if (step.notion != wanted) continue;
      estimate.push_back(step.gap);
      at_most.push_back(step.at_most);
    }
  }
  if (estimate.empty()) return nb::none();
  return nb::make_tuple(owned(std::move(estimate)), owned(std::move(at_most)));
}

std::vector<std::tuple<std::string, std::string, std::size_t, double, double, double>> gaps_by_rule(
    const Audit& audit) {
  std::vector<std::tuple<std::string, std::string, std::size_t, double, double, double>> gaps;
  if (audit.labels)
    for (const LabelAudit::Rule& rule : audit.labels->rules)
      for (const NotionGap& gap : rule.gaps)
        gaps.emplace_back(text_of(rule.refused), name_of(gap.notion), gap.step, gap.gap, gap.band.low, gap.band.high);
  return gaps;
}

/// All pairs at all steps: (rate, step, first, second, difference, low, high, p, differ, ratio, ratio_low, ratio_high).
std::vector<std::tuple<std::string, std::size_t, std::string, std::string, double, double, double, double, bool, double,
                       double, double>>
pairs(const Audit& audit) {
  std::vector<std::tuple<std::string, std::size_t, std::string, std::string, double, double, double, double, bool,
                         double, double, double>>
      rows;
  const std::vector<std::string>& groups = audit.names.groups;
  for (const PairGap& pair : audit.pairs)
    rows.emplace_back(name_of(pair.rate), pair.step, groups[pair.first], groups[pair.second], pair.difference,
                      pair.band.low, pair.band.high, pair.p, pair.differ, pair.ratio, pair.ratio_band.low,
                      pair.ratio_band.high);
  return rows;
}

/// The least ratio at each step and its band, each [h]; None if its rate is not known or was not asked for.
nb::object ratio_bands(const Audit& audit, const std::string& word) {
  const RatioNotion wanted = chosen<RatioNotion>(word, "fairness");
  std::vector<double> ratio, low, high;
  for (const NotionRatio& step : audit.ratios) {
    if (step.notion != wanted) continue;
    ratio.push_back(step.ratio);
    low.push_back(step.band.low);
    high.push_back(step.band.high);
  }
  if (ratio.empty()) return nb::none();
  return nb::make_tuple(owned(std::move(ratio)), owned(std::move(low)), owned(std::move(high)));
}

using LimitRow = std::tuple<std::string, std::optional<std::size_t>, double, double, double, double, std::string>;

std::vector<LimitRow> limits_judged(const Audit& audit) {
  std::vector<LimitRow> rows;
  for (const Judged& judged : audit.judged)
    rows.emplace_back(judged.notion, judged.step == audit.horizon ? std::nullopt : std::optional(judged.step),
                      judged.limit, judged.found, judged.band.low, judged.band.high, name_of(judged.ruling));
  return rows;
}

/// What is asked of an audit, as Python gives it: words, or one file, and a limit for all steps.
AuditOptions question(const Counts& counts, const std::vector<std::string>& words,
                      const std::optional<std::filesystem::path>& file, std::optional<double> limit,
                      const std::optional<std::string>& reference) {
  AuditOptions options;
  options.notions.clear();
  const auto add = [&](Notion notion) {
    if (std::find(options.notions.begin(), options.notions.end(), notion) == options.notions.end())
      options.notions.push_back(notion);
  };
  if (reference) options.reference = group_called("reference", *reference, counts.names());
  if (file) options.limits = unwrap(read_fairness(*file, counts.names(), counts.shape()));
  for (StepwiseRatio& ratio : options.limits.ratios) {
    if (!options.reference) options.reference = ratio.reference;
    if (!ratio.reference) ratio.reference = options.reference;
  }
  for (const StepwiseParity& parity : options.limits.parity) add(parity.notion);
  for (const StepwiseRatio& ratio : options.limits.ratios) add(notion_of(ratio.notion));
  if (options.limits.aggregate_dp) add(Notion::dp);
  for (const std::string& word : words) {
    const auto ratio = named<RatioNotion>(word);
    const Notion notion = ratio ? notion_of(*ratio) : chosen<Notion>(word, "fairness");
    add(notion);
    if (limit && ratio) options.limits.ratios.push_back({*ratio, {*limit}, options.reference});
    if (limit && !ratio) options.limits.parity.push_back({notion, {*limit}, {}});
  }
  std::sort(options.notions.begin(), options.notions.end());
  return options;
}

double widest(const Audit& audit) {
  double most = 0;
  for (const NotionGap& step : audit.gaps) most = std::fmax(most, step.gap);
  return most;
}

}  // namespace

void bind_audit(nb::module_& module) {
  constexpr const char* three =
      "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
      "numpy.typing.NDArray[numpy.float64]] | None";
  const std::string rates_signature = std::string("def rate_bands(self, rate: str) -> ") + three;
  const std::string gaps_signature = std::string("def gap_bands(self, fairness: str) -> ") + three;
  const std::string ratios_signature = std::string("def ratio_bands(self, fairness: str) -> ") + three;
  nb::class_<Audit>(module, "Audit",
                    "How groups were treated at every step, with bands that hold all together with probability "
                    "1 - delta, whatever rows that were left out of the counts would have said.")
      .def_prop_ro(
          "groups", [](const Audit& a) { return a.names.groups; }, "Names of the groups, [g].")
      .def_ro("horizon", &Audit::horizon, "Steps.")
      .def_ro("delta", &Audit::delta,
              "What the bands of rates may fail with, all together; so may those of differences, of ratios, of "
              "windows, and "
              "the policy's.")
      .def_prop_ro(
          "assumptions", [](const Audit& a) { return assumptions_of(a); },
          "What the bands rest on, a sentence each; the last says what holds together with what.")
      .def_prop_ro("people", array_of<Audit>([](const Audit& a) -> auto& { return a.people; }),
                   "Everybody, also those whose first row could not be used, [g].")
      .def_prop_ro("decisions", array_of<Audit>([](const Audit& a) -> auto& { return a.decisions; }),
                   "Those without a label included, [g].")
      .def(
          "rate_bands", &rate_bands, nb::arg("rate"), nb::sig(rates_signature.c_str()),
          "Of accept, tpr or fpr: what was observed, and the least and the greatest chance behind it, [g,h] each. None "
          "if the notions do not need it, or if nobody knows how many labels are missing. 0 to 1 where labels were "
          "drawn.")
      .def("gap_bands", &gap_bands, nb::arg("fairness"), nb::sig(gaps_signature.c_str()),
           "The widest gap between two groups at each step, and its band, [h] each; None if not asked for.")
      .def("ratio_bands", &ratio_bands, nb::arg("fairness"), nb::sig(ratios_signature.c_str()),
           "Of dp-ratio or eqopt-ratio: the least ratio of a group's rate to the reference's, or to that of any other, "
           "at each step, and its band, [h] each; None if not asked for. A band may have no end.")
      .def(
          "pairs", &pairs,
          nb::sig("def pairs(self) -> list[tuple[str, int, str, str, float, float, float, float, bool, float, float, "
                  "float]]"),
          "Every two groups at every step: (rate, step, first, second, difference, low, high, p, differ, ratio, "
          "ratio_low, ratio_high). The difference is the first's rate minus the second's; p is adjusted for all pairs, "
          "and nan where none was tested.")
      .def_prop_ro(
          "set_apart",
          [](const Audit& a) {
            std::vector<std::string> groups;
            for (const std::size_t g : a.set_apart) groups.push_back(a.names.groups[g]);
            return groups;
          },
          "Groups of too few people, which are compared with none.")
      .def_prop_ro(
          "reference",
          [](const Audit& a) { return a.reference ? std::optional(a.names.groups[*a.reference]) : std::nullopt; },
          "The group that ratios are to; None: whichever is treated best.")
      .def_prop_ro(
          "ruling",
          [](const Audit& a) {
            const auto ruling = ruling_of(a);
            return ruling ? std::optional(std::string(name_of(*ruling))) : std::nullopt;
          },
          "Of all limits: beyond if any is proven to be broken, within if all are proven to be kept, otherwise open; "
          "None without a limit.")
      .def("limits", &limits_judged,
           nb::sig("def limits(self) -> list[tuple[str, int | None, float, float, float, float, str]]"),
           "Each limit at each step: (on what, step or None for the whole episode, limit, found, low, high, ruling).")
      .def_prop_ro(
          "episode_gap", &episode_gap,
          "Demographic parity over the whole episode: the widest gap between two groups, and its band; None if "
          "not asked for.")
      .def_prop_ro("episode_rates", &episode_rates,
                   "The accepted share of each group over the whole episode, the mean of the steps, and its band.")
      .def_prop_ro(
          "policy_episode_gap",
          [](const Audit& a) {
            return a.policy && a.policy->episode
                       ? std::optional(std::pair(a.policy->episode->gap, a.policy->episode->at_most))
                       : std::nullopt;
          },
          "The policy's demographic-parity gap over the whole episode by the estimated model, and the widest over "
          "every "
          "model that the data allow; None if not asked for.")
      .def_prop_ro(
          "policy_value",
          [](const Audit& a) { return a.policy ? std::optional<double>(a.policy->value) : std::nullopt; },
          "What the policy would have earned a person, by the estimated model.")
      .def("policy_gap", &policy_gap, nb::arg("fairness"),
           nb::sig("def policy_gap(self, fairness: str) -> tuple[numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float64]] | None"),
           "The policy's gap at each step by the estimated model, and the widest over every model that the data allow, "
           "[h] each.")
      .def_prop_ro(
          "labels_follow_features",
          [](const Audit& a) {
            return a.labels ? std::optional(std::string(name_of(a.labels->verdict))) : std::nullopt;
          },
          "Where that is assumed, whether the log refutes it: refuted, not refuted or cannot be tested; otherwise "
          "None.")
      .def_prop_ro(
          "doubts_of_features",
          [](const Audit& a) {
            return a.labels ? fairstep::doubts_of_features(a.diagnosis) : std::vector<std::string>();
          },
          "Where labels follow features, what the log says against it: sentences; none if nothing does.")
      .def_prop_ro(
          "refused",
          [](const Audit& a) { return a.labels ? std::optional(text_of(a.labels->assumption.refused)) : std::nullopt; },
          "What is assumed of those whose label was not seen, where labels follow features; otherwise None.")
      .def("gaps_by_rule", &gaps_by_rule,
           nb::sig("def gaps_by_rule(self) -> list[tuple[str, str, int, float, float, float]]"),
           "Where labels follow features: (what is assumed of those without a label, notion, step, gap, low, high) "
           "under "
           "each such assumption. The bands of one assumption hold together.")
      .def_prop_ro(
          "weight", [](const Audit& a) { return a.weights ? std::optional(a.weights->column) : std::nullopt; },
          "The column by which decisions count, if they do not count each for one; then all rates are weighted.")
      .def_prop_ro(
          "largest_weight", [](const Audit& a) { return a.weights ? std::optional(a.weights->largest) : std::nullopt; },
          "The largest weight that there can be, as it was said beforehand; None without weights.")
      .def_prop_ro(
          "effective_decisions",
          [](const Audit& a) { return a.weights ? std::optional(a.weights->effective) : std::nullopt; },
          "Kish's effective number of decisions by group, with weights: a description, no band rests on it.")
      .def_prop_ro(
          "unseen",
          [](const Audit& a) {
            std::vector<CellTuple> cells;
            for (const Cell& cell : a.coverage.unseen) cells.push_back(tuple_of(cell));
            return cells;
          },
          "Cells (g, x, y, a) without a decision.")
      .def_prop_ro(
          "thin",
          [](const Audit& a) {
            std::vector<std::pair<CellTuple, std::int64_t>> cells;
            for (const SeenCell& seen : a.coverage.thin) cells.emplace_back(tuple_of(seen.cell), seen.decisions);
            return cells;
          },
          "Cells with fewer decisions than asked for, and how many.")
      .def(
          "to_markdown", [](const Audit& a) { return to_markdown(a, source_of(a)); }, "The report as Markdown.")
      .def(
          "to_html", [](const Audit& a) { return to_html(a, source_of(a)); },
          "The report as one page, for screen and paper.")
      .def("to_frame", in_python("fairstep._frames", "audit"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table with columns step, fairness, gap, low and high.")
      .def_prop_ro(
          "findings", [](const Audit& a) { return a.log ? a.log->findings : std::vector<Finding>{}; },
          "What in the log was not as it should be.")
      .def("plot", in_python("fairstep._plots", "audit"),
           nb::sig("def plot(self, rate: str = 'accept', *, ax: matplotlib.axes.Axes | None = None) -> "
                   "matplotlib.axes.Axes"),
           "Draws a rate (accept, tpr or fpr) per step and group as it was observed, with its band, by matplotlib.")
      .def("_repr_html_", in_python("fairstep._html", "audit"), nb::sig("def _repr_html_(self) -> str"))
      .def("__repr__", [](const Audit& a) {
        return fmt::format("Audit(groups={}, steps={}, widest gap={:.4g}, delta={})", a.names.groups.size(), a.horizon,
                           widest(a), a.delta);
      });
  module.def(
      "audit",
      [](const Counts& counts, const std::vector<std::string>& fairness,
         const std::optional<std::filesystem::path>& file, std::optional<double> limit,
         const std::optional<std::string>& reference, std::int64_t small, double delta, std::int64_t thin,
         const Policy* policy, const std::optional<std::string>& refused, const DecisionWeights* weights) {
        AuditOptions options = question(counts, fairness, file, limit, reference);
        options.small = small;
        options.delta = delta;
        options.thin = thin;
        if (weights != nullptr) options.weights = *weights;
        std::optional<Policy> ours;
        if (policy != nullptr) ours = in_order_of(counts.names().groups, *policy);
        if (refused) options.labels = LabelAssumption{unwrap(refused_from(*refused))};
        return unwrap(interruptible<int>(
            [&](const std::stop_token& stop, const auto&) {
              options.stop = stop;
              return audit(counts, options, ours ? &*ours : nullptr);
            },
            {}));
      },
      nb::arg("counts"), nb::arg("fairness"), nb::arg("file").none(), nb::arg("limit").none(),
      nb::arg("reference").none(), nb::arg("small"), nb::arg("delta"), nb::arg("thin"), nb::arg("policy").none(),
      nb::arg("refused").none(), nb::arg("weights").none());
}

}  // namespace fairstep::python
