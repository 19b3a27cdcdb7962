#include <fairstep/diagnose/hypergeometric.hpp>

#include <algorithm>
#include <cmath>

#include <fairstep/simulate/binomial_rejection.hpp>

namespace fairstep {
namespace {

/// The distribution of the good ones drawn, with at most half of all good and at most half drawn.
class Hypergeometric {
 public:
  Hypergeometric(std::int64_t good, std::int64_t bad, std::int64_t drawn)
      : good_(good),
        bad_(bad),
        drawn_(drawn),
        least_(std::max<std::int64_t>(0, drawn - bad)),
        most_(std::min(good, drawn)) {
    const auto g = static_cast<double>(good);
    const auto b = static_cast<double>(bad);
    const auto d = static_cast<double>(drawn);
    mean_ = d * (g / (g + b));
    sd_ = std::sqrt(mean_ * (b / (g + b)) * ((g + b - d) / std::max(g + b - 1, 1.0)));
    mode_ = std::clamp(static_cast<std::int64_t>((d + 1) * ((g + 1) / (g + b + 2))), least_, most_);
  }

  [[nodiscard]] std::int64_t draw(Rng& rng) const { return sd_ < 40 ? invert(rng) : reject(rng); }

 private:
  /// log P(k). With k = mean + d the four cells of the table lie d above or below their means, and Stirling's formula
  /// leaves what each of that costs: no large numbers cancel.
  [[nodiscard]] double log_probability(std::int64_t k) const {
    const std::int64_t all = good_ + bad_;
    return log_factorial_rest(good_) + log_factorial_rest(bad_) + log_factorial_rest(drawn_) +
           log_factorial_rest(all - drawn_) - log_factorial_rest(all) + log_weight(k);
  }
  /// The part that depends on k.
  [[nodiscard]] double log_weight(std::int64_t k) const {
    const double d = static_cast<double>(k) - mean_;
    const double rest = static_cast<double>(good_) - mean_;
    const double bad_drawn = static_cast<double>(drawn_) - mean_;
    const double bad_rest = static_cast<double>(bad_) - bad_drawn;
    return -log_factorial_rest(k) - log_factorial_rest(good_ - k) - log_factorial_rest(drawn_ - k) -
           log_factorial_rest(bad_ - drawn_ + k) - deviance(d, mean_) - deviance(-d, rest) - deviance(-d, bad_drawn) -
           deviance(d, bad_rest);
  }

  /// Outwards from the mode until the probabilities exceed a uniform number: about as many steps as the spread.
  [[nodiscard]] std::int64_t invert(Rng& rng) const {
    double left = rng.uniform();
    double up = std::exp(log_probability(mode_));
    double down = up;
    std::int64_t high = mode_;
    std::int64_t low = mode_;
    left -= up;
    if (left < 0) return mode_;
    while (high < most_ || low > least_) {
      if (high < most_) {
        up *= static_cast<double>(good_ - high) / static_cast<double>(high + 1) *
              (static_cast<double>(drawn_ - high) / static_cast<double>(bad_ - drawn_ + high + 1));
        ++high;
        left -= up;
        if (left < 0) return high;
      }
      if (low > least_) {
        down *= static_cast<double>(low) / static_cast<double>(good_ - low + 1) *
                (static_cast<double>(bad_ - drawn_ + low) / static_cast<double>(drawn_ - low + 1));
        --low;
        left -= down;
        if (left < 0) return low;
      }
      if (up + down < 1e-300) break;
    }
    return mode_;  // what rounding left over, less than 1e-12
  }

  /// Ratio of uniforms, in the rectangle that Stadlober (1989) proved to hold the region.
  [[nodiscard]] std::int64_t reject(Rng& rng) const {
    const double half_width = 1.7155277699214135 * std::sqrt(sd_ * sd_ + 0.5) + 0.8989161620588988;
    const double top = log_weight(mode_);
    for (;;) {
      const double u = 1 - rng.uniform();
      const double x = mean_ + 0.5 + half_width * (rng.uniform() - 0.5) / u;
      if (x < static_cast<double>(least_) || x >= static_cast<double>(most_) + 1) continue;
      const auto k = std::clamp(static_cast<std::int64_t>(x), least_, most_);
      if (2 * std::log(u) <= log_weight(k) - top) return k;
    }
  }

  std::int64_t good_, bad_, drawn_, least_, most_, mode_ = 0;
  double mean_ = 0, sd_ = 0;
};

}  // namespace

std::int64_t hypergeometric(std::int64_t good, std::int64_t bad, std::int64_t drawn, Rng& rng) {
  if (good == 0 || drawn == 0) return 0;
  if (bad == 0) return drawn;
  if (drawn == good + bad) return good;
  if (good > bad) return drawn - hypergeometric(bad, good, drawn, rng);
  if (drawn > good + bad - drawn) return good - hypergeometric(good, bad, good + bad - drawn, rng);
  return Hypergeometric(good, bad, drawn).draw(rng);
}

}  // namespace fairstep
