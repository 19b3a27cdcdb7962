#include <fairstep/certify/direction.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fairstep/certify/sets.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/evaluate/shared/ranked.hpp>

namespace fairstep {
namespace {

/// In four sums at once, which need not wait for each other.
double dot(std::span<const double> a, std::span<const double> b) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t j = 0; j < 4; ++j) sums[j] += a[i + j] * b[i + j];
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Rounding within a row, as a part of `kOutwards`: two hundred units in the last place are more than a sum over
/// states.
constexpr double kOfWidth = 0.02;

/// Finds what rows can make of a payoff, at least and at most.
class Extremes {
 public:
  explicit Extremes(const std::vector<double>& payoff) : best_(payoff.size()), worst_(payoff.size()) {
    best_.rank(payoff);
    worst_.rank_opposite(best_, payoff);
  }

  [[nodiscard]] Range of(const RowSet& set) const {
    const double reach = internal::reach(set.estimate, set.radius);
    return {-greatest(worst_, set, reach), greatest(best_, set, reach)};
  }

 private:
  static double greatest(const internal::Ranked& ranked, const RowSet& set, double reach) {
    return ranked.greatest_in_box(set.estimate.data(), set.low.data(), set.high.data(),
                                  dot(set.estimate, ranked.shortfall()), reach);
  }

  internal::Ranked best_, worst_;
};

/// What is paid from step t on, to people of the design part who are in a state: from that of step t+1 and the payoff.
std::vector<double> step_back(const TwoSamples& samples, std::size_t t, std::span<const double> paid,
                              const std::vector<double>& after) {
  std::vector<double> worth(paid.begin(), paid.end());
  for (std::size_t s = 0; s < worth.size(); ++s)
    for (std::size_t a = 0; a < kActions; ++a)
      if (const double share = samples.acts(t, s, a); share != 0)
        worth[s] += share * dot(samples.design(samples.row_of(t, s, a)), after);
  return worth;
}

/// sum over s of deviation(s) e(s), e the mean of (p - design).after over the action.
Range second_order(const TwoSamples& samples, std::size_t t, const std::vector<Range>& deviation,
                   const std::vector<double>& after) {
  const Extremes extremes(after);
  Range sum{0, 0};
  for (std::size_t s = 0; s < samples.states(); ++s) {
    if (deviation[s].low == 0 && deviation[s].high == 0) continue;
    Range e{0, 0};
    for (std::size_t a = 0; a < kActions; ++a) {
      const double share = samples.acts(t, s, a);
      if (share == 0) continue;
      const std::size_t row = samples.row_of(t, s, a);
      const double mean = dot(samples.design(row), after);
      const Range found = extremes.of(samples.set(row));
      e = plus(e, {share * (found.low - mean), share * (found.high - mean)});
    }
    sum = plus(sum, times(deviation[s], e));
  }
  return sum;
}

/// A row's draws in a question that comes with a sign and a weight. A draw of x counts -ln(1 - lambda c x) / lambda,
/// which is a little more than c x.
struct Weighed {
  const Direction& direction;
  const Direction::Row& row;
  double sign, weight, lambda;

  [[nodiscard]] double of(double x) const { return -std::log1p(-lambda * weight * x) / lambda; }

  /// Lemma H2: at most the sum of weight (p - design).F over all draws, but for the term of chance; also of those that
  /// are missing or in the wrong place.
  [[nodiscard]] double at_most() const {
    if (weight == 0) return 0;
    double sum = 0;
    for (const auto& [x, times] : direction.drawn(row)) sum += times * of(sign * x);
    const double most = sign > 0 ? row.most : -row.least;
    const double least = sign > 0 ? row.least : -row.most;
    return sum + row.missing * std::max(0.0, of(most)) + row.in_doubt * std::max(0.0, -of(least));
  }

  /// (4): at most the rest, if all that was weighed counts `scale` times.
  [[nodiscard]] double rest(double scale) const {
    const double each = scale * weight;
    const Range left{1 - each * (row.draws + row.missing), 1 - each * std::max(0.0, row.draws - row.in_doubt)};
    return times(left, sign > 0 ? row.drift : Range{-row.drift.high, -row.drift.low}).high;
  }

  /// What is rounded in it: x within some units in the last place of the width, however short the drift is.
  [[nodiscard]] double size(double scale) const {
    const double each = scale * weight;
    return 2 * each * row.size + kOfWidth * (2 + each * (2 * row.draws + row.missing)) * row.width;
  }
};

/// The questions with their signs turned round or not, and one lambda.
class Together {
 public:
  Together(std::span<const SignedDirection> questions, double sign, double alpha) {
    double noise = 0;
    for (const SignedDirection& question : questions)
      for (const Direction::Row& row : question.direction.rows()) noise += row.noise;
    const double certainty = -std::log(alpha);
    const double lambda = noise > 0 ? std::sqrt(2 * certainty / noise) : 0;
    if (lambda > 0) chance_ = certainty / lambda;
    for (const auto& [direction, own] : questions) {
      settled_ += sign * own * direction.design_answer() +
                  (sign * own > 0 ? direction.remainder().high : -direction.remainder().low);
      size_ += std::abs(direction.design_answer()) +
               std::max(std::abs(direction.remainder().high), std::abs(direction.remainder().low));
      for (const Direction::Row& row : direction.rows()) {
        const double weight =
            lambda > 0 && row.planned > 0 ? std::min(1 / row.planned, 1 / (2 * lambda * row.width)) : 0;
        rows_.push_back({direction, row, sign * own, weight, lambda});
        // As many first states as were planned for, in place of those that there are.
        if (&row == direction.rows().data() && weight * row.draws > 0) scales_.push_back(1 / (weight * row.draws));
      }
    }
  }

