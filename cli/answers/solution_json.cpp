#include "answers/solution_json.hpp"

#include <cmath>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>

#include "answers/evaluation_json.hpp"
#include "answers/grounds_summary.hpp"
#include "answers/json_text.hpp"
#include "answers/nested.hpp"
#include "options/search_options.hpp"

namespace fairstep::cli {
namespace {

Json policy_document(const Policy& policy) { return Json::parse(fairstep::to_text(policy)); }

Json step_or_null(std::size_t step, const Model& model) {
  return step < model.shape().horizon ? Json(step) : Json();  // a constraint on the whole episode has no step
}

Json list(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(number_or_null(number));
  return list;
}

Json binding(const Model& model, const SolveResult& result) {
  Json list = Json::array();
  for (const Binding& limit : result.binding)
    list.push_back({{"step", step_or_null(limit.step, model)},
                    {"constraint", limit.constraint},
                    {"pair", text_or_null(limit.pair)},
                    {"value", number_or_null(limit.value)},
                    {"limit", number_or_null(limit.limit)},
                    {"shadow_price", number_or_null(limit.shadow_price)}});
  return list;
}

Json infeasible(const Model& model, const SolveResult& result) {
  if (!result.infeasibility) return {};
  const Infeasibility& why = *result.infeasibility;
  return {{"step", step_or_null(why.step, model)},
          {"constraint", why.constraint},
          {"pair", text_or_null(why.pair)},
          {"least_excess", number_or_null(why.least_excess)},
          {"attained_excess", number_or_null(why.attained_excess)},
          {"smallest_limit", number_or_null(why.smallest_limit)},
          {"policy", why.nearest ? policy_document(*why.nearest) : Json()}};
}

Json degenerate(const SolveResult& result) {
  if (result.accepts_nobody) return "accepts nobody";
  if (result.accepts_everybody) return "accepts everybody";
  return {};
}

}  // namespace

Json to_json(const Model& model, const SolveResult& result, std::optional<double> tail) {
  return {{"outcome", name_of(result.outcome)},
          {"stopped_by", name_of(result.stopped_by)},
          {"value", result.solution ? number_or_null(result.solution->evaluation.value) : Json()},
          {"penalty", result.penalty},
          {"bounds", {{"lower", number_or_null(result.bounds.lower)}, {"upper", number_or_null(result.bounds.upper)}}},
          {"gap", number_or_null(result.gap)},
          {"parity_gap", list(result.parity_gap)},
          {"shadow_price", list(result.shadow_price)},
          {"vacuous_steps", result.vacuous_steps},
          {"binding", binding(model, result)},
          {"degenerate", degenerate(result)},
          {"infeasible", infeasible(model, result)},
          {"randomised_value", result.randomised_value ? number_or_null(*result.randomised_value) : Json()},
          {"rests_on", grounds_json(model, result.solution ? result.solution->evaluation.unseen : std::nullopt)},
          {"tail", tail ? number_or_null(*tail) : Json()},
          {"nodes", result.nodes},
          {"time_s", result.seconds},
          {"policy", result.solution ? policy_document(result.solution->policy) : Json()}};
}

std::vector<std::string> peculiarities(const SolveResult& result) {
  std::vector<std::string> sentences;
  if (result.accepts_nobody)
    sentences.emplace_back(
        "the policy accepts nobody: that treats all alike, and is worth no more than closing the doors");
  if (result.accepts_everybody) sentences.emplace_back("the policy accepts everybody");
  std::vector<std::size_t> of_nobody;
  for (std::size_t h = 0; h < result.parity_gap.size(); ++h)
    if (std::isnan(result.parity_gap[h])) of_nobody.push_back(h);
  if (!of_nobody.empty())
    sentences.push_back(
        fmt::format("at {} fewer than two groups have anybody whom the limit is about: there is no "
                    "gap, and the limit holds by itself",
                    in_words(of_nobody)));
  if (!result.vacuous_steps.empty())
    sentences.push_back(fmt::format("the limit is 1 at {}: no gap can ever exceed it", in_words(result.vacuous_steps)));
  return sentences;
}

}  // namespace fairstep::cli
