#include <fairstep/optimise/bound/envelopes.hpp>

#include <gtest/gtest.h>

#include "optimise/bound/small_master.hpp"

namespace fairstep {
namespace {

using testing::SmallMaster;

// w = a b with a in [1, 3] and b in [-1, 2], at a = 2 and b = 1/2. McCormick's rows:
//   w >= 1 b - 1 a + 1 = -1/2,  w >= 3 b + 2 a - 6 = -1/2,  w <= 3 b - 1 a + 3 = 5/2,  w <= 1 b + 2 a - 2 = 5/2.
class Multiplied : public ::testing::Test {
 protected:
  Multiplied() {
    small.master.add_row(2, 2, {{a, 1.0}});
    small.master.add_row(0.5, 0.5, {{b, 1.0}});
    small.close();
  }
  /// The range of one variable has changed.
  void narrow(std::size_t variable, double low, double high) {
    small.master.set_range(variable, low, high);
    envelopes.rewrite(variable);
  }

  SmallMaster small{};
  std::size_t a = small.master.add_variable(1, 3), b = small.master.add_variable(-1, 2);
  Envelopes envelopes{small.master};
  std::size_t w = envelopes.add(a, b);
};

TEST_F(Multiplied, AProductLiesInItsEnvelope) {
  EXPECT_NEAR(small.most(w, 1), 2.5, 1e-9);
  EXPECT_NEAR(-small.most(w, -1), -0.5, 1e-9);
}

TEST_F(Multiplied, AnEnvelopeFollowsTheRangesOfBothFactors) {
  // b in [0, 1]: w >= 0, w >= 3 b + a - 3 = 1/2, w <= 3 b = 3/2, w <= b + a - 1 = 3/2.
  narrow(b, 0, 1);
  EXPECT_NEAR(small.most(w, 1), 1.5, 1e-9);
  EXPECT_NEAR(-small.most(w, -1), 0.5, 1e-9);
  // a is 2: nothing is left open.
  narrow(a, 2, 2);
  EXPECT_NEAR(small.most(w, 1), 1, 1e-9);
  EXPECT_NEAR(-small.most(w, -1), 1, 1e-9);
}

TEST_F(Multiplied, TheWorstIsTheOneThatGivesMostAway) {
  EXPECT_FALSE(envelopes.worst());  // nothing is solved yet
  EXPECT_NEAR(small.most(w, 1), 2.5, 1e-9);
  const auto worst = envelopes.worst();
  ASSERT_TRUE(worst);
  EXPECT_EQ(worst->product, 0U);
  EXPECT_NEAR(worst->at, 2, 1e-9);
  EXPECT_GT(worst->gain, 0);
  EXPECT_LE(worst->gain, 1.5 + 1e-9);  // 5/2 instead of 1, at a price of at most 1
  EXPECT_EQ(worst->total, worst->gain);
}

}  // namespace
}  // namespace fairstep
