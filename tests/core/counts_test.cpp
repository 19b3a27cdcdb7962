#include <fairstep/core/counts.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/same_people.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::made;
using testing::nobody;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Names two_by_two() {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"low", "high"};
  return names;
}

/// Horizon 2. Group a: three people start at (low,1); two are accepted, of whom one moves to (high,1) and is refused
/// there and one leaves; one is refused and stays at (low,1), where they are accepted. Group b: one person, seen at
/// step 1 only.
CountsSpec small_spec() {
  CountsSpec counts = CountsSpec::zeros(2, two_by_two());
  counts.first(0, 0, 1) = 3;
  counts.visits(0, 0, 0, 1, 1) = 2;
  counts.visits(0, 0, 0, 1, 0) = 1;
  counts.transitions(0, 0, 1, 1, 1, 1) = 1;
  counts.transitions(0, 0, 1, 0, 0, 1) = 1;
  counts.visits(0, 1, 1, 1, 0) = 1;
  counts.visits(0, 1, 0, 1, 1) = 1;
  counts.reward_sum(0, 0, 1, 1) = 2.5;
  counts.reward_squares(0, 0, 1, 1) = 3;
  counts.first(1, 0, 0) = 1;
  counts.visits(1, 1, 0, 0, 1) = 1;
  counts.reward_sum(1, 0, 0, 1) = -0.5;
  counts.reward_squares(1, 0, 0, 1) = 0.25;
  return counts;
}

Counts small_log() { return made(small_spec()); }

TEST(Counts, StartAtZeroAndAreSound) {
  const Counts counts = nobody(3, two_by_two());
  EXPECT_EQ(counts.shape(), (Shape{2, 3, 2}));
  EXPECT_EQ(counts.visits().extents(), (std::array<std::size_t, 5>{2, 3, 2, 2, 2}));
  EXPECT_EQ(counts.people(0), 0);
}

TEST(Counts, AddUpPeopleVisitsAndSuccessors) {
  const Counts counts = small_log();
  EXPECT_EQ(counts.people(0), 3);
  EXPECT_EQ(counts.people(1), 1);
  EXPECT_EQ(counts.visits_of(0, 0, 1, 1), 3);      // two at step 0, one at step 1
  EXPECT_EQ(counts.successors_of(0, 0, 1, 1), 1);  // one left, one was at the last step
}

TEST(Counts, TwoLogsAddUp) {
  Counts counts = small_log();
  ASSERT_TRUE(counts.add(small_log()));
  EXPECT_EQ(counts.people(0), 6);
  EXPECT_EQ(counts.visits_of(0, 0, 1, 1), 6);
  EXPECT_EQ(counts.successors_of(0, 0, 1, 0), 2);
  EXPECT_EQ(counts.reward_sum()(0, 0, 1, 1), 5);
  EXPECT_EQ(counts.reward_squares()(1, 0, 0, 1), 0.5);
  EXPECT_EQ(made(counts.spec()), counts);
}

TEST(Counts, AddingNothingChangesNothing) {
  Counts counts = small_log();
  ASSERT_TRUE(counts.add(nobody(2, two_by_two())));
  EXPECT_EQ(counts, small_log());
}

TEST(Counts, AddingToThemselvesDoublesThem) {
  Counts counts = small_log();
  ASSERT_TRUE(counts.add(counts));
  EXPECT_EQ(counts.people(0), 6);
}

TEST(CountsAdd, SaysWhatDiffersAndChangesNothing) {
  const auto message = [](const Counts& other) {
    Counts counts = small_log();
    const auto added = counts.add(other);
    EXPECT_FALSE(added);
    EXPECT_EQ(counts, small_log());
    return added ? "" : added.error().message + " at " + added.error().pointer;
  };
  EXPECT_EQ(message(nobody(3, two_by_two())), "horizon is 3, expected 2 as in the counts added to at /horizon");
  Names names = two_by_two();
  names.groups = {"a", "c"};
  EXPECT_EQ(message(nobody(2, names)), "groups are a, c, expected a, b as in the counts added to at /groups");
  names = two_by_two();
  names.features = {"low"};
  EXPECT_EQ(message(nobody(2, names)), "features are low, expected low, high as in the counts added to at /features");
  names = two_by_two();
  names.labels = {"bad", "good"};
  EXPECT_EQ(message(nobody(2, names)),
            "labels are bad, good, expected unqualified, qualified as in the counts added to at /labels");
  names = two_by_two();
  names.actions = {"no", "yes"};
  EXPECT_EQ(message(nobody(2, names)),
            "actions are no, yes, expected refuse, accept as in the counts added to at /actions");
}

