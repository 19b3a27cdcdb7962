#include "answers/evaluation_text.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/fairness.hpp>
#include <fairstep/evaluate/ratios.hpp>

#include "answers/evaluation_json.hpp"
#include "answers/grounds_summary.hpp"
#include "answers/table.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

/// `white 2.41, black 1.87`
template <class Text>
std::string by_group(const Names& names, const Text& text) {
  std::vector<std::string> parts;
  for (std::size_t g = 0; g < names.groups.size(); ++g) parts.push_back(names.groups[g] + " " + text(g));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Block rates(const std::string& title, const Names& names, const Tensor<double, 2>& rates) {
  Block block{title, {}};
  for (std::size_t g = 0; g < names.groups.size(); ++g) {
    Column column{names.groups[g], {}};
    for (std::size_t h = 0; h < rates.extents()[1]; ++h) column.cells.push_back(number_or_dash(rates(g, h)));
    block.columns.push_back(std::move(column));
  }
  return block;
}

std::string pair(const Names& names, const StepGap& step) {
  return std::isnan(step.gap) ? "-" : names.groups[step.first] + " - " + names.groups[step.second];
}

/// With two groups there is one pair only, and it goes without saying.
Block gaps(const Names& names, const Gaps& gaps) {
  Block block{"gap between groups", {}};
  for (const auto& [head, steps] : {std::pair{"dp", &gaps.dp}, {"eqopt", &gaps.eqopt}, {"eqodds", &gaps.eqodds}}) {
    Column gap{head, {}};
    Column between{"worst pair", {}, true};
    for (const StepGap& step : *steps) {
      gap.cells.push_back(number_or_dash(step.gap));
      between.cells.push_back(pair(names, step));
    }
    block.columns.push_back(std::move(gap));
    if (names.groups.size() > 2) block.columns.push_back(std::move(between));
  }
  return block;
}

std::string closing_line(const Names& names, const Gaps& gaps) {
  const StepGap* worst = nullptr;
  const char* kind = "";
  std::size_t step = 0;
  for (const auto& [notion, steps] :
       {std::pair{Notion::dp, &gaps.dp}, {Notion::eqopt, &gaps.eqopt}, {Notion::eqodds, &gaps.eqodds}}) {
    const auto h = worst_step(*steps);
    if (!h || (worst != nullptr && !((*steps)[*h].gap > worst->gap))) continue;
    worst = &(*steps)[*h];
    kind = in_words(notion);
    step = *h;
  }
  if (worst == nullptr) return "worst gap: none is defined";
  if (worst->gap == 0) return "worst gap: 0, the groups are treated alike at every step";
  return fmt::format("worst gap: {:.4f}, {} at step {}, {} against {}", worst->gap, kind, step,
                     names.groups[worst->first], names.groups[worst->second]);
}

/// `dp-ratio 0.4982 (step 7, white beside black)`, of the step where it is least; empty if there is no ratio.
std::string least_ratio(const Names& names, RatioNotion notion, const std::vector<StepRatio>& steps) {
  const auto h = least_step(steps);
  if (!h) return {};
  return fmt::format("{} {:.4f} (step {}, {} beside {})", name_of(notion), steps[*h].ratio, *h,
                     names.groups[steps[*h].group], names.groups[steps[*h].beside]);
}

std::string ratio_line(const Names& names, const Rates& rates, std::optional<std::size_t> reference) {
  std::vector<std::string> parts;
  for (const RatioNotion notion : all_of<RatioNotion>())
    if (std::string part = least_ratio(names, notion, step_ratios(rates, notion, reference)); !part.empty())
      parts.push_back(std::move(part));
  return parts.empty() ? "least ratio: none is defined" : fmt::format("least ratio: {}", fmt::join(parts, ", "));
}

}  // namespace

std::string to_text(const Model& model, const Evaluation& evaluation, std::optional<std::size_t> reference,
                    std::size_t width) {
  const Names& names = model.names();
  Column steps{"step", {}};
  Column value{"value", {}};
  for (std::size_t h = 0; h < model.shape().horizon; ++h) {
    steps.cells.push_back(std::to_string(h));
    value.cells.push_back(fmt::format("{:.4f}", evaluation.value_per_step[h]));
  }
  std::string out = wrap(
      fmt::format("value {:.6g} per person: {}", evaluation.value,
                  by_group(names, [&](std::size_t g) { return fmt::format("{:.6g}", evaluation.value_per_group[g]); })),
      width);
  out += grounds_line(model, evaluation.unseen, width);
  out += '\n' + lay_out(steps,
                        {rates("accepted", names, evaluation.rates.accept),
                         rates("of " + names.labels[1], names, evaluation.rates.tpr),
                         rates("of " + names.labels[0], names, evaluation.rates.fpr),
                         rates("share " + names.labels[1], names, evaluation.rates.qualified),
                         {"", {value}},
                         gaps(names, evaluation.gap)},
                        width);
  if (evaluation.present) {
    const Rates& there = evaluation.present->rates;
    out += "\npeople join late and leave early; of those who take part at a step:\n" +
           lay_out(steps,
                   {rates("take part", names, evaluation.present->share), rates("accepted", names, there.accept),
                    rates("of " + names.labels[1], names, there.tpr), rates("of " + names.labels[0], names, there.fpr),
                    rates("share " + names.labels[1], names, there.qualified)},
                   width);
  }
  const auto over_all_steps = [&](const std::string& what, const std::vector<double>& rate, const StepGap& gap) {
    return wrap(
        fmt::format("{} over all steps: {}, gap {}", what,
                    by_group(names, [&](std::size_t g) { return number_or_dash(rate[g]); }), number_or_dash(gap.gap)),
        width);
  };
  out +=
      '\n' + over_all_steps("accepted", evaluation.aggregate_dp, evaluation.aggregate_dp_gap) +
      over_all_steps("accepted of the " + names.labels[1], evaluation.aggregate_eqopt, evaluation.aggregate_eqopt_gap);
  return out + wrap(closing_line(names, evaluation.gap), width) +
         wrap(ratio_line(names, evaluation.rates, reference), width);
}

}  // namespace fairstep::cli
