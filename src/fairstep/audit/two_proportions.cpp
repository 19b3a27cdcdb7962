#include <fairstep/audit/two_proportions.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fairstep/audit/binomial_interval.hpp>

namespace fairstep {
namespace {

/// Sums of hundreds of positive terms are rounded; what they are off by is less than this share of them.
constexpr double kRounding = 1e-7;
/// What is left out of a distribution, on either side, is less.
constexpr double kLeftOut = 1e-15;
/// Beyond so many decisions of two groups Fisher's test is taken as it is: Boschloo's would hardly be sharper.
constexpr std::int64_t kMostForBoschloo = std::int64_t{1} << 13;
/// Beyond so many of one group nothing is added up any more.
constexpr std::int64_t kMostDecisions = std::int64_t{1} << 20;
/// Of what a tail may fail with, the share that goes to saying where each of the two chances can be at all.
constexpr double kNuisanceShare = 1.0 / 40;
/// So many of the difference's standard errors are taken for one point: that much wider the range is at most.
constexpr double kCell = 0.05;

/// Probabilities of a stretch of whole numbers, which holds all but `kLeftOut` on either side.
struct Stretch {
  std::int64_t first = 0;
  std::vector<double> chance{};

  [[nodiscard]] std::int64_t last() const { return first + static_cast<std::int64_t>(chance.size()) - 1; }
};

/// Outwards from the mode by ratios of neighbours, then divided by the sum: nothing large cancels.
template <class Up, class Down>
Stretch from_mode(std::int64_t mode, std::int64_t least, std::int64_t most, const Up& up, const Down& down) {
  std::vector<double> below, above{1};
  double sum = 1;
  const auto negligible = [&](double weight, double ratio) { return ratio < 0.9 && weight < sum * kLeftOut / 100; };
  double weight = 1;
  for (std::int64_t k = mode; k < most; ++k) {
    const double ratio = up(k);
    weight *= ratio;
    if (negligible(weight, ratio)) break;
    above.push_back(weight);
    sum += weight;
  }
  weight = 1;
  for (std::int64_t k = mode; k > least; --k) {
    const double ratio = down(k);
    weight *= ratio;
    if (negligible(weight, ratio)) break;
    below.push_back(weight);
    sum += weight;
  }
  Stretch stretch{mode - static_cast<std::int64_t>(below.size()), {}};
  stretch.chance.reserve(below.size() + above.size());
  stretch.chance.assign(below.rbegin(), below.rend());
  stretch.chance.insert(stretch.chance.end(), above.begin(), above.end());
  for (double& chance : stretch.chance) chance /= sum;
  return stretch;
}

Stretch binomial(std::int64_t n, double p) {
  if (p <= 0) return {0, {1}};
  if (p >= 1) return {n, {1}};
  const double odds = p / (1 - p);
  const auto mode = std::clamp(static_cast<std::int64_t>((static_cast<double>(n) + 1) * p), std::int64_t{0}, n);
  return from_mode(
      mode, 0, n, [&](std::int64_t k) { return static_cast<double>(n - k) / static_cast<double>(k + 1) * odds; },
      [&](std::int64_t k) { return static_cast<double>(k) / static_cast<double>(n - k + 1) / odds; });
}

/// P(X >= x) of X accepted among the first `n1` of `n1 + n2` decisions, of which `k` were accepted.
double hypergeometric_tail(std::int64_t x, std::int64_t n1, std::int64_t n2, std::int64_t k) {
  const std::int64_t least = std::max<std::int64_t>(0, k - n2);
  const std::int64_t most = std::min(n1, k);
  if (x <= least) return 1;
  if (x > most) return 0;
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  const auto mode =
      std::clamp(static_cast<std::int64_t>((real(k) + 1) * ((real(n1) + 1) / (real(n1) + real(n2) + 2))), least, most);
  const Stretch stretch = from_mode(
      mode, least, most,
      [&](std::int64_t i) { return real(n1 - i) * real(k - i) / (real(i + 1) * real(n2 - k + i + 1)); },
      [&](std::int64_t i) { return real(i) * real(n2 - k + i) / (real(n1 - i + 1) * real(k - i + 1)); });
  double tail = kLeftOut;
  for (std::int64_t i = stretch.last(); i >= std::max(x, stretch.first); --i)
    tail += stretch.chance[static_cast<std::size_t>(i - stretch.first)];
  return std::min(1.0, tail * (1 + kRounding));
}

/// The decisions as they may have been, at worst for saying that the first are accepted more often.
std::pair<Outcomes, Outcomes> at_worst(const Outcomes& first, const Outcomes& second) {
  return {{first.accepted, first.decisions + first.lost, 0},
          {second.accepted + second.lost, second.decisions + second.lost, 0}};
}

/// For each number accepted in all, the chance given it of a table whose tail is at most `level`: the tail itself of
/// the first such table.
std::vector<double> rejected_given_all(std::int64_t n1, std::int64_t n2, double level) {
  const std::int64_t n = n1 + n2;
  std::vector<double> log_factorial(static_cast<std::size_t>(n) + 1, 0.0);
  for (std::size_t i = 1; i < log_factorial.size(); ++i)
    log_factorial[i] = log_factorial[i - 1] + std::log(static_cast<double>(i));
  const auto log_of = [&](std::int64_t i) { return log_factorial[static_cast<std::size_t>(i)]; };
  std::vector<double> given(static_cast<std::size_t>(n) + 1, 0.0);
  std::int64_t start = 0;  // of the tables that are rejected; it rises with k, by one at most
  const auto tail_from = [&](std::int64_t x, std::int64_t k) {
    const std::int64_t most = std::min(n1, k);
    if (x > most) return 0.0;
    double term = std::exp(log_of(n1) - log_of(x) - log_of(n1 - x) + log_of(n2) - log_of(k - x) - log_of(n2 - k + x) -
                           log_of(n) + log_of(k) + log_of(n - k));
    double sum = term;
    for (std::int64_t i = x; i < most && term > sum * 1e-17; ++i) {
      term *= static_cast<double>(n1 - i) * static_cast<double>(k - i) /
              (static_cast<double>(i + 1) * static_cast<double>(n2 - k + i + 1));
      sum += term;
    }
    return std::min(1.0, sum * (1 + kRounding));
  };
  for (std::int64_t k = 0; k <= n; ++k) {
    start = std::max({start, std::int64_t{0}, k - n2});
    double tail = tail_from(start, k);
    while (tail > level) tail = tail_from(++start, k);
    given[static_cast<std::size_t>(k)] = tail;
  }
  return given;
}

/// The greatest mean of `given` over Binomial(n, p), p from 0 to 1. In t = ln p/(1-p) the logarithm of the mean is
/// ln sum C(n,k) given(k) e^(tk), which is convex, less n ln(1 + e^t), which is convex too. So between two points the
/// first is at most its chord and the second at least its tangent, which leaves a line: at most the greater of its
/// ends.
double greatest_mean(const std::vector<double>& given) {
  const auto n = static_cast<std::int64_t>(given.size()) - 1;
  const auto size = static_cast<double>(n);
  const auto mean = [&](double t) {
    const Stretch stretch = binomial(n, 1 / (1 + std::exp(-t)));
    double sum = 0;
    for (std::size_t i = 0; i < stretch.chance.size(); ++i)
      sum += stretch.chance[i] * given[static_cast<std::size_t>(stretch.first) + i];
    return sum * (1 + kRounding) + 2 * kLeftOut;
  };
  const auto cumulant = [&](double t) { return size * std::log1p(std::exp(t)); };
  constexpr double kEnd = 1e-9;  // nothing is rejected where none or all are accepted, but with chance n kEnd at most
  const double end = std::log((1 - kEnd) / kEnd);
  double greatest = std::min(1.0, size * kEnd * *std::max_element(given.begin(), given.end()));
  double t = -end, at = mean(t);
  while (t < end) {
    const double p = 1 / (1 + std::exp(-t));
    const double next = t + std::min(0.2 / std::sqrt(size * p * (1 - p)), 0.1);
    const double there = mean(next), middle = (t + next) / 2;
    const double slope = size / (1 + std::exp(-middle));
    const auto above_tangent = [&](double end_of) {
      return std::max(0.0, cumulant(end_of) - cumulant(middle) - slope * (end_of - middle));
    };
    greatest = std::max({greatest, at * std::exp(above_tangent(t)), there * std::exp(above_tangent(next))});
    t = next;
    at = there;
  }
  return std::min(1.0, greatest);
}

/// Tables are put in order by the difference of the shares, or by their ratio.
enum class Order { difference, ratio };

/// The tables that speak at least as much for the first group as what was seen, lost decisions at their worst: of the
/// second group's decisions that are not lost, at most so many are accepted where of the first `y` are.
class Region {
 public:
  Region(Order order, const Outcomes& first, const Outcomes& second) : order_(order), first_(first), second_(second) {
    all1_ = first.decisions + first.lost;
    all2_ = second.decisions + second.lost;
    threshold_ = first.accepted * all2_ - (second.accepted + second.lost) * all1_;
  }

