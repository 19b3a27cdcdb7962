#include <fairstep/evaluate/ratios.hpp>

#include <cmath>
#include <limits>

namespace fairstep {
namespace {

/// The group with the greatest rate, the first of several; nothing if no group has one.
std::optional<std::size_t> best_treated(const Tensor<double, 2>& rate, std::size_t h) {
  std::optional<std::size_t> best;
  for (std::size_t g = 0; g < rate.extents()[0]; ++g)
    if (!std::isnan(rate(g, h)) && (!best || rate(g, h) > rate(*best, h))) best = g;
  return best;
}

}  // namespace

std::vector<StepRatio> step_ratios(const Rates& rates, RatioNotion notion, std::optional<std::size_t> reference) {
  return step_ratios(notion == RatioNotion::dp ? rates.accept : rates.tpr, reference);
}

std::vector<StepRatio> step_ratios(const Tensor<double, 2>& rate, std::optional<std::size_t> reference) {
  std::vector<StepRatio> steps;
  for (std::size_t h = 0; h < rate.extents()[1]; ++h) {
    StepRatio least{std::numeric_limits<double>::quiet_NaN()};
    const auto beside = reference ? reference : best_treated(rate, h);
    for (std::size_t g = 0; beside && g < rate.extents()[0]; ++g) {
      if (g == *beside || !(rate(*beside, h) > 0)) continue;
      const double ratio = rate(g, h) / rate(*beside, h);
      if (ratio < least.ratio || std::isnan(least.ratio)) least = {ratio, g, *beside};
    }
    steps.push_back(least);
  }
  return steps;
}

}  // namespace fairstep
