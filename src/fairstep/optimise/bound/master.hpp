// The master of a Dantzig-Wolfe decomposition: a linear program over the value V, the functionals F_j, what the rows
// need besides, and columns, which are tables of one block with their effect (V, F).
//
//   V = sum of columns,  F_j = sum of columns (+ repairs),  the columns of a block add up to 1,  and rows.
//
// Its ranges and rows are kept beside the library's program: a bound is computed from these (lagrangian.hpp), never
// from what the library says.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/optimise/backends/linear_program.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

class Master {
 public:
  static constexpr std::size_t kValue = 0;  ///< the variable V
  /// The variable F_j.
  [[nodiscard]] static constexpr std::size_t functional(std::size_t j) { return 1 + j; }

  /// V and every F_j in ranges that no table leaves; no columns yet.
  explicit Master(const Program& program);

  struct Row {
    double low, high;
    std::vector<Coefficient> entries{};
    bool in_lp = true;  ///< false if its numbers are too large for the library, where an empty row keeps its place
  };
  /// F_j may differ from what the columns do by sign * slack.
  struct Repair {
    std::size_t functional, slack;
    double sign;
  };

  /// All variables come before the first column.
  std::size_t add_variable(double low, double high);
  std::size_t add_row(double low, double high, std::vector<Coefficient> entries);
  void add_entry(std::size_t row, const Coefficient& entry);
  void set_entry(std::size_t row, std::size_t k, double value);  ///< the k-th of the row
  void set_row(std::size_t row, double low, double high);
  void set_range(std::size_t variable, double low, double high);
  /// Ranges are narrowed for all tables, columns are only some of them: at a price, F_j may differ from what the
  /// columns in a box can do, by `most`, so that the master has a solution all the same.
  void add_repair(std::size_t functional, double most);
  /// Rows after these move up.
  void remove_rows(const std::vector<bool>& which);

  [[nodiscard]] std::size_t functionals() const { return weight_.size(); }
  [[nodiscard]] std::size_t variables() const { return range_.size(); }
  [[nodiscard]] const Range& range(std::size_t variable) const { return range_[variable]; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Repair>& repairs() const { return repairs_; }
  /// Where a sum may lie, over the ranges of all that is in it.
  [[nodiscard]] Range range_of(std::span<const Coefficient> entries) const;
  /// What rounding may hide where a block is paid for a functional.
  [[nodiscard]] double rounding_of(std::size_t functional, double price) const;

  /// Returns its number among the columns.
  std::size_t add_column(std::size_t block, const Effect& effect);
  void remove_columns(const std::vector<bool>& which);  ///< those after them move up
  void set_column_open(std::size_t column, bool open);

  void set_objective(std::span<const Coefficient> objective);
  void clear_objective(std::span<const Coefficient> objective);
  void stop_when(std::function<bool()> asked) { lp_->stop_when(std::move(asked)); }
  const LpSolution& solve();
  /// Rows and columns of the linear program.
  [[nodiscard]] std::size_t size() const { return lp_->rows() + lp_->variables(); }

  // Of the last solution:
  [[nodiscard]] const LpSolution& last() const { return last_; }
  [[nodiscard]] bool has_point() const { return !last_.x.empty(); }
  [[nodiscard]] double at(std::size_t variable) const { return last_.x[variable]; }
  /// A column that came after it is not in use.
  [[nodiscard]] double use_of(std::size_t column) const;
  [[nodiscard]] bool has_prices() const { return !last_.price.empty(); }
  [[nodiscard]] double price_of_block(std::size_t block) const { return last_.price[block]; }
  [[nodiscard]] double price_of_value() const { return last_.price[blocks_]; }
  [[nodiscard]] double price_of_functional(std::size_t j) const { return last_.price[blocks_ + 1 + j]; }
  [[nodiscard]] double price_of_row(std::size_t row) const { return last_.price[definitions() + row]; }
  /// The row was there already.
  [[nodiscard]] bool knew_row(std::size_t row) const { return definitions() + row < last_.price.size(); }

 private:
  /// Rows of the linear program before the first of `rows_`.
  [[nodiscard]] std::size_t definitions() const { return blocks_ + 1 + functionals(); }

  std::size_t blocks_;
  std::unique_ptr<LinearProgram> lp_;
  std::vector<Range> range_{};  ///< [variable]
  std::vector<Row> rows_{};
  std::vector<Repair> repairs_{};
  std::vector<double> weight_{};  ///< [j] the largest weights of its terms, added up
  std::size_t most_terms_ = 0;    ///< of one group at one step
  std::size_t columns_ = 0;
  LpSolution last_{};
};

}  // namespace fairstep
