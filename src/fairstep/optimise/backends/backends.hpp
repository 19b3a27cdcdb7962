// Who solves linear and smooth programs. The search knows these interfaces alone, so that a test can put a liar in
// their place.
#pragma once

#include <memory>

#include <fairstep/optimise/backends/linear_program.hpp>
#include <fairstep/optimise/backends/nonlinear_program.hpp>

namespace fairstep {

class Backends {
 public:
  Backends() = default;
  Backends(const Backends&) = delete;
  Backends& operator=(const Backends&) = delete;
  virtual ~Backends() = default;

  /// An empty program, to be filled by whoever asks.
  [[nodiscard]] virtual std::unique_ptr<LinearProgram> linear(Simplex simplex = Simplex::primal) const = 0;
  /// A local optimum.
  [[nodiscard]] virtual NlpSolution solve(NonlinearProgram& program, const NlpOptions& options = {}) const = 0;
};

/// HiGHS and Ipopt. Safe to share by threads: each program is its own.
[[nodiscard]] const Backends& libraries();

}  // namespace fairstep
