#include "answers/certificate_summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "answers/nested.hpp"
#include "answers/table.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

/// Rows of a plan that are shown; --json has all.
constexpr std::size_t kPlanRows = 8;

std::size_t widest_step(const std::vector<double>& steps) {
  return static_cast<std::size_t>(std::max_element(steps.begin(), steps.end()) - steps.begin());
}

Json gaps_to_json(const GapBounds& gaps, const std::vector<Notion>& notions) {
  Json all = Json::object();
  for (const Notion notion : notions) all[name_of(notion)] = of_notion(gaps, notion);
  return all;
}

Json ratios_to_json(const RatioBounds& ratios, const std::vector<RatioNotion>& notions) {
  Json all = Json::object();
  for (const RatioNotion notion : notions) {
    all[name_of(notion)] = Json::array();
    for (const double ratio : steps_of(ratios, notion)) all[name_of(notion)].push_back(number_or_null(ratio));
  }
  return all;
}

Json aggregate_to_json(const std::optional<double>& dp) { return dp ? Json{{name_of(Notion::dp), *dp}} : Json(); }

/// The step of the least; of one where there may be no ratio, if there is one.
std::size_t step_of_least(const std::vector<double>& ratios) {
  std::size_t least = 0;
  for (std::size_t h = 1; h < ratios.size(); ++h)
    if (!std::isnan(ratios[least]) && !(ratios[h] >= ratios[least])) least = h;
  return least;
}

/// "dp-ratio at least 0.8123 (step 3)"
std::string ratio_in_words(const Certificate& certificate, RatioNotion ratio) {
  const std::vector<double>& steps = steps_of(certificate.ratio, ratio);
  const std::size_t h = step_of_least(steps);
  if (std::isnan(steps[h])) return fmt::format("no {} at step {}, where it may not exist", name_of(ratio), h);
  return fmt::format("{} at least {} (step {})", name_of(ratio), at_least(steps[h]), h);
}

/// What ratios are beside.
std::string beside_in_words(const Certificate& certificate, const Names& names) {
  const auto& reference = certificate.asked.reference;
  return fmt::format("ratios are beside {}", reference ? names.groups[*reference] : "whichever group is treated best");
}

/// Which bound won at how many steps, if there were two.
std::string bounds_by_in_words(const Certificate& certificate) {
  std::vector<std::string> narrower;
  bool everywhere = true;
  for (const Notion notion : certificate.asked.notions) {
    const std::vector<BoundBy>& steps = of_notion(*certificate.bound_by, notion);
    const auto here = std::count(steps.begin(), steps.end(), BoundBy::split);
    narrower.push_back(fmt::format("{} at {} of {} steps", name_of(notion), here, steps.size()));
    everywhere = everywhere && here == std::ssize(steps);
  }
  if (certificate.bound_by->value) {
    if (*certificate.bound_by->value == BoundBy::split) narrower.emplace_back("the value");
    everywhere = everywhere && *certificate.bound_by->value == BoundBy::split;
  }
  return fmt::format("the split of the people bounds {}{}", fmt::join(narrower, ", "),
                     everywhere ? "" : "; elsewhere the worst case is as narrow");
}

Json to_json(const BoundsBy& by, const std::vector<Notion>& notions) {
  Json all = Json::object();
  for (const Notion notion : notions) {
    all[name_of(notion)] = Json::array();
    for (const BoundBy step : of_notion(by, notion)) all[name_of(notion)].push_back(name_of(step));
  }
  all["value"] = by.value ? Json(name_of(*by.value)) : Json();
  return all;
}

/// What the rows that were left out cost, if there are some: the widest gap would be so much smaller without them, and
/// the value so much larger.
Json cost_of(const Certificate& certificate) {
  if (!certificate.if_nothing_lost) return {};
  const IfNothingLost& without = *certificate.if_nothing_lost;
  Json gaps = Json::object();
  for (const Notion notion : certificate.asked.notions) {
    const auto& wide = of_notion(certificate.gap, notion);
    const auto& narrow = of_notion(without.gap, notion);
    gaps[name_of(notion)] =
        *std::max_element(wide.begin(), wide.end()) - *std::max_element(narrow.begin(), narrow.end());
  }
  return {{"certified_gap", gaps_to_json(without.gap, certificate.asked.notions)},
          {"certified_value", without.value ? Json(*without.value) : Json()},
          {"gap_cost", gaps},
          {"value_cost", without.value ? Json(*without.value - *certificate.value) : Json()}};
}

