// Whether the data refute what is said of rewards and shares, or the model that these come from.
#include <fairstep/certify/terms.hpp>

#include <string>

#include <gtest/gtest.h>

#include <fairstep/certify/sets.hpp>

#include "certify/counts_in.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::counts_in;
using testing::unwrap;

/// One step. Of group a 400 unqualified people were accepted, half of them for 1 and half for nothing; of group b 400
/// were refused for nothing.
Counts with_rewards() {
  return counts_in({.first = "[[[400, 0]], [[400, 0]]]",
                    .visits = "[[[[[0, 400], [0, 0]]]], [[[[400, 0], [0, 0]]]]]",
                    .reward_sum = "[[[[0, 200], [0, 0]]], [[[0, 0], [0, 0]]]]",
                    .reward_squares = "[[[[0, 200], [0, 0]]], [[[0, 0], [0, 0]]]]"});
}

/// Accepting earns `mean`, and everybody comes and stays as was counted.
KnownRewards knows(double mean) {
  KnownRewards known;
  known.reward = Tensor<double, 4>({2, 1, 2, 2});
  known.reward(0, 0, 0, 1) = mean;
  known.share = {0.5, 0.5};
  known.initial = Tensor<double, 3>({2, 1, 2});
  for (std::size_t g = 0; g < 2; ++g) known.initial(g, 0, 0) = 1;
  known.transition = Tensor<double, 6>({2, 1, 2, 2, 1, 2}, 0.5);
  return known;
}

Expected<void> terms_of(const Counts& counts, ValueTerms value) {
  CertifyOptions options;
  options.value = std::move(value);
  return check_terms(counts, unwrap(estimate(counts, {.share = {0.5, 0.5}})), Lost::none(counts.shape()), options);
}

TEST(Terms, WithoutAValueThereIsNothingToRefute) { EXPECT_TRUE(terms_of(with_rewards(), {})); }

TEST(Terms, AMeanThatIsNearTheCountedOneStands) {
  EXPECT_TRUE(terms_of(with_rewards(), knows(0.5)));
  EXPECT_TRUE(terms_of(with_rewards(), knows(0.5625)));
}

TEST(Terms, AMeanThatIsFarFromTheCountedOneIsRefuted) {
  const auto checked = terms_of(with_rewards(), knows(5));
  ASSERT_FALSE(checked);
  EXPECT_TRUE(std::string(checked.error().message)
                  .starts_with("reward[g=a,x=0,y=0,a=1] is 5, but the mean of 400 rewards counted there is 0.5, which "
                               "would be at most "))
      << checked.error().message;
  EXPECT_EQ(checked.error().pointer, "/reward/0/0/0/1");
  EXPECT_EQ(checked.error().hint, "the data refute that rewards are those of this model");
  EXPECT_EQ(checked.error().input, "model");
}

TEST(Terms, NoiseThatIsSaidMakesRoom) {
  KnownRewards noisy = knows(5);
  noisy.noise = Tensor<double, 4>({2, 1, 2, 2}, 100.0);
  EXPECT_TRUE(terms_of(with_rewards(), noisy));
}

TEST(Terms, ALogWithoutRewardsSaysNothingAboutThem) {
  const Counts counts =
      counts_in({.first = "[[[400, 0]], [[400, 0]]]", .visits = "[[[[[0, 400], [0, 0]]]], [[[[400, 0], [0, 0]]]]]"});
  EXPECT_TRUE(terms_of(counts, knows(5)));
}

TEST(Terms, AGroupThatIsSaidNotToExistHasNobody) {
  KnownRewards nobody = knows(0.5);
  nobody.share = {1, 0};
  const auto checked = terms_of(with_rewards(), nobody);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "share of group b is 0, but 400 people of it are in the counts");
  EXPECT_EQ(checked.error().pointer, "/share/1");
}

TEST(Terms, CountedRewardsLieInTheirRange) {
  EXPECT_TRUE(terms_of(with_rewards(), CountedRewards{{0, 1}, 1}));
  const auto checked = terms_of(with_rewards(), CountedRewards{{0, 0.25}, 1});  // their mean is 1/2
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().input, "counts");
}

Expected<void> kernel_of(const Counts& counts, const KnownRewards& known) {
  CertifyOptions options;
  options.value = known;
  const Estimate estimated = unwrap(estimate(counts, {.share = {0.5, 0.5}}));
  const Balls sets =
      confidence_sets(counts, estimated, Lost::none(counts.shape()), split_delta(options, counts.shape()));
  return check_kernel(counts, estimated, sets, options);
}

/// Two steps; all 400 of group a are accepted and become qualified.
Counts with_successors() {
  return counts_in(
      {.horizon = 2,
       .first = "[[[400, 0]], [[0, 0]]]",
       .visits = "[[[[[0, 400], [0, 0]]], [[[0, 0], [400, 0]]]], [[[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]]]",
       .transitions = "[[[[[[0, 0]], [[0, 400]]], [[[0, 0]], [[0, 0]]]]], [[[[[0, 0]], [[0, 0]]], [[[0, "
                      "0]], [[0, 0]]]]]]"});
}

TEST(Kernel, ThatAgreesWithWhatWasCountedStands) {
  KnownRewards known = knows(0.5);
  known.transition(0, 0, 0, 1, 0, 0) = 0;
  known.transition(0, 0, 0, 1, 0, 1) = 1;
  EXPECT_TRUE(kernel_of(with_successors(), known));
}

TEST(Kernel, ThatSaysOtherwiseIsRefuted) {
  // Half of the accepted are said to become qualified, and all 400 did.
  const auto checked = kernel_of(with_successors(), knows(0.5));
  ASSERT_FALSE(checked);
  EXPECT_TRUE(std::string(checked.error().message)
                  .starts_with("transition[g=a,x=0,y=0,a=1] has 0.5 for state x=0,y=0, but by what was counted it is "
                               "between 0 and 0."))
      << checked.error().message;
  EXPECT_EQ(checked.error().pointer, "/transition/0/0/0/1");
  EXPECT_EQ(checked.error().hint, "the data refute that they are of people of this model");
}

TEST(Kernel, FirstStatesThatWereNotCountedAreRefutedToo) {
  KnownRewards known = knows(0.5);
  known.initial(0, 0, 0) = 0;
  known.initial(0, 0, 1) = 1;
  const auto checked = kernel_of(with_successors(), known);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().pointer, "/initial/0");
}

TEST(Kernel, OfNoModelIsNotLookedAt) {
  KnownRewards bare;
  bare.reward = Tensor<double, 4>({2, 1, 2, 2});
  bare.share = {0.5, 0.5};
  EXPECT_TRUE(kernel_of(with_successors(), bare));
}

}  // namespace
}  // namespace fairstep
