// Simulation: people one by one beside the random numbers alone that they need, crowds of different sizes beside each
// other, and single binomial draws. The model is the paper's: FICO, two groups, five features, eight steps.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <benchmark/benchmark.h>

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/simulate/binomial.hpp>
#include <fairstep/simulate/simulate.hpp>

namespace {

using fairstep::Model;
using fairstep::Policy;
using fairstep::Rng;
using fairstep::SimulateOptions;

Policy some_policy(const Model& model) {
  const fairstep::Shape& n = model.shape();
  fairstep::Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  Rng rng(1);
  for (double& p : accept.flat()) p = rng.uniform();
  return *Policy::make(std::move(accept));
}

SimulateOptions crowd(std::int64_t people) {
  SimulateOptions options;
  options.crowd.people = static_cast<std::uint64_t>(people);
  return options;
}

constexpr std::int64_t kPeople = 200'000;

/// Items are transitions, decisions whose successor was seen: seven a person.
void count_transitions(benchmark::State& state, const Model& model, std::int64_t people) {
  state.SetItemsProcessed(state.iterations() * people * static_cast<std::int64_t>(model.shape().horizon - 1));
}

void walk_people(benchmark::State& state, const Model& model) {
  const Policy policy = some_policy(model);
  SimulateOptions options = crowd(kPeople);
  options.threads = static_cast<unsigned>(state.range(0));
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(simulate_people(model, policy, options));
    ++options.stream;
  }
  count_transitions(state, model, kPeople);
}

void people_fico(benchmark::State& state) { walk_people(state, *fairstep::make_fico()); }

/// Everything switched on: noise, late entrants, leavers.
void people_with_noise_and_participation(benchmark::State& state) {
  fairstep::RandomOptions options;
  options.reward_noise = 0.5;
  options.participation = true;
  walk_people(state, *fairstep::make_random(options));
}

void people_100_features(benchmark::State& state) {
  fairstep::RandomOptions options;
  options.features = 100;
  walk_people(state, *fairstep::make_random(options));
}

/// The floor of people_fico: the same random numbers, a start and eight steps a person, and nothing else.
void random_numbers_of_people_fico(benchmark::State& state) {
  const Model model = *fairstep::make_fico();
  constexpr std::size_t kBlock = 512;
  std::array<std::uint64_t, kBlock> words{};
  std::uint64_t stream = 0;
  for ([[maybe_unused]] auto _ : state) {
    for (std::uint64_t first = 0; first < kPeople; first += kBlock)
      for (std::uint64_t word = 0; word <= model.shape().horizon; ++word) {
        const Rng rng(1, stream, word, 0, 1);
        for (std::size_t i = 0; i < kBlock; i += 4) {
          const Rng::Block block = rng.block((first + i) / 4);
          for (std::size_t j = 0; j < 4; ++j) words[i + j] = block[j];
        }
        benchmark::DoNotOptimize(words.data());
        benchmark::ClobberMemory();
      }
    ++stream;
  }
  count_transitions(state, model, kPeople);
}

/// Rows handed to somebody who does nothing with them. Items are rows.
void log_fico(benchmark::State& state) {
  const Model model = *fairstep::make_fico();
  const Policy policy = some_policy(model);
  SimulateOptions options = crowd(kPeople);
  std::int64_t rows = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(simulate_log(model, policy, options, [&](std::span<const fairstep::Decision> block) {
      rows += static_cast<std::int64_t>(block.size());
      return true;
    }));
    ++options.stream;
  }
  state.SetItemsProcessed(rows);
}

void crowd_fico(benchmark::State& state) {
  const Model model = *fairstep::make_fico();
  const Policy policy = some_policy(model);
  SimulateOptions options = crowd(state.range(0));
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(simulate_counts(model, policy, options));
    ++options.stream;
  }
}

/// One draw, stream set up anew for each as in a simulation. Arguments: people, expected successes.
void binomial_draw(benchmark::State& state) {
  const std::int64_t people = state.range(0);
  const double p = static_cast<double>(state.range(1)) / static_cast<double>(people);
  std::uint64_t stream = 0;
  for ([[maybe_unused]] auto _ : state) {
    Rng rng(1, stream++);
    benchmark::DoNotOptimize(fairstep::binomial(people, p, rng));
  }
}

}  // namespace

BENCHMARK(people_fico)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(people_fico)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(random_numbers_of_people_fico)->Unit(benchmark::kMillisecond);
BENCHMARK(people_with_noise_and_participation)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(people_100_features)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(log_fico)->Unit(benchmark::kMillisecond);
BENCHMARK(crowd_fico)
    ->Arg(1'000)
    ->Arg(1'000'000)
    ->Arg(1'000'000'000'000)
    ->Arg(1'000'000'000'000'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(binomial_draw)
    ->Args({1'000, 1})
    ->Args({1'000, 9})
    ->Args({1'000, 300})
    ->Args({1'000'000'000'000'000, 300'000'000'000'000});
