// An upper bound on the program: lotteries over tables, quotients relaxed to their envelopes, solved by column
// generation.
//
// The master is a small LP over the value V, the functionals F_j and what the rows need besides; columns are tables of
// one block with their effect (V, F). A lottery over columns can do whatever a single table can, so its optimum bounds
// the program from above, once the pricing problem (is there a better column?) is bounded too. The reported bound is
// never the LP's word: it is the Lagrangian value of whatever prices the LP left behind, with each block's best
// response bounded by branch and bound and every remaining coefficient multiplied by the worse end of its variable's
// range. It holds for any prices.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fairstep/optimise/backends/linear_program.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/pricing/pricing.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// Which ranges are to be narrowed: those of rates, of what the groups' denominators differ by, of both, or of the
/// denominators as well.
enum class Tightening { rates, differences, both, everything };

class Relaxation {
 public:
  /// Constraints may be exceeded by `tolerance`. Envelopes are made for policies like the `usual` one (may be empty).
  /// Program and pricing must outlive the relaxation. After the deadline ranges stay as wide as they may be.
  Relaxation(const Program& program, Pricing& pricing, double tolerance, const Tables& usual,
             const Deadline& deadline = {});

  /// Offers a table of a block; ignored if it lies outside the box.
  void add_column(std::size_t block, std::span<const double> accept);

  struct Outcome {
    double bound = kInfinity;    ///< no policy in the boxes is worth more
    double master = -kInfinity;  ///< what the LP found: the bound if pricing were exact
    std::size_t rounds = 0;
    std::size_t nodes = 0;
  };
  /// The bound on the program's value, to `precision` (absolute) if the deadline allows; stops early once it is below
  /// `enough`. Where the time runs out, what was proven by then.
  Outcome maximise(double precision, double enough, const Deadline& deadline);

  /// Narrows the ranges of what enters products, given that only objectives of at least `cutoff` matter. Returns the
  /// greatest relative shrinkage.
  double tighten(double cutoff, Tightening depth, const Deadline& deadline);

  /// Proven: every policy in the boxes exceeds some limit by at least this much (0 or less: nothing is proven).
  double least_excess(double precision, const Deadline& deadline);

  /// Drops columns that are not in use and would cost more than `worth` at the last prices.
  void forget_columns(double worth);
  /// Drops tangents that do not bind.
  void forget_tangents();

  void set_boxes(std::vector<Box> boxes);
  /// Narrows ranges to what the boxes alone imply.
  void narrow_to_boxes();
  [[nodiscard]] const std::vector<Box>& boxes() const { return boxes_; }

  /// The ranges of all that enters products, and the product whose envelope gives most away: for branching.
  struct Split {
    std::size_t product = 0;
    double at = 0;     ///< where the rate is
    double gain = 0;   ///< about what the envelope of this product adds to the bound
    double total = 0;  ///< and that of all products
  };
  [[nodiscard]] std::vector<Range> ranges() const;
  void set_ranges(std::span<const Range> ranges);
  /// The range of the rate that is to be split, as it is in `ranges`.
  [[nodiscard]] Range split_of(std::span<const Range> ranges, std::size_t product) const;
  [[nodiscard]] std::optional<Split> worst_product() const;
  [[nodiscard]] std::vector<Range> split_range(std::vector<Range> ranges, std::size_t product, double at,
                                               bool lower) const;

  /// The average table of each block in the last master solution.
  [[nodiscard]] Tables average_tables() const;
  /// The table entry that the columns in use disagree about most, weighted by the people it decides on.
  struct Dispute {
    std::size_t block = 0, entry = 0;
    double average = 0;
  };
  [[nodiscard]] Dispute most_disputed();
  /// The best choice of one column per block, by objective if any choice keeps the limits, else by excess.
  [[nodiscard]] Candidate best_combination(double tolerance, const Deadline& deadline) const;
  [[nodiscard]] bool has_products() const { return !products_.empty(); }
  /// A range has been narrowed to nothing: no policy in the boxes is worth the cutoff.
  [[nodiscard]] bool empty() const { return empty_; }

 private:
  struct Variable {
    double low, high;
  };
  struct Row {
    double low, high;
    std::vector<Coefficient> entries{};
  };
  struct Column {
    std::size_t block;
    std::size_t variable;
    std::vector<double> accept{};
    Effect effect{};
  };
  /// w = a * b
  struct Product {
    std::size_t a, b, w;
    std::size_t first_row;  ///< of four
    bool of_difference;     ///< b is a difference of two denominators
  };
  /// e >= weight * z^2 by tangents, where q = z * S
  struct Square {
    std::size_t q, e;
    std::optional<std::size_t> scale{};  ///< S = per_scale * scale, or 1
    double per_scale = 1;
    double weight = 0;
  };
  /// (mean - mean) * S, S > 0 as in Square
  struct Difference {
    std::vector<Coefficient> entries{};
    std::optional<std::size_t> scale{};
    double per_scale = 1;
  };

