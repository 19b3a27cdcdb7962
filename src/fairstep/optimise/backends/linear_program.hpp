// A linear program that grows: maximise c.x subject to lo <= Ax <= hi and bounds, solved again and again from the last
// basis. Whoever solves it stands behind this interface (backends.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {

/// A coefficient in a row or a column.
struct Coefficient {
  std::size_t index = 0;
  double value = 0;
};

/// Where variables and rows may lie.
struct LpBounds {
  std::vector<double> low{}, high{};          ///< [variable]
  std::vector<double> row_low{}, row_high{};  ///< [row]
};

/// The rest of a whole program, row after row.
struct LpMatrix {
  std::vector<double> objective{};        ///< [variable]
  std::vector<std::size_t> row_start{0};  ///< [row], one more than there are rows
  std::vector<Coefficient> entries{};
};

/// What a change leaves of the last basis. New columns and objectives leave it primal feasible; new bounds of variables
/// that have two leave it dual feasible, or nearly so.
enum class Simplex { primal, dual };

enum class LpStatus { optimal, infeasible, unbounded, stopped };

struct LpSolution {
  LpStatus status = LpStatus::stopped;
  double objective = 0;
  std::vector<double> x{};      ///< [variable]
  std::vector<double> price{};  ///< [row] by how much the objective grows per unit of the side that binds
  std::size_t iterations = 0;   ///< of the simplex method
};

class LinearProgram {
 public:
  LinearProgram() = default;
  LinearProgram(const LinearProgram&) = delete;
  LinearProgram& operator=(const LinearProgram&) = delete;
  virtual ~LinearProgram() = default;

  /// Returns the number of the new variable or row. Rows named in a column must exist, and vice versa.
  virtual std::size_t add_variable(double low, double high, double objective,
                                   std::span<const Coefficient> column = {}) = 0;
  virtual std::size_t add_row(double low, double high, std::span<const Coefficient> row = {}) = 0;

  /// Takes out variables or rows, given as a mask; those after them move up. The basis is kept if it can be: no
  /// variable in it was removed, no row that binds.
  virtual void remove_variables(const std::vector<bool>& which) = 0;
  virtual void remove_rows(const std::vector<bool>& which) = 0;

  virtual void set_objective(std::size_t variable, double objective) = 0;
  virtual void set_variable_bounds(std::size_t variable, double low, double high) = 0;
  virtual void set_row_bounds(std::size_t row, double low, double high) = 0;
  virtual void set_coefficient(std::size_t row, std::size_t variable, double value) = 0;

  [[nodiscard]] virtual std::size_t variables() const = 0;
  [[nodiscard]] virtual std::size_t rows() const = 0;

  /// Becomes another program; if it is of the same size, the last basis is where the next solve begins.
  virtual void replace(const LpMatrix& matrix, const LpBounds& bounds) = 0;
  virtual void set_bounds(const LpBounds& bounds) = 0;

  /// Asked between the iterations of a solve whether it should end at once, with status `stopped`.
  virtual void stop_when(std::function<bool()> asked) = 0;

  /// Nothing, if some of the answer is no number: solvers have bad days, and a NaN that is let in ends up anywhere.
  [[nodiscard]] LpSolution solve();

 private:
  /// What the solver says.
  [[nodiscard]] virtual LpSolution ask() = 0;
};

}  // namespace fairstep
