// The worst chains of features and shares of labels, worked out by hand and against every corner of small sets.
#include <fairstep/evaluate/robust_features.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/policy.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

constexpr double kTightly = 1e-12;

/// Two groups alike, of two features; boxes leave room for everything, so that balls are the sets.
FeatureSets two_features(double initial_radius, const Tensor<double, 3>& radius) {
  FeatureSets sets;
  sets.initial = Tensor<double, 2>({2, 2}, 0.5);
  sets.initial_low = Tensor<double, 2>({2, 2}, 0.0);
  sets.initial_high = Tensor<double, 2>({2, 2}, 1.0);
  sets.initial_radius = {initial_radius, initial_radius};
  sets.transition = Tensor<double, 4>({2, 2, kActions, 2}, 0.5);
  sets.low = Tensor<double, 4>(sets.transition.extents(), 0.0);
  sets.high = Tensor<double, 4>(sets.transition.extents(), 1.0);
  sets.radius = radius;
  return sets;
}

void expect_outwards(const Range& found, double low, double high) {
  EXPECT_NEAR(found.low, low, kTightly);
  EXPECT_NEAR(found.high, high, kTightly);
  EXPECT_LE(found.low, low);
  EXPECT_GE(found.high, high);
}

/// Whoever has feature 1 is accepted. The low stay low with 3/4, give or take 1/8; the high stay high with 3/4 exactly.
class TwoFeatures : public ::testing::Test {
 protected:
  TwoFeatures() {
    for (const std::size_t g : {0u, 1u}) {
      sets.transition(g, 0, 0, 0) = 0.75;
      sets.transition(g, 0, 0, 1) = 0.25;
      sets.transition(g, 1, 1, 0) = 0.25;
      sets.transition(g, 1, 1, 1) = 0.75;
      sets.radius(g, 0, 0) = 0.125;
      qualified(g, 0) = {0.25, 0.5};
      qualified(g, 1) = {0.5, 0.75};
    }
  }

  FeatureSets sets = two_features(0.1, Tensor<double, 3>({2, 2, kActions}, 0.0));
  Tensor<Range, 2> qualified{std::array<std::size_t, 2>{2, 2}};
  Tensor<double, 2> accept = [] {
    Tensor<double, 2> table({2, 2}, 0.0);
    table(0, 1) = table(1, 1) = 1;
    return table;
  }();
  Policy policy = unwrap(Policy::make_group_independent(accept));
};

// P(high) is 0.4 to 0.6 at step 0. At step 1 at most 0.6 3/4 + 0.4 3/8 = 0.6, at least 0.4 3/4 + 0.6 1/8 = 0.375.
TEST_F(TwoFeatures, AreAcceptedAsOftenAsTheyAreHigh) {
  const auto found = unwrap(robust_acceptance(sets, policy));
  expect_outwards(found(0, 0), 0.4, 0.6);
  expect_outwards(found(1, 1), 0.375, 0.6);
}

// With P the share of the high and q0, q1 those qualified, P(a=1 | y=1) = P q1 / (P q1 + (1-P) q0). At most
// 0.6 3/4 / (0.6 3/4 + 0.4 1/4) = 9/11, at least 0.4 1/2 / (0.4 1/2 + 0.6 1/2) = 2/5. Of the unqualified: at most
// 0.6 1/2 / (0.6 1/2 + 0.4 1/2) = 3/5, at least 0.4 1/4 / (0.4 1/4 + 0.6 3/4) = 2/11. Qualified are at most
// 0.6 3/4 + 0.4 1/2 = 0.65, at least 0.4 1/2 + 0.6 1/4 = 0.35.
TEST_F(TwoFeatures, TakeTheWorseEndOfEachShareOfLabels) {
  const LabelRateRanges found = unwrap(robust_label_rates(sets, qualified, policy));
  for (const std::size_t g : {0u, 1u}) {
    expect_outwards(found.tpr(g, 0), 2.0 / 5, 9.0 / 11);
    expect_outwards(found.fpr(g, 0), 2.0 / 11, 3.0 / 5);
    expect_outwards(found.qualified(g, 0), 0.35, 0.65);
  }
  // At step 1 P(high) is 0.375 to 0.6: at least 0.375 1/2 / (0.375 1/2 + 0.625 1/2) = 3/8 are accepted.
  expect_outwards(found.tpr(0, 1), 0.375, 9.0 / 11);
}

TEST_F(TwoFeatures, AreTheHullOfThePolicyWhereNobodyMayHaveTheLabel) {
  qualified(0, 0) = qualified(0, 1) = {0, 1};
  const LabelRateRanges found = unwrap(robust_label_rates(sets, qualified, policy));
  EXPECT_EQ(found.tpr(0, 0).low, 0);
  EXPECT_EQ(found.tpr(0, 0).high, 1);
  EXPECT_EQ(found.qualified(0, 1).low, 0);
  EXPECT_EQ(found.qualified(0, 1).high, 1);
}

TEST_F(TwoFeatures, StopWhenAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(robust_acceptance(sets, policy, {stop.get_token(), {}}));
  EXPECT_FALSE(robust_label_rates(sets, qualified, policy, {stop.get_token(), {}}));
  const Policy other = unwrap(Policy::make_group_independent(Tensor<double, 2>({2, 3}, 0.5)));
  EXPECT_EQ(robust_acceptance(sets, other).error().pointer, "/accept");
}

