// The log of a simulation as CSV, a row for each decision: person,group,step,x,y,a,reward.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/simulate/simulate.hpp>

namespace fairstep::cli {

/// A field as RFC 4180 wants it: in quotes, with quotes doubled, if it holds a comma, a quote or a line break.
[[nodiscard]] std::string quoted(std::string_view field);

/// A spreadsheet takes what begins with = + - @, a tab or a carriage return for a formula, quotes or not, and runs it.
/// A log must name groups and features as they are, so such a name (other than a number) is refused.
[[nodiscard]] Expected<void> check_no_formulas(const Names& names);

/// Turns decisions into lines. What repeats (names, steps, rewards) is turned into text once.
class LogCsv {
 public:
  explicit LogCsv(const Model& model);

  [[nodiscard]] static std::string_view header() { return "person,group,step,x,y,a,reward\n"; }
  /// The rows' lines; valid until the next call.
  [[nodiscard]] std::string_view lines(std::span<const Decision> rows);

 private:
  /// A cell has one or two rewards: its mean, or its mean with noise up and down.
  struct Reward {
    double value = 0;
    std::string text{};
  };
  [[nodiscard]] std::string_view reward_text(const Decision& row);

  Tensor<std::string, 2> group_step_;         ///< [g,h] ",white,3,"
  Tensor<std::string, 3> state_action_;       ///< [x,y,a] "50,1,0,"
  Tensor<std::array<Reward, 2>, 4> rewards_;  ///< [g,x,y,a] the last two seen
  std::string text_{};
};

}  // namespace fairstep::cli
