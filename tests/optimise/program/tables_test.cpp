#include <fairstep/optimise/program/tables.hpp>

#include <gtest/gtest.h>

#include <fairstep/optimise/program/compile.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

TEST(PolicyTables, ThereAndBackIsTheSamePolicy) {
  const Model model = testing::random_model(1, 3, 2, 2);
  const Policy policy = testing::random_policy(2, model);
  const Program program = unwrap(compile(model, {}, {}));
  const Policy back = policy_of(program, tables_of(program, policy));
  for (std::size_t g = 0; g < 3; ++g)
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t x = 0; x < 2; ++x) EXPECT_EQ(back.accept(g, h, x), policy.accept(g, h, x));
}

TEST(PolicyTables, LieInTheirBoxes) {
  const Model model = testing::random_model(1, 2, 2, 2);
  const Program program = unwrap(compile(model, {}, {.floor = 0.1}));
  const Policy never = unwrap(Policy::make(Tensor<double, 3>({2, 2, 2}, 0.0)));
  for (const auto& table : tables_of(program, never))
    for (const double p : table) EXPECT_EQ(p, 0.1);
  for (const auto& table : middle_of(program))
    for (const double p : table) EXPECT_EQ(p, 0.5);
}

TEST(PolicyTables, OneForAllGroupsIsAPolicyThatDoesNotSeeThem) {
  const Model model = testing::random_model(1, 2, 2, 2);
  const Program program = unwrap(compile(model, {}, {.group_independent = true}));
  const Policy policy = policy_of(program, {{0.1, 0.2, 0.3, 0.4}});
  for (std::size_t g = 0; g < 2; ++g) EXPECT_EQ(policy.accept(g, 1, 0), 0.3);
}

}  // namespace
}  // namespace fairstep
