// Random prices on small models, and all that tables of them can earn: what bounds and proofs are held against.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/program.hpp>

#include "optimise/reference.hpp"
#include "support/models.hpp"

namespace fairstep::testing {

/// What a table earns: the definition, by its effects.
inline double worth(const Program& program, std::size_t block, const std::vector<double>& accept,
                    const std::vector<double>& price, double value_weight) {
  Workspace work(program.shape());
  const Effect effect = effect_of(program, block, accept, work);
  double sum = value_weight * effect.value;
  for (std::size_t j = 0; j < price.size(); ++j) sum += price[j] * effect.functional[j];
  return sum;
}

/// Every table with all entries at an end of the box.
template <class Visit>
void for_each_table(const Box& box, const Visit& visit) {
  std::vector<double> accept(box.lo.size());
  for (std::uint32_t bits = 0; bits < (std::uint32_t{1} << accept.size()); ++bits) {
    for (std::size_t i = 0; i < accept.size(); ++i) accept[i] = (bits >> i & 1) != 0 ? box.hi[i] : box.lo[i];
    visit(accept);
  }
}

inline double best_of_all(const Program& program, std::size_t block, const Box& box, const std::vector<double>& price,
                          double value_weight) {
  double best = -std::numeric_limits<double>::infinity();
  for_each_table(box, [&](const std::vector<double>& accept) {
    best = std::max(best, worth(program, block, accept, price, value_weight));
  });
  return best;
}

/// A program with random prices and random boxes, on a small model, full or with zeros.
template <class Check>
void for_random_prices(std::uint64_t seeds, const Check& check) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Rng rng(seed, 601);
    const std::size_t features = 1 + seed % 3;
    const std::size_t horizon = std::min<std::size_t>(1 + seed / 3 % 5, 9 / features);
    const Model model =
        seed % 4 == 3 ? sparse_model(seed, 2, features, horizon, 2) : random_model(seed, 2, features, horizon);
    const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.0}}, {Notion::eqopt, {0.0}}}},
                                           {.floor = seed % 2 == 0 ? 0.0 : 0.1, .group_independent = seed % 5 == 2}));
    std::vector<double> price(program.functionals);
    for (double& p : price) p = 3 * (2 * rng.uniform() - 1);
    Box box = program.boxes[0];
    if (seed % 3 == 1)
      for (std::size_t i = 0; i < box.lo.size(); ++i) {
        const double one = rng.uniform(), other = rng.uniform();
        box.lo[i] = std::min(one, other);
        box.hi[i] = rng.uniform() < 0.2 ? box.lo[i] : std::max(one, other);
      }
    const double value_weight = seed % 6 == 5 ? 0 : 1;
    check(program, box, price, value_weight, "seed " + std::to_string(seed));
  }
}

}  // namespace fairstep::testing
