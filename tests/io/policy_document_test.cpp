// Policies as documents: three ways to write one, and how large each says it is.
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::random_policy;
using testing::unwrap;

Expected<Policy> policy_in(const std::string& keys) {
  return parse_document(R"({"schema": "fairstep/policy/1", )" + keys + "}").map([](const auto& document) {
    return std::get<Policy>(document);
  });
}

Policy reread_policy(const Policy& policy) { return std::get<Policy>(unwrap(parse_document(to_text(policy)))); }

TEST(PolicyDocument, WithNamesGivesEachGroupItsTable) {
  const Policy policy = unwrap(policy_in(R"("groups": ["a", "b"], "accept": [[[0, 0.25, 1]], [[0.5, 0.5, 0.75]]])"));
  EXPECT_EQ(policy.groups(), 2U);
  EXPECT_EQ(policy.horizon(), 1U);
  EXPECT_EQ(policy.features(), 3U);
  EXPECT_EQ(policy.group_names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(policy.accept(0, 0, 1), 0.25);
  EXPECT_EQ(policy.accept(1, 0, 2), 0.75);
}

TEST(PolicyDocument, WithoutNamesIsByPosition) {
  const Policy policy = unwrap(policy_in(R"("accept": [[[0], [1]], [[0.5], [0.25]], [[1], [0]]])"));
  EXPECT_TRUE(policy.group_names().empty());
  EXPECT_EQ(policy.groups(), 3U);
  EXPECT_EQ(policy.horizon(), 2U);
  EXPECT_EQ(policy.accept(1, 1, 0), 0.25);
  EXPECT_EQ(to_text(policy).find("groups"), std::string::npos);
}

TEST(PolicyDocument, ForEveryGroupAlikeIsOneTable) {
  const Policy policy = unwrap(policy_in(R"("group_independent": true, "accept": [[0, 0.5], [1, 0.25]])"));
  EXPECT_TRUE(policy.group_independent());
  EXPECT_EQ(policy.horizon(), 2U);
  EXPECT_EQ(policy.features(), 2U);
  EXPECT_EQ(policy.accept(0, 1, 1), 0.25);
  EXPECT_EQ(to_text(policy), R"({
  "schema": "fairstep/policy/1",
  "group_independent": true,
  "accept": [
    [0, 0.5],
    [1, 0.25]
  ]
}
)");
}

TEST(PolicyDocument, ThatSaysItIsNotGroupIndependentMayNameGroups) {
  const Policy policy =
      unwrap(policy_in(R"("group_independent": false, "groups": ["a", "b"], "accept": [[[0]], [[1]]])"));
  EXPECT_FALSE(policy.group_independent());
}

TEST(PolicyDocument, KeepsARowOfNumbersOnALine) {
  Tensor<double, 3> accept({2, 2, 3}, 0.5);
  accept(1, 1, 2) = 1;
  EXPECT_EQ(to_text(unwrap(Policy::make(accept, {"a", "b"}))), R"({
  "schema": "fairstep/policy/1",
  "groups": ["a", "b"],
  "accept": [
    [
      [0.5, 0.5, 0.5],
      [0.5, 0.5, 0.5]
    ],
    [
      [0.5, 0.5, 0.5],
      [0.5, 0.5, 1]
    ]
  ]
}
)");
}

TEST(PolicyDocument, OfEitherKindComesBack) {
  const Model model = random_model(3, 3, 4, 5);
  const Policy named = random_policy(4, model);
  EXPECT_EQ(reread_policy(named), named);

  const Tensor<double, 3> by_position({2, 1, 2}, 0.1);
  const Policy nameless = unwrap(Policy::make(by_position));
  EXPECT_EQ(reread_policy(nameless), nameless);

  const Tensor<double, 2> shared({2, 3}, 1.0 / 3);
  const Policy independent = unwrap(Policy::make_group_independent(shared));
  EXPECT_TRUE(reread_policy(independent).group_independent());
  EXPECT_EQ(reread_policy(independent), independent);
}

TEST(PolicyDocument, OfTwoKindsAtOnceIsRefused) {
  const auto policy = policy_in(R"("group_independent": true, "groups": ["a", "b"], "accept": [[0]])");
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().message, "groups are named, expected none in a policy that is group independent");
  EXPECT_EQ(policy.error().pointer, "/groups");
}

TEST(PolicyDocument, IsMeasuredByItsFirstRow) {
  // Two features in the first row, three in the row of step 1 of group b.
  const auto policy = policy_in(R"("groups": ["a", "b"], "accept": [[[0, 1], [0, 1]], [[0, 1], [0, 1, 1]]])");
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().message, "accept[g=b,h=1] has 3 entries, expected 2 (features)");
  EXPECT_EQ(policy.error().pointer, "/accept/1/1");
  EXPECT_EQ(policy.error().hint,
            "accept is [group][step][feature], as long as its first rows; with \"group_independent\": true it is "
            "[step][feature]");
}

TEST(PolicyDocument, OfAGroupIndependentTableIsMeasuredByItsFirstRowToo) {
  const auto policy = policy_in(R"("group_independent": true, "accept": [[0, 1], [0]])");
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().message, "accept[h=1] has 1 entry, expected 2 (features)");
  EXPECT_EQ(policy.error().hint, "accept is [step][feature] in a group-independent policy, as long as its first row");
}

TEST(PolicyDocument, OfNumbersInPlaceOfRowsIsRefused) {
  const auto policy = policy_in(R"("accept": [0, 1])");
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().message, "accept[g=0] is 0, expected an array (steps)");
  EXPECT_EQ(policy.error().pointer, "/accept/0");
}

}  // namespace
}  // namespace fairstep
