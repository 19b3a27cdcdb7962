#include <limits>
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

constexpr std::size_t kDefaults = 0, kRepays = 1, kRefuse = 0, kAccept = 1;

/// The part of a row that goes to a score, whatever the label.
double to_score(const Model& model, std::size_t x, std::size_t y, std::size_t a, std::size_t x1) {
  return model.spec().transition(0, x, y, a, x1, 0) + model.spec().transition(0, x, y, a, x1, 1);
}

TEST(Lending, ARepaidLoanMovesTheScoreUp) {
  const Model model = unwrap(make_lending());
  for (std::size_t x = 0; x < 6; ++x) EXPECT_EQ(to_score(model, x, kRepays, kAccept, x + 1), 1);
  EXPECT_EQ(to_score(model, 6, kRepays, kAccept, 6), 1);  // there is nothing above
}

TEST(Lending, ADefaultMovesTheScoreDown) {
  const Model model = unwrap(make_lending());
  for (std::size_t x = 1; x < 7; ++x) EXPECT_EQ(to_score(model, x, kDefaults, kAccept, x - 1), 1);
  EXPECT_EQ(to_score(model, 0, kDefaults, kAccept, 0), 1);
}

TEST(Lending, RefusalKeepsTheScore) {
  const Model model = unwrap(make_lending());
  for (std::size_t x = 0; x < 7; ++x)
    for (std::size_t y = 0; y < 2; ++y) EXPECT_EQ(to_score(model, x, y, kRefuse, x), 1);
}

// From score 3 a repaid loan leads to 4, where 0.65 repay.
TEST(Lending, TheLabelIsDrawnAnewFromTheScoreReached) {
  const Model model = unwrap(make_lending());
  EXPECT_DOUBLE_EQ(model.spec().transition(0, 3, kRepays, kAccept, 4, kRepays), 0.65);
  EXPECT_DOUBLE_EQ(model.spec().transition(0, 3, kRepays, kAccept, 4, kDefaults), 0.35);
  EXPECT_DOUBLE_EQ(model.spec().transition(1, 3, kDefaults, kRefuse, 3, kRepays), 0.6);  // also after a refusal
}

// move = 1/4: from 3 up to 4 with 1/4, else 3, and 0.6 repay at 3.
TEST(Lending, ALoanMayLeaveTheScoreWhereItIs) {
  const Model model = unwrap(make_lending({.move = 0.25}));
  EXPECT_DOUBLE_EQ(model.spec().transition(0, 3, kRepays, kAccept, 4, kRepays), 0.1625);      // 1/4 0.65
  EXPECT_DOUBLE_EQ(model.spec().transition(0, 3, kRepays, kAccept, 3, kRepays), 0.45);        // 3/4 0.6
  EXPECT_DOUBLE_EQ(model.spec().transition(0, 3, kDefaults, kAccept, 2, kDefaults), 0.1375);  // 1/4 0.55
  EXPECT_DOUBLE_EQ(to_score(model, 6, kRepays, kAccept, 6), 1);
}

// Accept everybody once. The advantaged start at (0, .1, .1, .2, .3, .3, 0) and repay with (.1, .2, .45, .6, .65, .7,
// .7):
//   to 0: .1 * .8 = .08             to 1: .1 * .55 = .055          to 2: .1 * .2 + .2 * .4 = .1
//   to 3: .1 * .45 + .3 * .35 = .15 to 4: .2 * .6 + .3 * .3 = .21  to 5: .3 * .65 = .195    to 6: .3 * .7 = .21
TEST(Lending, OneStepOfLoansToAllSpreadsTheScoresAsWorkedOut) {
  const Model model = unwrap(make_lending());
  const Evaluation result = unwrap(evaluate(model, accept_all(model)));
  const double expected[] = {0.08, 0.055, 0.1, 0.15, 0.21, 0.195, 0.21};
  for (std::size_t x = 0; x < 7; ++x) EXPECT_NEAR(result.feature(0, 1, x), expected[x], 1e-15);
}

