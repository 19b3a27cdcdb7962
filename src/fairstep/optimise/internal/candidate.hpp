// Tables, and what they achieve.
#pragma once

#include <vector>

#include <fairstep/optimise/internal/infinity.hpp>

namespace fairstep {

/// One table accept[h,x] per block.
using Tables = std::vector<std::vector<double>>;

/// The objective (value minus penalties) and the greatest excess over any limit.
struct Candidate {
  Tables tables{};
  double objective = -kInfinity;
  double excess = kInfinity;
};

}  // namespace fairstep
