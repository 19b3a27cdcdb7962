// Limits, penalties and their ranges as rows of the master. With every table as a column the master's optimum is that
// of the program where the program is linear, and worked out by hand.
#include <fairstep/optimise/bound/formulation.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/program/compile.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::kMixed;
using testing::standing_still;
using testing::unwrap;

/// A master in which every table with entries at the ends of their boxes is a column.
struct Written {
  explicit Written(Program asked) : program(std::move(asked)) {
    Workspace work(program.shape());
    for (std::size_t b = 0; b < program.blocks.size(); ++b)
      for (std::uint32_t bits = 0; bits < (1U << program.table_size()); ++bits) {
        std::vector<double> table(program.table_size());
        for (std::size_t i = 0; i < table.size(); ++i)
          table[i] = (bits >> i & 1U) != 0 ? program.boxes[b].hi[i] : program.boxes[b].lo[i];
        master.add_column(b, effect_of(program, b, table, work));
      }
  }
  double most(const std::vector<Coefficient>& objective) {
    master.set_objective(objective);
    const LpSolution solution = master.solve();
    master.clear_objective(objective);
    EXPECT_EQ(solution.status, LpStatus::optimal);
    return solution.objective;
  }
  double value() { return most(formulation.objective(100)); }

  Program program;
  Pricing pricing{program};
  Master master{program};
  Formulation formulation{program, pricing, master, 0, {}, {}};
};

class Formulated : public ::testing::Test {
 protected:
  [[nodiscard]] Written with(const Fairness& fairness, const PolicyClass& policies = {}) const {
    return Written(unwrap(compile(once, fairness, policies)));
  }
  Model once = standing_still(1, kHighAndLow, -0.5, 1);
  Model twice = standing_still(2, kMixed, -2, 1);
};

TEST_F(Formulated, AParityIsARow) {
  EXPECT_NEAR(with({}).value(), 3.0 / 8, 1e-9);
  EXPECT_NEAR(with({.parity = {{Notion::dp, {0.125}}}}).value(), 11.0 / 32, 1e-9);  // solve_test.cpp
  EXPECT_NEAR(with({.parity = {{Notion::dp, {0}}}}).value(), 5.0 / 16, 1e-9);
}

TEST_F(Formulated, ALimitMayBeExceededByTheTolerance) {
  // 1/16 more of a limit that is worth 1/4 a unit.
  Program program = unwrap(compile(once, {.parity = {{Notion::dp, {0.125}}}}, {}));
  Pricing pricing(program);
  Master master(program);
  const Formulation formulation(program, pricing, master, 0.0625, {}, {});
  Workspace work(program.shape());
  for (std::size_t b = 0; b < 2; ++b)
    for (const auto& table : {std::vector<double>{0, 1}, std::vector<double>{1, 1}})
      master.add_column(b, effect_of(program, b, table, work));
  const std::vector<Coefficient> objective = formulation.objective(100);
  master.set_objective(objective);
  EXPECT_NEAR(master.solve().objective, 11.0 / 32 + 1.0 / 64, 1e-9);
}

TEST_F(Formulated, ACapacityIsARow) {
  EXPECT_NEAR(with({.capacity = Capacity{{0.25}}}).value(), 0.25, 1e-9);  // as many of the high, each earns 1
}

