// What a proof may cost and which policies are allowed: the ranges of these options.
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/optimise/policy_class.hpp>
#include <fairstep/optimise/proof_budget.hpp>

namespace fairstep {
namespace {

template <class Options>
std::string said_of(const Options& options) {
  const auto ok = check(options);
  return ok ? "" : std::string(ok.error().message);
}

TEST(ProofBudgetOption, TheUsualOnesAreFine) {
  EXPECT_EQ(said_of(ProofBudget{}), "");
  EXPECT_EQ(said_of(ProofBudget{.gap = 0, .time_limit = 1e-9}), "");
  EXPECT_EQ(said_of(ProofBudget{.gap = std::numeric_limits<double>::infinity()}), "");
}

TEST(ProofBudgetOption, AGapIsNotNegativeAndNoNumberIsNoGap) {
  EXPECT_EQ(said_of(ProofBudget{.gap = -0.5}), "gap is -0.5, expected 0 or more");
  EXPECT_EQ(said_of(ProofBudget{.gap = std::numeric_limits<double>::quiet_NaN()}), "gap is nan, expected 0 or more");
}

TEST(ProofBudgetOption, SomeTimeThereMustBe) {
  EXPECT_EQ(said_of(ProofBudget{.time_limit = 0}), "time_limit is 0, expected more than 0 seconds");
  EXPECT_EQ(check(ProofBudget{.time_limit = 0}).error().option, "time_limit");
}

TEST(PolicyClassOption, AFloorIsAProbability) {
  for (const auto& [kind, word] : kWords<FloorKind>) {
    EXPECT_EQ(said_of(PolicyClass{.floor = -0.25, .floor_kind = kind}),
              "floor is -0.25, expected a probability between 0 and 1");
    EXPECT_EQ(said_of(PolicyClass{.floor = 1.5, .floor_kind = kind}),
              "floor is 1.5, expected a probability between 0 and 1");
  }
  EXPECT_EQ(check(PolicyClass{.floor = 1.5}).error().option, "floor");
}

TEST(PolicyClassOption, AFloorOnBothActionsIsAtMostAHalf) {
  EXPECT_EQ(said_of(PolicyClass{.floor = 0.5}), "");
  EXPECT_EQ(said_of(PolicyClass{.floor = 0.75}),
            "floor is 0.75, expected at most 0.5: no policy keeps both actions above it");
  EXPECT_EQ(said_of(PolicyClass{.floor = 0.75, .floor_kind = FloorKind::accept_only}), "");
}

}  // namespace
}  // namespace fairstep