TEST(CountsAdd, RefusesAnOverflowAndChangesNothing) {
  Counts counts = changed(nobody(2, two_by_two()), [](CountsSpec& spec) { spec.visits(0, 0, 0, 0, 0) = kMost; });
  const Counts before = counts;
  const auto same_entry = counts.add(before);
  ASSERT_FALSE(same_entry);
  EXPECT_EQ(same_entry.error().message, "the counts add up to more than 9223372036854775807, the greatest count");
  EXPECT_EQ(counts, before);

  // No entry overflows, but the total does.
  const Counts other = changed(nobody(2, two_by_two()), [](CountsSpec& spec) { spec.visits(1, 1, 1, 1, 1) = 1; });
  const auto total = counts.add(other);
  ASSERT_FALSE(total);
  EXPECT_EQ(total.error().message, "visits adds up to more than 9223372036854775807, the greatest count");
  EXPECT_EQ(counts, before);
}

// Cause: a log merged with itself had twice the people, and nobody said so.
TEST(CountsAdd, PeopleWhoWouldBeCountedTwiceAreSeen) {
  const Counts counts = small_log();
  EXPECT_EQ(check_different_people(counts, counts).error().message,
            "the counts are the same to the last number as those added to: these people would be counted twice");
  const Counts others = changed(counts, [](CountsSpec& spec) { spec.visits(1, 0, 1, 1, 1) = 1; });
  EXPECT_TRUE(check_different_people(counts, others));
  const Counts none = nobody(2, two_by_two());
  EXPECT_TRUE(check_different_people(none, none));
  const auto logged = [](const Counts& of, std::vector<std::string> files) {
    return changed(of, [&](CountsSpec& spec) { spec.log.emplace().files = std::move(files); });
  };
  const Counts january = logged(counts, {"jan.csv", "frame"});
  EXPECT_TRUE(check_different_people(january, logged(others, {"frame", "feb.csv"})));  // frames have no names
  const auto twice = check_different_people(january, logged(others, {"feb.csv", "jan.csv"}));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message,
            "the log jan.csv is in the counts added to as well: its people would be counted twice");
  EXPECT_EQ(twice.error().pointer, "/log/files/1");
}

struct WrongCount {
  const char* name;
  std::function<void(CountsSpec&)> make;
  std::string message;
  std::string pointer;
};

std::ostream& operator<<(std::ostream& out, const WrongCount& wrong) { return out << wrong.name; }

