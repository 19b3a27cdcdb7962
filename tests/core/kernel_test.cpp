// The dense and the sparse path of a kernel do the same.
#include <fairstep/core/kernel.hpp>

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/model.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/core/shape.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::unwrap;

/// A model whose rows have `filled` equal entries each, at random places.
Model model_with_filled(std::size_t filled, std::size_t features) {
  ModelSpec spec = random_model(3, 2, features, 2).spec();
  Rng rng(4, filled);
  const std::size_t states = features * kLabels;
  const std::size_t rows = spec.transition.size() / states;
  for (std::size_t r = 0; r < rows; ++r) {
    auto row = spec.transition.flat().subspan(r * states, states);
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t left = filled; left > 0;) {
      double& entry = row[rng() % states];
      if (entry != 0) continue;
      entry = 1.0 / static_cast<double>(filled);
      --left;
    }
  }
  return unwrap(Model::make(std::move(spec)));
}

std::vector<double> random_values(std::size_t count) {
  Rng rng(8);
  std::vector<double> values(count);
  for (double& value : values) value = rng.uniform() - 0.5;
  return values;
}

/// The kernel of a group without its index of non-zero entries.
KernelView dense(const Model& model, std::size_t g) {
  static const NonZeros none;
  return {model.spec().transition.block(g).data(), model.shape().states(), none};
}

class Kernel : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Kernel, PullsAndPushesTheSameDenseOrSparse) {
  const Model model = model_with_filled(GetParam(), 8);
  const std::size_t states = model.shape().states();
  const std::vector<double> f = random_values(states);
  for (std::size_t g = 0; g < 2; ++g) {
    const KernelView kernel = model.kernel(g, 0);
    ASSERT_EQ(kernel.states(), states);
    for (std::size_t cell = 0; cell < model.shape().cells(); ++cell) {
      // Both add the same products in the same order, and zeros change no sum: equal to the last bit.
      EXPECT_EQ(kernel.expect(cell, f.data()), dense(model, g).expect(cell, f.data()));
      std::vector<double> pushed = f;
      std::vector<double> pushed_dense = f;
      kernel.push(cell, 0.3, pushed.data());
      dense(model, g).push(cell, 0.3, pushed_dense.data());
      EXPECT_EQ(pushed, pushed_dense);
    }
  }
}

// 16 successors: 1 and 3 are below a quarter and get an index, 4 and 16 do not.
INSTANTIATE_TEST_SUITE_P(Filled, Kernel, ::testing::Values(1, 3, 4, 16));

TEST(KernelByHand, PullsAFunctionBackAndPushesMassOn) {
  // Two states; cell 0 goes to them with 1/4 and 3/4.
  const std::vector<double> rows{0.25, 0.75, 1, 0, 0, 1, 0.5, 0.5};
  const NonZeros none;
  const KernelView kernel(rows.data(), 2, none);
  const std::vector<double> f{2, 4};
  EXPECT_EQ(kernel.expect(0, f.data()), 3.5);  // 2/4 + 12/4
  EXPECT_EQ(kernel.expect(1, f.data()), 2);
  std::vector<double> mass{1, 1};
  kernel.push(0, 0.5, mass.data());
  EXPECT_EQ(mass, (std::vector<double>{1.125, 1.375}));  // 1 + 1/8, 1 + 3/8
  EXPECT_EQ(kernel.row(3), rows.data() + 6);
}

TEST(KernelByHand, AnIndexOfNonZerosIsFollowedInsteadOfTheRow) {
  // The index says: cell 0 -> state 1 with probability 1; cell 1 -> nothing. The rows are not looked at.
  const std::vector<double> rows{9, 9, 9, 9};
  const NonZeros index{{0, 1, 1}, {1}, {1.0}};
  const KernelView kernel(rows.data(), 2, index);
  const std::vector<double> f{2, 4};
  EXPECT_EQ(kernel.expect(0, f.data()), 4);
  EXPECT_EQ(kernel.expect(1, f.data()), 0);
}

}  // namespace
}  // namespace fairstep
