#include <fairstep/experiment/internal/frontier.hpp>

#include <cmath>

#include <fairstep/io/json.hpp>
#include <fairstep/optimise/pareto.hpp>
#include <fairstep/optimise/solution_document.hpp>

namespace fairstep::internal {
namespace {

/// The average over steps; where there is nobody to be unfair to, there is no violation.
double violation_of(const std::vector<double>& gaps) {
  double sum = 0;
  for (const double gap : gaps) sum += std::isnan(gap) ? 0 : gap;
  return sum / static_cast<double>(gaps.size());
}

void write(JsonWriter& json, const SolveResult& result, std::size_t horizon) {
  write_solution(json, result, {horizon, {}, {}, {}});
  json.field("violation", violation_of(result.parity_gap));
}

}  // namespace

Expected<std::string> frontier_text(const ExperimentEnvironment& environment, Notion notion,
                                    const ExperimentFrontier& frontier, const std::stop_token& stop) {
  SolveOptions options;
  options.proof = frontier.proof;
  options.stop = stop;
  const Fairness fairness{.parity = {{notion, {1.0}, {}}}};
  const auto points = pareto(environment.model, fairness, frontier.limits, options);
  if (!points) return tl::unexpected(points.error());
  options.method = Method::unconstrained;
  const auto free = solve(environment.model, fairness, options);
  if (!free) return tl::unexpected(free.error());
  if (stop.stop_requested()) return std::string{};

  const std::size_t horizon = environment.model.shape().horizon;
  JsonWriter json;
  json.object().field("schema", "fairstep/pareto/1").key("warnings").array(JsonWriter::Lines::one).end();
  json.field("model", "models/" + environment.name + ".json").key("file").value(nullptr);
  json.field("method", name_of(Method::constrained)).field("environment", environment.name);
  json.field("fairness", name_of(notion)).key("unconstrained").object();
  write(json, *free, horizon);
  json.end().key("points").array();
  const double best = value_of(*free);
  for (const auto& [limit, result] : *points) {
    json.object().field("limit", limit);
    write(json, result, horizon);
    // What the limit takes away from the best value, and its share of it.
    const double price = best - value_of(result);
    json.field("price", price).field("price_share", price / std::abs(best)).end();
  }
  json.end().end();
  return std::move(json).text();
}

}  // namespace fairstep::internal
