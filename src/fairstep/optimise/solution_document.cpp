#include <fairstep/optimise/solution_document.hpp>

#include <cmath>
#include <string_view>

#include <fairstep/io/files.hpp>

namespace fairstep {
namespace {

void write_policy(JsonWriter& json, const Policy* policy) {
  json.key("policy");
  policy != nullptr ? json.document(to_text(*policy)) : json.value(nullptr);
}

/// Which limit it is. One on the whole episode has no step.
template <class Limit>
void write_place(JsonWriter& json, const Limit& limit, std::size_t horizon) {
  json.field("step", limit.step < horizon ? std::optional(limit.step) : std::nullopt);
  json.field("constraint", limit.constraint);
  json.field("pair", limit.pair.empty() ? std::nullopt : std::optional(limit.pair));
}

void write_infeasible(JsonWriter& json, const SolveResult& result, std::size_t horizon) {
  json.key("infeasible");
  if (!result.infeasibility) {
    json.value(nullptr);
    return;
  }
  const Infeasibility& why = *result.infeasibility;
  json.object();
  write_place(json, why, horizon);
  json.field("least_excess", why.least_excess).field("attained_excess", why.attained_excess);
  json.field("smallest_limit", why.smallest_limit);
  write_policy(json, why.nearest ? &*why.nearest : nullptr);
  json.end();
}

void write_rules_price(JsonWriter& json, const RulesPrice& price, const SolutionContext& context) {
  json.key("rules").object();
  json.field("asked_for", price.rules);
  json.key("order");
  if (price.order) {
    json.array();
    for (const std::vector<std::size_t>& chain : *price.order) {
      json.array(JsonWriter::Lines::one);
      for (const std::size_t x : chain) json.value(context.features.at(x));
      json.end();
    }
    json.end();
  } else {
    json.value(nullptr);
  }
  json.key("without").object(JsonWriter::Lines::one);
  json.field("lower", price.without.lower).field("upper", price.without.upper).end();
  json.key("cost").object(JsonWriter::Lines::one);
  json.field("at_least", price.at_least).field("at_most", price.at_most).end();
  json.end();
}

std::optional<std::string_view> degenerate(const SolveResult& result) {
  if (result.accepts_nobody) return "accepts nobody";
  if (result.accepts_everybody) return "accepts everybody";
  return std::nullopt;
}

}  // namespace

double value_of(const SolveResult& result) {
  return result.solution ? result.solution->evaluation.value : std::nan("");
}

void write_solution(JsonWriter& json, const SolveResult& result, const SolutionContext& context) {
  json.field("outcome", name_of(result.outcome)).field("stopped_by", name_of(result.stopped_by));
  json.field("value", value_of(result)).field("penalty", result.penalty).key("bounds").object(JsonWriter::Lines::one);
  json.field("lower", result.bounds.lower).field("upper", result.bounds.upper).end().field("gap", result.gap);
  json.field("parity_gap", result.parity_gap);
  if (!result.least_ratio.empty()) json.field("least_ratio", result.least_ratio);
  json.field("shadow_price", result.shadow_price);
  json.field("vacuous_steps", result.vacuous_steps).key("binding").array();
  for (const Binding& limit : result.binding) {
    json.object(JsonWriter::Lines::one);
    write_place(json, limit, context.horizon);
    json.field("value", limit.value).field("limit", limit.limit).field("shadow_price", limit.shadow_price).end();
  }
  json.end();
  json.field("degenerate", degenerate(result));
  write_infeasible(json, result, context.horizon);
  json.field("randomised_value", result.randomised_value);
  if (result.rules_price) write_rules_price(json, *result.rules_price, context);
  if (!context.rests_on.empty()) json.key("rests_on").document(context.rests_on);
  if (const auto& support = result.support) {
    json.key("support").object(JsonWriter::Lines::one).field("min_seen", support->min_seen);
    json.field("decisions", support->decisions).field("scarce", support->scarce).field("neither", support->neither);
    json.field("visits", support->visits).end();
  }
  json.field("tail", context.tail);
  json.field("nodes", result.nodes);
  json.field("time_s", context.seconds);
  write_policy(json, result.solution ? &result.solution->policy : nullptr);
}

}  // namespace fairstep
