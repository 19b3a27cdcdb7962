// Cuts where rising tables say, and then where nothing better is next to them.
#include <fairstep/optimise/local/one_cut.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/tables.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// Leaves tables as they are, put into the boxes.
LocalResult nothing_better(const Program& program, const Tables& start, const LocalOptions&) {
  return {.converged = true, .tables = settled(program, start)};
}

TEST(OneCut, WhateverTheTablesEveryStepIsCutOnce) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed, 931);
    const Model model = testing::random_model(seed, 2, 3 + seed % 3, 2 + seed % 2);
    const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.05}}}},
                                           {.floor = seed % 3 == 0 ? 0.1 : 0.0,
                                            .group_independent = seed % 4 == 1,
                                            .threshold = true,
                                            .stationary = seed % 2 == 0}));
    Tables tables = middle_of(program);
    for (std::vector<double>& table : tables)
      for (double& p : table) p = rng.uniform();
    for (const auto& solve : {nothing_better, solve_locally}) {
      const Candidate along = cut_once(program, tables, {}, solve);
      const Candidate cut = cut_once(program, tables, {}, solve, Moves::each);
      EXPECT_FALSE(is_better(along, cut, LocalOptions{}.tolerance)) << "seed " << seed;
      ASSERT_EQ(cut.tables.size(), program.blocks.size()) << "seed " << seed;
      for (const std::vector<double>& table : cut.tables) {
        EXPECT_TRUE(program.rules.kept_by(table, 0)) << "seed " << seed;
        for (const double p : table) {
          EXPECT_GE(p, program.rules.floor) << "seed " << seed;
          EXPECT_LE(p, program.rules.ceiling) << "seed " << seed;
        }
      }
      const Candidate again = assess(program, cut.tables);
      EXPECT_EQ(again.objective, cut.objective) << "seed " << seed;
      EXPECT_EQ(again.excess, cut.excess) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace fairstep
