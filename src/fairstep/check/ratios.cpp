#include <fairstep/check/ratios.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace fairstep::rigorous {
namespace {

constexpr Real kNone = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kEndless = std::numeric_limits<Real>::infinity();

Real claimed(const Json& number) { return number.is_null() ? kNone : Real{number.get<double>()}; }

/// Claims about one rate and the gaps of the notion that compares it, at one step.
struct Step {
  std::vector<Real> low{}, high{}, estimate{};  ///< [g]
  std::vector<Real> gap{};                      ///< [i,j]

  Step(const Question& q, const Json& certificate, const char* rate, const char* notion, std::size_t h)
      : gap(q.groups * q.groups, 0) {
    const Json& ends = certificate.at("rates").at(rate);
    for (std::size_t g = 0; g < q.groups; ++g) {
      low.push_back(claimed(ends.at("low").at(g).at(h)));
      high.push_back(claimed(ends.at("high").at(g).at(h)));
      estimate.push_back(claimed(ends.at("estimate").at(g).at(h)));
    }
    std::size_t pair = 0;
    for (std::size_t i = 0; i < q.groups; ++i)
      for (std::size_t j = i + 1; j < q.groups; ++j, ++pair)
        gap[i * q.groups + j] = gap[j * q.groups + i] = claimed(certificate.at("pairs").at(pair).at(notion).at(h));
  }
};

Step step_of(const Question& q, const Json& certificate, const std::string& ratio, std::size_t h) {
  return ratio == "dp-ratio" ? Step(q, certificate, "accept", "dp", h) : Step(q, certificate, "tpr", "eqopt", h);
}

}  // namespace

Real least_ratio(const Question& q, const Json& certificate, const std::string& ratio, std::size_t h) {
  const Step step = step_of(q, certificate, ratio, h);
  const Real sure = q.reference ? step.low[*q.reference] : *std::max_element(step.low.begin(), step.low.end());
  if (!(sure > 0)) return kNone;
  Real least = q.reference ? kEndless : 1;
  for (std::size_t i = 0; i < q.groups; ++i)
    for (std::size_t j = 0; j < q.groups; ++j) {
      if (i == j || (q.reference && j != *q.reference) || step.high[j] <= 0) continue;
      // Of all b in the range of j, i's rate is at least max(low, b - gap): where these are the same the quotient by b
      // is least, or at the end of the range that is next to it.
      const Real gap = step.gap[i * q.groups + j];
      const Interval same = Interval(step.low[i]) + gap;
      const Real by_end = down(step.low[i] / step.high[j]);
      Real found = by_end;
      if (same.high < step.high[j]) found = same.low > step.low[j] ? down(step.low[i] / same.high) : by_end;
      if (same.low <= step.low[j]) found = std::max(found, down(1 - up(gap / step.low[j])));
      least = std::min(least, found);
    }
  return std::max(least, Real{0});
}

Real estimated_ratio(const Question& q, const Json& certificate, const std::string& ratio, std::size_t h) {
  const std::vector<Real> rate = step_of(q, certificate, ratio, h).estimate;
  std::size_t beside = q.reference.value_or(0);
  for (std::size_t g = 0; g < q.groups && !q.reference; ++g)
    if (std::isnan(rate[beside]) || rate[g] > rate[beside]) beside = g;
  if (!(rate[beside] > 0)) return kNone;
  Real least = kNone;  // fmin() passes over NaN
  for (std::size_t g = 0; g < q.groups; ++g)
    if (g != beside) least = std::fmin(least, rate[g] / rate[beside]);
  return least;
}

Real greatest_aggregate(const Question& q, const Json& certificate) {
  Real worst = 0;
  for (std::size_t i = 0; i < q.groups; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      Interval one, other, by_steps;
      bool apart = false;
      for (std::size_t h = 0; h < q.horizon; ++h) {
        const Step step(q, certificate, "accept", "dp", h);
        one = one + (Interval(step.high[i]) - step.low[j]);
        other = other + (Interval(step.high[j]) - step.low[i]);
        by_steps = by_steps + step.gap[i * q.groups + j];
        apart = apart || step.gap[i * q.groups + j] > 0;
      }
      if (apart)
        worst =
            std::max(worst, up(std::min(std::max(one.high, other.high), by_steps.high) / static_cast<Real>(q.horizon)));
    }
  return std::min(worst, Real{1});
}

Real estimated_aggregate(const Question& q, const Json& certificate) {
  std::vector<Real> means(q.groups, 0);
  for (std::size_t h = 0; h < q.horizon; ++h) {
    const Step step(q, certificate, "accept", "dp", h);
    for (std::size_t g = 0; g < q.groups; ++g) means[g] += step.estimate[g] / static_cast<Real>(q.horizon);
  }
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  return *most - *least;
}

}  // namespace fairstep::rigorous
