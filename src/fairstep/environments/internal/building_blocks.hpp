// What the environments have in common: checked options, an empty spec of the right size, and the paper's rewards.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>

namespace fairstep::building_blocks {

using Names = std::vector<std::string>;

/// No table of a model, a policy or an evaluation may have more entries: 2^30 doubles are 8 GiB.
inline constexpr std::size_t kLargestTable = std::size_t{1} << 30;

/// An error for fewer than two groups, no feature, no step, or a table that would be too large.
[[nodiscard]] Expected<void> check_size(std::size_t groups, std::size_t features, std::size_t horizon);

/// All tensors sized and zero, equal shares; checks the size and the discount.
[[nodiscard]] Expected<ModelSpec> blank_spec(Names groups, Names features, std::size_t horizon, double discount);

/// What a list of numbers is: an option, or a place in one, such as [black].
struct Part {
  std::string option;
  std::string place{};
};

/// Numbers from 0 to kLargestReward, one for each of `owners` (names, for messages).
[[nodiscard]] Expected<void> check_amounts(const char* option, const std::vector<double>& given, const Names& owners);
/// Probabilities, one for each of `owners`.
[[nodiscard]] Expected<void> check_probabilities(const char* option, const std::vector<double>& given,
                                                 const Names& owners);
/// Probabilities, one for each of `owners`, that sum to 1.
[[nodiscard]] Expected<void> check_distribution(const Part& part, const std::vector<double>& given,
                                                const Names& owners);

/// What an accepted person brings in the paper: gain[g] * score[x] if qualified, -loss[g] * score[x] if not.
struct ScoreRewards {
  std::vector<double> gain{};   ///< [g]
  std::vector<double> loss{};   ///< [g]
  std::vector<double> score{};  ///< [x]
};
[[nodiscard]] Expected<void> fill_rewards(const ScoreRewards& rewards, ModelSpec& spec);

/// 1/groups for each.
[[nodiscard]] std::vector<double> equal_shares(std::size_t groups);

}  // namespace fairstep::building_blocks