  [[nodiscard]] std::int64_t most(std::int64_t y) const {
    if (order_ == Order::difference)
      return std::min(floor_of((y + first_.lost) * all2_ - threshold_, all1_), second_.decisions);
    // (y + lost) / y2 is at least accepted / (accepted2 + lost2); nothing is less than no acceptance at all.
    if (first_.accepted == 0) return second_.decisions;
    return std::min((y + first_.lost) * (second_.accepted + second_.lost) / first_.accepted, second_.decisions);
  }

 private:
  static std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

  Order order_;
  Outcomes first_, second_;
  std::int64_t all1_ = 0, all2_ = 0, threshold_ = 0;
};

/// At most the chance of the region, where the second group's is `second`, as running sums.
class Chance {
 public:
  Chance(const Region& region, std::int64_t n1, std::int64_t n2, double p2) : region_(region), n1_(n1) {
    Stretch second = binomial(n2, p2);
    first_ = second.first;
    double sum = 0;
    for (double& chance : second.chance) chance = sum += chance;
    at_most_ = std::move(second.chance);
  }

  [[nodiscard]] double at(double p1) const {
    const Stretch first = binomial(n1_, p1);
    double sum = 0;
    for (std::size_t i = 0; i < first.chance.size(); ++i) {
      const std::int64_t place = region_.most(first.first + static_cast<std::int64_t>(i)) - first_;
      if (place < 0) continue;
      sum += first.chance[i] * at_most_[std::min(static_cast<std::size_t>(place), at_most_.size() - 1)];
    }
    return sum * (1 + kRounding) + 4 * kLeftOut;
  }

