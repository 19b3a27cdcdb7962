// A linear program that grows: maximise c.x subject to lo <= Ax <= hi and bounds, solved again and again from the last
// basis. The library behind it stays in linear_program.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <fairstep/optimise/internal/infinity.hpp>

namespace fairstep {

/// A coefficient in a row or a column.
struct Coefficient {
  std::size_t index = 0;
  double value = 0;
};

enum class LpStatus { optimal, infeasible, unbounded, stopped };

struct LpSolution {
  LpStatus status = LpStatus::stopped;
  double objective = 0;
  std::vector<double> x{};      ///< [variable]
  std::vector<double> price{};  ///< [row] by how much the objective grows per unit of the side that binds
};

class LinearProgram {
 public:
  LinearProgram();
  ~LinearProgram();
  LinearProgram(LinearProgram&&) noexcept;
  LinearProgram& operator=(LinearProgram&&) noexcept;

  /// Returns the number of the new variable or row. Rows named in a column must exist, and vice versa.
  std::size_t add_variable(double low, double high, double objective, std::span<const Coefficient> column = {});
  std::size_t add_row(double low, double high, std::span<const Coefficient> row = {});

  void set_objective(std::size_t variable, double objective);
  void set_variable_bounds(std::size_t variable, double low, double high);
  void set_row_bounds(std::size_t row, double low, double high);
  void set_coefficient(std::size_t row, std::size_t variable, double value);
  void set_time_limit(double seconds);

  [[nodiscard]] std::size_t variables() const;
  [[nodiscard]] std::size_t rows() const;

  /// Begins where another program of the same size ended.
  void start_from(const LinearProgram& other);

  [[nodiscard]] LpSolution solve();

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace fairstep