/// The same in words.
std::string cost_in_words(const Certificate& certificate) {
  if (!certificate.if_nothing_lost) return {};
  const Json cost = cost_of(certificate);
  std::vector<std::string> parts;
  for (const Notion notion : certificate.asked.notions)
    parts.push_back(
        fmt::format("{} of the {} gap", at_most(cost["gap_cost"][name_of(notion)].get<double>()), name_of(notion)));
  if (certificate.value) parts.push_back(at_most(cost["value_cost"].get<double>()) + " of the value");
  return fmt::format("whatever the rows that were left out would have said; they cost {}", fmt::join(parts, ", "));
}

Json rule_to_json(const RefusedRule& refused) {
  return {{"refused", name_of(refused.are)}, {"odds", refused.are == Refused::odds ? Json(refused.odds) : Json()}};
}

/// What was assumed of labels, and what would be so if those not seen were otherwise.
Json labels_of(const Certificate& certificate) {
  if (!certificate.asked.labels) return {};
  Json answer = {{"labels", name_of(LabelsAre::follow_features)}};
  if (!certificate.labels) return answer;
  answer.update(rule_to_json(certificate.asked.labels->refused));
  answer["if_refused"] = Json::array();
  for (const RefusedBounds& bounds : certificate.labels->if_refused) {
    Json entry = rule_to_json(bounds.refused);
    Json gaps = Json::object();
    for (const Notion notion : certificate.asked.notions)
      if (notion != Notion::dp) gaps[name_of(notion)] = of_notion(bounds.gap, notion);
    entry["certified_gap"] = gaps;
    answer["if_refused"].push_back(entry);
  }
  if (const auto& even = certificate.labels->break_even)
    answer["break_even"] = even->refused ? rule_to_json(*even->refused) : Json();
  return answer;
}

std::string break_even_in_words(const BreakEven& even) {
  if (!even.refused)
    return fmt::format("limit {}: not proven, even if labels not seen are like those seen", even.limit);
  if (even.refused->are == Refused::anything)
    return fmt::format("limit {}: proven whatever the labels are that were not seen", even.limit);
  return fmt::format("limit {}: proven as long as the odds of labels not seen are within {} times those seen",
                     even.limit, round_down_short(even.refused->odds, 4));
}

/// One line for each rule about labels that were not seen.
std::string labels_in_words(const Certificate& certificate, std::size_t width) {
  if (!certificate.labels) return wrap("labels follow features; none is needed for demographic parity", width);
  std::string out = wrap(
      fmt::format("if labels follow features, and {}", fairstep::in_words(certificate.asked.labels->refused)), width);
  for (const RefusedBounds& bounds : certificate.labels->if_refused) {
    std::vector<std::string> gaps;
    for (const Notion notion : certificate.asked.notions)
      if (notion != Notion::dp) {
        const std::vector<double>& steps = of_notion(bounds.gap, notion);
        gaps.push_back(
            fmt::format("{} gap at most {}", name_of(notion), at_most(*std::max_element(steps.begin(), steps.end()))));
      }
    const std::string rule = bounds.refused.are == Refused::odds
                                 ? fmt::format("odds {}", round_down_short(bounds.refused.odds, 4))
                                 : name_of(bounds.refused.are);
    out += wrap(fmt::format("  {}: {}", rule, fmt::join(gaps, ", ")), width);
  }
  if (certificate.labels->break_even) out += wrap(break_even_in_words(*certificate.labels->break_even), width);
  return out;
}

std::string row_name(const RowPlan& row, const Plan& plan, const Names& names) {
  if (!row.cell) return names.groups[row.group] + " first state";
  const std::string period =
      plan.periods.pooled() ? "" : fmt::format(" ({})", plan.periods.list[row.cell->period].name);
  return fmt::format("{} x={},y={},a={}{}", names.groups[row.group], row.cell->x, row.cell->y, row.cell->a, period);
}

