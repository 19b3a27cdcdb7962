// The program as a smooth nonlinear program in the tables themselves.
//
// Variables: the tables, block after block; f_j for each functional; a common rate t for each parity of more than two
// means or of two sides; the excess, if the least violation is asked for. The tables enter only through f_j =
// F_j(tables), which is affine in each table entry, so that second derivatives are cheap; everything else is a formula
// in f and t.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <fairstep/optimise/backends/nonlinear_program.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

enum class Goal {
  value,            ///< the greatest value that satisfies the rows
  least_violation,  ///< the smallest excess over any limit
};

class TableProgram final : public NonlinearProgram {
 public:
  /// Above this many entries per table the Hessian costs more than it saves.
  static constexpr std::size_t kSmallTable = 300;

  /// Limits are kept with `margin` to spare where they leave room for it. The program must outlive the object.
  /// Its recursions end with OutOfTime once the deadline is over.
  TableProgram(const Program& program, const Tables& start, double margin, Goal goal, Deadline deadline = {});

  [[nodiscard]] Bounds variable_bounds() const override;
  [[nodiscard]] Bounds constraint_bounds() const override;
  [[nodiscard]] Sparsity jacobian_sparsity() const override;
  [[nodiscard]] std::vector<double> start() const override;
  double evaluate(std::span<const double> x, std::span<double> constraints) override;
  void differentiate(std::span<double> gradient, std::span<double> jacobian) override;
  [[nodiscard]] Sparsity hessian_sparsity() const override;
  void hessian(double objective_factor, std::span<const double> multipliers, std::span<double> entries) override;

  /// The variables that go with tables, block after block; what comes after f may be left out.
  [[nodiscard]] std::vector<double> point(std::span<const double> tables, std::span<const double> others = {}) const;
  /// How many variables come after f: common rates and the excess.
  [[nodiscard]] std::size_t others() const { return variables_ - first_common_; }

  /// Limits, which are the first constraints after the functionals; what follows is what the rules ask of tables.
  [[nodiscard]] std::size_t limits() const { return rows_.size(); }

  /// The tables in a vector of variables, put back into their boxes and under the rules.
  [[nodiscard]] Tables tables(std::span<const double> x) const;

 private:
  /// sum of coefficient * mean - t - excess, within [low, high]
  struct Row {
    std::vector<std::pair<Mean, double>> means{};
    std::optional<std::size_t> common{};
    double low, high;
  };

  void write_rows(double margin);
  [[nodiscard]] std::size_t f(std::size_t functional) const { return first_f_ + functional; }
  [[nodiscard]] std::span<const double> table(std::size_t g) const;
  [[nodiscard]] double rate(const Mean& mean, std::span<const double> x) const;
  void functional_gradient(std::size_t functional, std::span<double> jacobian);
  void add_functional_gradient(std::size_t functional, std::size_t g, std::span<double> gradient);
  template <class Visit>
  void each_functional_entry(const Visit& visit) const;
  template <class Visit>
  void each_row_entry(std::size_t k, const Visit& visit) const;
  template <class Visit>
  void each_curved_pair(const Visit& visit) const;

  const Program& program_;
  Deadline deadline_;
  std::vector<double> start_{};  ///< [block,h,x]
  Goal goal_;
  bool small_;  ///< second derivatives are worth their cost
  std::size_t first_f_ = 0, first_common_ = 0, excess_ = 0, variables_ = 0;
  std::vector<Row> rows_{};
  std::vector<TableRules::Row> rules_{};                                      ///< of every block
  std::vector<std::size_t> denominators_{};                                   ///< functionals; some may be named twice
  std::vector<std::size_t> block_of_{};                                       ///< [g]
  std::vector<std::vector<std::pair<std::size_t, const Term*>>> terms_of_{};  ///< [functional] (g, term)
  std::vector<std::vector<std::size_t>> reach_{};  ///< [functional][block] steps it depends on
  std::vector<double> x_{};
  std::vector<std::vector<double>> mass_{};  ///< [g][h,x,y]
  Workspace work_;
};

}  // namespace fairstep
