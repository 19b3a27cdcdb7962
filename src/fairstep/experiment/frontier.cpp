#include <fairstep/experiment/internal/frontier.hpp>

#include <cmath>

#include <fairstep/io/files.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/optimise/pareto.hpp>

namespace fairstep::internal {
namespace {

/// The average over steps; where there is nobody to be unfair to, there is no violation.
double violation_of(const std::vector<double>& gaps) {
  double sum = 0;
  for (const double gap : gaps) sum += std::isnan(gap) ? 0 : gap;
  return sum / static_cast<double>(gaps.size());
}

double value_of(const SolveResult& result) {
  return result.solution ? result.solution->evaluation.value : std::nan("");
}

void write(JsonWriter& json, const Binding& limit, std::size_t horizon) {
  json.object(JsonWriter::Lines::one).key("step");
  limit.step < horizon ? json.value(limit.step) : json.value(nullptr);
  json.field("constraint", limit.constraint).key("pair");
  limit.pair.empty() ? json.value(nullptr) : json.value(limit.pair);
  json.field("value", limit.value).field("limit", limit.limit).field("shadow_price", limit.shadow_price).end();
}

/// The keys of a solution (docs/cli.md), without its time.
void write(JsonWriter& json, const SolveResult& result) {
  json.field("outcome", name_of(result.outcome)).field("stopped_by", name_of(result.stopped_by));
  json.field("value", value_of(result)).field("penalty", result.penalty).key("bounds").object(JsonWriter::Lines::one);
  json.field("lower", result.bounds.lower).field("upper", result.bounds.upper).end().field("gap", result.gap);
  json.field("parity_gap", result.parity_gap).field("shadow_price", result.shadow_price);
  json.field("vacuous_steps", result.vacuous_steps).key("binding").array();
  for (const Binding& limit : result.binding) write(json, limit, result.shadow_price.size());
  json.end().key("degenerate");
  if (result.accepts_nobody || result.accepts_everybody)
    json.value(result.accepts_nobody ? "accepts nobody" : "accepts everybody");
  else
    json.value(nullptr);
  // Treating everybody alike keeps every parity, so that nothing is ever infeasible.
  for (const char* key : {"infeasible", "randomised_value", "tail"}) json.key(key).value(nullptr);
  json.field("nodes", result.nodes).key("time_s").value(nullptr).key("policy");
  result.solution ? json.document(to_text(result.solution->policy)) : json.value(nullptr);
  json.field("violation", violation_of(result.parity_gap));
}

}  // namespace

Expected<std::string> frontier_text(const ExperimentEnvironment& environment, Notion notion,
                                    const ExperimentFrontier& frontier, const std::stop_token& stop) {
  SolveOptions options;
  options.prove = frontier.certificate.prove;
  options.gap = frontier.certificate.gap;
  options.time_limit = frontier.certificate.time_limit;
  options.effort = frontier.certificate.effort;
  options.stop = stop;
  const Fairness fairness{.parity = {{notion, {1.0}, {}}}};
  const auto points = pareto(environment.model, fairness, frontier.limits, options);
  if (!points) return tl::unexpected(points.error());
  options.method = Method::unconstrained;
  const auto free = solve(environment.model, fairness, options);
  if (!free) return tl::unexpected(free.error());
  if (stop.stop_requested()) return std::string{};

  JsonWriter json;
  json.object().field("schema", "fairstep/pareto/1").key("warnings").array(JsonWriter::Lines::one).end();
  json.field("model", "models/" + environment.name + ".json").key("file").value(nullptr);
  json.field("method", name_of(Method::constrained)).field("environment", environment.name);
  json.field("fairness", name_of(notion)).key("unconstrained").object();
  write(json, *free);
  json.end().key("points").array();
  const double best = value_of(*free);
  for (const auto& [limit, result] : *points) {
    json.object().field("limit", limit);
    write(json, result);
    // What the limit takes away from the best value, and its share of it.
    const double price = best - value_of(result);
    json.field("price", price).field("price_share", price / std::abs(best)).end();
  }
  json.end().end();
  return std::move(json).text();
}

}  // namespace fairstep::internal
