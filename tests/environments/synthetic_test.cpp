#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

// D_j as the appendix prints it, in hundredths; p(y1 = 1 | a) is 6/10 if accepted and 4/10 if not.
TEST(Synthetic, RowsAreThoseOfTheAppendix) {
  constexpr std::array<std::array<int, 5>, 5> printed{
      {{30, 25, 20, 15, 10}, {22, 26, 22, 17, 13}, {17, 21, 24, 21, 17}, {13, 17, 22, 26, 22}, {10, 15, 20, 25, 30}}};
  const Model model = unwrap(make_synthetic());
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t x = 0; x < 5; ++x)
      for (std::size_t y = 0; y < 2; ++y)
        for (std::size_t x1 = 0; x1 < 5; ++x1) {
          const auto& p = model.spec().transition;
          EXPECT_NEAR(p(g, x, y, 1, x1, 1), printed[x][x1] * 6 / 1000., 1e-16);
          EXPECT_NEAR(p(g, x, y, 1, x1, 0), printed[x][x1] * 4 / 1000., 1e-16);
          EXPECT_NEAR(p(g, x, y, 0, x1, 1), printed[x][x1] * 4 / 1000., 1e-16);
          EXPECT_NEAR(p(g, x, y, 0, x1, 0), printed[x][x1] * 6 / 1000., 1e-16);
        }
}

TEST(Synthetic, EverybodyStartsEvenlySpread) {
  const Model model = unwrap(make_synthetic({.qualified = {0.3, 0.8}}));
  for (std::size_t x = 0; x < 5; ++x) {
    EXPECT_DOUBLE_EQ(model.spec().initial(0, x, 1), 0.06);
    EXPECT_DOUBLE_EQ(model.spec().initial(0, x, 0), 0.14);
    EXPECT_DOUBLE_EQ(model.spec().initial(1, x, 1), 0.16);
    EXPECT_DOUBLE_EQ(model.spec().initial(1, x, 0), 0.04);
  }
}

TEST(Synthetic, DefaultsAreThePapers) {
  const Model model = unwrap(make_synthetic());
  EXPECT_EQ(model.names().groups, (std::vector<std::string>{"alpha", "beta"}));
  EXPECT_EQ(model.shape(), (Shape{2, 8, 5}));
  EXPECT_EQ(model.share(0), 0.5);
  EXPECT_DOUBLE_EQ(model.spec().initial(1, 3, 1), 0.1);  // P(y=1) = 1/2 is ours: the paper has no number
  EXPECT_DOUBLE_EQ(model.spec().reward(0, 4, 1, 1), 0.1);
  EXPECT_DOUBLE_EQ(model.spec().reward(0, 4, 0, 1), -0.9);
  EXPECT_DOUBLE_EQ(model.spec().reward(1, 4, 1, 1), 0.9);
  EXPECT_DOUBLE_EQ(model.spec().reward(1, 4, 0, 1), -0.1);
}

// Accept everybody, two steps. E[x_0] = 1/2. One step later: the columns of D sum to 0.92, 1.04, 1.08, 1.04, 0.92, a
// fifth of which is the distribution of x_1; it is symmetric, so E[x_1] = 1/2. P(y=1) = 1/2, then 3/5, independent of
// x.
//   alpha: 1/2 (1/2 0.1 - 1/2 0.9) + 1/2 (3/5 0.1 - 2/5 0.9) = -0.2 - 0.15 = -0.35
//   beta:  1/2 (1/2 0.9 - 1/2 0.1) + 1/2 (3/5 0.9 - 2/5 0.1) =  0.2 + 0.25 =  0.45
TEST(Synthetic, AcceptingEverybodyIsWorthWhatWasWorkedOut) {
  const Model model = unwrap(make_synthetic({.horizon = 2}));
  const Evaluation result = unwrap(evaluate(model, accept_all(model)));
  EXPECT_NEAR(result.value_per_group[0], -0.35, 1e-15);
  EXPECT_NEAR(result.value_per_group[1], 0.45, 1e-15);
  EXPECT_NEAR(result.value, 0.05, 1e-15);
  EXPECT_NEAR(result.feature(0, 1, 2), 1.08 / 5, 1e-15);
}

TEST(Synthetic, MoreGroupsAreTreatedAlike) {
  const Model model = unwrap(make_synthetic({.groups = {"a", "b", "c", "d"}}));
  EXPECT_EQ(model.share(3), 0.25);
  EXPECT_DOUBLE_EQ(model.spec().reward(3, 4, 1, 1), 0.5);
  EXPECT_DOUBLE_EQ(model.spec().reward(3, 4, 0, 1), -0.5);
}

TEST(Synthetic, OptionsThatMakeNoSenseAreNamed) {
  const auto message = [](const SyntheticOptions& options) {
    const auto model = make_synthetic(options);
    return model ? Text("taken") : model.error().message;
  };
  EXPECT_EQ(message({.groups = {"alpha"}}), "groups: there is 1, expected at least 2");
  EXPECT_EQ(message({.groups = {"a", "a"}}), "groups[1] is \"a\" again, expected different names");
  EXPECT_EQ(message({.qualified = {0.5}}), "qualified has 1 entry, expected 2 (one for each of alpha, beta)");
  EXPECT_EQ(message({.qualified = {0.5, 2}}), "qualified[beta] is 2, expected a probability between 0 and 1");
  EXPECT_EQ(message({.gain = {1, 2, 3}}), "gain has 3 entries, expected 2 (one for each of alpha, beta)");
  EXPECT_EQ(message({.share = {0.5, 0.4}}), "share sums to 0.9, expected 1 (within 1e-09)");
}

}  // namespace
}  // namespace fairstep
