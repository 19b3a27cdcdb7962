// Rates bounded by the people who followed the policy themselves.
#include <fairstep/certify/followed.hpp>

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include <fairstep/certify/sets.hpp>
#include <fairstep/estimate/proportion.hpp>

#include "certify/counts_in.hpp"

namespace fairstep {
namespace {

using testing::counts_in;

/// Two steps. Group a: 10 people, all there at step 0 (4 accepted), 8 at step 1 (6 accepted, of the 5 qualified 5).
/// Group b: 3 people, who came at step 1 and were refused.
Counts ten_and_three() {
  return counts_in({.horizon = 2,
                    .first = "[[[5, 5]], [[3, 0]]]",
                    .visits = "[[[[[4, 1], [2, 3]]], [[[2, 1], [0, 5]]]], [[[[0, 0], [0, 0]]], [[[3, 0], [0, 0]]]]]"});
}

Lost nothing_lost() { return Lost::none({2, 2, 1}); }

TEST(Followed, OfThoseWhoWereThereAtAllStepsNobodyIsAstray) {
  // Two of a are away at step 1, all three of b at step 0, which they do not catch up on.
  const Tensor<std::int64_t, 2> away = astray(ten_and_three(), nothing_lost());
  EXPECT_EQ(away(0, 0), 0);
  EXPECT_EQ(away(0, 1), 2);
  EXPECT_EQ(away(1, 0), 3);
  EXPECT_EQ(away(1, 1), 3);
}

TEST(Followed, PeopleWhoseRowsAreLostAreAstrayAtEveryStep) {
  Lost lost = nothing_lost();
  lost.first(0) = 4;
  const Tensor<std::int64_t, 2> away = astray(ten_and_three(), lost);
  EXPECT_EQ(away(0, 0), 4);
  EXPECT_EQ(away(0, 1), 4 + 6);  // of 14 people 8 are there
}

TEST(Followed, MoreThanCanBeCountedAreAsManyAsCanBe) {
  Lost lost = nothing_lost();
  lost.first(1) = std::numeric_limits<std::int64_t>::max() - 3;
  EXPECT_EQ(astray(ten_and_three(), lost)(1, 1), std::numeric_limits<std::int64_t>::max());
}

TEST(Followed, EachPersonIsDecidedAboutOnceAStep) {
  EXPECT_TRUE(check_people(ten_and_three(), nothing_lost()));
  const Counts counts =
      counts_in({.first = "[[[4, 5]], [[0, 0]]]", .visits = "[[[[[4, 1], [2, 3]]]], [[[[0, 0], [0, 0]]]]]"});
  const auto checked = check_people(counts, Lost::none({2, 1, 1}));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "there are 10 decisions about people of group a at step 0, expected at most 9, one for each of the people "
            "counted or lost");
  EXPECT_EQ(checked.error().pointer, "/visits/0/0");
  EXPECT_EQ(checked.error().hint, "these are no counts of people who followed one policy");
  Lost one = Lost::none({2, 1, 1});
  one.first(0) = 1;
  EXPECT_TRUE(check_people(counts, one));
}

RateBounds anything() { return {Tensor<Range, 2>({2, 2}, Range{0, 1}), Tensor<double, 2>({2, 2}, 0.5)}; }

TEST(Followed, NarrowsEachEndToWhatThePeopleProve) {
  const Counts counts = ten_and_three();
  RateBounds bounds = anything();
  ASSERT_TRUE(narrow_by_those_who_followed(bounds, counts, astray(counts, nothing_lost()), FollowedRate::accept, 0.01));
  const Range first = proportion_once(4, 10, 0.01);
  EXPECT_DOUBLE_EQ(bounds.range(0, 0).low, first.low - kOutwards);
  EXPECT_DOUBLE_EQ(bounds.range(0, 0).high, first.high + kOutwards);
  const Range second = proportion_once(6, 8, 2, 0.01);
  EXPECT_DOUBLE_EQ(bounds.range(0, 1).low, second.low - kOutwards);
  EXPECT_EQ(bounds.range(1, 0).low, 0);  // nobody was there
  EXPECT_EQ(bounds.range(1, 0).high, 1);
}

TEST(Followed, RatesOfTheQualifiedAndOfTheOthersAreOfThesePeople) {
  // At step 1: 5 of 5 of the qualified and 1 of 3 of the others; at step 0 1 of 5 of the others.
  const Counts counts = ten_and_three();
  const Tensor<std::int64_t, 2> away = astray(counts, nothing_lost());
  RateBounds tpr = anything(), fpr = anything();
  ASSERT_TRUE(narrow_by_those_who_followed(tpr, counts, away, FollowedRate::tpr, 0.01));
  ASSERT_TRUE(narrow_by_those_who_followed(fpr, counts, away, FollowedRate::fpr, 0.01));
  EXPECT_DOUBLE_EQ(fpr.range(0, 0).high, proportion_once(1, 5, 0.01).high + kOutwards);
  EXPECT_DOUBLE_EQ(tpr.range(0, 1).low, proportion_once(5, 5, 2, 0.01).low - kOutwards);
  EXPECT_EQ(fpr.range(0, 1).high, 1);  // one may have been accepted of three, or three of five
}

TEST(Followed, LeavesWhatIsNarrowerAlready) {
  const Counts counts = ten_and_three();
  RateBounds bounds = anything();
  bounds.range(0, 0) = {0.375, 0.4375};
  ASSERT_TRUE(narrow_by_those_who_followed(bounds, counts, astray(counts, nothing_lost()), FollowedRate::accept, 0.01));
  EXPECT_EQ(bounds.range(0, 0).low, 0.375);
  EXPECT_EQ(bounds.range(0, 0).high, 0.4375);
}

TEST(Followed, RefusesWhatThePolicyDoesNotDo) {
  // The policy accepts hardly anybody, and 400 of 500 were accepted.
  const Counts counts =
      counts_in({.first = "[[[500, 0]], [[0, 0]]]", .visits = "[[[[[100, 400], [0, 0]]]], [[[[0, 0], [0, 0]]]]]"});
  RateBounds bounds{Tensor<Range, 2>({2, 1}, Range{0, 0.125}), Tensor<double, 2>({2, 1}, 0)};
  const auto narrowed =
      narrow_by_those_who_followed(bounds, counts, astray(counts, Lost::none({2, 1, 1})), FollowedRate::accept, 0.01);
  ASSERT_FALSE(narrowed);
  EXPECT_EQ(narrowed.error().message,
            "400 of 500 people of group a were accepted at step 0, which this policy does not do");
  EXPECT_EQ(narrowed.error().hint,
            "the people counted met another policy, it seems: leave out the claim that they followed this one");
}

}  // namespace
}  // namespace fairstep
