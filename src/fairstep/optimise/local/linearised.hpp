// The program seen from one policy: an LP in small changes of the tables, with every limit replaced by its tangent.
//
// Variables are the changes of the tables, block after block, and of the common rates; a row is a limit of the table
// program (table_program.hpp), in its order, with the functionals' gradients multiplied out. That leaves few rows,
// however large the tables are.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <fairstep/optimise/backends/linear_program.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/local/table_program.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

class Linearised {
 public:
  /// Begins with the tangents at `tables`. Limits are kept with `margin` to spare where they leave room for it. The
  /// program must outlive the object. Everything here may end with OutOfTime once the deadline is over, and a solve
  /// with `stopped`.
  Linearised(const Program& program, const Tables& tables, double margin = 0, Goal goal = Goal::value,
             Deadline deadline = {});
  Linearised(const Linearised&) = delete;  // its solver asks this very deadline
  Linearised& operator=(const Linearised&) = delete;

  /// Tables with what the table program needs besides (common rates, the excess), and what they achieve.
  struct Point {
    std::vector<double> x{};     ///< variables of the table program
    double objective = 0;        ///< to be maximised: the value, or minus the excess
    std::vector<double> left{};  ///< [row] left sides of the limits
    double violation = 0;        ///< what they exceed their limits by, added up
  };
  [[nodiscard]] Point at(std::span<const double> tables, std::span<const double> others);
  [[nodiscard]] const Point& here() const { return here_; }
  [[nodiscard]] Tables tables(const Point& point) const { return smooth_.tables(point.x); }
  /// What the table program needs besides, at a point.
  [[nodiscard]] std::span<const double> others(const Point& point) const {
    return std::span(point.x).last(smooth_.others());
  }

  /// Takes the tangents at a point.
  void touch(const Point& point);

  struct Options {
    double radius = 1;         ///< no entry of a table changes by more
    double slack = 0;          ///< every row is widened by this, for a policy that sits on its limits
    double price = kInfinity;  ///< what a unit over a limit costs; infinite: limits hold
  };
  struct Step {
    LpStatus status = LpStatus::stopped;
    std::vector<double> tables{}, others{};  ///< where the step ends, unless it was stopped
    double gain = 0;                         ///< of the objective, by its gradient
    double violation = 0;                    ///< what the tangents leave of it
    std::vector<double> price{};             ///< [row]
  };
  /// The best step from where the tangents touch.
  [[nodiscard]] Step solve(const Options& options);
  /// The same with the left sides corrected: the tangents' slopes as before, but through the limits' values at `tried`,
  /// where the last step led to.
  [[nodiscard]] Step solve_through(const Point& tried, const Options& options);

 private:
  [[nodiscard]] std::size_t entries() const { return program_.blocks.size() * program_.table_size(); }
  [[nodiscard]] std::size_t changes() const { return entries() + smooth_.others(); }
  void write(std::span<const double> left, const Options& options);
  Step solve(std::span<const double> left, const Options& options);

  const Program& program_;
  Deadline deadline_;
  TableProgram smooth_;
  NonlinearProgram::Bounds box_{}, limits_{};
  NonlinearProgram::Sparsity sparsity_{};
  std::vector<TableRules::Row> rules_{};  ///< of every block; they hold at any price
  std::vector<std::size_t>
      start_{};  ///< [functional or limit] its first entry in the Jacobian; one more than there are
  Point here_{};
  std::vector<double> c_{}, gradient_{}, jacobian_{}, row_{};
  LpMatrix matrix_{};
  LpBounds bounds_{};
  std::unique_ptr<LinearProgram> lp_;
  bool written_ = false;  ///< the LP has the matrix, with this price
  double price_ = 0;
};

}  // namespace fairstep
