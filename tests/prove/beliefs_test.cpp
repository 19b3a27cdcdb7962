// Policies that remember earn at least what any table does.
#include <fairstep/prove/beliefs.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"
#include "tables.hpp"

namespace fairstep::prove {
namespace {

using testing::all_tables;
using testing::earned_by;

std::vector<Interval> random_pay(std::uint64_t seed, const Shape& n) {
  std::mt19937_64 draw(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Interval> pay;
  for (std::size_t i = 0; i < n.horizon * n.cells(); ++i) pay.emplace_back(uniform(draw));
  return pay;
}

TEST(ProofBeliefs, NoTableEarnsMoreThanThePolicyThatRemembers) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Model model = testing::random_model(seed, 2, 2, 3);
    const Shape& n = model.shape();
    const Beliefs beliefs(model, 0, 9);
    const std::vector<Interval> pay = random_pay(seed, n);
    const std::vector<double> lo(n.horizon * n.features, 0.0), hi(n.horizon * n.features, 1.0);
    Beliefs::Values values;
    const auto most = static_cast<double>(beliefs.most(pay, lo, hi, values));
    double best = -1e9;
    for (const auto& table : all_tables(n)) best = std::max(best, earned_by(model, 0, table, pay));
    EXPECT_GE(most, best - 1e-14);  // what a table earns is added up here without care for rounding
    // Of a grid that has all beliefs of another and more, the bound is no greater.
    EXPECT_LE(static_cast<double>(Beliefs(model, 0, 65).most(pay, lo, hi, values)), most + 1e-12);
  }
}

TEST(ProofBeliefs, ABoxWithOneTableIsWorthThatTableButForTheGrid) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Model model = testing::random_model(seed, 2, 2, 3);
    const std::vector<Interval> pay = random_pay(seed, model.shape());
    const Beliefs beliefs(model, 1, 9);
    for (const auto& table : all_tables(model.shape())) {
      Beliefs::Values values;
      // What one table is worth is linear in the belief, so that a grid gives nothing away.
      EXPECT_NEAR(static_cast<double>(beliefs.most(pay, table, table, values)), earned_by(model, 1, table, pay), 1e-12);
      EXPECT_GE(static_cast<double>(beliefs.most(pay, table, table, values)), earned_by(model, 1, table, pay) - 1e-15);
    }
  }
}

}  // namespace
}  // namespace fairstep::prove
