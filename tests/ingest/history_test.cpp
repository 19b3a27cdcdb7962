// When and after what next states were seen, by hand: whoever counts a log gets it with the counts.
#include <fairstep/core/history.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/ingest/frame.hpp>

#include "lender.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::Lender;
using testing::unwrap;

/// Of groups 3 and 4, features 7 and 8.
History counted(const std::vector<Lender::Row>& rows, const CountOptions& options = {}) {
  Lender lender({"person", "step", "group", "x", "y", "a"}, {rows});
  const Frame frame = unwrap(Frame::take(lender.stream()));
  const CountedLog log = unwrap(count_frame(frame, options));
  return log.counts.history.value();
}

// Person 1 of group 3 is accepted as (7,0) and as (8,1), and refused as (7,1); person 2 of group 4 is refused as (7,1)
// at step 0 and never seen again.
const std::vector<Lender::Row> kTwoPeople{
    {1, 0, 3, 7, 0, 1}, {1, 1, 3, 8, 1, 1}, {1, 2, 3, 7, 1, 0}, {2, 0, 4, 7, 1, 0}};

std::int64_t sum(std::span<const std::int64_t> entries) {
  std::int64_t all = 0;
  for (const std::int64_t entry : entries) all += entry;
  return all;
}

TEST(IngestHistory, HasEachTransitionByTheStepsItWasSeenAt) {
  const History history = counted(kTwoPeople);
  EXPECT_EQ(history.departures(0, 0, 0, 0, 1), 1);
  EXPECT_EQ(history.departures(0, 1, 1, 1, 1), 1);
  EXPECT_EQ(sum(history.departures.flat()), 2);
  EXPECT_EQ(history.arrivals(0, 1, 1, 1), 1);
  EXPECT_EQ(history.arrivals(0, 2, 0, 1), 1);
  EXPECT_EQ(sum(history.arrivals.flat()), 2);
}

TEST(IngestHistory, HasTheDecisionBeforeIfItWasSeen) {
  const History history = counted(kTwoPeople);
  EXPECT_EQ(history.pairs(0, 0, 0, 1, 1, 1, 1), 1);
  EXPECT_EQ(sum(history.pairs.flat()), 1);
  EXPECT_EQ(history.after_pairs(0, 0, 0, 1, 0, 1), 1);
  EXPECT_EQ(sum(history.after_pairs.flat()), 1);
}

TEST(IngestHistory, HasDecisionsBeforeTheLastStepWhoseNextStateWasNotSeen) {
  // Nothing was seen before person 2's: class 0. Person 1's last is at the last step.
  const History history = counted(kTwoPeople);
  EXPECT_EQ(history.unseen(1, 0, 0, 1, 0), 1);
  EXPECT_EQ(sum(history.unseen.flat()), 1);
}

TEST(IngestHistory, UnderALongerHorizonTheHighestStepHasANextOneToo) {
  // Person 1's refusal at step 2 came after having been accepted while qualified.
  const History history = counted(kTwoPeople, {.horizon = 4});
  EXPECT_EQ(history.unseen(0, class_before(1, 1), 0, 1, 0), 1);
  EXPECT_EQ(sum(history.unseen.flat()), 2);
}

TEST(IngestHistory, AGapBreaksTheChain) {
  // Step 1 is missing: no transition, and nothing is known of what was before step 2.
  const History history =
      counted({{1, 0, 3, 7, 0, 1}, {1, 2, 3, 8, 1, 1}, {1, 3, 3, 7, 1, 0}, {2, 0, 4, 7, 1, 0}, {2, 1, 4, 7, 1, 0}});
  EXPECT_EQ(history.departures(0, 0, 0, 0, 1), 0);
  EXPECT_EQ(history.departures(0, 2, 1, 1, 1), 1);
  EXPECT_EQ(sum(history.pairs.flat()), 0);
  EXPECT_EQ(history.unseen(0, 0, 0, 0, 1), 1);
}

TEST(IngestHistory, WithoutATimeHasNoWindows) { EXPECT_TRUE(counted(kTwoPeople).windows.empty()); }

}  // namespace
}  // namespace fairstep
