// Whole solves and certificates at the paper's size, beside a loop that never changes: for the guard of CI.
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/document.hpp>
#include <fairstep/check/check.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/optimise/solve.hpp>
#include <fairstep/simulate/simulate.hpp>

namespace {

using namespace fairstep;

/// A million dependent multiplications and additions: some milliseconds on any machine, in no need of memory.
void fixed_loop(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    double x = 0.5;
    for (int i = 0; i < 1'000'000; ++i) x = x * 0.999 + 0.001;
    benchmark::DoNotOptimize(x);
  }
}

void solve_fico(benchmark::State& state, Notion notion, bool prove) {
  const Model model = *make_fico();
  SolveOptions options;
  options.proof.wanted = prove;
  for ([[maybe_unused]] auto _ : state) {
    const auto solved = solve(model, {.parity = {{notion, {0.01}}}}, options);
    if (!solved || (prove && solved->outcome != Outcome::optimal)) state.SkipWithError("not solved");
  }
}

void local_solve_fico_dp(benchmark::State& state) { solve_fico(state, Notion::dp, false); }
void proof_fico_dp(benchmark::State& state) { solve_fico(state, Notion::dp, true); }
void proof_fico_eqopt(benchmark::State& state) { solve_fico(state, Notion::eqopt, true); }

struct Certified {
  Model model = *make_fico();
  Policy policy = *Policy::make(Tensor<double, 3>({2, 8, 5}, 0.5));
  Counts counts = *simulate_counts(model, policy, {{std::uint64_t{1} << 18U, true}, 1, 0, 1});
};

void certify_fico(benchmark::State& state) {
  const Certified of;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(certify(of.counts, of.policy, {}));
}

void check_fico(benchmark::State& state) {
  const Certified of;
  const std::string text =
      to_text(*certify(of.counts, of.policy, {}), of.counts,
              {{"counts.json", to_text(of.counts)}, {"policy.json", to_text(of.policy)}, std::nullopt});
  for ([[maybe_unused]] auto _ : state)
    if (!check_certificate(text)->mismatches.empty()) state.SkipWithError("does not hold");
}

}  // namespace

BENCHMARK(fixed_loop)->Unit(benchmark::kMillisecond);
BENCHMARK(local_solve_fico_dp)->Unit(benchmark::kMillisecond);
BENCHMARK(proof_fico_dp)->Unit(benchmark::kMillisecond);
BENCHMARK(proof_fico_eqopt)->Unit(benchmark::kMillisecond);
BENCHMARK(certify_fico)->Unit(benchmark::kMillisecond);
BENCHMARK(check_fico)->Unit(benchmark::kMillisecond);
