// Tables that are gone through, in whatever way, earn no more than is said, and sums hold for policies as they are.
#include <fairstep/prove/derive.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"
#include "tables.hpp"

namespace fairstep::prove {
namespace {

using testing::all_tables;
using testing::earned_by;

Asked parity(Notion notion, double limit, std::size_t steps) {
  return {.parity = {{notion, std::vector<double>(steps, limit), {}}}};
}

std::vector<std::vector<double>> ones(const Model& model, const Asked& asked) {
  std::vector<std::vector<double>> scale;
  for (const Limit& limit : limits_of(model, asked)) scale.emplace_back(limit.groups.size(), 1.0);
  return scale;
}

class OneModel : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Model model = testing::random_model(GetParam(), 2, 2, 3);
  Asked asked = parity(Notion::dp, 1, 3);
  Relations relations{model, asked, ones(model, asked)};
  Derivation derivation{model, asked, relations, 5};
  Place place = derivation.everywhere();
  Derivation::Left left = derivation.left_by({.target = Relations::kValue}, place, std::nullopt, nullptr);

  [[nodiscard]] double best(std::size_t g) const {
    double best = -1e9;
    for (const auto& table : all_tables(model.shape())) best = std::max(best, earned_by(model, g, table, left.pay[g]));
    return best;
  }
};

TEST_P(OneModel, StepByStepIsExact) {
  for (const std::size_t g : {0U, 1U}) {
    EXPECT_EQ(derivation.settle(g, left, place.box[g], best(g) + 1e-12, 1'000'000), true);
    EXPECT_EQ(derivation.settle(g, left, place.box[g], best(g) - 1e-9, 1'000'000), false);
  }
}

TEST_P(OneModel, StepByStepGivesUpWhereThereIsTooMuch) {
  EXPECT_EQ(derivation.settle(0, left, place.box[0], best(0) - 1e-9, 0), std::nullopt);
}

TEST_P(OneModel, ATreeThatSettlesAllEntriesIsExactAndOneThatSettlesSomeIsABound) {
  // In preorder: entries 0 to 5 one after the other, each in both halves of the one before.
  std::vector<int> tree;
  const auto grow = [&](const auto& self, int entry, int end) -> void {
    tree.push_back(entry == end ? -1 : entry);
    if (entry == end) return;
    self(self, entry + 1, end);
    self(self, entry + 1, end);
  };
  grow(grow, 0, 6);
  EXPECT_NEAR(static_cast<double>(*derivation.most_of(0, left, place.box[0], {.tree = tree}, "")), best(0), 1e-12);
  tree.clear();
  grow(grow, 0, 3);
  EXPECT_GE(static_cast<double>(*derivation.most_of(0, left, place.box[0], {.tree = tree}, "")), best(0) - 1e-15);
}

INSTANTIATE_TEST_SUITE_P(RandomModels, OneModel, ::testing::Range<std::uint64_t>(1, 9));

TEST(ProofTables, ATreeThatEndsEarlyOrGoesOnIsRefused) {
  const Model model = testing::random_model(1, 2, 2, 2);
  const Asked asked = parity(Notion::dp, 1, 2);
  const Relations relations(model, asked, ones(model, asked));
  const Derivation derivation(model, asked, relations, 5);
  const Place place = derivation.everywhere();
  const Derivation::Left left = derivation.left_by({.target = Relations::kValue}, place, std::nullopt, nullptr);
  EXPECT_TRUE(derivation.most_of(0, left, place.box[0], {.tree = {0, -1, -1}}, "").has_value());
  EXPECT_FALSE(derivation.most_of(0, left, place.box[0], {.tree = {0, -1}}, "").has_value());
  EXPECT_FALSE(derivation.most_of(0, left, place.box[0], {.tree = {0, -1, -1, -1}}, "").has_value());
  EXPECT_FALSE(
      derivation.most_of(0, left, place.box[0], {.tree = {4, -1, -1}}, "").has_value());  // four entries: 0 to 3
}

TEST(ProofSums, APriceOfTheWrongSignIsRefused) {
  const Model model = testing::random_model(1, 2, 2, 2);
  const Asked asked = parity(Notion::eqopt, 0.1, 2);
  const Relations relations(model, asked, ones(model, asked));
  const Derivation derivation(model, asked, relations, 5);
  const Place place = derivation.everywhere();
  for (const auto& [row, price] : std::vector<std::pair<std::string, double>>{{"cutoff", 1},
                                                                              {"up 1 0", -1},
                                                                              {"low 1 0", 1},
                                                                              {"w 1 0 0", 1},
                                                                              {"w 1 0 1", 1},
                                                                              {"w 1 0 2", -1},
                                                                              {"e 1 0 1 3", -1}}) {
    Claim claim{.about = Claim::About::value, .rows = {{row, price}}};
    EXPECT_FALSE(derivation.most(claim, place, 1.0, "").has_value()) << row;
    claim.rows[0].second = -price;
    EXPECT_TRUE(derivation.most(claim, place, 1.0, "").has_value()) << row;
  }
}

}  // namespace
}  // namespace fairstep::prove
