#include <fairstep/core/history.hpp>

#include <gtest/gtest.h>

#include <fairstep/core/counts.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::made;

/// Two people over three steps: one of group 0 who is there throughout, one of group 1 who is gone after step 0.
///
///     group 0: (x0,y1,a1) -> (x1,y0,a0) -> (x0,y0,a1)
///     group 1: (x1,y1,a0)
Counts two_with_history() {
  CountsSpec counts = CountsSpec::zeros(3, {{"a", "b"}, {"0", "1"}});
  HistoryCounter history(counts.shape());
  counts.first(0, 0, 1) = 1;
  counts.first(1, 1, 1) = 1;
  counts.visits(0, 0, 0, 1, 1) = counts.visits(0, 1, 1, 0, 0) = counts.visits(0, 2, 0, 0, 1) = 1;
  counts.visits(1, 0, 1, 1, 0) = 1;
  counts.transitions(0, 0, 1, 1, 1, 0) = counts.transitions(0, 1, 0, 0, 0, 0) = 1;
  history.add({0, 0, 0, 1, 1}, false);
  history.add({0, 1, 1, 0, 0}, true);
  history.add({0, 2, 0, 0, 1}, true);
  history.add({1, 0, 1, 1, 0}, false);
  counts.history = history.finish();
  return made(std::move(counts));
}

TEST(History, SaysWhenAndAfterWhatNextStatesWereSeen) {
  const Counts counts = two_with_history();
  const History& history = *counts.history();
  EXPECT_EQ(history.departures(0, 0, 0, 1, 1), 1);
  EXPECT_EQ(history.departures(0, 1, 1, 0, 0), 1);
  EXPECT_EQ(history.arrivals(0, 1, 1, 0), 1);
  EXPECT_EQ(history.arrivals(0, 2, 0, 0), 1);
  EXPECT_EQ(history.pairs(0, 0, 1, 1, 1, 0, 0), 1);
  EXPECT_EQ(history.after_pairs(0, 0, 1, 1, 0, 0), 1);
  EXPECT_EQ(history.unseen(1, 0, 1, 1, 0), 1);  // gone, and no decision was seen before
  EXPECT_EQ(history.unseen(0, 2, 0, 0, 1), 0);  // the last step: nothing is missing
}

TEST(History, TablesThatDoNotGoWithTheCountsAreAnError) {
  const auto refused = [](auto change) {
    CountsSpec spec = two_with_history().spec();
    change(*spec.history);
    const auto counts = Counts::make(std::move(spec));
    EXPECT_FALSE(counts);
    return counts ? std::string() : counts.error().pointer;
  };
  EXPECT_EQ(refused([](History& h) { h.departures(0, 0, 0, 1, 1) = 2; }), "/history/departures/0/0");
  EXPECT_EQ(refused([](History& h) { h.arrivals(0, 1, 1, 0) = 0; }), "/history/departures");
  EXPECT_EQ(refused([](History& h) { std::swap(h.arrivals(0, 2, 0, 0), h.arrivals(0, 2, 1, 1)); }),
            "/history/departures");
  EXPECT_EQ(refused([](History& h) { h.pairs(0, 0, 1, 1, 1, 0, 0) = 2; }), "/history/pairs");
  EXPECT_EQ(refused([](History& h) { h.unseen(1, 0, 1, 1, 0) = 0; }), "/history/unseen");
  EXPECT_EQ(refused([](History& h) { h.unseen(1, 0, 1, 1, 0) = -1; }), "/history/unseen/1/0/1/1/0");
  EXPECT_EQ(refused([](History& h) { h.arrivals = {}; }), "/history");
  EXPECT_EQ(refused([](History& h) { h.unseen = {}; }), "/history");
  EXPECT_EQ(refused([](History& h) { h.windows.emplace_back(); }), "/history/windows/0");
}

TEST(History, OfTwoLogsIsKeptAsFarAsBothHaveIt) {
  Counts both = two_with_history();
  ASSERT_TRUE(both.add(two_with_history()));
  ASSERT_TRUE(both.history());
  EXPECT_EQ(both.history()->pairs(0, 0, 1, 1, 1, 0, 0), 2);

  const Counts partly = changed(two_with_history(), [](CountsSpec& spec) {
    spec.history->pairs = {};
    spec.history->after_pairs = {};
    spec.history->unseen = {};
  });
  ASSERT_TRUE(both.add(partly));
  EXPECT_EQ(both.history()->arrivals(0, 1, 1, 0), 3);
  EXPECT_TRUE(both.history()->pairs.empty());

  const Counts without = changed(two_with_history(), [](CountsSpec& spec) { spec.history.reset(); });
  ASSERT_TRUE(both.add(without));
  EXPECT_FALSE(both.history());
}

TEST(History, LeavesOutTablesThatWouldBeTooLarge) {
  EXPECT_TRUE(History::keeps_pairs({2, 8, 181}));  // 2 x 724 x 724 = 1,048,352
  EXPECT_FALSE(History::keeps_pairs({2, 8, 182}));
  EXPECT_TRUE(History::keeps_steps({2, 10'000, 13}));  // 2 x 52 x 10,000 = 1,040,000
  EXPECT_FALSE(History::keeps_steps({2, 10'000, 14}));
  const History none = HistoryCounter({2, 3, 182}).finish();
  EXPECT_TRUE(none.pairs.empty());
  EXPECT_FALSE(none.departures.empty());
}

}  // namespace
}  // namespace fairstep
