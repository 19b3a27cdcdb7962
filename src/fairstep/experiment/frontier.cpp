#include <fairstep/experiment/internal/frontier.hpp>

#include <cmath>

#include <fairstep/io/files.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/optimise/pareto.hpp>

namespace fairstep::internal {
namespace {

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::optimal:
      return "optimal";
    case Outcome::feasible:
      return "feasible";
    case Outcome::infeasible:
      return "infeasible";
    case Outcome::unknown:
      break;
  }
  return "unknown";
}

const char* name_of(StopReason reason) {
  switch (reason) {
    case StopReason::finished:
      return "finished";
    case StopReason::time:
      return "time";
    case StopReason::iterations:
      return "iterations";
    case StopReason::requested:
      return "requested";
    case StopReason::numerical:
      break;
  }
  return "numerical";
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double value_of(const SolveResult& result) {
  return result.solution ? result.solution->evaluation.value : std::nan("");
}

void write(JsonWriter& json, const SolveResult& result) {
  json.field("outcome", name_of(result.outcome)).field("stopped_by", name_of(result.stopped_by));
  json.field("value", value_of(result)).key("bounds").object(JsonWriter::Lines::one);
  json.field("lower", result.bounds.lower).field("upper", result.bounds.upper).end().field("gap", result.gap);
  json.field("parity_gap", result.parity_gap).field("violation", mean_of(result.parity_gap));
  json.field("shadow_price", result.shadow_price).key("policy");
  result.solution ? json.document(to_text(result.solution->policy)) : json.value(nullptr);
}

}  // namespace

Expected<std::string> frontier_text(const ExperimentEnvironment& environment, Notion notion,
                                    const ExperimentFrontier& frontier, const std::stop_token& stop) {
  SolveOptions options;
  options.prove = frontier.certificate.prove;
  options.gap = frontier.certificate.gap;
  options.time_limit = frontier.certificate.time_limit;
  options.stop = stop;
  const Fairness fairness{.parity = {{notion, {1.0}, {}}}};
  const auto points = pareto(environment.model, fairness, frontier.limits, options);
  if (!points) return tl::unexpected(points.error());
  options.method = Method::unconstrained;
  const auto free = solve(environment.model, fairness, options);
  if (!free) return tl::unexpected(free.error());
  if (stop.stop_requested()) return std::string{};

  JsonWriter json;
  json.object().field("schema", "fairstep/frontier/1").field("environment", environment.name);
  json.field("fairness", fairstep::name_of(notion)).key("unconstrained").object();
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
