// Files and answers keep these words: a changed one would not be read by what was written before.
#include <fairstep/optimise/words.hpp>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

TEST(Words, OfMethodsOutcomesAndReasonsStayWhatTheyAre) {
  EXPECT_STREQ(name_of(Method::constrained), "constrained");
  EXPECT_STREQ(name_of(Method::unconstrained), "unconstrained");
  EXPECT_STREQ(name_of(Method::penalty), "penalty");
  EXPECT_STREQ(name_of(Method::myopic), "myopic");
  EXPECT_STREQ(name_of(Outcome::optimal), "optimal");
  EXPECT_STREQ(name_of(Outcome::feasible), "feasible");
  EXPECT_STREQ(name_of(Outcome::infeasible), "infeasible");
  EXPECT_STREQ(name_of(Outcome::unknown), "unknown");
  EXPECT_STREQ(name_of(StopReason::finished), "finished");
  EXPECT_STREQ(name_of(StopReason::time), "time");
  EXPECT_STREQ(name_of(StopReason::iterations), "iterations");
  EXPECT_STREQ(name_of(StopReason::requested), "requested");
  EXPECT_STREQ(name_of(StopReason::numerical), "numerical");
}

}  // namespace
}  // namespace fairstep
