// What the programs share that measure certificates: the policies that are certified, and what a bootstrap says of
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/optimise/solve.hpp>
#include <fairstep/simulate/binomial.hpp>

#include "scenario.hpp"

namespace fairstep::bench {

/// The best policy without a gap of this notion at any step.
inline Policy fair_policy(const Model& model, Notion notion) {
  Fairness fairness;
  fairness.parity.push_back({notion, {0.0}, std::nullopt});
  SolveOptions options;
  options.proof.time_limit = 10;
  return must(solve(model, fairness, options)).solution.value().policy;
}

inline double worst_dp(const Evaluation& evaluation) {
  double worst = 0;
  for (const auto& step : evaluation.gap.dp) worst = std::max(worst, step.gap);
  return worst;
}

/// What is usually done instead: everything that was counted is drawn again, as often as it was seen, by the
/// frequencies; of many such worlds, the worst step's gap that 95 % keep. It guarantees nothing: a successor that was
/// never seen is never drawn, and the policy's gap in the estimate is taken for the truth.
inline double bootstrap_dp(const Counts& counts, const Policy& policy) {
  constexpr int kWorlds = 400;
  const Model estimated = must(estimate(counts)).model;
  std::vector<double> gaps;
  for (int world = 0; world < kWorlds; ++world) {
    Rng rng(7, static_cast<std::uint64_t>(world));
    const auto drawn_again = [&](std::span<double> probabilities, std::int64_t times) {
      if (times == 0) return;
      std::int64_t left = times;
      double rest = 1;
      for (double& p : probabilities) {
        const std::int64_t here = rest <= 0 ? 0 : binomial(left, std::min(1.0, p / rest), rng);
        rest -= p;
        left -= here;
        p = static_cast<double>(here) / static_cast<double>(times);
      }
      probabilities.back() += static_cast<double>(left) / static_cast<double>(times);  // lost to rounding of `rest`
    };
    ModelSpec spec = estimated.spec();
    const auto& n = estimated.shape();
    for (std::size_t g = 0; g < n.groups; ++g) {
      const auto first = counts.first().block(g);
      drawn_again(spec.initial.block(g), std::accumulate(first.begin(), first.end(), std::int64_t{0}));
      for (std::size_t cell = 0; cell < n.cells(); ++cell) {
        const auto seen = counts.transitions().block(g).subspan(cell * n.states(), n.states());
        drawn_again(spec.transition.block(g).subspan(cell * n.states(), n.states()),
                    std::accumulate(seen.begin(), seen.end(), std::int64_t{0}));
      }
    }
    gaps.push_back(worst_dp(must(evaluate(must(Model::make(std::move(spec))), policy))));
  }
  std::sort(gaps.begin(), gaps.end());
  return gaps[kWorlds * 95 / 100];
}

}  // namespace fairstep::bench