 private:
  const Region& region_;
  std::int64_t n1_, first_ = 0;
  std::vector<double> at_most_{};
};

/// The least difference, or ratio, that can be: any less is refuted at level `tail`.
double least(Order order, const Outcomes& first, const Outcomes& second, double tail) {
  const double nuisance = tail * kNuisanceShare;
  const Range one = binomial_interval(first.accepted, first.decisions, first.lost, nuisance);
  const Range two = binomial_interval(second.accepted, second.decisions, second.lost, nuisance);
  const double level = tail - 2 * nuisance;
  const auto of = [&](double p1, double p2) { return order == Order::difference ? p1 - p2 : p1 / p2; };
  const auto p1_of = [&](double value, double p2) { return order == Order::difference ? value + p2 : value * p2; };
  const auto variance = [](const Outcomes& outcomes) {
    const double n = static_cast<double>(outcomes.decisions) + 2;
    const double p = (static_cast<double>(outcomes.accepted) + 1) / n;
    return p * (1 - p) / n;
  };
  const double width = kCell * std::sqrt(variance(first) + variance(second));
  const auto cells = static_cast<std::size_t>(std::max(1.0, std::ceil((two.high - two.low) / width)));
  const Region region(order, first, second);
  const auto share = [](std::int64_t k, std::int64_t n) { return static_cast<double>(k) / static_cast<double>(n); };
  // Not above what was observed, lost decisions at their worst.
  const double worst2 = share(second.accepted + second.lost, second.decisions + second.lost);
  double least = worst2 > 0 || order == Order::difference
                     ? of(share(first.accepted, first.decisions + first.lost), worst2)
                     : std::numeric_limits<double>::infinity();
  if (order == Order::ratio && first.accepted == 0) return 0;
  for (std::size_t step = 0; step < cells; ++step) {
    // From the middle outwards: the ends seldom decide.
    const std::size_t i = step % 2 == 0 ? cells / 2 + step / 2 : cells / 2 - (step + 1) / 2;
    if (i >= cells) continue;
    const double begin = two.low + (two.high - two.low) * static_cast<double>(i) / static_cast<double>(cells);
    const double end = two.low + (two.high - two.low) * static_cast<double>(i + 1) / static_cast<double>(cells);
    const Chance chance(region, first.decisions, second.decisions, begin);
    // The chance of the region rises with p1 and falls with p2: its corner bounds the whole cell.
    double refuted = one.low, open = std::min(one.high, p1_of(least, end));
    if (open <= refuted || chance.at(open) <= level) continue;
    if (chance.at(refuted) > level) {
      least = std::min(least, of(refuted, end));
      continue;
    }
    while (open - refuted > width / 64) {
      const double middle = (refuted + open) / 2;
      (chance.at(middle) <= level ? refuted : open) = middle;
    }
    least = std::min(least, of(refuted, end));
  }
  return least;
}

bool too_many(const Outcomes& outcomes) { return outcomes.decisions + outcomes.lost > kMostDecisions; }

/// Just below the point at which the chances are the same Boschloo's test decides alone: from so much less of the
/// difference, or of the logarithm of the ratio, as far as is known of numbers of decisions of which some are lost.
/// Those of the complete log are between the two.
Range zone_of(Order order, const Outcomes& first, const Outcomes& second) {
  const auto below = [&](std::int64_t n1, std::int64_t n2) {
    const double spread = std::sqrt(1 / static_cast<double>(n1) + 1 / static_cast<double>(n2));
    return order == Order::difference ? -spread / 4 : std::exp(-spread / 2);
  };
  return {below(first.decisions, second.decisions),
          below(first.decisions + first.lost, second.decisions + second.lost)};
}

double tail_of(const Outcomes& first, const Outcomes& second) {
  if (first.lost > 0 || second.lost > 0) return fisher_tail(first, second);
  return boschloo_tail(first, second);
}

/// The low end, which fails with at most `tail`. It is where the chances are the same, or above, only if Boschloo's
/// test says that the first is greater.
double low_end(Order order, const Outcomes& first, const Outcomes& second, double tail, bool greater) {
  const double by_order = least(order, first, second, tail);
  const Range zone = zone_of(order, first, second);
  if (by_order <= zone.low) return by_order;
  return greater && by_order > zone.high ? std::max(by_order, order == Order::difference ? 0.0 : 1.0) : zone.low;
}

}  // namespace

Range quotient(const Range& above, const Range& below) {
  return {below.high > 0 ? above.low / below.high : 0,
          below.low > 0 ? above.high / below.low : std::numeric_limits<double>::infinity()};
}

double fisher_tail(const Outcomes& first, const Outcomes& second) {
  const auto [one, two] = at_worst(first, second);
  return hypergeometric_tail(one.accepted, one.decisions, two.decisions, one.accepted + two.accepted);
}

double boschloo_tail(const Outcomes& first, const Outcomes& second) {
  const double fisher = fisher_tail(first, second);
  const auto [one, two] = at_worst(first, second);
  if (fisher >= 0.5 || one.decisions + two.decisions > kMostForBoschloo) return fisher;
  return std::min(fisher, greatest_mean(rejected_given_all(one.decisions, two.decisions, fisher * (1 + kRounding))));
}

Compared compare(const Outcomes& first, const Outcomes& second, double delta, double delta_of_ratio) {
  Compared compared;
  if (first.decisions == 0 || second.decisions == 0) return compared;
  if (too_many(first) || too_many(second)) {
    const auto apart = [&](double each) {
      return std::pair(binomial_interval(first.accepted, first.decisions, first.lost, each / 2),
                       binomial_interval(second.accepted, second.decisions, second.lost, each / 2));
    };
    const auto [one, two] = apart(delta);
    compared.difference = {one.low - two.high, one.high - two.low};
    compared.differ = compared.difference.low > 0 || compared.difference.high < 0;
    if (delta_of_ratio > 0) {
      const auto [above_line, below_line] = apart(delta_of_ratio);
      compared.ratio = quotient(above_line, below_line);
    }
    compared.p = std::numeric_limits<double>::quiet_NaN();
    return compared;
  }
  const double above = tail_of(first, second), below = tail_of(second, first);
  compared.p = std::min(1.0, 2 * std::min(above, below));
  const auto low = [&](Order order, double tail) { return low_end(order, first, second, tail, above <= tail); };
  const auto high = [&](Order order, double tail) { return low_end(order, second, first, tail, below <= tail); };
  compared.difference = {low(Order::difference, delta / 2), 0.0 - high(Order::difference, delta / 2)};
  compared.differ = compared.difference.low >= 0 || compared.difference.high <= 0;
  // Hardly ever, and between groups of a few people: the range reaches too far beyond 0 for Boschloo's test to decide.
  if (!compared.differ && compared.p <= delta) compared.p = std::nextafter(delta, 2);
  if (delta_of_ratio > 0)
    compared.ratio = {low(Order::ratio, delta_of_ratio / 2),
                      quotient({0, 1}, {high(Order::ratio, delta_of_ratio / 2), 1}).high};
  return compared;
}

}  // namespace fairstep
