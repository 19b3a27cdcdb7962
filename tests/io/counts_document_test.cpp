// Counts as a document: what stands where, what may be left out, and what cannot be the counts of any log.
// bad/ has the malformed ones, round_trip_test.cpp the awkward numbers.
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// Two groups, one feature, two steps. Of group a one unqualified person was accepted for 0.5, became qualified and was
/// refused; of group b nobody was seen.
const std::string kSmallCounts = R"({
  "schema": "fairstep/counts/1",
  "horizon": 2,
  "groups": ["a", "b"],
  "features": ["x"],
  "labels": ["unqualified", "qualified"],
  "actions": ["refuse", "accept"],
  "first": [
    [[1, 0]],
    [[0, 0]]
  ],
  "visits": [
    [
      [[[0, 1], [0, 0]]],
      [[[0, 0], [1, 0]]]
    ],
    [
      [[[0, 0], [0, 0]]],
      [[[0, 0], [0, 0]]]
    ]
  ],
  "transitions": [
    [
      [
        [
          [[0, 0]],
          [[0, 1]]
        ],
        [
          [[0, 0]],
          [[0, 0]]
        ]
      ]
    ],
    [
      [
        [
          [[0, 0]],
          [[0, 0]]
        ],
        [
          [[0, 0]],
          [[0, 0]]
        ]
      ]
    ]
  ],
  "reward_sum": [
    [
      [[0, 0.5], [0, 0]]
    ],
    [
      [[0, 0], [0, 0]]
    ]
  ],
  "reward_squares": [
    [
      [[0, 0.25], [0, 0]]
    ],
    [
      [[0, 0], [0, 0]]
    ]
  ]
}
)";

Expected<Counts> counts_in(const std::string& text) {
  return parse_document(text).map([](const auto& document) { return std::get<Counts>(document); });
}

std::string with_replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error(what + " is not in the text");
  return text.replace(at, what.size(), by);
}

TEST(CountsDocument, HasEveryNumberInItsPlace) {
  const Counts counts = unwrap(counts_in(kSmallCounts));
  EXPECT_EQ(counts.horizon, 2U);
  EXPECT_EQ(counts.names.groups, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(counts.first(0, 0, 0), 1);
  EXPECT_EQ(counts.visits(0, 0, 0, 0, 1), 1);
  EXPECT_EQ(counts.visits(0, 1, 0, 1, 0), 1);
  EXPECT_EQ(counts.transitions(0, 0, 0, 1, 0, 1), 1);
  EXPECT_EQ(counts.reward_sum(0, 0, 0, 1), 0.5);
  EXPECT_EQ(counts.reward_squares(0, 0, 0, 1), 0.25);
  EXPECT_EQ(counts.people(0), 1);
  EXPECT_EQ(counts.people(1), 0);
  EXPECT_FALSE(counts.log);
  EXPECT_FALSE(counts.history);
}

TEST(CountsDocument, IsWrittenAsItIsReadToTheLastByte) {
  EXPECT_EQ(to_text(unwrap(counts_in(kSmallCounts))), kSmallCounts);
}

TEST(CountsDocument, WithoutLabelsAndActionsTakesTheUsualOnes) {
  const std::string usual =
      "  \"labels\": [\"unqualified\", \"qualified\"],\n  \"actions\": [\"refuse\", \"accept\"],\n";
  EXPECT_EQ(unwrap(counts_in(with_replaced(kSmallCounts, usual, ""))), unwrap(counts_in(kSmallCounts)));
}

TEST(CountsDocument, KeepsOtherLabelsAndActions) {
  std::string text = with_replaced(kSmallCounts, R"(["unqualified", "qualified"])", R"(["defaults", "repays"])");
  text = with_replaced(std::move(text), R"(["refuse", "accept"])", R"(["no", "yes"])");
  const Counts counts = unwrap(counts_in(text));
  EXPECT_EQ(counts.names.labels, (std::vector<std::string>{"defaults", "repays"}));
  EXPECT_EQ(counts.names.actions, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(to_text(counts), text);
}

TEST(CountsDocument, CarriesTheHistoryThatWasCounted) {
  // The one transition of group a: decided about at step 0 in (x,0) and accepted, seen in (x,1) at step 1.
  const std::string history = R"("history": {
    "departures": [[[[[0, 1], [0, 0]]], [[[0, 0], [0, 0]]]], [[[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]]],
    "arrivals": [[[[0, 0]], [[0, 1]]], [[[0, 0]], [[0, 0]]]]
  },
  "horizon")";
  const Counts counts = unwrap(counts_in(with_replaced(kSmallCounts, "\"horizon\"", history)));
  ASSERT_TRUE(counts.history);
  EXPECT_EQ(counts.history->departures(0, 0, 0, 0, 1), 1);
  EXPECT_EQ(counts.history->arrivals(0, 1, 0, 1), 1);
  EXPECT_TRUE(counts.history->pairs.empty());
  EXPECT_EQ(unwrap(counts_in(to_text(counts))), counts);
}

TEST(CountsDocument, IsRefusedWhereItsHistoryBeliesIt) {
  // The successor was seen at step 0, where nobody can have come from a decision.
  const std::string history = R"("history": {
    "departures": [[[[[0, 1], [0, 0]]], [[[0, 0], [0, 0]]]], [[[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]]],
    "arrivals": [[[[0, 1]], [[0, 0]]], [[[0, 0]], [[0, 0]]]]
  },
  "horizon")";
  const auto counts = counts_in(with_replaced(kSmallCounts, "\"horizon\"", history));
  ASSERT_FALSE(counts);
  EXPECT_TRUE(counts.error().pointer.starts_with("/history")) << counts.error().pointer;
}

TEST(CountsDocument, IsRefusedWhereSomebodyWasRewardedUnseen) {
  // Cell (x,0,refuse) of group a has no visit.
  const auto counts = counts_in(with_replaced(kSmallCounts, "[[0, 0.5], [0, 0]]", "[[0.25, 0.5], [0, 0]]"));
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().pointer, "/reward_sum/0/0/0/0");
}

TEST(CountsDocument, SaysTheFirstOfTwoThingsThatAreWrong) {
  std::string text = with_replaced(kSmallCounts, "\"horizon\": 2", "\"horizon\": 0");
  text = with_replaced(std::move(text), "\"first\": [", "\"first\": [[],");
  const auto counts = counts_in(text);
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().message, "horizon is 0, expected a whole number of 1 or more");
  EXPECT_EQ(counts.error().pointer, "/horizon");
}

}  // namespace
}  // namespace fairstep
