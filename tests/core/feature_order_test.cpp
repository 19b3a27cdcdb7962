// In which order features rise.
#include <fairstep/core/feature_order.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;
using Words = std::vector<std::string>;

std::string said(const Words& names, const Words& order, std::size_t column = 0) {
  const auto chains = feature_order(names, order, column);
  return chains ? "" : std::string(chains.error().message);
}

TEST(FeatureOrderOf, AModelsOwnOrderIsOneChain) {
  EXPECT_EQ(unwrap(feature_order({"0", "25", "50"})), (FeatureOrder{{0, 1, 2}}));
}

TEST(FeatureOrderOf, AnOrderMayBeGivenWordByWordOrInOneText) {
  EXPECT_EQ(unwrap(feature_order({"low", "high", "middle"}, {"low", "middle", "high"})), (FeatureOrder{{0, 2, 1}}));
  EXPECT_EQ(unwrap(feature_order({"low", "high", "middle"}, {"low,middle,high"})), (FeatureOrder{{0, 2, 1}}));
  // Names with commas are known by the longest that fits.
  EXPECT_EQ(unwrap(feature_order({"[0,1)", "[1,2)", "none"}, {"none,[1,2),[0,1)"})), (FeatureOrder{{2, 1, 0}}));
}

TEST(FeatureOrderOf, FeaturesOfSeveralColumnsRiseInOneOfThem) {
  const Words names{"old/0", "old/1", "young/0", "young/1"};
  EXPECT_EQ(unwrap(feature_order(names, {}, 2)), (FeatureOrder{{0, 1}, {2, 3}}));
  EXPECT_EQ(unwrap(feature_order(names, {}, 1)), (FeatureOrder{{0, 2}, {1, 3}}));
  EXPECT_EQ(unwrap(feature_order(names, {"young", "old"}, 1)), (FeatureOrder{{2, 0}, {3, 1}}));
  // A slash that is escaped divides nothing.
  EXPECT_EQ(unwrap(feature_order({R"(a\/b/1)", R"(a\/b/0)"}, {"0", "1"}, 2)), (FeatureOrder{{1, 0}}));
}

TEST(FeatureOrderOf, EveryValueIsNamedOnce) {
  EXPECT_EQ(said({"a", "b"}, {"a"}), "order names \"b\" nowhere, expected each of the 2 once");
  EXPECT_EQ(said({"a", "b"}, {"a,b,a"}), "order names \"a\" twice, expected each of the 2 once");
  EXPECT_EQ(said({"a", "b"}, {"a,c"}), "order has \"c\", expected \"a\" or \"b\"");
  EXPECT_EQ(said({"a", "b"}, {"a,b,"}), "order has \"\", expected \"a\" or \"b\"");
}

TEST(FeatureOrderOf, AColumnMustBeThere) {
  EXPECT_EQ(said({"a/1", "b/2"}, {}, 3),
            "monotone_in is 3, but the feature \"a/1\" has 2 parts with slashes between them");
  EXPECT_EQ(said({"a", "b"}, {}, 2), "monotone_in is 2, but the feature \"a\" has no slash in it");
}

TEST(FallsOf, APolicyFallsWhereAHigherFeatureIsAcceptedLess) {
  Tensor<double, 2> accept({1, 4});
  const double row[] = {0.5, 0.25, 0.75, 0.75 - 0x1p-46};
  for (std::size_t x = 0; x < 4; ++x) accept(0, x) = row[x];
  const Policy policy = unwrap(Policy::make_group_independent(accept));
  const auto falls = falls_of(policy, {{0, 1, 2, 3}}, 1e-12);
  ASSERT_EQ(falls.size(), 1U);
  EXPECT_EQ(falls[0].lower, 0U);
  EXPECT_EQ(falls[0].higher, 1U);
  EXPECT_EQ(falls[0].by, 0.25);
  EXPECT_EQ(falls_of(policy, {{0, 1, 2, 3}}).size(), 2U);
  EXPECT_TRUE(falls_of(policy, {{1, 0}, {3, 2}}).empty());
}

}  // namespace
}  // namespace fairstep
