// A log counted in parts gives the counts of the whole.
#include <fairstep/ingest/parts.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lender.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::Lender;
using testing::unwrap;

// Person, step, group, x, y, a, reward, place: persons 1 to 4, whose rows are not together. A label of 2 is none.
const std::vector<std::string> kPartNames{"person", "step", "group", "x", "y", "a", "reward", "place"};
const std::vector<Lender::Row> kLog{{1, 0, 3, 7, 0, 1, 5, 0}, {2, 0, 4, 7, 1, 0, 0, 1}, {1, 1, 3, 8, 1, 1, 2, 2},
                                    {3, 0, 4, 8, 1, 1, 1, 3}, {2, 1, 4, 7, 2, 1, 4, 4}, {4, 0, 3, 7, 1, 1, 9, 5},
                                    {3, 1, 4, 7, 0, 0, 0, 6}};

std::string counted_part(const std::vector<Lender::Row>& rows, const CountOptions& options) {
  Lender lender(kPartNames, {rows});
  return unwrap(count_part(unwrap(Frame::take(lender.stream())), options, "place"));
}

TEST(Parts, TogetherSayWhatTheWholeLogSays) {
  const CountOptions options{.allow_loss = true};
  Lender lender(kPartNames, {kLog});
  const CountedLog whole = unwrap(count_frame(unwrap(Frame::take(lender.stream())), options));
  EXPECT_TRUE(whole.sorted);
  const PartedLog log{{"frame"}, whole.counts.log()->columns, {}};
  std::vector<Lender::Row> odd, even;
  for (const Lender::Row& row : kLog) (row[0] % 2 == 1 ? odd : even).push_back(row);
  const std::string one = counted_part(odd, options), other = counted_part(even, options);
  for (const std::vector<std::string>& parts : {std::vector{one, other}, std::vector{other, one}}) {
    EXPECT_TRUE(unwrap(label_shares(parts, log, options)).empty());
    const CountedLog joined = unwrap(join_parts(parts, log, options));
    EXPECT_EQ(joined.counts, whole.counts);
    EXPECT_EQ(joined.people, whole.people);
    EXPECT_EQ(joined.lost_rows, whole.lost_rows);
  }
}

TEST(Parts, LinesThatAreInNoPartAreLost) {
  const PartedLog log{{"log.csv"}, {{"x", "x"}}, {2, 0, 17}};
  const CountedLog joined = unwrap(join_parts({counted_part(kLog, {})}, log, {.allow_loss = true}));
  ASSERT_FALSE(joined.counts.log()->findings.empty());
  EXPECT_EQ(joined.counts.log()->findings[0].anomaly, Anomaly::malformed);
  EXPECT_EQ(joined.counts.log()->findings[0].row, 17);
  EXPECT_EQ(joined.lost_rows, 3);  // and the row whose label is 2
}

TEST(Parts, WhatIsNoPartIsRefused) {
  const PartedLog log{{"log.csv"}, {}, {}};
  const std::string part = counted_part(kLog, {});
  for (const std::string& bytes : {std::string("no part"), part.substr(0, part.size() / 2), part + "x"}) {
    const auto joined = join_parts({bytes}, log, {});
    ASSERT_FALSE(joined);
    EXPECT_EQ(joined.error().message, "this is no part of a log that this version has counted");
  }
  EXPECT_EQ(join_parts({part}, {}, {}).error().message, "there is no log to count");
}

TEST(Parts, SharesThatAreNoneAreRefused) {
  Lender lender(kPartNames, {kLog});
  const auto counted = count_part(unwrap(Frame::take(lender.stream())), {}, "place", "none");
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().message, "these are no shares of labels");
}

}  // namespace
}  // namespace fairstep
