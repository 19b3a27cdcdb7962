#include "answers/solution_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/evaluate/ratios.hpp>

#include "answers/grounds_summary.hpp"
#include "answers/table.hpp"
#include "options/constraint_options.hpp"
#include "options/search_options.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

bool has_limits(const SolveOptions& options) {
  return options.method == Method::constrained || options.method == Method::myopic;
}

/// The step that is nearest to its limit, or has the widest gap if there are no limits.
std::string worst_gap(const Fairness& fairness, const Evaluation& evaluation, bool limited) {
  double worst = -std::numeric_limits<double>::infinity();
  std::string text;
  for (const StepwiseParity& parity : fairness.parity) {
    const auto& gaps = of_notion(evaluation.gap, parity.notion);
    for (std::size_t h = 0; h < gaps.size(); ++h) {
      const double limit = limited ? limit_at(parity, h) : 0;
      // Differences below the tolerance of limits are noise: the first step of several counts.
      if (!(gaps[h].gap - limit > worst + kLimitTolerance)) continue;
      worst = gaps[h].gap - limit;
      text = fmt::format(", worst {} gap {:.4f}{} (step {})", name_of(parity.notion), gaps[h].gap,
                         limited ? fmt::format(" of {:.4f}", limit) : "", h);
    }
  }
  return text;
}

/// The step whose ratio is nearest to its limit, or the least one if there are no limits.
std::string worst_ratio(const Fairness& fairness, const Evaluation& evaluation, bool limited) {
  double worst = std::numeric_limits<double>::infinity();
  std::string text;
  for (const StepwiseRatio& wanted : fairness.ratios) {
    const std::vector<StepRatio> steps = step_ratios(evaluation.rates, wanted.notion, wanted.reference);
    for (std::size_t h = 0; h < steps.size(); ++h) {
      const double limit = limited ? limit_at(wanted, h) : 0;
      if (!(steps[h].ratio - limit < worst - kLimitTolerance)) continue;
      worst = steps[h].ratio - limit;
      text = fmt::format(", least {} {:.4f}{} (step {})", name_of(wanted.notion), steps[h].ratio,
                         limited ? fmt::format(" of {:.4f}", limit) : "", h);
    }
  }
  return text;
}

std::string headline(const Fairness& fairness, const SolveOptions& options, const SolveResult& result) {
  const Evaluation& evaluation = result.solution->evaluation;
  std::string text = fmt::format("solve: {}. value {:.5g}",
                                 result.outcome == Outcome::optimal           ? "optimal"
                                 : options.method == Method::myopic           ? "myopic"
                                 : result.stopped_by == StopReason::requested ? "interrupted, the best so far"
                                 : options.proof.wanted                       ? "feasible, not proven optimal"
                                                                              : "feasible",
                                 evaluation.value);
  if (options.method == Method::penalty)
    text += fmt::format(" minus a penalty of {:.5g} is {:.5g}", result.penalty, result.bounds.lower);
  if (!std::isfinite(result.bounds.upper))
    text += options.proof.wanted ? ", no upper bound yet" : ", no upper bound (--no-proof)";
  else
    text += fmt::format(", {} {} (upper bound {})",
                        result.outcome == Outcome::optimal ? "proven within" : "below the best by at most",
                        percent_at_most(result.gap), rounded_up(result.bounds.upper));
  return text + worst_gap(fairness, evaluation, has_limits(options)) +
         worst_ratio(fairness, evaluation, has_limits(options)) + fmt::format(", {:.2f} s", result.seconds);
}

/// Whether policies were ruled out that are no worse at keeping limits.
bool is_narrow(const PolicyClass& policies) {
  return policies.floor > 0 || policies.group_independent || policies.deterministic || policies.monotone ||
         policies.threshold || policies.stationary || policies.min_seen > 0;
}

std::string why_not(const Model& model, const SolveOptions& options, const SolveResult& result) {
  const bool narrow = is_narrow(options.policies);
  const bool proven = result.outcome == Outcome::infeasible;
  std::string text =
      proven ? fmt::format("solve: infeasible. No policy{} keeps every limit", narrow ? " of the class asked for" : "")
             : "solve: undecided. No policy was found";
  if (!proven) text += " that keeps every limit, and none was ruled out";
  if (result.infeasibility) {
    const Infeasibility& why = *result.infeasibility;
    const std::string reached = why.ratio ? round_down_beside(why.smallest_limit, why.limit, 4)
                                          : round_up_beside(why.smallest_limit, why.limit, 4);
    text += fmt::format(": the nearest one has {} where {:.10g} is {}",
                        why.pair.empty() ? fmt::format("{} ({})", reached, why.constraint)
                                         : fmt::format("a {} of {}", gap_of(why.constraint), reached),
                        why.limit, why.ratio ? "asked for" : "allowed");
    if (why.step < model.shape().horizon) text += fmt::format(", at step {}", why.step);
    if (!why.pair.empty()) text += fmt::format(" ({})", why.pair);
    if (proven) text += fmt::format("; every {}policy misses some limit by {} or more", narrow ? "such " : "",
                                    at_least(why.least_excess));
  }
  return text + fmt::format(". {:.2f} s", result.seconds);
}

