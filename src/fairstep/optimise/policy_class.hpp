// Which policies are allowed.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/words.hpp>

namespace fairstep {

/// On which actions the policy keeps a floor.
enum class FloorKind {
  two_sided,    ///< floor <= P(a=1) <= 1 - floor
  accept_only,  ///< floor <= P(a=1)
};
template <>
inline constexpr auto kWords<FloorKind> =
    words<FloorKind>({{FloorKind::two_sided, "two_sided"}, {FloorKind::accept_only, "accept_only"}});

struct PolicyClass {
  double floor = 0;
  FloorKind floor_kind = FloorKind::two_sided;
  bool group_independent = false;  ///< the same table for every group
  bool deterministic = false;      ///< every P(a=1) at its floor or at its ceiling
  bool monotone = false;           ///< P(a=1) never falls as the feature rises
  bool threshold = false;   ///< monotone, and at a step at most one P(a=1) of a chain is between floor and ceiling
  bool stationary = false;  ///< the same table at every step
  std::vector<std::string> order{};  ///< how features rise (core/feature_order.hpp); empty: as the model has them
  std::size_t monotone_in = 0;       ///< only in this part of their names, from 1; 0: in all
  std::size_t min_seen = 0;          ///< decisions that the log behind the model has less often are not taken

  [[nodiscard]] bool is_monotone() const { return monotone || threshold; }
  /// Whether tables are asked for more than that they lie in a box: acceptance that never falls, or never changes.
  [[nodiscard]] bool has_rules() const { return is_monotone() || stationary; }
};

[[nodiscard]] Expected<void> check(const PolicyClass& policies);
/// The same class without rules.
[[nodiscard]] PolicyClass without_rules(PolicyClass policies);
/// "monotone", "threshold and stationary"; what the class has rules about.
[[nodiscard]] std::string rules_in_words(const PolicyClass& policies);

/// What policies of a class have in common, as far as it can be said with a word: the only list of these.
struct PolicyTrait {
  const char* name = "";  ///< as an option and as an entry of a list
  bool PolicyClass::* chosen = nullptr;
};
inline constexpr std::array kPolicyTraits{
    PolicyTrait{"group_independent", &PolicyClass::group_independent},
    PolicyTrait{"deterministic", &PolicyClass::deterministic},
    PolicyTrait{"monotone", &PolicyClass::monotone},
    PolicyTrait{"threshold", &PolicyClass::threshold},
    PolicyTrait{"stationary", &PolicyClass::stationary},
};

/// What the penalty method subtracts from the value.
enum class PenaltyForm {
  rate,   ///< lambda * (difference of the rates)^2
  cross,  ///< lambda * (the rates' quotients multiplied out)^2, as in the paper's appendix
};
template <>
inline constexpr auto kWords<PenaltyForm> =
    words<PenaltyForm>({{PenaltyForm::rate, "rate"}, {PenaltyForm::cross, "cross"}});

}  // namespace fairstep