/// With two features each row is a number, P(feature 1), between two ends; a rate is a quotient of functions that are
/// linear in each of these numbers and in each share of labels, so that its extremes are at corners.
struct Corners {
  const FeatureSets& sets;
  const Tensor<Range, 2>& qualified;
  const Policy& policy;

  [[nodiscard]] static double end(double p, double low, double high, double radius, bool upper) {
    return upper ? std::min({high, p + radius, 1.0}) : std::max({low, p - radius, 0.0});
  }

  /// The greatest and the least of three rates at step h of group 0: P(a=1), P(a=1 | y=1), P(a=1 | y=0).
  [[nodiscard]] std::array<Range, 3> extremes(std::size_t h) const {
    std::array<Range, 3> found;
    for (Range& range : found) range = {2, -1};
    const std::size_t rows = 4 * h;
    for (std::uint32_t corner = 0; corner < (1u << (3 + rows)); ++corner) {
      const auto upper = [&](std::size_t bit) { return (corner >> bit & 1u) != 0; };
      double high =
          end(sets.initial(0, 1), sets.initial_low(0, 1), sets.initial_high(0, 1), sets.initial_radius[0], upper(0));
      for (std::size_t t = 0; t < h; ++t) {
        double next = 0;
        for (std::size_t x = 0; x < 2; ++x)
          for (std::size_t a = 0; a < kActions; ++a) {
            const double p = policy.accept(0, t, x);
            next += (x == 1 ? high : 1 - high) * (a == 1 ? p : 1 - p) *
                    end(sets.transition(0, x, a, 1), sets.low(0, x, a, 1), sets.high(0, x, a, 1), sets.radius(0, x, a),
                        upper(3 + 4 * t + 2 * x + a));
          }
        high = next;
      }
      const double q0 = upper(1) ? qualified(0, 0).high : qualified(0, 0).low;
      const double q1 = upper(2) ? qualified(0, 1).high : qualified(0, 1).low;
      const auto rate = [&](double w0, double w1) {
        return ((1 - high) * w0 * policy.accept(0, h, 0) + high * w1 * policy.accept(0, h, 1)) /
               ((1 - high) * w0 + high * w1);
      };
      const double rates[] = {rate(1, 1), rate(q0, q1), rate(1 - q0, 1 - q1)};
      for (std::size_t i = 0; i < 3; ++i) {
        found[i].low = std::min(found[i].low, rates[i]);
        found[i].high = std::max(found[i].high, rates[i]);
      }
    }
    return found;
  }
};

TEST(RobustFeatures, AreTheExtremesOverAllCorners) {
  for (std::uint64_t world = 0; world < 60; ++world) {
    std::mt19937_64 engine(world);
    std::uniform_real_distribution<double> uniform(0, 1);
    FeatureSets sets = two_features(0.3 * uniform(engine), Tensor<double, 3>({2, 2, kActions}, 0.0));
    const auto draw_row = [&](double& p0, double& p1, double& low0, double& low1, double& high0, double& high1) {
      p1 = uniform(engine);
      p0 = 1 - p1;
      // The box of one entry is that of the other, as seen from there.
      const double less = p1 * uniform(engine), more = p0 * uniform(engine);
      low1 = p1 - less;
      high1 = p1 + more;
      low0 = std::max(0.0, p0 - more);
      high0 = std::min(1.0, p0 + less);
    };
    draw_row(sets.initial(0, 0), sets.initial(0, 1), sets.initial_low(0, 0), sets.initial_low(0, 1),
             sets.initial_high(0, 0), sets.initial_high(0, 1));
    for (std::size_t x = 0; x < 2; ++x)
      for (std::size_t a = 0; a < kActions; ++a) {
        draw_row(sets.transition(0, x, a, 0), sets.transition(0, x, a, 1), sets.low(0, x, a, 0), sets.low(0, x, a, 1),
                 sets.high(0, x, a, 0), sets.high(0, x, a, 1));
        sets.radius(0, x, a) = 0.4 * uniform(engine);
      }
    Tensor<Range, 2> qualified({2, 2}, Range{0.2, 0.4});
    for (std::size_t x = 0; x < 2; ++x) {
      const double one = 0.05 + 0.9 * uniform(engine), other = 0.05 + 0.9 * uniform(engine);
      qualified(0, x) = {std::min(one, other), std::max(one, other)};
    }
    Tensor<double, 2> accept({3, 2});
    for (double& entry : accept.flat()) entry = uniform(engine);
    const Policy policy = unwrap(Policy::make_group_independent(accept));
    const auto acceptance = unwrap(robust_acceptance(sets, policy));
    const LabelRateRanges rates = unwrap(robust_label_rates(sets, qualified, policy));
    const Corners corners{sets, qualified, policy};
    for (std::size_t h = 0; h < 3; ++h) {
      const auto expected = corners.extremes(h);
      const Range found[] = {acceptance(0, h), rates.tpr(0, h), rates.fpr(0, h)};
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(found[i].low, expected[i].low, 1e-11) << world << ' ' << h << ' ' << i;
        EXPECT_NEAR(found[i].high, expected[i].high, 1e-11) << world << ' ' << h << ' ' << i;
        EXPECT_LE(found[i].low, expected[i].low + 1e-15);
        EXPECT_GE(found[i].high, expected[i].high - 1e-15);
      }
    }
  }
}

}  // namespace
}  // namespace fairstep
