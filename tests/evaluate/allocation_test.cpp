// evaluate_into is called in the innermost loops of later rooms: once its result is there it must not allocate. The
// robust rates allocate their result and a workspace, and nothing in their recursions.
//
// This file replaces the global operator new of its test program by one that counts.
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/robust.hpp>

#include "support/models.hpp"

namespace {

std::size_t allocations = 0;  // the test program has one thread

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace fairstep {
namespace {

std::size_t allocations_of_one_call(const Model& model, const Policy& policy) {
  Evaluation result(model.shape());
  const std::size_t before = allocations;
  evaluate_into(model, policy, result);
  return allocations - before;
}

TEST(Allocation, TheCounterCounts) {
  const std::size_t before = allocations;
  const Evaluation result(Shape{2, 3, 4});
  EXPECT_GT(allocations, before);
  EXPECT_EQ(result.value_per_step.size(), 3u);
}

TEST(Allocation, EvaluateIntoAllocatesNothing) {
  const Model dense = testing::random_model(1, 3, 5, 8);
  EXPECT_EQ(allocations_of_one_call(dense, testing::random_policy(1, dense)), 0u);
  const Model sparse = testing::unwrap(make_random({.features = 40, .successors = 3}));
  EXPECT_EQ(allocations_of_one_call(sparse, testing::random_policy(1, sparse)), 0u);
}

std::size_t allocations_of_robust_rates(std::size_t horizon) {
  const Model model = testing::random_model(1, 3, 5, horizon);
  const Policy policy = testing::random_policy(1, model);
  const Balls balls{Tensor<double, 4>({3, 5, 2, 2}, 0.1), {0.1, 0.1, 0.1}};
  const std::size_t before = allocations;
  EXPECT_TRUE(robust_rates(model, policy, balls));
  return allocations - before;
}

TEST(Allocation, RobustRatesAllocateAsMuchForOneStepAsForTen) {
  EXPECT_EQ(allocations_of_robust_rates(1), allocations_of_robust_rates(10));
}

}  // namespace
}  // namespace fairstep
