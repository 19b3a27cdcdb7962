// Which policies are allowed.
#pragma once

#include <array>
#include <cstddef>

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
  std::size_t min_seen = 0;        ///< decisions that the log behind the model has less often are not taken
};

[[nodiscard]] Expected<void> check(const PolicyClass& policies);

/// What policies of a class have in common, as far as it can be said with a word: the only list of these.
struct PolicyTrait {
  const char* name = "";  ///< as an option and as an entry of a list
  bool PolicyClass::* chosen = nullptr;
};
inline constexpr std::array kPolicyTraits{
    PolicyTrait{"group_independent", &PolicyClass::group_independent},
    PolicyTrait{"deterministic", &PolicyClass::deterministic},
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
