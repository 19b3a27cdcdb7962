#include <fairstep/certify/ratios.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fairstep/certify/sets.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/evaluate/ratios.hpp>

namespace fairstep {
namespace {

constexpr double kNoRatio = std::numeric_limits<double>::quiet_NaN();

double rounded_down(double ratio) { return std::max(0.0, ratio - kOutwards * std::max(1.0, ratio)); }

/// NaN if the rate below the line may be 0: the reference's, or that of whoever is treated best.
double ratio_at(const Certificate& found, RatioNotion about, std::size_t h) {
  const Tensor<Range, 2>& rate = about == RatioNotion::dp ? found.accept->range : found.tpr->range;
  const auto reference = found.asked.reference;
  double surely = 0;  // the rate below the line is at least this
  for (std::size_t g = 0; g < rate.extents()[0]; ++g)
    if (!reference || g == *reference) surely = std::max(surely, rate(g, h).low);
  if (!(surely > 0)) return kNoRatio;
  double least = reference ? std::numeric_limits<double>::infinity() : 1;
  for (const PairBounds& pair : found.pairs) {
    const double gap = of_notion(pair.gap, notion_of(about))[h];
    for (const auto& [above, below] : {std::pair{pair.first, pair.second}, {pair.second, pair.first}})
      if (!reference || below == *reference) least = std::min(least, least_ratio(rate(above, h), rate(below, h), gap));
  }
  return rounded_down(least);
}

double aggregate_of(const Certificate& found, const PairBounds& pair) {
  const Tensor<Range, 2>& rate = found.accept->range;
  const std::size_t horizon = rate.extents()[1];
  double first_above = 0, second_above = 0, by_steps = 0;
  for (std::size_t h = 0; h < horizon; ++h) {
    first_above += rate(pair.first, h).high - rate(pair.second, h).low;
    second_above += rate(pair.second, h).high - rate(pair.first, h).low;
    by_steps += pair.gap.dp[h];
  }
  if (by_steps == 0) return 0;  // exactly, and nothing is rounded
  const double least = std::min(std::max(first_above, second_above), by_steps) / static_cast<double>(horizon);
  return std::clamp(least + kOutwards, 0.0, 1.0);
}

double estimated_aggregate(const Tensor<double, 2>& accept) {
  double least = std::numeric_limits<double>::infinity(), greatest = 0;
  for (std::size_t g = 0; g < accept.extents()[0]; ++g) {
    double mean = 0;
    for (const double rate : accept.block(g)) mean += rate / static_cast<double>(accept.extents()[1]);
    least = std::min(least, mean);
    greatest = std::max(greatest, mean);
  }
  return greatest - least;
}

}  // namespace

double least_ratio(const Range& above, const Range& below, double gap) {
  if (!(below.high > 0)) return 1;
  // above is at least max(above.low, b - gap) for the rate b below: the one falls with b when divided by it, the other
  // rises, and they meet at b = above.low + gap. Each case as it is rounded least.
  const double meet = above.low + gap;
  if (meet >= below.high) return above.low / below.high;
  return meet <= below.low ? 1 - gap / below.low : above.low / meet;
}

void set_what_follows(Certificate& found) {
  for (const RatioNotion about : found.asked.ratios) {
    const RateBounds& rate = about == RatioNotion::dp ? *found.accept : *found.tpr;
    for (std::size_t h = 0; h < rate.range.extents()[1]; ++h)
      steps_of(found.ratio, about).push_back(ratio_at(found, about, h));
    for (const StepRatio& step : step_ratios(rate.estimate, found.asked.reference))
      steps_of(found.estimated_ratio, about).push_back(step.ratio);
  }
  if (!found.asked.aggregate_dp) return;
  double worst = 0;
  for (const PairBounds& pair : found.pairs) worst = std::max(worst, aggregate_of(found, pair));
  found.aggregate_dp = worst;
  found.estimated_aggregate_dp = estimated_aggregate(found.accept->estimate);
}

}  // namespace fairstep