std::string unfinished_in_words(const Plan& plan) {
  const auto times = [](std::int64_t factor) { return with_thousands(factor); };
  if (plan.not_enough == 0) return fmt::format("plan: unfinished; nothing was settled about {} in time", plan.target);
  const std::string low = plan.not_enough == 1
                              ? "these people do not reach it"
                              : fmt::format("{} times the people do not reach it", times(plan.not_enough));
  const std::string high = plan.enough == 0
                               ? "whether more of the same data do is not settled"
                               : fmt::format("{} times do, if frequencies stay as they are", times(plan.enough));
  return fmt::format("plan: unfinished for {}; {}, and {}", plan.target, low, high);
}

std::string in_words(const Plan& plan, const Names& names) {
  switch (plan.outcome) {
    case Plan::Outcome::reached:
      return fmt::format("plan: {} is reached already", plan.target);
    case Plan::Outcome::too_far:
      return fmt::format(
          "plan: {} is out of reach, since the estimated gap itself is as wide; another policy is needed", plan.target);
    case Plan::Outcome::unseen:
      return fmt::format(
          "plan: {} is out of reach with more of the same data; cells that the policy may meet were never seen",
          plan.target);
    case Plan::Outcome::left_out:
      return fmt::format(
          "plan: {} is out of reach with more of the same data; too large a share of the rows was left out of the "
          "counts",
          plan.target);
    case Plan::Outcome::unfinished:
      return unfinished_in_words(plan);
    case Plan::Outcome::possible:
      break;
  }
  std::vector<std::string> people;
  for (std::size_t g = 0; g < names.groups.size(); ++g)
    people.push_back(fmt::format("{} more of {}", with_thousands(plan.people[g]), names.groups[g]));
  return fmt::format("plan: {} takes about {:.3g} times the people ({}), if frequencies stay as they are", plan.target,
                     plan.scale, fmt::join(people, ", "));
}

/// Which share of the people would do best in the design part, if they were split; empty if it is not known.
std::string split_in_words(const Plan& plan) {
  const auto narrower = [](const SplitForecast& a, const SplitForecast& b) { return a.gap < b.gap; };
  const auto best = std::min_element(plan.splits.begin(), plan.splits.end(), narrower);
  if (best == plan.splits.end()) return {};
  return fmt::format(
      "split: with {:g} % of as many people in a design part, the widest gap would be at most about {:.3g}; choose a "
      "share by other data than those that are split by it",
      100 * best->share, best->gap);
}

}  // namespace

Json to_json(const Certificate& certificate, const Names& names) {
  const std::vector<Notion>& notions = certificate.asked.notions;
  Json worst = Json::object();
  for (const Notion notion : notions) {
    const std::vector<double>& steps = of_notion(certificate.gap, notion);
    const std::size_t h = widest_step(steps);
    worst[name_of(notion)] = {{"gap", steps[h]}, {"step", h}};
  }
  return {{"delta", certificate.asked.delta},
          {"followed", certificate.asked.followed},
          {"groups", names.groups},
          {"certified_gap", gaps_to_json(certificate.gap, notions)},
          {"estimated_gap", gaps_to_json(certificate.estimated_gap, notions)},
          {"worst", worst},
          {"reference", certificate.asked.reference ? Json(names.groups[*certificate.asked.reference]) : Json()},
          {"certified_ratio", ratios_to_json(certificate.ratio, certificate.asked.ratios)},
          {"estimated_ratio", ratios_to_json(certificate.estimated_ratio, certificate.asked.ratios)},
          {"certified_aggregate_gap", aggregate_to_json(certificate.aggregate_dp)},
          {"estimated_aggregate_gap", aggregate_to_json(certificate.estimated_aggregate_dp)},
          {"certified_value", certificate.value ? Json(*certificate.value) : Json()},
          {"estimated_value", certificate.estimated_value ? Json(*certificate.estimated_value) : Json()},
          {"bound_by", certificate.bound_by ? to_json(*certificate.bound_by, notions) : Json()},
          {"labels", labels_of(certificate)},
          {"if_nothing_lost", cost_of(certificate)}};
}

