#include "answers/evaluation_json.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/grounds_summary.hpp"
#include "answers/nested.hpp"

namespace fairstep::cli {
namespace {

Json gaps_of(const std::vector<StepGap>& steps) {
  Json list = Json::array();
  for (const StepGap& step : steps) list.push_back(number_or_null(step.gap));
  return list;
}

/// The worst pair by name, or null if no two groups can be compared.
Json pair_of(const Names& names, const StepGap& step) {
  if (std::isnan(step.gap)) return nullptr;
  return {names.groups[step.first], names.groups[step.second]};
}

Json pairs_of(const Names& names, const std::vector<StepGap>& steps) {
  Json list = Json::array();
  for (const StepGap& step : steps) list.push_back(pair_of(names, step));
  return list;
}

Json list_of(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(number_or_null(number));
  return list;
}

/// {gap, step, pair} of the step with the widest gap; null if there is none.
Json worst_of(const Names& names, const std::vector<StepGap>& steps) {
  const auto h = worst_step(steps);
  if (!h) return nullptr;
  return {{"gap", steps[*h].gap}, {"step", *h}, {"pair", pair_of(names, steps[*h])}};
}

Json json_of(const Rates& rates) {
  return {{"accept", nested(rates.accept)},
          {"tpr", nested(rates.tpr)},
          {"fpr", nested(rates.fpr)},
          {"qualified", nested(rates.qualified)}};
}

/// Per step the least ratio, and whose rate is above and below the line.
Json ratios_of(const Names& names, const Rates& rates, std::optional<std::size_t> reference) {
  Json all = {{"reference", reference ? Json(names.groups[*reference]) : Json()}};
  for (const RatioNotion notion : all_of<RatioNotion>()) {
    Json least = Json::array(), pairs = Json::array();
    for (const StepRatio& step : step_ratios(rates, notion, reference)) {
      least.push_back(number_or_null(step.ratio));
      pairs.push_back(std::isnan(step.ratio) ? Json() : Json{names.groups[step.group], names.groups[step.beside]});
    }
    all[name_of(notion)] = {{"least", std::move(least)}, {"pair", std::move(pairs)}};
  }
  return all;
}

Json json_of(const Presence& present) { return {{"share", nested(present.share)}, {"rates", json_of(present.rates)}}; }

}  // namespace

std::optional<std::size_t> least_step(const std::vector<StepRatio>& steps) {
  std::optional<std::size_t> least;
  for (std::size_t h = 0; h < steps.size(); ++h)
    if (!std::isnan(steps[h].ratio) && (!least || steps[h].ratio < steps[*least].ratio)) least = h;
  return least;
}

std::optional<std::size_t> worst_step(const std::vector<StepGap>& steps) {
  std::optional<std::size_t> worst;
  for (std::size_t h = 0; h < steps.size(); ++h)
    if (!std::isnan(steps[h].gap) && (!worst || steps[h].gap > steps[*worst].gap)) worst = h;
  return worst;
}

Json to_json(const Model& model, const Evaluation& evaluation, std::optional<std::size_t> reference, bool values) {
  const Names& names = model.names();
  const Gaps& gap = evaluation.gap;
  Json document = {{"groups", names.groups},
                   {"features", names.features},
                   {"horizon", model.shape().horizon},
                   {"share", model.spec().share},
                   {"value", number_or_null(evaluation.value)},
                   {"value_per_step", list_of(evaluation.value_per_step)},
                   {"value_per_group", list_of(evaluation.value_per_group)},
                   {"rates", json_of(evaluation.rates)},
                   {"gap", {{"dp", gaps_of(gap.dp)}, {"eqopt", gaps_of(gap.eqopt)}, {"eqodds", gaps_of(gap.eqodds)}}},
                   {"worst_pair",
                    {{"dp", pairs_of(names, gap.dp)},
                     {"eqopt", pairs_of(names, gap.eqopt)},
                     {"eqodds", pairs_of(names, gap.eqodds)}}},
                   {"worst",
                    {{"dp", worst_of(names, gap.dp)},
                     {"eqopt", worst_of(names, gap.eqopt)},
                     {"eqodds", worst_of(names, gap.eqodds)}}},
                   {"ratio", ratios_of(names, evaluation.rates, reference)},
                   {"aggregate_dp", list_of(evaluation.aggregate_dp)},
                   {"aggregate_dp_gap", number_or_null(evaluation.aggregate_dp_gap.gap)},
                   {"aggregate_dp_pair", pair_of(names, evaluation.aggregate_dp_gap)},
                   {"aggregate_eqopt", list_of(evaluation.aggregate_eqopt)},
                   {"aggregate_eqopt_gap", number_or_null(evaluation.aggregate_eqopt_gap.gap)},
                   {"aggregate_eqopt_pair", pair_of(names, evaluation.aggregate_eqopt_gap)},
                   {"present", evaluation.present ? json_of(*evaluation.present) : Json()},
                   {"feature", nested(evaluation.feature)},
                   {"rests_on", grounds_json(model, evaluation.unseen)}};
  if (values) {
    document["q"] = nested(evaluation.q);
    document["v"] = nested(evaluation.v);
  }
  return document;
}

std::vector<std::string> undefined_rates(const Model& model, const Evaluation& evaluation) {
  const Shape& n = model.shape();
  const Names& names = model.names();
  std::vector<std::string> warnings;
  const auto tell = [&](const char* key, const Tensor<double, 2>& rate, std::size_t g, std::size_t label) {
    std::vector<std::size_t> steps;
    for (std::size_t h = 0; h < n.horizon; ++h)
      if (std::isnan(rate(g, h))) steps.push_back(h);
    if (!steps.empty())
      warnings.push_back(fmt::format("rates.{}[g={}] is undefined at {}: nobody of {} is {} there", key,
                                     names.groups[g], in_words(steps), names.groups[g], names.labels[label]));
  };
  for (std::size_t g = 0; g < n.groups; ++g) {
    tell("tpr", evaluation.rates.tpr, g, 1);
    tell("fpr", evaluation.rates.fpr, g, 0);
    if (std::isnan(evaluation.aggregate_eqopt[g]))
      warnings.push_back(fmt::format("aggregate_eqopt[g={}] is undefined: nobody of {} is ever {}", names.groups[g],
                                     names.groups[g], names.labels[1]));
  }
  const auto tell_gap = [&](const char* key, const std::vector<StepGap>& gaps) {
    std::vector<std::size_t> steps;
    for (std::size_t h = 0; h < n.horizon; ++h)
      if (std::isnan(gaps[h].gap)) steps.push_back(h);
    if (!steps.empty())
      warnings.push_back(
          fmt::format("gap.{} is undefined at {}: fewer than two groups have the rate there", key, in_words(steps)));
  };
  tell_gap("eqopt", evaluation.gap.eqopt);
  tell_gap("eqodds", evaluation.gap.eqodds);
  return warnings;
}

std::string in_words(const std::vector<std::size_t>& steps) {
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t last = i;
    while (last + 1 < steps.size() && steps[last + 1] == steps[last] + 1) ++last;
    ranges.push_back(i == last ? std::to_string(steps[i]) : fmt::format("{}-{}", steps[i], steps[last]));
    i = last + 1;
  }
  return fmt::format("{} {}", steps.size() == 1 ? "step" : "steps", fmt::join(ranges, ", "));
}

}  // namespace fairstep::cli
