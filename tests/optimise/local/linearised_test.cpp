// The program seen from one policy, against what the program does near it.
#include <fairstep/optimise/local/linearised.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/program/compile.hpp>

#include "optimise/reference.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

Tables some_tables(const Program& program) {
  Rng rng(9, 703);
  Tables tables(program.blocks.size(), std::vector<double>(program.table_size()));
  for (auto& table : tables)
    for (double& p : table) p = 0.2 + 0.6 * rng.uniform();
  return tables;
}

template <class Check>
void for_each_program(const Check& check) {
  for (const std::size_t groups : {2U, 3U})
    for (const bool shared : {false, true}) {
      const Model model = testing::random_model(17, groups, 3, 3, 0.9);
      Fairness fairness{.parity = {{Notion::dp, {0.05}}, {Notion::eqopt, {0.1}}},
                        .aggregate_eqopt = 0.1,
                        .capacity = Capacity{{0.4}}};
      fairness.moments = {testing::moment_row(model, 0.2)};
      const std::string what = std::to_string(groups) + (shared ? " groups, one table" : " groups");
      const PolicyClass policies{.group_independent = shared};
      const Program limits = unwrap(compile(model, fairness, policies));
      check(limits, Goal::value, what);
      check(limits, Goal::least_violation, what + ", least violation");
      check(unwrap(compile_penalty(model, fairness, policies, 2, PenaltyForm::rate)), Goal::value, what + ", penalty");
    }
}

TEST(Linearised, ASmallStepDoesWhatItPromises) {
  for_each_program([](const Program& program, Goal goal, const std::string& what) {
    Linearised near(program, some_tables(program), 0, goal);
    const Linearised::Step still = near.solve({.radius = 0, .price = 5});  // common rates that suit the tables
    near.touch(near.at(still.tables, still.others));
    const double radius = 1e-4;
    const Linearised::Step step = near.solve({.radius = radius, .price = 5});
    ASSERT_EQ(step.status, LpStatus::optimal) << what;
    const Linearised::Point here = near.here();
    const Linearised::Point there = near.at(step.tables, step.others);
    const double promised = step.gain + 5 * (here.violation - step.violation);
    EXPECT_GT(promised, 0.01 * radius) << what;
    // What is left out is of second order: radius^2 times some hundred pairs of entries.
    EXPECT_NEAR(there.objective - here.objective, step.gain, 500 * radius * radius) << what;
    EXPECT_NEAR(there.violation, step.violation, 500 * radius * radius) << what;
  });
}

TEST(Linearised, ACorrectedStepKeepsTheLimitsBetter) {
  int corrected_ones = 0;
  for_each_program([&](const Program& program, Goal goal, const std::string& what) {
    Linearised near(program, some_tables(program), 0, goal);
    const Linearised::Options options{.radius = 0.1, .price = 100};
    const Linearised::Step step = near.solve(options);
    ASSERT_EQ(step.status, LpStatus::optimal) << what;
    const Linearised::Point there = near.at(step.tables, step.others);
    if (step.violation > 1e-9 || there.violation < 1e-6) return;  // out of reach, or nothing to correct
    ++corrected_ones;
    const Linearised::Step corrected = near.solve_through(there, options);
    ASSERT_EQ(corrected.status, LpStatus::optimal) << what;
    EXPECT_LT(near.at(corrected.tables, corrected.others).violation, 0.5 * there.violation) << what;
  });
  EXPECT_GE(corrected_ones, 3);
}

TEST(Linearised, LimitsThatHoldArePricedAndOthersAreNot) {
  // A limit of 1 is worth nothing, one of 0 something.
  const Model model = testing::random_model(18, 2, 3, 2);
  for (const double limit : {0.0, 1.0}) {
    const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {limit}}}}, {}));
    const Linearised::Step step =
        Linearised(program, Tables(2, std::vector<double>(program.table_size(), 0.5))).solve({});
    ASSERT_EQ(step.status, LpStatus::optimal);
    ASSERT_EQ(step.price.size(), 2U);
    for (const double price : step.price) EXPECT_EQ(std::abs(price) > 1e-9, limit == 0);
  }
}

}  // namespace
}  // namespace fairstep
