// Exact evaluation: the two passes alone, everything a report needs, and the extremes over all kernels near the model,
// at the paper's size and at larger ones.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/passes.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace {

using fairstep::kActions;
using fairstep::kLabels;

// Rows of equal entries: full kernels, so the time is that of the worst case of their size.
fairstep::Model flat_model(std::size_t groups, std::size_t features, std::size_t horizon) {
  fairstep::ModelSpec spec;
  spec.horizon = horizon;
  for (std::size_t g = 0; g < groups; ++g) spec.names.groups.push_back("g" + std::to_string(g));
  for (std::size_t x = 0; x < features; ++x) spec.names.features.push_back("x" + std::to_string(x));
  const double each = 1.0 / static_cast<double>(features * kLabels);
  spec.share.assign(groups, 1.0 / static_cast<double>(groups));
  spec.initial = fairstep::Tensor<double, 3>({groups, features, kLabels}, each);
  spec.transition = fairstep::Tensor<double, 6>({groups, features, kLabels, kActions, features, kLabels}, each);
  spec.reward = fairstep::Tensor<double, 4>({groups, features, kLabels, kActions}, 0.5);
  return *fairstep::Model::make(std::move(spec));
}

fairstep::Policy some_policy(const fairstep::Shape& n) {
  fairstep::Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  fairstep::Rng rng(1);
  for (double& p : accept.flat()) p = rng.uniform();
  return *fairstep::Policy::make(std::move(accept));
}

// Mass forwards and value backwards, all groups: what each iteration of an optimiser pays.
void both_passes(benchmark::State& state) {
  const auto model = flat_model(2, static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  const fairstep::Shape& n = model.shape();
  const fairstep::Policy policy = some_policy(n);
  std::vector<double> mass(n.horizon * n.states());
  std::vector<double> q(n.horizon * n.cells());
  std::vector<double> v(n.horizon * n.states());
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t g = 0; g < n.groups; ++g) {
      fairstep::forward(model.kernels(g), model.initial(g), policy.group(g), mass);
      fairstep::backward(model.kernels(g), {.reward = model.reward(g)}, policy.group(g), q, v);
    }
    benchmark::DoNotOptimize(mass.data());
    benchmark::DoNotOptimize(v.data());
  }
}

// The floor of both_passes: as many multiplications and additions over as many kernel entries, in a bare loop. Each
// pass reads each row at every step but the last.
void bare_multiply_adds(benchmark::State& state) {
  const auto model = flat_model(2, static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  const fairstep::Shape& n = model.shape();
  std::vector<double> out(n.states());
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t pass = 0; pass < 2 * (n.horizon - 1); ++pass) {
        const double* row = model.kernel(g, 0).row(0);
        for (std::size_t cell = 0; cell < n.cells(); ++cell, row += n.states())
          for (std::size_t s = 0; s < n.states(); ++s) out[s] += 0.5 * row[s];
        benchmark::ClobberMemory();
      }
    benchmark::DoNotOptimize(out.data());
  }
}

void whole_evaluation(benchmark::State& state) {
  const auto model = flat_model(2, static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  const fairstep::Policy policy = some_policy(model.shape());
  fairstep::Evaluation result(model.shape());
  for ([[maybe_unused]] auto _ : state) {
    fairstep::evaluate_into(model, policy, result);
    benchmark::DoNotOptimize(result.value);
  }
}

// All extremes over balls of radius 0.05: for the first and the last step alike, both ends of three rates.
void robust_rates(benchmark::State& state) {
  const auto model = flat_model(2, static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  const fairstep::Shape& n = model.shape();
  const fairstep::Policy policy = some_policy(n);
  const fairstep::Balls balls{fairstep::Tensor<double, 4>({n.groups, n.features, kLabels, kActions}, 0.05),
                              std::vector<double>(n.groups, 0.05)};
  for ([[maybe_unused]] auto _ : state) {
    const auto rates = fairstep::robust_rates(model, policy, balls);
    benchmark::DoNotOptimize(rates->dp.data());
  }
}

}  // namespace

// Arguments: features, horizon. The first is the paper's size.
BENCHMARK(both_passes)->Args({5, 8})->Args({20, 20})->Args({100, 20})->Unit(benchmark::kMicrosecond);
BENCHMARK(bare_multiply_adds)->Args({5, 8})->Args({20, 20})->Args({100, 20})->Unit(benchmark::kMicrosecond);
BENCHMARK(whole_evaluation)->Args({5, 8})->Args({20, 20})->Args({100, 20})->Unit(benchmark::kMicrosecond);
BENCHMARK(robust_rates)->Args({5, 8})->Args({20, 20})->Args({100, 20})->Unit(benchmark::kMicrosecond);
