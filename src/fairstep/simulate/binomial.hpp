// Binomial and multinomial draws for crowds of any size: the same draws on every platform, at a cost that does not grow
// with the number of people.
//
// Few expected successes: inversion. Many: transformed rejection (binomial_rejection.hpp). What separates both from the
// exact distribution is the rounding of log and exp, about 1e-14 of a probability.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fairstep/core/rng.hpp>

namespace fairstep {

/// Crowds are at most this large.
inline constexpr std::int64_t kMostPeople = std::int64_t{1} << 62;

/// The number of successes among n people, each with probability p. 0 <= n <= kMostPeople, 0 <= p <= 1.
[[nodiscard]] std::int64_t binomial(std::int64_t n, double p, Rng& rng);

/// Splits crowds over classes; keeps its working memory between calls.
class Multinomial {
 public:
  /// Adds to out[i] the people of n that fall into class i, in proportion to weight[i] >= 0 (not all zero unless n =
  /// 0). A class of weight 0 gets nobody; all of n are placed.
  void split(std::int64_t n, std::span<const double> weight, Rng& rng, std::span<std::int64_t> out);

 private:
  std::vector<double> tail_{};  ///< [i] sum of the weights from class i on
};

}  // namespace fairstep