  /// e >= ... by this row
  struct Tangent {
    std::size_t square, row;
    double c;
  };
  /// A variable that is a sum of functionals.
  struct Combination {
    std::size_t variable;
    std::vector<Coefficient> functionals{};
  };
  /// A variable that lies among means, or no further than this beyond them.
  struct Among {
    std::size_t variable;
    std::vector<Mean> means{};
    double beyond = 0;
  };

  struct Repair {
    std::size_t functional, slack;
    double sign;
  };

  std::size_t add_variable(double low, double high);
  void add_repair(std::size_t j, double most);
  void give_each_block_a_column();
  [[nodiscard]] double use(const Column& column) const;
  std::size_t add_row(double low, double high, std::vector<Coefficient> entries);
  void set_range(std::size_t variable, double low, double high);
  std::size_t add_difference(std::size_t i, std::size_t j, double per_i = 1, double per_j = 1);
  [[nodiscard]] double per_usual(std::size_t functional) const;
  [[nodiscard]] Range range_of(std::span<const Mean> means) const;
  std::size_t add_product(std::size_t a, std::size_t b);
  void require_product(std::size_t a, std::size_t b, std::size_t w, bool of_difference = false);
  void write_product(const Product& product);
  std::size_t mean_variable(const Mean& mean);
  void add_parity(const Parity& parity);
  void add_mean_row(const MeanRow& row);
  void add_penalty(const PenaltyTerm& penalty);
  void add_toll(const Toll& toll);
  void take_away(std::size_t variable, double price);
  void make_elastic(std::size_t row, double scale);
  std::size_t functional(std::size_t j) const { return functional_[j]; }

  /// The rounds of column generation, which end with OutOfTime; `outcome` and `meanwhile` (a bound that every round has
  /// at hand, looser than what is proven in the end) hold what is known by then.
  void generate(std::span<const Coefficient> objective, double precision, double enough, const Deadline& deadline,
                double hopeless, Outcome& outcome, double& meanwhile);
  /// Column generation for maximise objective . variables; the safe bound on it. Stops without one once the master
  /// reaches `hopeless`.
  Outcome optimise(std::span<const Coefficient> objective, double precision, double enough, const Deadline& deadline,
                   double hopeless = kInfinity);
  double lagrangian(std::span<const Coefficient> objective, const LpSolution& solution, std::span<const double> best);
  [[nodiscard]] Difference difference_of(const Mean& first, const Mean& second);
  void add_tangent(std::size_t square, double c);
  void write_tangent(const Tangent& tangent);
  [[nodiscard]] Range scale_of(const Square& square) const;
  void watch(std::size_t variable);
  bool add_tangents(const LpSolution& solution, double precision);
  [[nodiscard]] bool inside(std::size_t block, std::span<const double> accept) const;
  [[nodiscard]] bool at_ends(std::size_t block, std::span<const double> accept) const;

  const Program& program_;
  Pricing& pricing_;
  Deadline deadline_;  ///< the constructor's: of columns
  double tolerance_;
  double elastic_price_ = 0;
  std::vector<Box> boxes_{};
  std::unique_ptr<LinearProgram> lp_;
  std::vector<Variable> variables_{};  ///< of the master, columns excluded; [i] is LP variable lp_variable_[i]
  std::vector<std::size_t> lp_variable_{};
  std::vector<Row> rows_{};  ///< likewise, definitions and convexity excluded
  std::vector<std::size_t> lp_row_{};
  std::size_t value_ = 0;                  ///< V
  std::vector<std::size_t> functional_{};  ///< F_j
  std::vector<double> weight_{};           ///< [j] the largest weights of its terms, added up
  std::size_t most_terms_ = 0;             ///< of one group at one step
  std::vector<std::size_t> convexity_{}, functional_row_{};
  std::size_t value_row_ = 0;
  std::size_t cutoff_row_ = 0;
  std::size_t excess_ = 0;  ///< the greatest excess over any limit
  std::vector<Product> products_{};
  std::vector<Square> squares_{};
  std::vector<Coefficient> taken_{};  ///< from the value, for the objective
  std::vector<Tangent> tangents_{};
  std::vector<std::size_t> watched_{};  ///< variables whose ranges matter to envelopes
  std::vector<Combination> sums_{};
  std::vector<Among> among_{};
  std::vector<Column> columns_{};
  std::vector<std::size_t> elastic_{};  ///< variables
  std::vector<Repair> repairs_{};
  std::vector<std::optional<std::size_t>> mean_of_{};  ///< [numerator] variable of the mean
  std::vector<double> usual_{};                        ///< [j] what F_j is about
  bool empty_ = false;
  LpSolution last_{};
  Workspace work_;
};

}  // namespace fairstep
