// The FICO model against numbers copied from the paper and worked out by hand.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
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

double feature_share(const Model& model, std::size_t g, std::size_t x) {
  return model.spec().initial(g, x, 0) + model.spec().initial(g, x, 1);
}

// A level ends at the last score below the halfway point, so that its people are a difference of two rows of the CDF:
//   score   12     37     62     87    100
//   white   9.56  32.27  57.15  84.16  100 %
//   black  35.11  75.87  90.86  97.73  100 %
TEST(Fico, LevelsSplitAtTheHalfwayPointsWithTiesUp) {
  const Model model = unwrap(make_fico());
  const double white[] = {0.0956, 0.2271, 0.2488, 0.2701, 0.1584};
  const double black[] = {0.3511, 0.4076, 0.1499, 0.0687, 0.0227};
  for (std::size_t x = 0; x < 5; ++x) {
    EXPECT_NEAR(feature_share(model, 0, x), white[x], 1e-15);
    EXPECT_NEAR(feature_share(model, 1, x), black[x], 1e-15);
  }
}

// 133165 + 18274 = 151439 people.
TEST(Fico, SharesAreThoseOfTheData) {
  const Model model = unwrap(make_fico());
  EXPECT_DOUBLE_EQ(model.share(0), 133165. / 151439);
  EXPECT_DOUBLE_EQ(model.share(1), 18274. / 151439);
}

TEST(Fico, NamesAreTheOnesPeopleKnow) {
  const Model model = unwrap(make_fico());
  EXPECT_EQ(model.names().groups, (std::vector<std::string>{"white", "black"}));
  EXPECT_EQ(model.names().features, (std::vector<std::string>{"0", "25", "50", "75", "100"}));
  EXPECT_EQ(model.shape().horizon, 8u);
  EXPECT_EQ(model.discount(), 1);
  EXPECT_FALSE(model.spec().description.empty());
  EXPECT_EQ(model.spec().description.find('\n'), std::string::npos);
}

// G_{j,w,v} as the appendix prints it, in hundredths, w = y and v = a.
struct PrintedRow {
  std::size_t j, w, v;
  std::array<int, 5> hundredths;
};
constexpr PrintedRow kPrinted[] = {
    {0, 1, 1, {30, 25, 20, 15, 10}}, {1, 1, 1, {18, 27, 23, 18, 14}}, {2, 1, 1, {14, 18, 27, 23, 18}},
    {3, 1, 1, {10, 15, 20, 30, 25}}, {4, 1, 1, {6, 13, 19, 24, 38}},  {0, 1, 0, {38, 24, 19, 13, 6}},
    {1, 1, 0, {25, 30, 20, 15, 10}}, {2, 1, 0, {18, 23, 27, 18, 14}}, {3, 1, 0, {14, 18, 23, 27, 18}},
    {4, 1, 0, {10, 15, 20, 25, 30}}, {0, 0, 1, {30, 25, 20, 15, 10}}, {1, 0, 1, {18, 27, 23, 18, 14}},
    {2, 0, 1, {14, 18, 27, 23, 18}}, {3, 0, 1, {10, 15, 20, 30, 25}}, {4, 0, 1, {10, 15, 20, 25, 30}},
    {0, 0, 0, {38, 24, 19, 13, 6}},  {1, 0, 0, {25, 30, 20, 15, 10}}, {2, 0, 0, {18, 23, 27, 18, 14}},
    {3, 0, 0, {14, 18, 23, 27, 18}}, {4, 0, 0, {10, 15, 20, 25, 30}},
};
static_assert(std::size(kPrinted) == 20);

