#include <fairstep/optimise/solve.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/quantity.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shown_text.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/optimise/pareto.hpp>

#include "convert.hpp"
#include "evaluation.hpp"
#include "grounds.hpp"
#include "interruptible.hpp"
#include "option_fields.hpp"
#include "parts.hpp"
#include "words.hpp"

namespace fairstep::python {
namespace {

/// What is asked for, as Python gives it.
struct Question {
  std::vector<std::string> notions{};
  std::vector<std::filesystem::path> files{};
  std::vector<double> limit{};
  std::vector<double> ratio_limit{};
  std::optional<std::string> reference{};
  std::optional<std::vector<double>> capacity{};
  std::optional<double> aggregate_dp{};
  std::optional<double> aggregate_eqopt{};

  [[nodiscard]] Fairness on(const Model& model) const {
    Fairness made;
    for (const std::filesystem::path& file : files) append(made, unwrap(read_fairness(file, model)));
    std::optional<std::size_t> measured_by;
    if (reference) measured_by = group_called("reference", *reference, model.names());
    for (const std::string& word : notions) {
      if (const auto ratio = named<RatioNotion>(word))
        made.ratios.push_back({*ratio, ratio_limit, measured_by});
      else
        made.parity.push_back({chosen<Notion>(word, "fairness"), limit, {}});
    }
    if (capacity) made.capacity = Capacity{*capacity};
    if (aggregate_dp) made.aggregate_dp = aggregate_dp;
    if (aggregate_eqopt) made.aggregate_eqopt = aggregate_eqopt;
    return made;
  }
};

/// The limits that were in force, for pictures.
struct Limit {
  std::string notion{};
  std::vector<double> limit{};  ///< [h]
};

struct Solved {
  SolveResult result{};
  std::vector<Limit> limits{};
  std::string method{};
  std::optional<double> tail{};
};

using NamedSolved = Named<Solved>;

Solved solved(SolveResult result, const Fairness& fairness, const SolveOptions& options, std::size_t horizon,
              std::optional<double> tail = {}) {
  Solved made{std::move(result), {}, name_of(options.method), tail};
  if (options.method != Method::constrained && options.method != Method::myopic) return made;
  for (const StepwiseParity& parity : fairness.parity) {
    Limit limit{name_of(parity.notion), {}};
    for (std::size_t h = 0; h < horizon; ++h) limit.limit.push_back(limit_at(parity, h));
    made.limits.push_back(std::move(limit));
  }
  for (const StepwiseRatio& ratio : fairness.ratios) {
    Limit limit{name_of(ratio.notion), {}};
    for (std::size_t h = 0; h < horizon; ++h) limit.limit.push_back(limit_at(ratio, h));
    made.limits.push_back(std::move(limit));
  }
  return made;
}

using SolveListener = std::function<void(double lower, double upper, double seconds, std::string phase)>;

std::function<void(const SolveProgress&)> heard_by(const std::optional<SolveListener>& progress) {
  if (!progress) return {};
  return [&hear = *progress](const SolveProgress& news) {
    hear(news.bounds.lower, news.bounds.upper, news.seconds, news.phase);
  };
}

/// Rounded so that it would do.
std::string limit_that_would_do(const Infeasibility& why) {
  return why.ratio ? round_down_short(why.smallest_limit, 6) : round_up_short(why.smallest_limit, 6);
}

const Solution& solution_of(const NamedSolved& solved) {
  const SolveResult& result = solved.it->result;
  if (result.solution) return *result.solution;
  Error error{fmt::format("there is no policy: the outcome is {}", name_of(result.outcome))};
  if (result.infeasibility)
    error.hint = fmt::format("the smallest limit on {} that a policy is known for is {}",
                             result.infeasibility->constraint, limit_that_would_do(*result.infeasibility));
  throw Refused(std::move(error));
}

void bind_parts(nb::module_& module) {
  nb::class_<Bounds>(module, "Bounds", "lower <= optimum <= upper; infinite where nothing is proven.")
      .def_ro("lower", &Bounds::lower)
      .def_ro("upper", &Bounds::upper)
      .def(
          "__iter__", [](const Bounds& b) { return nb::iter(nb::make_tuple(b.lower, b.upper)); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[float]"))
      .def("__len__", [](const Bounds&) { return 2; })
      .def(
          "__getitem__",
          [](const Bounds& b, int end) {
            if (end < -2 || end > 1) throw nb::index_error("bounds have two ends, 0 and 1");
            return end == 0 || end == -2 ? b.lower : b.upper;
          },
          nb::arg("end"))
      .def("__repr__", [](const Bounds& b) { return fmt::format("Bounds(lower={}, upper={})", b.lower, b.upper); });
  nb::class_<Binding>(module, "Binding", "A limit that stops the value from growing.")
      .def_ro("step", &Binding::step, "The step; the horizon for a limit on the whole episode.")
      .def_ro("constraint", &Binding::constraint, "dp, eqopt, ..., or the name of the row.")
      .def_ro("pair", &Binding::pair, "The two groups, as in white-black; of a ratio, as in black/white.")
      .def_ro("value", &Binding::value, "Where the policy is.")
      .def_ro("limit", &Binding::limit)
      .def_ro("shadow_price", &Binding::shadow_price, "What a unit of limit is worth, near here.")
      .def("__repr__", [](const Binding& b) {
        return fmt::format("Binding({} at step {}{}{}, limit={:.4g}, shadow_price={:.4g})", shown_text(b.constraint),
                           b.step, b.pair.empty() ? "" : ", ", shown_text(b.pair), b.limit, b.shadow_price);
      });
  nb::class_<RulesPrice>(module, "RulesPrice", "What it costs that a policy is monotone, a threshold or stationary.")
      .def_ro("asked_for", &RulesPrice::rules, "Such as monotone and stationary.")
      .def_ro("order", &RulesPrice::order, "Numbers of features as they rise, in chains; None if they need not.")
      .def_ro("without", &RulesPrice::without, "Bounds on the best policy that need not be so.")
      .def_ro("at_least", &RulesPrice::at_least, "The rules cost no less.")
      .def_ro("at_most", &RulesPrice::at_most, "Nor more.")
      .def("__repr__", [](const RulesPrice& p) {
        return fmt::format("RulesPrice({}: {} to {})", p.rules, round_down_short(p.at_least, 3),
                           round_up_short(p.at_most, 3));
      });
  nb::class_<Infeasibility>(module, "Infeasibility", "Why nothing fits, and what would.")
      .def_ro("step", &Infeasibility::step, "Where it cannot be done; the horizon for the whole episode.")
      .def_ro("constraint", &Infeasibility::constraint)
      .def_ro("pair", &Infeasibility::pair)
      .def_ro("least_excess", &Infeasibility::least_excess,
              "Proven: every policy exceeds some limit by at least this much.")
      .def_ro("attained_excess", &Infeasibility::attained_excess, "What `nearest` exceeds its limits by.")
      .def_ro("smallest_limit", &Infeasibility::smallest_limit, "A limit that would do; of a ratio, the greatest.")
      .def_ro("limit", &Infeasibility::limit, "What was asked for.")
      .def_ro("ratio", &Infeasibility::ratio, "Whether it is a ratio, which should be at least its limit.")
      .def_prop_ro("would_do", &limit_that_would_do, "`smallest_limit` as a text, rounded to the safe side.")
      .def_ro("nearest", &Infeasibility::nearest, "The policy that comes nearest.")
      .def("__repr__", [](const Infeasibility& i) {
        return fmt::format("Infeasibility({} at step {}, smallest_limit={})", shown_text(i.constraint), i.step,
                           limit_that_would_do(i));
      });
}

void bind_result(nb::module_& module) {
  nb::class_<NamedSolved> result(
      module, "SolveResult",
      "A policy, and a proof of how good it is.\n\n"
      "`outcome` says what is known: optimal (within the gap asked for), feasible, infeasible or "
      "unknown. Without a policy `value`, `policy`, `evaluation` and `rates` raise ValueError; "
      "`found` tells.");
  add_grounds<Solved>(result,
                      [](const Solved& s) { return s.result.solution ? &s.result.solution->evaluation : nullptr; });
  result
      .def_prop_ro(
          "outcome", [](const NamedSolved& s) { return name_of(s.it->result.outcome); },
          "optimal, feasible, infeasible or unknown.")
      .def_prop_ro(
          "stopped_by", [](const NamedSolved& s) { return name_of(s.it->result.stopped_by); },
          "finished, time, iterations, requested or numerical.")
      .def_prop_ro(
          "found", [](const NamedSolved& s) { return s.it->result.solution.has_value(); }, "Whether there is a policy.")
      .def_prop_ro("method", [](const NamedSolved& s) { return s.it->method; })
      .def_prop_ro(
          "groups", [](const NamedSolved& s) { return s.names->groups; }, "Names of the groups, [g].")
      .def_prop_ro(
          "value", [](const NamedSolved& s) { return solution_of(s).evaluation.value; },
          "Expected total reward of a random person, exact.")
      .def_prop_ro(
          "bounds", [](const NamedSolved& s) { return s.it->result.bounds; },
          "lower <= best value (minus the penalty) <= upper.")
      .def_prop_ro(
          "gap", [](const NamedSolved& s) { return s.it->result.gap; }, "(upper - lower) / |lower|.")
      .def_prop_ro(
          "policy", [](const NamedSolved& s) -> const Policy& { return solution_of(s).policy; },
          nb::rv_policy::reference_internal, "The policy.")
      .def_prop_ro(
          "evaluation", [](const NamedSolved& s) { return s.part(solution_of(s).evaluation); },
          "What it does, exactly.")
      .def_prop_ro(
          "rates", [](const NamedSolved& s) { return s.part(solution_of(s).evaluation.rates); },
          "Shares of people accepted, per group and step.")
      .def_prop_ro(
          "penalty", [](const NamedSolved& s) { return s.it->result.penalty; }, "What the penalty method subtracted.")
      .def_prop_ro("parity_gap", named_array<Solved>([](const Solved& s) -> auto& { return s.result.parity_gap; }),
                   "The widest gap of the notions in force, [h].")
      .def_prop_ro("least_ratio", named_array<Solved>([](const Solved& s) -> auto& { return s.result.least_ratio; }),
                   "The least of the ratios in force, [h]; empty if none is.")
      .def_prop_ro("shadow_price", named_array<Solved>([](const Solved& s) -> auto& { return s.result.shadow_price; }),
                   "What a unit of limit is worth, [h].")
      .def_prop_ro(
          "limits",
          [](const NamedSolved& s) {
            std::vector<std::pair<std::string, std::vector<double>>> limits;
            for (const Limit& limit : s.it->limits) limits.emplace_back(limit.notion, limit.limit);
            return limits;
          },
          "The notions of fairness that were asked for, each with its limits [h].")
      .def_prop_ro(
          "vacuous_steps", [](const NamedSolved& s) { return s.it->result.vacuous_steps; },
          "Steps whose limit is 1 or more and can never bind.")
      .def_prop_ro(
          "binding", [](const NamedSolved& s) { return s.it->result.binding; },
          "The limits that stop the value from growing.")
      .def_prop_ro(
          "infeasibility", [](const NamedSolved& s) { return s.it->result.infeasibility; }, "Why nothing fits, if so.")
      .def_prop_ro("accepts_nobody", [](const NamedSolved& s) { return s.it->result.accepts_nobody; })
      .def_prop_ro("accepts_everybody", [](const NamedSolved& s) { return s.it->result.accepts_everybody; })
      .def_prop_ro(
          "scarce_visits",
          [](const NamedSolved& s) {
            return s.it->result.support ? std::optional(s.it->result.support->visits) : std::nullopt;
          },
          "With `min_seen`: the share of the policy's visits that rest on decisions seen less often; None otherwise.")
      .def_prop_ro(
          "randomised_value", [](const NamedSolved& s) { return s.it->result.randomised_value; },
          "For deterministic policies: what randomising would reach.")
      .def_prop_ro(
          "rules", [](const NamedSolved& s) { return s.it->result.rules_price; },
          "For monotone, threshold and stationary policies: what being so costs.")
      .def_prop_ro(
          "tail", [](const NamedSolved& s) { return s.it->tail; },
          "With `infinite`: what the steps after the cut are worth at most; the bounds allow for it.")
      .def_prop_ro("seconds", [](const NamedSolved& s) { return s.it->result.seconds; })
      .def_prop_ro(
          "nodes", [](const NamedSolved& s) { return s.it->result.nodes; }, "Of the branching.")
      .def("__repr__",
           [](const NamedSolved& s) {
             const SolveResult& r = s.it->result;
             if (!r.solution) return fmt::format("SolveResult({})", name_of(r.outcome));
             return fmt::format("SolveResult({}, value={:.6g}, bounds=[{}, {}])", name_of(r.outcome),
                                r.solution->evaluation.value, round_down_short(r.bounds.lower, 6),
                                round_up_short(r.bounds.upper, 6));
           })
      .def(
          "plot", in_python("fairstep._plots", "solution"),
          nb::sig("def plot(self, rate: str | None = None, *, ax: matplotlib.axes.Axes | None = None) "
                  "-> matplotlib.axes.Axes"),
          "Draws the rate that fairness is about (or `rate`: accept, tpr, fpr, qualified) per step and group, with the "
          "band that the limit leaves, by matplotlib.")
      .def("_repr_html_", in_python("fairstep._html", "solution"), nb::sig("def _repr_html_(self) -> str"));
}

void bind_questions(nb::module_& module) {
  bind_options<Question>(
      module, "Question", "What fairness asks.",
      {field("notions", &Question::notions), field("files", &Question::files), field("limit", &Question::limit),
       field("ratio_limit", &Question::ratio_limit), field("reference", &Question::reference),
       field("capacity", &Question::capacity), field("aggregate_dp", &Question::aggregate_dp),
       field("aggregate_eqopt", &Question::aggregate_eqopt)});
  bind_options<PolicyClass>(
      module, "PolicyClass", "Which policies are allowed.",
      {field("floor", &PolicyClass::floor), field("floor_kind", &PolicyClass::floor_kind),
       field("group_independent", &PolicyClass::group_independent), field("deterministic", &PolicyClass::deterministic),
       field("monotone", &PolicyClass::monotone), field("threshold", &PolicyClass::threshold),
       field("stationary", &PolicyClass::stationary), field("order", &PolicyClass::order),
       field("monotone_in", &PolicyClass::monotone_in), field("min_seen", &PolicyClass::min_seen)});
  bind_options<ProofBudget>(module, "ProofBudget", "What a proof may cost.",
                            {field("wanted", &ProofBudget::wanted), field("gap", &ProofBudget::gap),
                             field("time_limit", &ProofBudget::time_limit), field("effort", &ProofBudget::effort)});
  bind_options<SolveOptions>(
      module, "SolveOptions", "How a policy is looked for.",
      {field("method", &SolveOptions::method), field("policies", &SolveOptions::policies),
       field("penalty", &SolveOptions::penalty), field("penalty_form", &SolveOptions::penalty_form),
       field("proof", &SolveOptions::proof), field("start", &SolveOptions::start)});
}

void bind_pareto(nb::module_& module) {
  module.def("parse_range", [](const std::string& text) { return parse_range(text); }, nb::arg("text"));
  module.def(
      "usual_limits",
      [](const Model& model, const Question& question) { return std::string(usual_limits(question.on(model))); },
      nb::arg("model"), nb::arg("question"));
  module.def(
      "pareto",
      [](const Model& model, const Question& question, const std::vector<double>& limits, SolveOptions options,
         const std::optional<SolveListener>& progress) {
        const Fairness fairness = question.on(model);
        auto points = unwrap(interruptible<SolveProgress>(
            [&](const std::stop_token& stop, const auto& tell) {
              options.stop = stop;
              options.progress = tell;
              return pareto(model, fairness, limits, options);
            },
            heard_by(progress)));
        const auto grounds = grounds_of(model);
        std::vector<std::pair<double, NamedSolved>> made;
        for (std::size_t i = 0; i < points.size(); ++i) {
          Fairness at = fairness;
          for (StepwiseParity& parity : at.parity) parity.limit = {limits[i]};
          for (StepwiseRatio& ratio : at.ratios) ratio.limit = {limits[i]};
          made.emplace_back(limits[i],
                            NamedSolved(solved(std::move(points[i].result), at, options, model.shape().horizon),
                                        model.names(), grounds));
        }
        return made;
      },
      nb::arg("model"), nb::arg("question"), nb::arg("limits"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace

void bind_solve(nb::module_& module) {
  bind_parts(module);
  bind_result(module);
  bind_questions(module);
  module.def(
      "solve",
      [](const Model& model, const Question& question, SolveOptions options, std::optional<double> tail,
         const std::optional<SolveListener>& progress) {
        const double gap = options.proof.gap;
        if (tail) options.proof.gap *= 0.9;  // leaves room for the tail
        const std::optional<Model> cut = tail ? std::optional(unwrap(truncate(model, *tail))) : std::nullopt;
        const Model& looked_at = cut ? *cut : model;
        const Fairness fairness = question.on(looked_at);
        SolveResult result = unwrap(interruptible<SolveProgress>(
            [&](const std::stop_token& stop, const auto& tell) {
              options.stop = stop;
              options.progress = tell;
              return solve(looked_at, fairness, options);
            },
            heard_by(progress)));
        const std::optional<double> rest = cut ? std::optional(tail_bound(*cut)) : std::nullopt;
        if (rest) widen(result, *rest, gap);
        return NamedSolved(solved(std::move(result), fairness, options, looked_at.shape().horizon, rest), model.names(),
                           grounds_of(model));
      },
      nb::arg("model"), nb::arg("question"), nb::arg("options"), nb::arg("tail").none(), nb::arg("progress").none());
  bind_pareto(module);
}

}  // namespace fairstep::python
