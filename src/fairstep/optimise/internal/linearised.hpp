// The program seen from one policy: an LP in small changes of the tables.
#pragma once

#include <cstddef>

#include <fairstep/optimise/backends/internal/linear_program.hpp>
#include <fairstep/optimise/internal/candidate.hpp>
#include <fairstep/optimise/internal/program.hpp>

namespace fairstep {

struct Linearised {
  LinearProgram lp{};  ///< the first variables are the changes of the tables, block after block
  std::size_t first_limit =
      0;  ///< the row of the first limit: parities (one row a pair, else one a mean and side), then rows
};

struct LinearisedOptions {
  double radius = 1;                ///< no entry changes by more
  double margin = 0;                ///< limits are kept with this much to spare
  double slack = 0;                 ///< every row is widened by this, for a policy that sits on its limits
  double excess_price = kInfinity;  ///< what a unit over the limits costs; infinite: limits hold
};

/// maximise the gradient of the objective . change, with every limit replaced by its tangent.
[[nodiscard]] Linearised linearise(const Program& program, const Tables& tables, const LinearisedOptions& options = {});

}  // namespace fairstep