TEST(Fico, FeaturesMoveByTheRowsOfTheAppendix) {
  const Model model = unwrap(make_fico({.groups = {"white", "black", "hispanic", "asian"}}));
  for (const PrintedRow& row : kPrinted)
    for (std::size_t g = 0; g < 4; ++g)
      for (std::size_t x1 = 0; x1 < 5; ++x1) {
        const auto& p = model.spec().transition;
        EXPECT_NEAR(p(g, row.j, row.w, row.v, x1, 0) + p(g, row.j, row.w, row.v, x1, 1), row.hundredths[x1] / 100.,
                    1e-15)
            << "G_{" << row.j << "," << row.w << "," << row.v << "} to " << x1;
      }
}

// The label has no memory of its own: the same people at a level are qualified at every step as at the first.
TEST(Fico, LabelsAreDrawnFromTheScoreAlone) {
  const Model model = unwrap(make_fico());
  const Evaluation result = unwrap(evaluate(model, unwrap(uniform_policy(model))));
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t x = 0; x < 5; ++x)
      for (std::size_t h = 0; h < 8; ++h)
        EXPECT_NEAR(result.mass(g, h, x, 1) / result.feature(g, h, x),
                    result.mass(g, 0, x, 1) / result.feature(g, 0, x), 1e-14);
}

TEST(Fico, RewardsAreBetaTimesTheNormalisedScore) {
  const Model model = unwrap(make_fico({.groups = {"white", "black", "asian"}}));
  const auto& reward = model.spec().reward;
  for (std::size_t g = 0; g < 3; ++g)
    for (std::size_t x = 0; x < 5; ++x)
      for (std::size_t y = 0; y < 2; ++y) EXPECT_EQ(reward(g, x, y, 0), 0);
  EXPECT_DOUBLE_EQ(reward(0, 2, 1, 1), 0.05);    // 0.1 * 1/2
  EXPECT_DOUBLE_EQ(reward(0, 4, 0, 1), -0.9);    // 0.9 * 1
  EXPECT_DOUBLE_EQ(reward(1, 3, 1, 1), 0.675);   // 0.9 * 3/4
  EXPECT_DOUBLE_EQ(reward(1, 1, 0, 1), -0.025);  // 0.1 * 1/4
  EXPECT_DOUBLE_EQ(reward(2, 4, 1, 1), 0.5);     // not in the paper: even
  EXPECT_DOUBLE_EQ(reward(2, 4, 0, 1), -0.5);
  for (std::size_t g = 0; g < 3; ++g) {
    EXPECT_EQ(reward(g, 0, 0, 1), 0);  // a score of 0 counts for nothing
    EXPECT_FALSE(std::signbit(reward(g, 0, 0, 1)));
  }
}

TEST(Fico, GroupsComeInTheOrderAskedFor) {
  const Model forwards = unwrap(make_fico({.groups = {"white", "asian"}}));
  const Model backwards = unwrap(make_fico({.groups = {"asian", "white"}}));
  EXPECT_EQ(backwards.names().groups, (std::vector<std::string>{"asian", "white"}));
  EXPECT_DOUBLE_EQ(backwards.share(0), 7906. / 141071);
  for (std::size_t x = 0; x < 5; ++x)
    for (std::size_t y = 0; y < 2; ++y) {
      EXPECT_EQ(forwards.spec().initial(0, x, y), backwards.spec().initial(1, x, y));
      EXPECT_EQ(forwards.spec().reward(1, x, y, 1), backwards.spec().reward(0, x, y, 1));
    }
}

TEST(Fico, OptionsReachTheModel) {
  const Model model = unwrap(make_fico({.groups = {"black", "hispanic"},
                                        .horizon = 3,
                                        .discount = 0.5,
                                        .gain = {1, 2},
                                        .loss = {3, 4},
                                        .share = {0.25, 0.75},
                                        .score = {0, 1, 2, 3, 4}}));
  EXPECT_EQ(model.shape().horizon, 3u);
  EXPECT_EQ(model.discount(), 0.5);
  EXPECT_EQ(model.share(1), 0.75);
  EXPECT_EQ(model.spec().reward(0, 4, 1, 1), 4);
  EXPECT_EQ(model.spec().reward(1, 3, 0, 1), -12);
}

