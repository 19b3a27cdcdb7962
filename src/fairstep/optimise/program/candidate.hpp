// Tables, and what they achieve.
#pragma once

#include <vector>

#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {

/// One table accept[h,x] per block.
using Tables = std::vector<std::vector<double>>;

/// The objective (value minus penalties) and the greatest excess over any limit.
struct Candidate {
  Tables tables{};
  double objective = -kInfinity;
  double excess = kInfinity;
};

/// One that keeps its limits is better than one that does not; else the objective decides, or the smaller excess.
[[nodiscard]] inline bool is_better(const Candidate& candidate, const Candidate& than, double tolerance) {
  const bool keeps = candidate.excess <= tolerance;
  const bool kept = than.excess <= tolerance;
  if (keeps != kept) return keeps;
  return keeps ? candidate.objective > than.objective : candidate.excess < than.excess;
}

}  // namespace fairstep