  /// The least of what holds for each scale.
  [[nodiscard]] double at_most() const {
    double weighed = chance_;
    for (const Weighed& row : rows_) weighed += row.at_most();
    double least = std::numeric_limits<double>::infinity();
    for (const double scale : scales_) {
      double sum = settled_ + scale * weighed;
      double size = size_ + scale * std::abs(weighed);
      for (const Weighed& row : rows_) {
        const double rest = row.rest(scale);
        sum += rest;
        size += std::abs(rest) + row.size(scale);
      }
      least = std::min(least, sum + kOutwards * size);
    }
    return least;
  }

 private:
  double settled_ = 0, chance_ = 0, size_ = 0;
  std::vector<Weighed> rows_{};
  std::vector<double> scales_{1};
};

}  // namespace

Range plus(const Range& a, const Range& b) { return {a.low + b.low, a.high + b.high}; }

Range times(const Range& a, const Range& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

Payoff Payoff::at(std::size_t step, std::span<const double> paid) {
  Payoff payoff(step + 1, paid.size());
  std::copy(paid.begin(), paid.end(), payoff.paid_.block(step).begin());
  return payoff;
}

Direction::Direction(const TwoSamples& samples, const Payoff& payoff, const Deviations& deviations) {
  const std::size_t states = samples.states();
  std::vector<double> weights((samples.rows() - 1) * states);  // [row,s] F, of all rows but that of the first states
  std::vector<double> worth(states);
  for (std::size_t t = payoff.steps(); t-- > 0;) {
    if (t + 1 < payoff.steps()) {
      for (std::size_t s0 = 0; s0 < states; ++s0)
        for (std::size_t a = 0; a < kActions; ++a) {
          const double met = samples.mass(t)[s0] * samples.acts(t, s0, a);
          if (met == 0) continue;
          const std::size_t row = samples.row_of(t, s0, a);
          for (std::size_t s = 0; s < states; ++s) weights[(row - 1) * states + s] += met * worth[s];
        }
      remainder_ = plus(remainder_, second_order(samples, t, deviations[t], worth));
      worth = step_back(samples, t, payoff.of_step(t), worth);
    } else {
      worth.assign(payoff.of_step(t).begin(), payoff.of_step(t).end());
    }
  }
  answer_ = dot(samples.design(0), worth);
  rows_.reserve(samples.rows());
  drawn_.reserve(samples.rows() * states);
  add_row(samples, 0, worth);
  std::vector<double> row(states);
  for (std::size_t cell = 0; cell + 1 < samples.rows(); ++cell) {
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(cell * states), states, row.begin());
    add_row(samples, 1 + cell, row);
  }
}

void Direction::add_row(const TwoSamples& samples, std::size_t row, const std::vector<double>& payoff) {
  const auto [least, most] = std::minmax_element(payoff.begin(), payoff.end());
  if (row > 0 && *least == *most) return;  // whatever the row is, it pays the same
  Row& found = rows_.emplace_back();
  const double mean = dot(samples.design(row), payoff);
  found.planned = samples.planned(row);
  found.width = *most - *least;
  found.least = *least - mean;
  found.most = *most - mean;
  double variance = 0;
  const auto seen = samples.seen(row);
  found.begin = drawn_.size();
  for (std::size_t s = 0; s < payoff.size(); ++s) {
    const double x = payoff[s] - mean;
    variance += samples.design(row)[s] * x * x;
    if (seen[s] == 0) continue;
    const auto times = static_cast<double>(seen[s]);
    found.draws += times;
    found.size += times * std::abs(x);
    drawn_.push_back({x, times});
  }
  found.end = drawn_.size();
  if (found.planned > 0) found.noise = (variance + found.width * found.width / found.planned) / found.planned;
  found.in_doubt = static_cast<double>(samples.in_doubt(row));
  found.missing = static_cast<double>(samples.missing(row));
  const Range possible = Extremes(payoff).of(samples.set(row));
  found.drift = {possible.low - mean, possible.high - mean};
}

Range answer_range(std::span<const SignedDirection> questions, double alpha) {
  return {-Together(questions, -1, alpha).at_most(), Together(questions, 1, alpha).at_most()};
}

}  // namespace fairstep
