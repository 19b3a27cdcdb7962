#include <fairstep/optimise/common/best_first.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>

namespace fairstep {
namespace {

struct Numbered {
  double bound = 0;
};

BestFirst<Numbered> three_nodes() {
  BestFirst<Numbered> search;
  for (const double bound : {1.0, 3.0, 2.0}) search.push({bound});
  return search;
}

TEST(BestFirst, TakesTheGreatestBoundFirstUntilNothingIsOpen) {
  BestFirst<Numbered> search = three_nodes();
  EXPECT_EQ(search.bound(), 3);
  std::vector<double> order;
  search.run([](double) { return false; }, [&](const Numbered& node) { order.push_back(node.bound); });
  EXPECT_EQ(order, (std::vector<double>{3, 2, 1}));
  EXPECT_TRUE(search.finished());
  EXPECT_EQ(search.bound(), -kInfinity);
}

TEST(BestFirst, LeavesOpenWhatNeedNotBeLookedAt) {
  BestFirst<Numbered> search = three_nodes();
  int expanded = 0;
  search.run([](double bound) { return bound <= 2; }, [&](const Numbered&) { ++expanded; });
  EXPECT_EQ(expanded, 1);
  EXPECT_FALSE(search.finished());
  EXPECT_EQ(search.bound(), 2);
}

TEST(BestFirst, CountsWhatIsSetAside) {
  BestFirst<Numbered> search = three_nodes();
  search.run([](double) { return false; }, [&](const Numbered& node) { search.set_aside(node.bound - 0.5); });
  EXPECT_TRUE(search.finished());
  EXPECT_EQ(search.aside(), 2.5);
  EXPECT_EQ(search.bound(), 2.5);
}

TEST(BestFirst, ANodeThatRunsOutOfTimeIsAsOpenAsItWas) {
  BestFirst<Numbered> search;
  search.push({3});
  int expanded = 0;
  search.run([](double) { return false; },
             [&](const Numbered&) {
               ++expanded;
               search.push({1});  // half of what it was to become
               throw OutOfTime{};
             });
  EXPECT_EQ(expanded, 1);
  EXPECT_FALSE(search.finished());
  EXPECT_EQ(search.bound(), 3);
}

/// The most valuable things that fit into a bag: all 2^10 choices, and best first with what is left for the bound.
TEST(BestFirst, FindsWhatBruteForceFinds) {
  constexpr std::size_t kThings = 10;
  struct Bag {
    double bound = 0, value = 0, weight = 0;
    std::size_t next = 0;
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed, 602);
    std::vector<double> value(kThings), weight(kThings);
    for (double& v : value) v = rng.uniform();
    for (double& w : weight) w = rng.uniform();
    double most = 0;
    for (std::uint32_t bits = 0; bits < (1U << kThings); ++bits) {
      double worth = 0, heavy = 0;
      for (std::size_t i = 0; i < kThings; ++i) {
        worth += (bits >> i & 1U) != 0 ? value[i] : 0;
        heavy += (bits >> i & 1U) != 0 ? weight[i] : 0;
      }
      if (heavy <= 2) most = std::max(most, worth);
    }
    BestFirst<Bag> search;
    double best = 0;
    std::size_t looked_at = 0;
    const auto push = [&](Bag bag) {
      if (bag.weight > 2) return;
      best = std::max(best, bag.value);
      bag.bound = bag.value;
      for (std::size_t i = bag.next; i < kThings; ++i) bag.bound += value[i];
      search.push(bag);
    };
    push({});
    search.run([&](double bound) { return bound <= best; },
               [&](const Bag& bag) {
                 ++looked_at;
                 if (bag.next == kThings) return;
                 push({0, bag.value, bag.weight, bag.next + 1});
                 push({0, bag.value + value[bag.next], bag.weight + weight[bag.next], bag.next + 1});
               });
    EXPECT_NEAR(best, most, 1e-12) << "seed " << seed;
    EXPECT_LT(looked_at, 1U << kThings) << "seed " << seed;
  }
}

}  // namespace
}  // namespace fairstep
