// How one thing grows: its time and memory for a random model of the size that is asked for, as a line of JSON.
//
//   growth WHAT [--features N] [--horizon N] [--groups N] [--successors N] [--people N]
//
// WHAT is evaluate, crowd (people as counts), people (one by one), estimate, local-dp or local-eqopt (a policy without
// a proof), or certify. Each size is a process of its own, so that its memory is its own too.
#include <cstdint>
#include <string>

#include <fairstep/certify/certify.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/optimise/solve.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "scenario.hpp"

namespace {

using namespace fairstep;
using namespace fairstep::bench;

double local_solve(const Model& model, Notion notion) {
  SolveOptions options;
  options.proof.wanted = false;
  options.proof.time_limit = 600;
  return least_seconds(2, [&] { must(solve(model, {.parity = {{notion, {0.01}}}}, options)); });
}

double time_of(const std::string& what, const Model& model, std::uint64_t people) {
  const Shape& n = model.shape();
  const Policy policy = must(Policy::make(Tensor<double, 3>({n.groups, n.horizon, n.features}, 0.5)));
  if (what == "evaluate") return evaluation_time(model);
  if (what == "local-dp") return local_solve(model, Notion::dp);
  if (what == "local-eqopt") return local_solve(model, Notion::eqopt);
  const SimulateOptions crowd{{people, true}, 1, 0, 1};
  if (what == "crowd") return least_seconds(5, [&] { must(simulate_counts(model, policy, crowd)); });
  if (what == "people") return least_seconds(3, [&] { must(simulate_people(model, policy, crowd)); });
  const Counts counts = must(simulate_counts(model, policy, crowd));
  if (what == "estimate") return least_seconds(5, [&] { must(estimate(counts)); });
  if (what == "certify") return least_seconds(2, [&] { must(certify(counts, policy, {})); });
  fmt::print(stderr, "growth: no such thing as {}\n", what);
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  const auto size = [&](std::string_view name, double otherwise) {
    return static_cast<std::size_t>(number_option(argc, argv, name, otherwise));
  };
  const std::string what = argc > 1 ? argv[1] : "";
  const RandomOptions options{.groups = size("--groups", 2),
                              .features = size("--features", 20),
                              .horizon = size("--horizon", 8),
                              .successors = size("--successors", 10)};
  const auto people = static_cast<std::uint64_t>(number_option(argc, argv, "--people", 1e6));
  const Model model = must(make_random(options));
  const double time = time_of(what, model, people);
  row("what", what, "groups", options.groups, "features", options.features, "horizon", options.horizon, "successors",
      options.successors, "people", people, "seconds", time, "evaluations", time / evaluation_time(model), "megabytes",
      peak_megabytes());
}
