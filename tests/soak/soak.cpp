// Learn, solve and certify over random models, usual ones and such at the edges, for as long as asked and in one
// process: every result is computed again by somebody else, and the memory must stay flat.
//
//   fairstep_soak SECONDS [SEED]
//
// Exit code 0: nothing was wrong and the memory is flat. What was done is said in one line of JSON.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/document.hpp>
#include <fairstep/check/check.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/learn/environment.hpp>
#include <fairstep/learn/learn.hpp>
#include <fairstep/optimise/solve.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "optimise/reference.hpp"
#include "support/edges.hpp"
#include "support/models.hpp"

namespace fairstep::testing {
namespace {

using Clock = std::chrono::steady_clock;

/// Stops everything: a soak that has found something is over.
void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

double size_of(const Model& model) {
  const Range rewards = model.reward_range();
  return static_cast<double>(model.shape().horizon) * std::max(std::abs(rewards.low), std::abs(rewards.high));
}

/// Three of four are ordinary models of the paper's size or so.
Edges draw(std::uint64_t seed) {
  if (seed % 4 == 3) return draw_edges(seed, 6);
  Edges edges;
  edges.groups = 2 + seed % 2;
  edges.features = 2 + seed % 4;
  edges.horizon = 2 + seed % 7;
  edges.notion = seed % 3 == 0 ? Notion::eqopt : Notion::dp;
  edges.limit = 0.02 * static_cast<double>(seed % 6);
  return edges;
}

Policy soak_solve(const Model& model, const Edges& edges) {
  Question question{model, {.parity = {{edges.notion, {edges.limit}, {}}}}, {}};
  question.options.policies.floor = edges.floor;
  question.options.proof.effort = 300;
  question.options.proof.time_limit = 600;
  const SolveResult result = unwrap(solve(model, question.fairness, question.options));
  require(result.solution.has_value(), "solve: no policy, though to treat everybody alike is one");
  const Evaluation again = unwrap(evaluate(model, result.solution->policy));
  const double slack = 1e-9 * size_of(model);
  require(again.value == result.solution->evaluation.value, "solve: the value is not the referee's");
  require(std::abs(result.bounds.lower - again.value) <= slack, "solve: the lower bound is not the value");
  require(result.bounds.lower <= result.bounds.upper, "solve: bounds that contradict each other");
  require(result.bounds.upper <= size_of(model) + slack, "solve: a bound above all that can be earned");
  require(excess(question, result.solution->policy, again) <= 2 * kLimitTolerance, "solve: a limit is not kept");
  return result.solution->policy;
}

void soak_learn(const Model& model, const Edges& edges, std::uint64_t seed) {
  LearnOptions options;
  options.fairness = {edges.notion, {edges.limit}, {}};
  options.schedule = {8, 1024, std::uint64_t{1} << 18};
  options.relaxation = edges.notion == Notion::eqodds || seed % 2 == 0 ? RelaxationMode::tight : RelaxationMode::scaled;
  options.proof.effort = 100;
  options.proof.time_limit = 600;
  options.trial_episodes = 50;
  options.seed = seed;
  SimulatedEnvironment environment(model, seed);
  for (const Update& update : unwrap(learn(environment, options, &model))) {
    const Evaluation again = unwrap(evaluate(model, update.policy));
    require(update.truth && update.truth->evaluation.value == again.value, "learn: the value is not the referee's");
    require(update.bounds.lower <= update.bounds.upper, "learn: bounds that contradict each other");
    for (const double p : update.policy.table().flat())
      require(p >= update.floor && p <= 1 - update.floor, "learn: a floor is not kept");
  }
}

void soak_certify(const Model& model, const Policy& policy, std::uint64_t seed) {
  const Counts counts = unwrap(simulate_counts(model, random_policy(seed, model), {{10000, true}, seed, 0, 1}));
  CertifyOptions options;
  options.value = KnownRewards{model.spec().reward, model.spec().share, model.discount()};
  const Certificate certificate = unwrap(certify(counts, policy, options));
  const std::string text = to_text(
      certificate, counts,
      {{"counts.json", to_text(counts)}, {"policy.json", to_text(policy)}, InputText{"model.json", to_text(model)}});
  const CheckReport report = unwrap(check_certificate(text));
  require(report.mismatches.empty(), "check: " + (report.mismatches.empty() ? "" : report.mismatches[0].pointer));
}

/// Of this process now, in KB. What the allocator keeps for later is given back first.
double resident_memory() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1024;
}

/// What is allocated and not freed, in KB: between two models it is nothing but what libraries keep.
double allocated_memory() {
  const auto use = mallinfo2();
  return static_cast<double>(use.uordblks + use.hblkhd) / 1024;
}

struct Sample {
  double seconds = 0;
  double kilobytes = 0;
  double allocated = 0;
};

/// KB an hour, by least squares.
double slope(const std::vector<Sample>& samples, double Sample::* what) {
  double time = 0, memory = 0;
  for (const Sample& sample : samples) time += sample.seconds, memory += sample.*what;
  time /= static_cast<double>(samples.size());
  memory /= static_cast<double>(samples.size());
  double both = 0, square = 0;
  for (const Sample& sample : samples) {
    both += (sample.seconds - time) * (sample.*what - memory);
    square += (sample.seconds - time) * (sample.seconds - time);
  }
  return square > 0 ? 3600 * both / square : 0;
}

int soak(double seconds, std::uint64_t first_seed) {
  constexpr double kWarmUp = 0.25;  // the share of the time before samples count
  // KB between the first and the last of them, by fitted lines: what is allocated is the same after every model, while
  // pages come and go with how it lies there.
  constexpr double kMostAllocated = 64;
  constexpr double kMostResident = 8192;
  const auto begin = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::vector<Sample> samples;
  samples.reserve(1000);  // not to be taken for a leak
  std::uint64_t models = 0;
  double next_sample = kWarmUp * seconds;
  for (std::uint64_t seed = first_seed; passed() < seconds; ++seed, ++models) {
    const Edges edges = draw(seed);
    try {
      const Model model = edge_model(edges, seed);
      const Policy policy = soak_solve(model, edges);
      soak_learn(model, edges, seed);
      soak_certify(model, policy, seed);
    } catch (const std::exception& wrong) {
      fmt::print(stderr, "soak: seed {} ({}): {}\n", seed, describe(edges), wrong.what());
      return 1;
    }
    if (passed() < next_sample) continue;
    samples.push_back({passed(), resident_memory(), allocated_memory()});
    next_sample = passed() + seconds / 400;
  }
  if (samples.size() < 2) {
    fmt::print(stderr, "soak: {} s are too few to see what becomes of the memory\n", seconds);
    return 1;
  }
  const double hours = (samples.back().seconds - samples.front().seconds) / 3600;
  const double growth = slope(samples, &Sample::kilobytes) * hours;
  const double leaked = slope(samples, &Sample::allocated) * hours;
  const auto [least, most] = std::minmax_element(
      samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.kilobytes < b.kilobytes; });
  fmt::print(
      "{{\"seconds\": {:.0f}, \"models\": {}, \"solves\": {}, \"updates\": {}, \"certificates\": {}, \"samples\": {}, "
      "\"least_kb\": {:.0f}, \"most_kb\": {:.0f}, \"growth_kb\": {:.0f}, \"allocated_kb\": {:.1f}, "
      "\"allocated_growth_kb\": {:.2f}}}\n",
      passed(), models, models, 3 * models, models, samples.size(), least->kilobytes, most->kilobytes, growth,
      samples.back().allocated, leaked);
  if (leaked <= kMostAllocated && growth <= kMostResident) return 0;
  fmt::print(stderr, "soak: after the warm-up memory grew by {:.0f} KB allocated and {:.0f} KB resident", leaked,
             growth);
  fmt::print(stderr, ", expected at most {:.0f} and {:.0f}\n", kMostAllocated, kMostResident);
  return 1;
}

}  // namespace
}  // namespace fairstep::testing

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::strtod(argv[1], nullptr) : 3600;
  return fairstep::testing::soak(seconds, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
}