const std::vector<WrongCount>& wrong_counts() {
  static const std::vector<WrongCount> all{
      {"OneGroup", [](auto& c) { c.names.groups = {"a"}; }, "groups has 1 name, expected at least 2", "/groups"},
      {"EqualNames", [](auto& c) { c.names.groups = {"a", "a"}; }, "groups[1] is \"a\" again, expected different names",
       "/groups/1"},
      {"ThreeLabels", [](auto& c) { c.names.labels = {"a", "b", "c"}; }, "labels has 3 names, expected 2", "/labels"},
      {"NoStep", [](auto& c) { c.horizon = 0; }, "horizon is 0, expected at least 1", "/horizon"},
      {"OtherHorizon", [](auto& c) { c.horizon = 3; }, "visits has size 2 x 2 x 2 x 2 x 2, expected 2 x 3 x 2 x 2 x 2",
       "/visits"},
      {"FirstSize", [](auto& c) { c.first = {}; }, "first has size 0 x 0 x 0, expected 2 x 2 x 2", "/first"},
      {"TransitionsSize", [](auto& c) { c.transitions = Tensor<std::int64_t, 6>({2, 2, 2, 2, 2, 1}); },
       "transitions has size 2 x 2 x 2 x 2 x 2 x 1, expected 2 x 2 x 2 x 2 x 2 x 2", "/transitions"},
      {"RewardSize", [](auto& c) { c.reward_sum = {}; }, "reward_sum has size 0 x 0 x 0 x 0, expected 2 x 2 x 2 x 2",
       "/reward_sum"},
      {"NegativeVisits", [](auto& c) { c.visits(1, 0, 1, 0, 1) = -2; },
       "visits[g=b,h=0,x=1,y=0,a=1] is -2, expected a count of 0 or more", "/visits/1/0/1/0/1"},
      {"NegativeTransitions", [](auto& c) { c.transitions(0, 1, 1, 0, 1, 0) = -1; },
       "transitions[g=a,x=1,y=1,a=0,x1=1,y1=0] is -1, expected a count of 0 or more", "/transitions/0/1/1/0/1/0"},
      {"TotalTooLarge", [](auto& c) { c.first(1, 1, 1) = kMost; },
       "first adds up to more than 9223372036854775807, the greatest count", "/first"},
      {"RewardNotANumber", [](auto& c) { c.reward_sum(0, 0, 1, 1) = std::nan(""); },
       "reward_sum[g=a,x=0,y=1,a=1] is nan, expected a finite number", "/reward_sum/0/0/1/1"},
      {"SquaresInfinite", [](auto& c) { c.reward_squares(0, 0, 1, 1) = HUGE_VAL; },
       "reward_squares[g=a,x=0,y=1,a=1] is inf, expected a finite number that is not negative",
       "/reward_squares/0/0/1/1"},
      {"SquaresNegative", [](auto& c) { c.reward_squares(0, 0, 1, 1) = -1; },
       "reward_squares[g=a,x=0,y=1,a=1] is -1, expected a finite number that is not negative",
       "/reward_squares/0/0/1/1"},
      {"RewardWithoutVisit", [](auto& c) { c.reward_sum(1, 1, 1, 1) = 2; },
       "reward_sum[g=b,x=1,y=1,a=1] is 2 after no visit, expected 0", "/reward_sum/1/1/1/1"},
      {"MoreRewardThanItsSquares", [](auto& c) { c.reward_sum(0, 0, 1, 1) = -3.25; },
       "reward_sum[g=a,x=0,y=1,a=1] is -3.25, more than 3 rewards with squares of 3 in all can add up to",
       "/reward_sum/0/0/1/1"},
      {"MoreSuccessorsThanVisits", [](auto& c) { c.transitions(0, 0, 1, 0, 1, 0) = 3; },
       "transitions[g=a,x=0,y=1,a=0] adds up to 4, expected at most 1 (its visits before the last step)",
       "/transitions/0/0/1/0"},
      {"SuccessorOfTheLastStep", [](auto& c) { c.transitions(1, 0, 0, 1, 0, 0) = 1; },
       "transitions[g=b,x=0,y=0,a=1] adds up to 1, expected at most 0 (its visits before the last step)",
       "/transitions/1/0/0/1"},
      {"MoreArrivalsThanVisits", [](auto& c) { c.first(0, 1, 1) = 1; },
       "visits of x=1,y=1 in group a add up to 1, expected at least 2 (first seen there, and transitions to there)",
       "/visits/0"},
  };
  return all;
}

class CountsMistake : public ::testing::TestWithParam<WrongCount> {};

TEST_P(CountsMistake, IsRefusedByName) {
  CountsSpec spec = small_spec();
  GetParam().make(spec);
  const auto sound = Counts::make(std::move(spec));
  ASSERT_FALSE(sound);
  EXPECT_EQ(sound.error().message, GetParam().message);
  EXPECT_EQ(sound.error().pointer, GetParam().pointer);
}

INSTANTIATE_TEST_SUITE_P(Each, CountsMistake, ::testing::ValuesIn(wrong_counts()),
                         [](const auto& wrong) { return wrong.param.name; });

TEST(Counts, TheGreatestCountsAreCheckedWithoutOverflow) {
  // As many people as fit, each with one decision and a successor: first and transitions together exceed 2^63 - 1.
  CountsSpec spec = CountsSpec::zeros(2, two_by_two());
  spec.first(0, 0, 0) = kMost;
  spec.visits(0, 0, 0, 0, 0) = kMost;
  EXPECT_TRUE(Counts::make(spec));
  spec.transitions(0, 0, 0, 0, 0, 0) = kMost;
  const auto sound = Counts::make(spec);
  ASSERT_FALSE(sound);
  EXPECT_EQ(sound.error().message,
            "visits of x=0,y=0 in group a add up to 9223372036854775807, expected at least 18446744073709551614 (first "
            "seen there, and transitions to there)");
}

}  // namespace
}  // namespace fairstep