Json to_json(const Plan& plan, const Names& names) {
  const bool possible = plan.outcome == Plan::Outcome::possible;
  Json rows = Json::array();
  for (const RowPlan& row : plan.rows) {
    Json cell;
    if (row.cell) cell = {{"x", row.cell->x}, {"y", row.cell->y}, {"a", row.cell->a}};
    if (row.cell && !plan.periods.pooled()) cell["period"] = plan.periods.list[row.cell->period].name;
    rows.push_back({{"group", names.groups[row.group]},
                    {"cell", cell},
                    {"seen", row.seen},
                    {"more", possible ? Json(row.more) : Json()},
                    {"doubt", row.doubt}});
  }
  Json splits = Json::array();
  for (const SplitForecast& split : plan.splits) splits.push_back({{"share", split.share}, {"gap", split.gap}});
  return {{"target", plan.target},
          {"outcome", name_of(plan.outcome)},
          {"scale", possible ? Json(plan.scale) : Json()},
          {"more_people", possible ? Json(plan.people) : Json()},
          {"not_enough", plan.not_enough > 0 ? Json(plan.not_enough) : Json()},
          {"enough", plan.enough > 0 ? Json(plan.enough) : Json()},
          {"splits", splits},
          {"rows", rows}};
}

std::string to_text(const Certificate& certificate, const Names& names, std::size_t width) {
  const std::vector<Notion>& notions = certificate.asked.notions;
  std::vector<std::string> claims;
  for (const Notion notion : notions) {
    const std::vector<double>& steps = of_notion(certificate.gap, notion);
    const std::size_t h = widest_step(steps);
    claims.push_back(fmt::format("{} gap at most {} (step {})", name_of(notion), at_most(steps[h]), h));
  }
  for (const RatioNotion ratio : certificate.asked.ratios) claims.push_back(ratio_in_words(certificate, ratio));
  if (certificate.aggregate_dp)
    claims.push_back(fmt::format("dp gap over the episode at most {}", at_most(*certificate.aggregate_dp)));
  if (certificate.value) claims.push_back(fmt::format("value at least {}", at_least(*certificate.value)));
  std::string out = wrap(fmt::format("with probability {} over the data, at every step and between any two groups: {}",
                                     one_minus_text(certificate.asked.delta), fmt::join(claims, ", ")),
                         width);
  if (!certificate.asked.ratios.empty()) out += wrap(beside_in_words(certificate, names), width);
  if (certificate.if_nothing_lost) out += wrap(cost_in_words(certificate), width);
  if (certificate.asked.labels) out += labels_in_words(certificate, width);
  if (certificate.bound_by) {
    out += wrap(bounds_by_in_words(certificate), width);
    out += wrap("for a policy that was made without the audit part; if it was looked at, leave out --design", width);
  }
  if (certificate.asked.followed)
    out += wrap("for a policy that was fixed before these data; if they chose it, leave out --followed", width);
  Column step{"step", {}};
  Block certified{"gap at most", {}};
  Block estimated{"estimated gap", {}};
  const std::size_t horizon = of_notion(certificate.gap, notions.front()).size();
  for (std::size_t h = 0; h < horizon; ++h) step.cells.push_back(std::to_string(h));
  for (const Notion notion : notions) {
    Column bound{name_of(notion), {}};
    Column guess{name_of(notion), {}};
    for (std::size_t h = 0; h < horizon; ++h) {
      bound.cells.push_back(at_most(of_notion(certificate.gap, notion)[h]));
      guess.cells.push_back(number_or_dash(of_notion(certificate.estimated_gap, notion)[h]));
    }
    certified.columns.push_back(std::move(bound));
    estimated.columns.push_back(std::move(guess));
  }
  std::vector<Block> blocks{certified};
  if (!certificate.asked.ratios.empty()) {
    Block ratios{"at least", {}};
    for (const RatioNotion ratio : certificate.asked.ratios) {
      Column bound{name_of(ratio), {}};
      for (const double least : steps_of(certificate.ratio, ratio))
        bound.cells.push_back(std::isnan(least) ? "-" : at_least(least));
      ratios.columns.push_back(std::move(bound));
    }
    blocks.push_back(std::move(ratios));
  }
  blocks.push_back(std::move(estimated));
  const auto add = [&](const std::string& title, const std::optional<RateBounds>& rate) {
    if (!rate) return;
    Block block{title, {}};
    for (std::size_t g = 0; g < names.groups.size(); ++g) {
      Column column{names.groups[g], {}};
      for (std::size_t h = 0; h < horizon; ++h)
        column.cells.push_back(at_least(rate->range(g, h).low) + " - " + at_most(rate->range(g, h).high));
      block.columns.push_back(std::move(column));
    }
    blocks.push_back(std::move(block));
  };
  add("accepted, between", certificate.accept);
  add("of " + names.labels[1] + ", between", certificate.tpr);
  add("of " + names.labels[0] + ", between", certificate.fpr);
  out += '\n' + lay_out(step, blocks, width);
  if (!certificate.value && !certificate.asked.labels)
    out += '\n' + wrap(
                      "nothing is said about the value: --model FILE gives known rewards, --reward-range LOW,HIGH the "
                      "interval of those counted",
                      width);
  return out;
}

