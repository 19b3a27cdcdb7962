// What is solved at an update: the estimated population with a bonus on its rewards, and limits relaxed for what is not
// known of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/learn/environment.hpp>
#include <fairstep/learn/learn.hpp>

namespace fairstep {

struct UpdateProgram {
  Estimate estimate;
  Model optimistic;                  ///< the estimate with the bonus on its rewards
  Fairness fairness{};               ///< what is solved for: `parity`, or a ratio with its relaxation
  StepwiseParity parity{};           ///< limits as the program has them, in doubt if the relaxation is tight
  std::vector<double> relaxation{};  ///< [h] added to the limits in force; empty if the relaxation is tight
  double floor = 0, epsilon = 0;
  double bonus_max = 0;
  std::optional<Radii> radii{};  ///< for the tight relaxation and for safe mode
};

[[nodiscard]] Expected<UpdateProgram> update_program(const Counts& counts, const Known& known,
                                                     const LearnOptions& options, std::uint64_t k);

/// What a policy's rates may be off by, as a doubt: radii times the widest range that the acceptance rates of the
/// policy class span.
[[nodiscard]] Doubt doubt_of(const Radii& radii, Doubt::Stance stance, double span, double scale = 1);

/// The greatest and the least probability to accept that the floor leaves.
[[nodiscard]] Range accept_range(double floor, FloorKind kind);

}  // namespace fairstep
