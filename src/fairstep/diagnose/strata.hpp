// One question in many forms: does what came of people depend on a stratum, given the row that they were in?
//
// A row is what the model says decides (a cell); its people are spread over strata (steps, windows, decisions before),
// about which the model says that they do not matter. If that is so, the outcomes of a row fall to its people in any
// order with the same chance. So the outcomes are permuted within each row, with all sizes as they are, and the table
// of strata and outcomes that comes of it is compared with the one seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <fairstep/core/rng.hpp>

namespace fairstep {

struct Strata {
  using Share = std::pair<std::size_t, std::int64_t>;  ///< number of a stratum or outcome, and people
  struct Row {
    std::vector<Share> strata{};    ///< where its people are; none with 0
    std::vector<Share> outcomes{};  ///< what came of them; none with 0, and as many people
  };
  std::vector<Row> rows{};
  std::size_t outcomes = 0;
  std::vector<std::int64_t> seen{};  ///< [stratum,outcome]

  [[nodiscard]] std::size_t strata() const { return seen.size() / outcomes; }
};

/// How effects of strata become one number, in the units of a rate.
struct EffectSize {
  enum class Sum { over_strata, mean };
  Sum sum = Sum::mean;
  double factor = 1;  ///< of the mean: how many steps add up
};

struct Permuted {
  bool tested = false;   ///< false if every permutation gives the same table
  bool stopped = false;  ///< the caller had enough
  double p_value = 1;
  double effect = 0;      ///< beyond what chance alone makes of it on average, at most 1
  std::size_t worst = 0;  ///< the stratum that differs most
};

/// Can anything be learned at all: is there a row with two outcomes and two strata?
[[nodiscard]] bool can_vary(const Strata& strata);

/// p = (1 + b)/(1 + B) for b of B permutations at least as far from what is expected; `most` is the greatest B. After
/// 20 that are as far there is no need to go on: p is then 20/B, valid as well (Besag and Clifford 1991).
[[nodiscard]] Permuted permute(const Strata& strata, const EffectSize& effect, std::size_t most, Rng rng,
                               const std::function<bool()>& stop = {});

/// One permutation's table less what is expected, [stratum,outcome]; for tests.
[[nodiscard]] std::vector<double> permuted_table(const Strata& strata, Rng& rng);

}  // namespace fairstep
