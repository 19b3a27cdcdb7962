// What fairness costs: the best value over a range of limits.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

/// Limits that are swept if nobody names any, as `parse_range` reads them: of gaps, and of ratios.
inline constexpr std::string_view kUsualLimits = "0:0.2:11";
inline constexpr std::string_view kUsualRatioLimits = "0.5:1:11";
[[nodiscard]] constexpr std::string_view usual_limits(const Fairness& fairness) {
  return fairness.ratios.empty() ? kUsualLimits : kUsualRatioLimits;
}

struct ParetoPoint {
  double limit = 0;
  SolveResult result{};
};

/// Solves for each limit in turn, widest first, each from the last one's policy; every parity limit of `fairness` is
/// replaced by the point's. Points come back in the order of `limits`. Upper bounds are made monotone: a wider limit's
/// bound holds for a narrower one.
[[nodiscard]] Expected<std::vector<ParetoPoint>> pareto(const Model& model, const Fairness& fairness,
                                                        std::span<const double> limits,
                                                        const SolveOptions& options = {});

}  // namespace fairstep