std::string to_text(const Plan& plan, const Names& names, std::size_t width) {
  std::string out = wrap(in_words(plan, names), width) + wrap(split_in_words(plan), width);
  if (plan.outcome == Plan::Outcome::reached || plan.outcome == Plan::Outcome::too_far || plan.rows.empty()) return out;
  Column name{"where the doubt is", {}, true};
  Column part{"of the group's", {}};
  Column seen{"seen", {}};
  Column more{"more", {}};
  for (std::size_t i = 0; i < std::min(kPlanRows, plan.rows.size()); ++i) {
    const RowPlan& row = plan.rows[i];
    name.cells.push_back(row_name(row, plan, names));
    part.cells.push_back(fmt::format("{:.0f} %", 100 * row.doubt));
    seen.cells.push_back(with_thousands(row.seen));
    more.cells.push_back(plan.outcome == Plan::Outcome::possible ? with_thousands(row.more) : "-");
  }
  return out + '\n' + lay_out(name, {{"", {part, seen, more}}}, width);
}

std::vector<std::string> doubts_of(const Certificate& certificate, const Names& names) {
  std::vector<std::string> warnings;
  const auto steps_where = [&](const RateBounds& rate, std::size_t g, const auto& holds) {
    std::vector<std::size_t> steps;
    for (std::size_t h = 0; h < rate.range.extents()[1]; ++h)
      if (holds(rate.range(g, h))) steps.push_back(h);
    return steps;
  };
  for (std::size_t g = 0; certificate.qualified && g < names.groups.size(); ++g)
    for (const std::size_t label : {1u, 0u}) {
      if (label == 0 && !certificate.fpr) continue;
      const auto steps = steps_where(*certificate.qualified, g,
                                     [&](const Range& range) { return label == 1 ? range.low <= 0 : range.high >= 1; });
      if (!steps.empty())
        warnings.push_back(fmt::format(
            "there may be nobody {} in {} at step {}: the rate may not exist, and then there is no gap to bound",
            names.labels[label], names.groups[g], fmt::join(steps, ", ")));
    }
  for (const auto& [name, rate] :
       {std::pair{"accepted", &certificate.accept}, {"tpr", &certificate.tpr}, {"fpr", &certificate.fpr}})
    for (std::size_t g = 0; *rate && g < names.groups.size(); ++g) {
      const auto steps = steps_where(**rate, g, [](const Range& range) { return range.low > range.high; });
      if (!steps.empty())
        warnings.push_back(fmt::format(
            "what was counted of {} in {} at step {} contradicts the kernel: one of the assumptions does not hold, or "
            "the data are among the unlucky ones",
            name, names.groups[g], fmt::join(steps, ", ")));
    }
  return warnings;
}

}  // namespace fairstep::cli
