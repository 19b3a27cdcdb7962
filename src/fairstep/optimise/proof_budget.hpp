// What a proof may cost.
#pragma once

#include <cstddef>

#include <fairstep/core/error.hpp>

namespace fairstep {

struct ProofBudget {
  bool wanted = true;      ///< false: a local optimum and no upper bound
  double gap = 1e-3;       ///< stop once (upper - lower) / |lower| is proven to be at most this
  double time_limit = 60;  ///< seconds by the clock, for each solve
  std::size_t effort = 0;  ///< work on each proof, in steps of some 10 microseconds at the paper's size; the same on
                           ///< every machine, and with it the answer, if time does not run out first; 0: as much as
                           ///< there is time for
};

[[nodiscard]] Expected<void> check(const ProofBudget& proof);

}  // namespace fairstep
