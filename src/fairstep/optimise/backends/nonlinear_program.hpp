// A smooth nonlinear program for a local solver: minimise f(x) subject to bounds on x and on c(x).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace fairstep {

/// What the solver asks. OutOfTime from here ends the solve, with the last point that was looked at. Derivatives
/// are exact; the Jacobian is given by its non-zero entries.
class NonlinearProgram {
 public:
  struct Bounds {
    std::vector<double> low{}, high{};
  };
  struct Sparsity {
    std::vector<int> row{}, column{};
  };

  virtual ~NonlinearProgram() = default;

  [[nodiscard]] virtual Bounds variable_bounds() const = 0;
  [[nodiscard]] virtual Bounds constraint_bounds() const = 0;
  [[nodiscard]] virtual Sparsity jacobian_sparsity() const = 0;
  [[nodiscard]] virtual std::vector<double> start() const = 0;

  /// f(x), and c(x) into `constraints`. Called first at every new x.
  virtual double evaluate(std::span<const double> x, std::span<double> constraints) = 0;
  /// Gradient of f and the Jacobian's entries at the x last evaluated.
  virtual void differentiate(std::span<double> gradient, std::span<double> jacobian) = 0;

  /// Lower triangle of the Hessian of objective_factor * f + multipliers . c, if it is cheap enough to give. Empty: the
  /// solver approximates it from gradients.
  [[nodiscard]] virtual Sparsity hessian_sparsity() const { return {}; }
  /// Its entries at the x last evaluated.
  virtual void hessian(double /*objective_factor*/, std::span<const double> /*multipliers*/,
                       std::span<double> /*entries*/) {}
};

struct NlpOptions {
  double tolerance = 1e-8;
  int max_iterations = 300;
  double max_seconds = 1e9;  ///< by the clock
  std::function<bool()> cancelled{};
};

enum class NlpStatus { converged, infeasible, stopped, failed };

struct NlpSolution {
  NlpStatus status = NlpStatus::failed;
  std::vector<double> x{};
  int iterations = 0;
};

}  // namespace fairstep
