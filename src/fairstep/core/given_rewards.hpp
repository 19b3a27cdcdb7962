// What decisions earn, as it was given by whoever asks: by label and decision, and by group and feature where these
// are named.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// One number for all cells that have what is named; what is not named may be anything.
struct RewardEntry {
  std::optional<std::string> group{};
  std::optional<std::string> feature{};
  std::optional<std::size_t> label{};   ///< 0 or 1
  std::optional<std::size_t> action{};  ///< 0 or 1
  double reward = 0;

  friend bool operator==(const RewardEntry&, const RewardEntry&) = default;
};

struct GivenRewards {
  std::vector<RewardEntry> entries{};
  std::optional<double> elsewhere{};  ///< of cells that no entry names; none: there must be no such cell

  friend bool operator==(const GivenRewards&, const GivenRewards&) = default;
};

/// Of `y1a1=1,y0a1=-4`: rewards by label and decision, 0 where nothing is named.
[[nodiscard]] Expected<GivenRewards> rewards_from(std::string_view text);

/// [g,x,y,a]. An error if a cell is named twice or, unless there is a number for those, not at all; if a group or
/// feature is none of these names; or if a number is no reward. Pointers are into a rewards document.
[[nodiscard]] Expected<Tensor<double, 4>> rewards_by_cell(const GivenRewards& given, const Names& names);

/// `y0a0 and y1a0`: labels and decisions that are not named, of any group and feature; empty if all are.
[[nodiscard]] std::string not_named(const GivenRewards& given);

}  // namespace fairstep
