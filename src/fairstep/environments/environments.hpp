// Ready-made populations: the paper's two, the credit-lending dynamics known from ml-fairness-gym, and random ones.
//
// Each is a function from options to a Model. Where an option is a list per group and is left empty, the default that
// stands beside it is used. An option that makes no sense is an Error whose message begins with the option's name.
// docs/environments.md gives the source of every number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>

namespace fairstep {

/// The paper's semi-realistic environment: real score and default rates by group, kernel G of the appendix. Five
/// features, the score levels 0, 25, 50, 75 and 100. Accepting somebody earns gain * score if y = 1 and costs loss *
/// score if y = 0. Or the same curves at more score levels, the bands, with dynamics of a loan: repaid it moves the
/// score up by 10 points, defaulted down by 20, and refused nothing moves.
struct FicoOptions {
  std::vector<std::string> groups{"white", "black"};  ///< 2 to 4 of white, black, hispanic, asian, in any order
  std::size_t bands = 0;  ///< 2 to 201 levels, spread evenly from 0 to 100; 0: the paper's five and its kernel
  std::size_t horizon = 8;
  double discount = 1;
  /// [g] beta_1; empty: the paper's 0.1 for white and 0.9 for black, 0.5 for others; with bands 1
  std::vector<double> gain{};
  /// [g] beta_2; empty: the paper's 0.9 for white and 0.1 for black, 0.5 for others; with bands 3
  std::vector<double> loss{};
  std::vector<double> share{};  ///< [g]; empty: people of the group in the data over people of all groups in use
  /// [x] what a feature counts for in the reward; empty: 0, 0.25, 0.5, 0.75, 1; with bands 1 for all
  std::vector<double> score{};
};
[[nodiscard]] Expected<Model> make_fico(const FicoOptions& options = {});

/// The paper's synthetic environment (appendix): the decision moves the label, whatever the label was, and the feature
/// drifts by kernel D, whatever the decision. Rewards as in FicoOptions.
struct SyntheticOptions {
  std::vector<std::string> groups{"alpha", "beta"};  ///< any 2 or more names
  std::size_t horizon = 8;
  double discount = 1;
  std::vector<double> qualified{};  ///< [g] P(y_0 = 1); empty: 0.5
  std::vector<double> gain{};       ///< [g] beta_1; empty: 0.1 for the first group, 0.9 for the second, 0.5 for others
  std::vector<double> loss{};       ///< [g] beta_2; empty: 0.9 for the first group, 0.1 for the second, 0.5 for others
  std::vector<double> share{};      ///< [g]; empty: equal
  std::vector<double> score{0, 0.25, 0.5, 0.75, 1};  ///< [x] what a feature counts for in the reward
};
[[nodiscard]] Expected<Model> make_synthetic(const SyntheticOptions& options = {});

/// Credit lending with seven scores: a repaid loan moves the score up, a default moves it down, refusal keeps it. The
/// label is "would repay" and is drawn anew at every step with the repayment probability of the score.
struct LendingOptions {
  std::vector<std::string> groups{"advantaged", "disadvantaged"};
  std::size_t horizon = 8;
  double discount = 1;
  double interest = 1;          ///< earned on a repaid loan; a default costs 1, the loan
  double move = 1;              ///< probability that a loan moves the score by one, once repaid or not
  std::vector<double> share{};  ///< [g]; empty: equal
  std::vector<double> repay{0.1,  0.2, 0.45, 0.6,
                            0.65, 0.7, 0.7};  ///< [x] P(y=1 | x); its length is the number of scores
  std::vector<std::vector<double>> scores{{0.0, 0.1, 0.1, 0.2, 0.3, 0.3, 0.0},
                                          {0.1, 0.1, 0.2, 0.3, 0.3, 0.0, 0.0}};  ///< [g,x] P(x_0 = x)
};
[[nodiscard]] Expected<Model> make_lending(const LendingOptions& options = {});

/// Seeded, any size, for tests and benchmarks: the same on every platform. Every table has a stream of its own for each
/// group, so that asking for noise, participation or one group more leaves the other numbers as they were.
struct RandomOptions {
  std::size_t groups = 2;
  std::size_t features = 5;
  std::size_t horizon = 8;
  double discount = 1;
  std::size_t successors = 0;  ///< non-zero entries per kernel row, of 2 * features; 0: all
  double reward_noise = 0;     ///< half-width of the reward's two-point noise, at most
  bool participation = false;  ///< also draw leave and first-step probabilities
  std::uint64_t seed = 1;
};
[[nodiscard]] Expected<Model> make_random(const RandomOptions& options = {});

}  // namespace fairstep