// The first loan: P(repay) = .02 + .045 + .12 + .195 + .21 = .59 and .01 + .02 + .09 + .18 + .195 = .495. With interest
// 1 it earns .59 - .41 = .18 and .495 - .505 = -.01; with interest 1/2 it earns .295 - .41 = -.115 and .2475 - .505 =
// -.2575.
TEST(Lending, TheFirstLoanEarnsWhatWasWorkedOut) {
  for (const auto& [interest, advantaged, disadvantaged] : {std::tuple{1.0, 0.18, -0.01}, {0.5, -0.115, -0.2575}}) {
    const Model model = unwrap(make_lending({.horizon = 1, .interest = interest, .share = {0.75, 0.25}}));
    const Evaluation result = unwrap(evaluate(model, accept_all(model)));
    EXPECT_NEAR(result.value_per_group[0], advantaged, 1e-15);
    EXPECT_NEAR(result.value_per_group[1], disadvantaged, 1e-15);
    EXPECT_NEAR(result.value, 0.75 * advantaged + 0.25 * disadvantaged, 1e-15);
  }
}

TEST(Lending, DefaultsAreThoseOfTheSource) {
  const Model model = unwrap(make_lending());
  EXPECT_EQ(model.shape(), (Shape{2, 8, 7}));
  EXPECT_EQ(model.names().labels, (std::vector<std::string>{"defaults", "repays"}));
  EXPECT_EQ(model.share(0), 0.5);
  const double disadvantaged[] = {0.1, 0.1, 0.2, 0.3, 0.3, 0, 0};
  const double repay[] = {0.1, 0.2, 0.45, 0.6, 0.65, 0.7, 0.7};
  for (std::size_t x = 0; x < 7; ++x) {
    EXPECT_DOUBLE_EQ(model.spec().initial(1, x, kRepays), disadvantaged[x] * repay[x]);
    EXPECT_DOUBLE_EQ(model.spec().initial(1, x, kDefaults), disadvantaged[x] * (1 - repay[x]));
    EXPECT_EQ(model.spec().reward(1, x, kRepays, kAccept), 1);
    EXPECT_EQ(model.spec().reward(1, x, kDefaults, kAccept), -1);
    EXPECT_EQ(model.spec().reward(1, x, kRepays, kRefuse), 0);
  }
}

TEST(Lending, AnyNumberOfScoresAndGroupsCanBeGiven) {
  const Model model =
      unwrap(make_lending({.groups = {"a", "b", "c"}, .repay = {0.25, 0.75}, .scores = {{1, 0}, {0.5, 0.5}, {0, 1}}}));
  EXPECT_EQ(model.shape(), (Shape{3, 8, 2}));
  EXPECT_EQ(model.spec().initial(2, 1, kRepays), 0.75);
  EXPECT_EQ(model.spec().transition(1, 0, kRepays, kAccept, 1, kRepays), 0.75);
  EXPECT_EQ(unwrap(make_lending({.repay = {0.5}, .scores = {{1}, {1}}})).shape().features, 1u);
}

TEST(Lending, OptionsThatMakeNoSenseAreNamed) {
  const auto message = [](const LendingOptions& options) {
    const auto model = make_lending(options);
    return model ? Text("taken") : model.error().message;
  };
  EXPECT_EQ(message({.horizon = 0}), "horizon is 0, expected at least 1");
  EXPECT_EQ(message({.interest = -0.1}), "interest is -0.1, expected a number from 0 to 1e100");
  EXPECT_EQ(message({.interest = std::numeric_limits<double>::quiet_NaN()}),
            "interest is nan, expected a number from 0 to 1e100");
  EXPECT_EQ(message({.move = 1.1}), "move is 1.1, expected a probability between 0 and 1");
  EXPECT_EQ(message({.share = {1}}), "share has 1 entry, expected 2 (one for each of advantaged, disadvantaged)");
  EXPECT_EQ(message({.repay = {}}), "repay has 0 entries, expected one for each score");
  EXPECT_EQ(message({.repay = {0.5, 7}, .scores = {{1, 0}, {1, 0}}}),
            "repay[1] is 7, expected a probability between 0 and 1");
  EXPECT_EQ(message({.repay = {0.5, 0.6}}), "scores[advantaged] has 7 entries, expected 2 (one for each of 0, 1)");
  EXPECT_EQ(message({.repay = {0.5, 0.6}, .scores = {{1, 0}, {0.5, 0.6}}}),
            "scores[disadvantaged] sums to 1.1, expected 1 (within 1e-09)");
  EXPECT_EQ(message({.groups = {"a", "b", "c"}}), "scores has 2 rows, expected 3 (one for each of a, b, c)");
}

}  // namespace
}  // namespace fairstep