TEST_F(Formulated, AParityOfQuotientsIsRelaxed) {
  // The optimum is 1/24 (solve_test.cpp), and no more than 1/8 without the limit; its denominators never change, so
  // that their envelopes are tight.
  Written written(unwrap(compile(twice, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  EXPECT_NEAR(written.value(), 1.0 / 24, 1e-6);
  EXPECT_GE(written.value(), 1.0 / 24 - 1e-9);
}

TEST_F(Formulated, DenominatorsAreBoundedByWhatPoliciesCanDo) {
  // Of a 5/8 are qualified at every step, of b 3/8.
  Written written(unwrap(compile(twice, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  const Parity& later = written.program.parities.at(1);
  for (std::size_t g = 0; g < 2; ++g) {
    const Range range = written.master.range(Master::functional(later.means[g].denominator.value()));
    const double qualified = g == 0 ? 0.625 : 0.375;
    EXPECT_LE(range.low, qualified);
    EXPECT_GE(range.high, qualified);
    EXPECT_NEAR(range.high - range.low, 0, 1e-9);
  }
}

TEST_F(Formulated, APenaltyIsTakenFromTheValueOnceItsTangentsAreThere) {
  // 21/64, local/local_test.cpp.
  Written written(unwrap(compile_penalty(once, {.parity = {{Notion::dp, {0}}}}, {}, 1, PenaltyForm::rate)));
  const std::vector<Coefficient> objective = written.formulation.objective(100);
  double found = written.most(objective);
  EXPECT_GE(found, 21.0 / 64);
  for (int round = 0; round < 50 && written.formulation.tangents().add_where_off(1e-9); ++round)
    found = written.most(objective);
  EXPECT_NEAR(found, 21.0 / 64, 1e-7);
}

TEST_F(Formulated, TheLeastExcessIsThatOfWhatCannotBeKept) {
  // Everybody is accepted with at least 2/5, at most 3/10 may be.
  Written written = with({.capacity = Capacity{{0.3}}}, {.floor = 0.4, .floor_kind = FloorKind::accept_only});
  EXPECT_NEAR(-written.most(written.formulation.least_excess()), 0.1, 1e-9);
}

TEST_F(Formulated, ALimitThatCannotBeKeptCostsItsPriceAUnit) {
  // Without an elastic limit the master would have no solution. All at 2/5: 2/5 of 1/16 is 1/40, the least excess 1/10.
  // One unit more of it lets the best be accepted: the high, who earn 1 each, for 1 a unit of capacity.
  Written written = with({.capacity = Capacity{{0.3}}}, {.floor = 0.4, .floor_kind = FloorKind::accept_only});
  EXPECT_NEAR(written.most(written.formulation.objective(1000)), 0.025 - 100, 1e-6);
}

TEST_F(Formulated, OnlyWhatReachesTheCutoffIsLookedAt) {
  // Worth 3/8 is but the best: half of a is accepted then.
  Written written = with({.parity = {{Notion::dp, {1}}}});
  const std::size_t rate = Master::functional(0);
  EXPECT_NEAR(written.most(written.formulation.end_of_range(rate, 1)), 1, 1e-9);
  EXPECT_NEAR(written.most(written.formulation.end_of_range(rate, -1)), 0, 1e-9);
  written.formulation.set_cutoff(0.375);
  EXPECT_NEAR(written.most(written.formulation.end_of_range(rate, 1)), 0.5, 1e-6);
  EXPECT_NEAR(written.most(written.formulation.end_of_range(rate, -1)), -0.5, 1e-6);
  written.formulation.set_cutoff(-kInfinity);
  EXPECT_NEAR(written.most(written.formulation.end_of_range(rate, 1)), 1, 1e-9);
}

TEST_F(Formulated, RangesOfAllThatEntersProductsCanBeSetAndSetBack) {
  Written written(unwrap(compile(twice, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  Formulation& formulation = written.formulation;
  ASSERT_FALSE(formulation.envelopes().products().empty());
  const std::size_t variable = formulation.envelopes().products()[0].a;
  const std::vector<Range> before = formulation.ranges();
  const std::size_t place = formulation.place_of(variable);
  ASSERT_LT(place, before.size());
  formulation.set_range(variable, 0.25, 0.5);
  EXPECT_EQ(formulation.ranges()[place].low, 0.25);
  EXPECT_EQ(formulation.ranges()[place].high, 0.5);
  formulation.set_ranges(before);
  EXPECT_EQ(formulation.ranges()[place].low, before[place].low);
}

TEST_F(Formulated, ARangeWithoutInsideIsEmptyUntilRangesAreSetBack) {
  Written written(unwrap(compile(twice, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  Formulation& formulation = written.formulation;
  const std::vector<Range> before = formulation.ranges();
  formulation.set_range(formulation.envelopes().products()[0].a, 0.5, 0.25);
  EXPECT_TRUE(formulation.empty());
  formulation.set_ranges(before);
  EXPECT_FALSE(formulation.empty());
}

TEST_F(Formulated, BoxesNarrowTheRatesThatTheyDecide) {
  // Nobody is accepted at all: the common rate is 0, or beyond it by half the limit's tolerance.
  Written written(unwrap(compile(twice, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  const std::size_t rate = written.formulation.envelopes().products()[0].a;
  const std::vector<Box> nobody(2, {std::vector<double>(4, 0.0), std::vector<double>(4, 0.0)});
  written.formulation.narrow_to(nobody);
  EXPECT_LE(written.master.range(rate).high, 1e-5);
}

TEST_F(Formulated, RangesSetBackAreThoseOfBeforeHoweverBoxesHaveNarrowedThem) {
  // Some ranges enter no product: the common rate of several groups whose rates have numbers for denominators, and the
  // denominator of a rate that is multiplied out. What boxes made of them in one part of a search was once believed in
  // all parts after it, and bounds were too low.
  const Model model = testing::random_model(7, 3, 2, 2);
  MomentConstraint qualified;
  qualified.means = {{"qualified", Tensor<double, 4>({3, 2, 2, 2}), Tensor<double, 3>({3, 2, 2})}};
  for (std::size_t g = 0; g < 3; ++g)
    for (std::size_t x = 0; x < 2; ++x) {
      qualified.means[0].event(g, x, 1) = 1;
      for (std::size_t y = 0; y < kLabels; ++y) qualified.means[0].payoff(g, x, y, 1) = 1;
    }
  qualified.matrix = Tensor<double, 2>({1, 1}, 1.0);
  qualified.bound = {0.5};
  qualified.names = {"half of the qualified"};
  for (const Fairness& fairness :
       {Fairness{.parity = {{Notion::dp, {0.1}, {}}}}, Fairness{.parity = {{Notion::eqopt, {0.1}, {}}}},
        Fairness{.moments = {qualified}}, Fairness{.ratios = {{RatioNotion::dp, {0.8}, 1}}},
        Fairness{.ratios = {{RatioNotion::dp, {0.8}, {}}}}, Fairness{.ratios = {{RatioNotion::eqopt, {0.8}, 1}}}}) {
    Written written(unwrap(compile(model, fairness, {})));
    const auto range = [&](std::size_t i) {
      return std::pair(written.master.range(i).low, written.master.range(i).high);
    };
    std::vector<std::pair<double, double>> before;
    for (std::size_t i = 0; i < written.master.variables(); ++i) before.push_back(range(i));
    const std::vector<Range> whole = written.formulation.ranges();
    written.formulation.narrow_to(std::vector<Box>(3, {std::vector<double>(4, 0.0), std::vector<double>(4, 0.0)}));
    bool narrowed = false;
    for (std::size_t i = 0; i < before.size(); ++i) narrowed = narrowed || range(i) != before[i];
    EXPECT_TRUE(narrowed);
    written.formulation.set_ranges(whole);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(range(i), before[i]) << i;
  }
}

}  // namespace
}  // namespace fairstep