/// What the class costs, as far as both bounds know.
std::string rules_line(const RulesPrice& price) {
  const Bounds& best = price.without;
  const std::string what = fmt::format("price of {}: ", price.rules);
  const char* them = price.rules.find(" and ") == std::string::npos ? "it" : "them";
  if (!std::isfinite(best.upper))
    return what + fmt::format("{} or more; without {} a policy is worth {:.5g}", round_down_short(price.at_least, 3),
                              them, best.lower);
  const std::string most = round_up_short(price.at_most, 3);
  return what +
         (price.at_least > 0 ? fmt::format("{} to {}", round_down_short(price.at_least, 3), most)
                             : fmt::format("at most {}", most)) +
         fmt::format("; without {} the best policy is worth {} to {}", them, round_down_short(best.lower, 5),
                     rounded_up(best.upper));
}

std::string table(const Model& model, const Fairness& fairness, const SolveOptions& options, const SolveResult& result,
                  std::size_t width) {
  const Evaluation& evaluation = result.solution->evaluation;
  const std::size_t horizon = model.shape().horizon;
  Column steps{"step", {}};
  for (std::size_t h = 0; h < horizon; ++h) steps.cells.push_back(std::to_string(h));
  std::vector<Block> blocks;
  for (const StepwiseParity& parity : fairness.parity) {
    Column gap{"gap", {}}, limit{"limit", {}};
    for (std::size_t h = 0; h < horizon; ++h) {
      gap.cells.push_back(number_or_dash(of_notion(evaluation.gap, parity.notion)[h].gap));
      limit.cells.push_back(number_or_dash(limit_at(parity, h)));
    }
    Block block{name_of(parity.notion), {std::move(gap)}};
    if (has_limits(options)) block.columns.push_back(std::move(limit));
    blocks.push_back(std::move(block));
  }
  for (const StepwiseRatio& wanted : fairness.ratios) {
    Column ratio{"least", {}}, limit{"limit", {}};
    const std::vector<StepRatio> ratios = step_ratios(evaluation.rates, wanted.notion, wanted.reference);
    for (std::size_t h = 0; h < horizon; ++h) {
      ratio.cells.push_back(number_or_dash(ratios[h].ratio));
      limit.cells.push_back(number_or_dash(limit_at(wanted, h)));
    }
    Block block{name_of(wanted.notion), {std::move(ratio)}};
    if (has_limits(options)) block.columns.push_back(std::move(limit));
    blocks.push_back(std::move(block));
  }
  if (!(fairness.parity.empty() && fairness.ratios.empty()) && options.method == Method::constrained) {
    Column price{"price", {}};
    for (const double p : result.shadow_price) price.cells.push_back(number_or_dash(p == 0 ? 0.0 : p));
    blocks.push_back({"shadow", {std::move(price)}});
  }
  Block accepted{"accepted", {}};
  for (std::size_t g = 0; g < model.shape().groups; ++g) {
    Column column{model.names().groups[g], {}};
    for (std::size_t h = 0; h < horizon; ++h) column.cells.push_back(number_or_dash(evaluation.rates.accept(g, h)));
    accepted.columns.push_back(std::move(column));
  }
  blocks.push_back(std::move(accepted));
  return lay_out(steps, blocks, width);
}

/// Limits that bind and are not in the table: capacity, the whole episode, rows of a file.
std::string other_bindings(const Model& model, const SolveResult& result, std::size_t width) {
  std::string text;
  for (const Binding& limit : result.binding) {
    const std::string_view notion = std::string_view(limit.constraint).substr(0, limit.constraint.find(','));
    const bool in_table = named<Notion>(notion) || named<RatioNotion>(notion);  // "eqodds, y=1"
    if (in_table) continue;
    const std::string where =
        limit.step < model.shape().horizon ? fmt::format("step {}", limit.step) : std::string("whole episode");
    text += wrap(fmt::format("binding: {} ({}), {:.4f} of {:.4f}, shadow price {}", limit.constraint, where,
                             limit.value, limit.limit, number_or_dash(limit.shadow_price)),
                 width);
  }
  return text;
}

}  // namespace

std::string rounded_up(double number) { return round_up_short(number, 5); }

std::string to_text(const Model& model, const Fairness& fairness, const SolveOptions& options,
                    const SolveResult& result, std::optional<double> tail, std::size_t width) {
  if (!result.solution) return wrap(why_not(model, options, result), width);
  std::string text = wrap(headline(fairness, options, result), width);
  text += grounds_line(model, result.solution->evaluation.unseen, width);
  if (const auto& support = result.support)
    text +=
        wrap(fmt::format("{} of {} decisions were seen fewer than {} times and are taken only where there is no other: "
                         "{} % of this policy's visits rest on such",
                         support->scarce, kActions * support->decisions, support->min_seen,
                         round_up_percent(support->visits, 1)),
             width);
  if (result.randomised_value)
    text += wrap(fmt::format("a policy that may toss coins reaches {:.5g}: being deterministic costs {:.5g}",
                             *result.randomised_value,
                             std::max(0.0, *result.randomised_value - result.solution->evaluation.value)),
                 width);
  if (result.rules_price) text += wrap(rules_line(*result.rules_price), width);
  if (tail)
    text += wrap(fmt::format("infinite horizon, cut after {} steps: the rest is worth at most {} either way, and "
                             "the bounds allow for it",
                             model.shape().horizon, round_up_short(*tail, 3)),
                 width);
  text += '\n' + table(model, fairness, options, result, width);
  const std::string others = other_bindings(model, result, width);
  return others.empty() ? text : text + '\n' + others;
}

}  // namespace fairstep::cli