/// The best value of a group when labels follow from the score alone: backward induction over features, both actions
/// tried.
double best_value(const Model& model, std::size_t g) {
  const auto& spec = model.spec();
  std::array<double, 5> value{};
  for (std::size_t h = model.shape().horizon; h-- > 0;) {
    std::array<double, 5> now{};
    for (std::size_t x = 0; x < 5; ++x) {
      std::array<double, 2> q{};
      for (std::size_t y = 0; y < 2; ++y)
        for (std::size_t a = 0; a < 2; ++a) {
          double after = 0;
          for (std::size_t x1 = 0; x1 < 5; ++x1)
            after += (spec.transition(g, x, y, a, x1, 0) + spec.transition(g, x, y, a, x1, 1)) * value[x1];
          q[a] += spec.initial(g, x, y) / feature_share(model, g, x) * (spec.reward(g, x, y, a) + after);
        }
      now[x] = std::max(q[0], q[1]);
    }
    value = now;
  }
  double sum = 0;
  for (std::size_t x = 0; x < 5; ++x) sum += feature_share(model, g, x) * value[x];
  return sum;
}

// The expected number is the optimum of a linear program over occupancies, set up in Python from the CSV files and the
// paper's text without any of this code. (With acceptance rates equal at every step it is 0.552040.)
TEST(Fico, TheBestUnconstrainedPolicyIsWorthWhatALinearProgramSays) {
  const Model model = unwrap(make_fico());
  EXPECT_NEAR(model.share(0) * best_value(model, 0) + model.share(1) * best_value(model, 1), 0.5657289718674066, 1e-12);
}

TEST(Fico, OptionsThatMakeNoSenseAreNamed) {
  const auto message = [](const FicoOptions& options) {
    const auto model = make_fico(options);
    return model ? Text("taken") : model.error().message;
  };
  EXPECT_EQ(message({.groups = {"white"}}), "groups has 1, expected 2 to 4 of white, black, hispanic, asian");
  EXPECT_EQ(message({.groups = {"white", "black", "asian", "hispanic", "white"}}),
            "groups has 5, expected 2 to 4 of white, black, hispanic, asian");
  EXPECT_EQ(message({.groups = {"white", "blakc"}}),
            "groups has \"blakc\", expected 2 to 4 of white, black, hispanic, asian");
  EXPECT_EQ(make_fico({.groups = {"white", "blakc"}}).error().hint, "did you mean \"black\"?");
  EXPECT_EQ(message({.groups = {"white", "white"}}), "groups has \"white\" twice, expected different groups");
  EXPECT_EQ(message({.horizon = 0}), "horizon is 0, expected at least 1");
  EXPECT_EQ(message({.discount = 1.5}), "discount is 1.5, expected more than 0 and at most 1");
  EXPECT_EQ(message({.gain = {1}}), "gain has 1 entry, expected 2 (one for each of white, black)");
  EXPECT_EQ(message({.gain = {1, -1}}), "gain[black] is -1, expected a number from 0 to 1e100");
  EXPECT_EQ(message({.loss = {std::numeric_limits<double>::infinity(), 0}}),
            "loss[white] is inf, expected a number from 0 to 1e100");
  EXPECT_EQ(message({.share = {0.5, 0.6}}), "share sums to 1.1, expected 1 (within 1e-09)");
  EXPECT_EQ(message({.share = {-0.5, 1.5}}), "share[white] is -0.5, expected a probability between 0 and 1");
  EXPECT_EQ(message({.score = {1, 2}}), "score has 2 entries, expected 5 (one for each of 0, 25, 50, 75, 100)");
  EXPECT_EQ(message({.horizon = std::numeric_limits<std::size_t>::max()}).substr(0, 10), "horizon is");
}

}  // namespace
}  // namespace fairstep
