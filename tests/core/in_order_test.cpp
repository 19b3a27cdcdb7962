// Groups and features by their names, whatever their order.
#include <fairstep/core/in_order.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

/// The last group first, the others after it; features likewise.
Names turned(Names names) {
  for (std::vector<std::string>* list : {&names.groups, &names.features}) {
    list->insert(list->begin(), list->back());
    list->pop_back();
  }
  return names;
}

TEST(InOrder, AModelKeepsWhatEachNameHas) {
  const Model model = testing::random_model(3, 3, 4, 3);
  const Names names = turned(model.names());
  const Model other = in_order_of(names, model);
  EXPECT_EQ(other.names(), names);
  const std::size_t groups = 3, features = other.shape().features;
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t x = 0; x < features; ++x) {
      const std::size_t to_g = (g + 1) % groups, to_x = (x + 1) % features;
      EXPECT_EQ(other.share(to_g), model.share(g));
      EXPECT_EQ(other.spec().initial(to_g, to_x, 1), model.spec().initial(g, x, 1));
      EXPECT_EQ(other.spec().reward(to_g, to_x, 0, 1), model.spec().reward(g, x, 0, 1));
      EXPECT_EQ(other.spec().transition(to_g, to_x, 0, 1, (to_x + 1) % features, 1),
                model.spec().transition(g, x, 0, 1, (x + 1) % features, 1));
    }
  EXPECT_EQ(in_order_of(model.names(), other).spec(), model.spec());
}

TEST(InOrder, APolicyMovesItsGroupsAlone) {
  const Model model = testing::random_model(5, 3, 2, 3);
  const Policy policy = testing::random_policy(5, model);
  const Policy unnamed = *Policy::make(policy.table());
  const Names names = turned(model.names());
  const Policy other = in_order_of(names.groups, policy);
  EXPECT_EQ(other.group_names(), names.groups);
  for (std::size_t g = 0; g < 3; ++g)
    for (std::size_t x = 0; x < model.shape().features; ++x)
      EXPECT_EQ(other.accept((g + 1) % 3, 1, x), policy.accept(g, 1, x));
  // Without names there is nothing to go by.
  EXPECT_EQ(in_order_of(names.groups, unnamed), unnamed);
}

TEST(InOrder, CountsMoveThereAndBack) {
  Names names;
  names.groups = {"a", "b", "c"};
  names.features = {"low", "middle", "high"};
  CountsSpec spec = CountsSpec::zeros(2, names);
  std::int64_t n = 0;
  for (std::int64_t& count : spec.first.flat()) count = ++n;
  for (std::int64_t& count : spec.visits.flat()) count = 1000 + ++n;
  const Counts counts = *Counts::make(std::move(spec));
  const Counts other = in_order_of(turned(names), counts);
  EXPECT_EQ(other.names(), turned(names));
  EXPECT_EQ(other.first()(0, 0, 1), counts.first()(2, 2, 1));
  EXPECT_EQ(other.visits()(1, 1, 0, 1, 0), counts.visits()(0, 1, 2, 1, 0));
  EXPECT_EQ(in_order_of(names, other), counts);
}

TEST(InOrder, OtherNamesStayForWhoeverRefusesThem) {
  const Model model = testing::random_model(3, 2, 2, 2);
  Names names = model.names();
  names.groups.front() = "nobody";
  EXPECT_EQ(in_order_of(names, model).spec(), model.spec());
  names = model.names();
  names.groups.emplace_back("one more");
  EXPECT_EQ(in_order_of(names, model).spec(), model.spec());
}

TEST(InOrder, BinsStayInTheOrderOfTheirNumbers) {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"[0,1)", "[1,inf)"};
  CountsSpec spec = CountsSpec::zeros(2, names);
  spec.log = LogRecord{};
  spec.log->bins = {0, 1};
  const auto made = Counts::make(std::move(spec));
  ASSERT_TRUE(made) << made.error().message;
  Names other = names;
  std::swap(other.features[0], other.features[1]);
  EXPECT_EQ(in_order_of(other, *made), *made);
}

}  // namespace
}  // namespace fairstep
