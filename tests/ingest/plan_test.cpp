// Options that contradict themselves, and what the others come to.
#include <fairstep/ingest/internal/plan.hpp>

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep::internal {
namespace {

std::string refusal(const CountOptions& options) {
  const auto checked = check_options(options);
  return checked ? "" : checked.error().message;
}

TEST(Plan, SaysWhatIsWrongWithOptions) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.columns = {{"z", "x"}}}),
            "columns has \"z\", expected one of person, step, group, x, a, y, reward, time");
  EXPECT_EQ(refusal({.bins = {0, 2, 2}}), "bins are 0,2,2, expected numbers that rise");
  EXPECT_EQ(refusal({.bins = {std::numeric_limits<double>::infinity()}}), "bins are inf, expected numbers that rise");
  EXPECT_EQ(refusal({.bins = {0, 2}, .features = {"low"}}),
            "there are 2 bins and 1 features, expected a name for each bin");
  EXPECT_EQ(refusal({.groups = {"a", "b"}, .excluded_groups = {"b"}}), "group b is both among the groups and excluded");
  EXPECT_EQ(refusal({.labels = {"good"}}), "labels and actions are two names each: of 0 and of 1");
  EXPECT_EQ(refusal({.window = CalendarUnit{CalendarUnit::Kind::days, 0}}),
            "windows are 0 days long, expected at least 1");
}

TEST(Plan, NamesBinsThatHaveNoNames) {
  EXPECT_EQ(plan_for({}, {.bins = {0, 12.5}}).features, (std::vector<std::string>{"[0,12.5)", "[12.5,inf)"}));
  EXPECT_EQ(plan_for({}, {.bins = {0, 12.5}, .features = {"low", "high"}}).features,
            (std::vector<std::string>{"low", "high"}));
  EXPECT_TRUE(plan_for({}, {}).features.empty());
}

TEST(Plan, AHorizonBoundsStepsOnlyIfTheFirstIsKnown) {
  EXPECT_FALSE(plan_for({}, {.horizon = 5}).horizon);
  EXPECT_EQ(plan_for({}, {.first_step = 2, .horizon = 5}).horizon, 5);
}

}  // namespace
}  // namespace fairstep::internal
