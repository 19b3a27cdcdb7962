// Ready-made populations: the paper's two, the credit-lending dynamics known from ml-fairness-gym, and random ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>

namespace fairstep {

/// The paper's semi-realistic environment: real score and default rates by group, kernel G of the appendix.
struct FicoOptions {
  std::vector<std::string> groups{"white", "black"};  ///< 2 to 4 of white, black, hispanic, asian
  std::size_t horizon = 8;
  std::vector<double> gain{};  ///< beta_1 per group; empty: the paper's 0.1 and 0.9 for white and black, 0.5 for others
  std::vector<double> loss{};  ///< beta_2 per group; empty: the paper's 0.9 and 0.1, 0.5 for others
};
[[nodiscard]] Expected<Model> make_fico(const FicoOptions& options = {});

/// The paper's synthetic environment (appendix): the decision moves the label, the label moves nothing.
struct SyntheticOptions {
  std::size_t horizon = 8;
  std::vector<double> qualified{0.5, 0.5};  ///< P(y_0 = 1) per group
  std::vector<double> gain{0.1, 0.9};       ///< beta_1 per group
  std::vector<double> loss{0.9, 0.1};       ///< beta_2 per group
};
[[nodiscard]] Expected<Model> make_synthetic(const SyntheticOptions& options = {});

/// Credit lending with seven scores: a repaid loan moves the score up, a default moves it down, refusal keeps it.
struct LendingOptions {
  std::size_t horizon = 8;
  double interest = 1;  ///< earned on a repaid loan; a default costs 1
  double move = 1;      ///< probability that a decided loan moves the score by one
  std::vector<double> share{0.5, 0.5};
};
[[nodiscard]] Expected<Model> make_lending(const LendingOptions& options = {});

/// Seeded, any size, for tests and benchmarks: the same on every platform.
struct RandomOptions {
  std::size_t groups = 2;
  std::size_t features = 5;
  std::size_t horizon = 8;
  std::size_t successors = 0;  ///< non-zero entries per kernel row; 0: all
  double reward_noise = 0;     ///< half-width of the reward's two-point noise, at most
  bool participation = false;  ///< also draw leave and first-step probabilities
  std::uint64_t seed = 1;
};
[[nodiscard]] Expected<Model> make_random(const RandomOptions& options = {});

}  // namespace fairstep
