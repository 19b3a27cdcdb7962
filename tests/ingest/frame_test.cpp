// Frames in memory: lent, read as often as it takes, and given back. What frames of other libraries come to, and that
// it is the same as for their files, is in tests/python/module/test_frames.py.
#include <fairstep/ingest/frame.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lender.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::Lender;
using testing::unwrap;

const std::vector<std::string> kNames{"unused", "person", "step", "group", "x", "y", "a", "reward"};

TEST(CountFrame, CountsByHandAndGivesEverythingBack) {
  // Person 1 of group 3 is accepted twice, person 2 of group 4 once; the batches cut person 2 in two.
  Lender lender(kNames, {{{9, 1, 0, 3, 7, 0, 1, 5}, {9, 1, 1, 3, 8, 1, 1, 2}, {9, 2, 0, 4, 7, 1, 0, 0}},
                         {{9, 2, 1, 4, 7, 1, 1, 4}}});
  {
    const Frame frame = unwrap(Frame::take(lender.stream()));
    EXPECT_EQ(frame.rows(), 4);
    EXPECT_EQ(lender.lent(), 3);  // the schema and two batches
    for (int again = 0; again < 2; ++again) {
      const Counts counts = unwrap(count_frame(frame)).counts;
      EXPECT_EQ(counts.names().groups, (std::vector<std::string>{"3", "4"}));
      EXPECT_EQ(counts.names().features, (std::vector<std::string>{"7", "8"}));
      EXPECT_EQ(counts.transitions()(0, 0, 0, 1, 1, 1), 1);
      EXPECT_EQ(counts.transitions()(1, 0, 1, 0, 0, 1), 1);
      EXPECT_EQ(counts.reward_sum()(1, 0, 1, 1), 4);
      EXPECT_EQ(counts.log()->rows, 4);
      EXPECT_EQ(counts.log()->files, std::vector<std::string>{"frame"});
    }
    EXPECT_EQ(lender.lent(), 3);
  }
  EXPECT_EQ(lender.lent(), 0);
}

TEST(CountFrame, SortsPersonsThatAreOutOfOrder) {
  Lender lender(kNames, {{{9, 2, 1, 4, 7, 1, 1, 4}, {9, 1, 1, 3, 8, 1, 1, 2}},
                         {{9, 1, 0, 3, 7, 0, 1, 5}, {9, 2, 0, 4, 7, 1, 0, 0}}});
  const Frame frame = unwrap(Frame::take(lender.stream()));
  const CountedLog counted = unwrap(count_frame(frame));
  EXPECT_TRUE(counted.sorted);
  EXPECT_EQ(counted.counts.transitions()(0, 0, 0, 1, 1, 1), 1);
  ASSERT_EQ(counted.counts.log()->findings.size(), 1U);
  EXPECT_EQ(counted.counts.log()->findings[0].anomaly, Anomaly::out_of_order);
  EXPECT_EQ(counted.counts.log()->findings[0].rows, 2);
}

TEST(CountFrame, TakesOneColumnForTwoRoles) {
  Lender lender(kNames, {{{9, 1, 0, 3, 7, 0, 1, 5}, {9, 1, 1, 3, 8, 1, 1, 2}, {9, 2, 0, 4, 7, 1, 0, 0}}});
  const Frame frame = unwrap(Frame::take(lender.stream()));
  CountOptions options;
  options.columns = {{"reward", "x"}};
  EXPECT_EQ(unwrap(count_frame(frame, options)).counts.reward_sum()(0, 1, 1, 1), 8);
}

TEST(CountFrame, SaysWhatIsMissing) {
  Lender lender({"person", "step"}, {{{1, 0}}});
  const auto counted = count_frame(unwrap(Frame::take(lender.stream())));
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().message, "there is no column \"group\" for group");
  EXPECT_EQ(counted.error().file, "frame");
}

TEST(Frame, GivesBackWhatItHasIfTheRestDoesNotCome) {
  Lender lender(kNames, {{{9, 1, 0, 3, 7, 0, 1, 5}}, {{9, 1, 1, 3, 8, 1, 1, 2}}}, 5);
  const auto frame = Frame::take(lender.stream());
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().message, "the frame cannot be read: the well is dry");
  EXPECT_EQ(lender.lent(), 0);
}

}  // namespace
}  // namespace fairstep
