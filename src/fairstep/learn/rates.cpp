#include <fairstep/learn/rates.hpp>

#include <cmath>
#include <limits>

namespace fairstep {
namespace {

struct Logs {
  double s, a, h, k, delta;
};

Logs logs_of(const AtEpisode& at) {
  return {std::log(static_cast<double>(at.shape.states())), std::log(static_cast<double>(kActions)),
          std::log(static_cast<double>(at.shape.horizon)), std::log(static_cast<double>(at.k)), std::log(at.delta)};
}

}  // namespace

double reward_rate(const AtEpisode& at) {
  const auto [s, a, h, k, delta] = logs_of(at);
  const auto horizon = static_cast<double>(at.shape.horizon), states = static_cast<double>(at.shape.states());
  return horizon * std::exp(-k / 3) * std::sqrt(horizon * states * (2 * s + a + 2 * h + 3 * k - delta));
}

double violation_rate(const AtEpisode& at) {
  const auto [s, a, h, k, delta] = logs_of(at);
  const auto horizon = static_cast<double>(at.shape.horizon), states = static_cast<double>(at.shape.states());
  return std::exp(-k / 3) * std::sqrt(states * horizon * (2 * s + h + a + 3 * k - delta));
}

PowerFit fit_power(std::span<const std::uint64_t> k, std::span<const double> value) {
  PowerFit fit;
  double mean_x = 0, mean_y = 0;
  std::vector<double> x, y;
  for (std::size_t i = 0; i < k.size(); ++i) {
    if (!(value[i] > 0 && std::isfinite(value[i]))) {
      fit.omitted.push_back(k[i]);
      continue;
    }
    x.push_back(std::log(static_cast<double>(k[i])));
    y.push_back(std::log(value[i]));
    mean_x += x.back();
    mean_y += y.back();
  }
  fit.points = x.size();
  fit.slope = fit.intercept = std::numeric_limits<double>::quiet_NaN();
  if (x.size() < 2) return fit;
  mean_x /= static_cast<double>(x.size());
  mean_y /= static_cast<double>(x.size());
  double xy = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    xx += (x[i] - mean_x) * (x[i] - mean_x);
  }
  fit.slope = xy / xx;
  fit.intercept = mean_y - fit.slope * mean_x;
  return fit;
}

}  // namespace fairstep
