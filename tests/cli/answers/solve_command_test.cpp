#include "answers/solve_command.hpp"

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep::cli {
namespace {

using fairstep::testing::unwrap;

TEST(SolveCommand, IsTheQuestionInOptions) {
  const ExploreQuestion question = unwrap(
      explore_question("fairness=dp&limit=0.05&capacity=0.5&floor=0.02&group_independent=1&stationary=1&monotone=1"));
  EXPECT_EQ(
      solve_command("m.json", false, question, true),
      "fairstep solve m.json --fairness dp --limit 0.05 --capacity 0.5 --floor 0.02 --group-independent --monotone "
      "--stationary -o policy.json");
  EXPECT_EQ(solve_command("m.json", false, {}, false),
            "fairstep solve m.json --fairness none --no-proof -o policy.json");
}

TEST(SolveCommand, MakesTheModelOfCountsFirst) {
  EXPECT_EQ(solve_command("my counts.json", true, {}, true),
            "fairstep fit 'my counts.json' -o model.json\nfairstep solve model.json --fairness none -o policy.json");
}

TEST(SolveCommand, NamesFilesSoThatAShellTakesThem) {
  EXPECT_EQ(in_shell("data/m-1.json"), "data/m-1.json");
  EXPECT_EQ(in_shell("-o"), "./-o");
  EXPECT_EQ(in_shell("a b"), "'a b'");
  EXPECT_EQ(in_shell("it's; rm -r $HOME"), "'it'\\''s; rm -r $HOME'");
  EXPECT_EQ(in_shell(""), "''");
}

}  // namespace
}  // namespace fairstep::cli
