// Where two policies differ, by hand.
#include <fairstep/evaluate/differences.hpp>

#include <numeric>
#include <utility>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

TEST(Differences, AreThoseOfTheCellsWithThePeopleWhoAreThere) {
  const Model model = testing::random_model(11, 2, 3, 2);
  const Policy half = *uniform_policy(model, 0.5);
  // The same, but group 1 with feature 2 at step 1 is accepted with 0.9.
  Tensor<double, 3> accept({2, 2, 3}, 0.5);
  accept(1, 1, 2) = 0.9;
  const Policy other = *Policy::make(std::move(accept));
  const Evaluation of_half = *evaluate(model, half), of_other = *evaluate(model, other);
  const Differences found = differences(model, half, of_half, other, of_other);
  ASSERT_EQ(found.cells.size(), 1u);
  const Difference& cell = found.cells.front();
  EXPECT_EQ(cell.group, 1u);
  EXPECT_EQ(cell.step, 1u);
  EXPECT_EQ(cell.feature, 2u);
  // Who is there at step 1 was decided about at step 0, by both alike.
  const double there = model.share(1) * of_half.feature(1, 1, 2);
  EXPECT_DOUBLE_EQ(cell.people_first, there);
  EXPECT_DOUBLE_EQ(cell.people_second, there);
  EXPECT_DOUBLE_EQ(found.changed[0], 0);
  EXPECT_DOUBLE_EQ(found.changed[1], 0.4 * there);
  EXPECT_DOUBLE_EQ(found.changed_share, 0.2 * there);  // of two steps
}

TEST(Differences, OfOppositesAreAllDecisions) {
  const Model model = testing::random_model(12, 3, 2, 3);
  const Policy none = *uniform_policy(model, 0), all = *uniform_policy(model, 1);
  const Differences found = differences(model, none, *evaluate(model, none), all, *evaluate(model, all));
  EXPECT_EQ(found.cells.size(), 3u * 2u * 3u);
  for (const double changed : found.changed) EXPECT_NEAR(changed, 1, 1e-12);
  EXPECT_NEAR(found.changed_share, 1, 1e-12);
  for (std::size_t i = 1; i < found.cells.size(); ++i)
    EXPECT_GE(found.cells[i - 1].changed(), found.cells[i].changed());
}

TEST(Differences, NoneOfAPolicyToItselfNorWithinTheRounding) {
  const Model model = testing::random_model(13, 2, 2, 2);
  const Policy one = *uniform_policy(model, 0.5), near = *uniform_policy(model, 0.5 + 1e-13);
  const Evaluation of_one = *evaluate(model, one), of_near = *evaluate(model, near);
  EXPECT_TRUE(differences(model, one, of_one, one, of_one).cells.empty());
  EXPECT_TRUE(differences(model, one, of_one, near, of_near).cells.empty());
  EXPECT_FALSE(differences(model, one, of_one, near, of_near, 0).cells.empty());
}

}  // namespace
}  // namespace fairstep
