#include <fairstep/explore/answers.hpp>

#include <cmath>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shown_text.hpp>
#include <fairstep/evaluate/ratios.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/optimise/solution_document.hpp>

namespace fairstep {
namespace {

void write_names(JsonWriter& json, const char* key, const std::vector<std::string>& names) {
  json.key(key).array(JsonWriter::Lines::tight);
  for (const std::string& name : names) json.value(shown_text(name));
  json.end();
}

void write_gaps(JsonWriter& json, const Gaps& gaps) {
  for (const Notion notion : all_of<Notion>()) {
    json.key(name_of(notion)).array(JsonWriter::Lines::tight);
    for (const StepGap& step : of_notion(gaps, notion)) json.value(step.gap);
    json.end();
  }
}

void write_ratios(JsonWriter& json, const Rates& rates) {
  for (const RatioNotion notion : all_of<RatioNotion>()) {
    json.key(name_of(notion)).array(JsonWriter::Lines::tight);
    for (const StepRatio& step : step_ratios(rates, notion)) json.value(step.ratio);
    json.end();
  }
}

/// What a policy does, for the page's pictures.
void write_effect(JsonWriter& json, const Evaluation& evaluation) {
  json.field("value", evaluation.value).field("value_per_group", evaluation.value_per_group);
  json.field("accepted_over_all", evaluation.aggregate_dp);
  json.field("qualified_accepted_over_all", evaluation.aggregate_eqopt);
  json.field("accept", evaluation.rates.accept).field("tpr", evaluation.rates.tpr);
  json.key("gaps").object(JsonWriter::Lines::tight);
  write_gaps(json, evaluation.gap);
  write_ratios(json, evaluation.rates);
  json.end();
}

std::string percent_at_most(double share) { return round_up_percent(share, share < 1e-4 ? 4 : 2) + " %"; }

/// How good it is, as far as that is known.
std::string standing(const SolveResult& result, bool proof) {
  if (!result.solution) {
    if (result.outcome == Outcome::infeasible) return "proven: no such policy keeps the limit at every step";
    return proof ? "no policy was found that keeps the limit, and none was ruled out"
                 : "no policy was found that keeps the limit; whether there is one is not known yet";
  }
  if (!std::isfinite(result.bounds.upper)) return proof ? "no upper bound was found in time" : "not proven yet";
  const std::string upper = round_up_short(result.bounds.upper, 5);
  if (result.outcome == Outcome::optimal)
    return fmt::format("proven: no such policy is worth more than {}, which is {} more at most", upper,
                       percent_at_most(result.gap));
  return fmt::format("the proof ended early: the best is worth at most {}, which is {} more", upper,
                     percent_at_most(result.gap));
}

/// Which limit would do, if none fits.
std::string remedy(const Infeasibility& why) {
  const std::string reached = why.ratio ? round_down_text(why.smallest_limit + kLimitTolerance, 4)
                                        : round_up_text(why.smallest_limit - kLimitTolerance, 4);
  return fmt::format("a limit of {} on {} would do", reached, why.constraint);
}

std::string price(const RulesPrice& price) {
  if (!std::isfinite(price.at_most)) return {};
  return fmt::format("being {} costs {} to {} of value", price.rules, round_down_short(price.at_least, 3),
                     round_up_short(price.at_most, 3));
}

}  // namespace

SolveOptions options_for(const ExploreQuestion& question, bool proof) {
  SolveOptions options;
  options.policies = question.policies;
  options.proof.wanted = proof;
  options.price_rules = proof;  // it changes no policy, and takes as long again
  return options;
}

std::string about(const Explored& explored, const std::string& baseline, const Evaluation& evaluation) {
  const Model& model = explored.model;
  JsonWriter json;
  json.object().field("name", shown_text(explored.name)).field("horizon", model.shape().horizon);
  write_names(json, "groups", model.names().groups);
  write_names(json, "features", model.names().features);
  write_names(json, "rests_on", explored.rests_on);
  json.field("description", shown_text(model.spec().description));
  json.field("shares", model.spec().share);
  json.key("baseline").object().field("name", shown_text(baseline));
  write_effect(json, evaluation);
  json.end().end();
  return std::move(json).text();
}

std::string answer(const Explored& explored, const ExploreQuestion& question, const SolveResult& result, bool proof) {
  const Model& model = explored.model;
  JsonWriter json;
  json.object().field("question", question.as_query()).field("proven", proof);
  json.field("standing", standing(result, proof))
      .field("command", explored.command ? explored.command(question, proof) : std::string());
  json.key("remarks").array();
  if (result.infeasibility && !result.solution) json.value(remedy(*result.infeasibility));
  if (result.rules_price)
    if (const std::string said = price(*result.rules_price); !said.empty()) json.value(said);
  if (result.solution && result.solution->evaluation.unseen && model.spec().rests_on)
    json.value(in_words(*model.spec().rests_on, *result.solution->evaluation.unseen));
  if (result.accepts_nobody) json.value("this policy accepts nobody");
  if (result.accepts_everybody) json.value("this policy accepts everybody");
  json.end();
  if (result.solution) {
    json.key("effect").object();
    write_effect(json, result.solution->evaluation);
    json.end().field("file", to_text(result.solution->policy));
  }
  json.key("solution").object();
  write_solution(json, result,
                 {.horizon = model.shape().horizon, .seconds = result.seconds, .features = model.names().features});
  json.end().end();
  return std::move(json).text();
}

std::string standing(const SolveProgress& now) {
  const Bounds& bounds = now.bounds;
  if (!std::isfinite(bounds.upper)) return "the proof is under way: no upper bound yet";
  const std::string upper = round_up_short(bounds.upper, 5);
  const double scale = std::abs(bounds.lower);
  if (!std::isfinite(bounds.lower) || scale == 0)
    return fmt::format("the proof is under way: no such policy is worth more than {}", upper);
  return fmt::format("the proof is under way: no such policy is worth more than {}, which is {} more at most", upper,
                     percent_at_most((bounds.upper - bounds.lower) / scale));
}

std::string refusal(const Error& error) {
  JsonWriter json;
  json.object().field("error", std::string(error.message));
  if (!error.hint.empty()) json.field("hint", std::string(error.hint));
  json.end();
  return std::move(json).text();
}

}  // namespace fairstep
