#include "shell/progress.hpp"

#include <gtest/gtest.h>

#include "shell/failure.hpp"

namespace fairstep::cli {
namespace {

// A search that overran its limit by a little said "102 %  61 of 60 s at most".
TEST(Progress, NeverSaysThatMoreThanAllIsDone) {
  const Progress plain(ProgressMode::plain, "solve", 60, "s at most");
  EXPECT_EQ(plain.line(30, 0.5, 30, "value 1"), "solve  50 %  30 of 60 s at most  30 s left  value 1");
  EXPECT_EQ(plain.line(61, 61.0 / 60, 0, ""), "solve  100 %  60 of 60 s at most  0 s left");
  const Progress bar(ProgressMode::bar, "solve", 60, "s at most");
  EXPECT_EQ(bar.line(30, 0.5, 30, ""), "solve  [#####-----]  50 %  30 of 60 s at most  30 s left");
  EXPECT_EQ(bar.line(61, 61.0 / 60, 0, ""), "solve  [##########]  100 %  60 of 60 s at most  0 s left");
  const Progress json(ProgressMode::json, "solve", 60, "s at most");
  EXPECT_EQ(json.line(61, 61.0 / 60, 0, ""), R"({"progress": "solve", "done": 60, "total": 60, "seconds_left": 0.0})");
}

TEST(Failure, ThatIsOursIsNotBlamedOnTheInput) {
  Error error{"the proof contradicts itself"};
  EXPECT_EQ(input(error).value().trouble, Trouble::input);
  error.ours = true;
  EXPECT_EQ(exit_code(input(error).value()), ExitCode::failed);
}

}  // namespace
}  // namespace fairstep::cli
