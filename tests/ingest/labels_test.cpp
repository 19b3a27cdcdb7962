// Labels that are missing: whether somebody has to say what to assume, and by what shares they are drawn.
#include <fairstep/ingest/internal/labels.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "columns.hpp"

namespace fairstep::internal {
namespace {

struct Labelled {
  std::int64_t a;
  std::optional<std::int64_t> y;
};

/// A person each, of group 5 with x = 6.
Tally tally_of(const std::vector<Labelled>& decisions) {
  std::vector<std::optional<std::int64_t>> people, actions, labels;
  for (const Labelled& one : decisions) {
    people.emplace_back(static_cast<std::int64_t>(people.size()));
    actions.emplace_back(one.a);
    labels.push_back(one.y);
  }
  const auto all = [&](std::int64_t value) {
    return std::vector<std::optional<std::int64_t>>(decisions.size(), value);
  };
  testing::Columns columns;
  for (const auto& values : {people, all(0), all(5), all(6), actions, labels}) columns.add(values);
  Tally tally(testing::plan_of_numbers());
  EXPECT_TRUE(tally.take(columns.raw(), decisions.size(), 0));
  tally.finish();
  return tally;
}

LogFiles log_with_label() {
  LogFiles log;
  log.files = {"log.csv"};
  log.column[static_cast<std::size_t>(Role::y)] = "repaid";
  return log;
}

TEST(Labels, WithAllOfThemThereIsNothingToAssume) {
  Tally tally = tally_of({{1, 1}, {0, 0}});
  EXPECT_EQ(what_to_assume(tally, log_with_label(), {}), Censoring::none);
  EXPECT_EQ(what_to_assume(tally, log_with_label(), {.censoring = Censoring::ignorable}), Censoring::none);
}

TEST(Labels, OneThatIsMissingNeedsAnAssumption) {
  Tally tally = tally_of({{1, 1}, {1, std::nullopt}, {0, 0}});
  const auto refused = what_to_assume(tally, log_with_label(), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the label repaid is missing in 0 of 1 refusals and in 1 of 2 acceptances. Which labels are missing may "
            "depend on what they would have said");
  EXPECT_EQ(refused.error().file, "log.csv");
  EXPECT_EQ(what_to_assume(tally, log_with_label(), {.censoring = Censoring::drop}), Censoring::drop);
}

TEST(Labels, AreCensoredIfTheDecisionHidesThem) {
  EXPECT_TRUE((Labels{{1, 9}, {1, 1}}).censored());   // half of the refused, a tenth of the accepted
  EXPECT_FALSE((Labels{{2, 9}, {1, 1}}).censored());  // a third
  EXPECT_FALSE((Labels{{1, 1}, {1, 1}}).censored());  // as many of both
  EXPECT_FALSE((Labels{{0, 1}, {0, 1}}).censored());
}

TEST(Labels, AreDrawnByTheShareOfTheAccepted) {
  Tally tally = tally_of({{1, 1}, {1, 1}, {1, 0}, {0, 0}, {0, std::nullopt}});
  Plan plan;
  ASSERT_TRUE(draw_labels(plan, tally, log_with_label()));
  EXPECT_EQ(plan.groups, std::vector<std::string>{"5"});
  EXPECT_EQ(plan.features, std::vector<std::string>{"6"});
  EXPECT_DOUBLE_EQ(plan.impute[0](0, 0), 2.0 / 3);
}

TEST(Labels, CannotBeDrawnWhereNobodyWasAccepted) {
  Tally tally = tally_of({{0, 1}, {0, std::nullopt}, {0, std::nullopt}});
  Plan plan;
  const auto drawn = draw_labels(plan, tally, log_with_label());
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().message,
            "nobody of group 5 with x = 6 was accepted and has a label, so the labels of 2 others cannot be drawn from "
            "theirs");
}

}  // namespace
}  // namespace fairstep::internal
