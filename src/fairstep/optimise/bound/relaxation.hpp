// An upper bound on the program: lotteries over tables, quotients relaxed to their envelopes, solved by column
// generation.
//
// A lottery over columns can do whatever a single table can, so the master's optimum bounds the program from above,
// once the pricing problem (is there a better column?) is bounded too. The reported bound is never the LP's word: it is
// the Lagrangian value of whatever prices the LP left behind, with each block's best response bounded by branch and
// bound.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <fairstep/optimise/bound/columns.hpp>
#include <fairstep/optimise/bound/formulation.hpp>
#include <fairstep/optimise/bound/lagrangian.hpp>
#include <fairstep/optimise/bound/master.hpp>
#include <fairstep/optimise/bound/recorder.hpp>
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

  /// From now on all that is proven is written down; the trace outlives the relaxation.
  void record(double unit, prove::Trace& trace) {
    recorder_.emplace(master_, formulation_, program_.shape().features, unit, trace);
  }
  /// Where it is written down; null if it is not.
  [[nodiscard]] Recorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }

  /// Offers a table of a block; ignored if it lies outside the box.
  void add_column(std::size_t block, std::span<const double> accept) { columns_.add(block, accept); }

  struct Outcome {
    double bound = kInfinity;    ///< no policy in the boxes is worth more
    double master = -kInfinity;  ///< what the LP found: the bound if pricing were exact
    std::size_t rounds = 0;
    std::size_t nodes = 0;
  };
  /// The bound on the program's value, to `precision` (absolute) if the deadline allows; stops early once it is below
  /// `enough`. Where the time runs out, what was proven by then.
  Outcome maximise(double precision, double enough, const Deadline& deadline);

  /// Only objectives of at least `at` matter, and once nothing is worth more than `enough`, nothing does.
  struct Cutoff {
    double at, enough;
  };
  /// Narrows the ranges of what enters products (optimality-based bound tightening). Returns the greatest relative
  /// shrinkage.
  double tighten(const Cutoff& cutoff, Tightening depth, const Deadline& deadline);

  /// Proven: every policy in the boxes exceeds some limit by at least this much (0 or less: nothing is proven).
  double least_excess(double precision, const Deadline& deadline);

  /// Drops columns that are not in use and would cost more than `worth` at the last prices.
  void forget_columns(double worth) { columns_.forget(worth); }
  /// Drops tangents that do not bind.
  void forget_tangents() {
    if (formulation_.tangents().forget()) known_.clear(), known_of_objective_.clear();
  }

  void set_boxes(std::vector<Box> boxes) { columns_.set_boxes(std::move(boxes)); }
  [[nodiscard]] const std::vector<Box>& boxes() const { return columns_.boxes(); }
  /// Narrows ranges to what the boxes alone imply.
  void narrow_to_boxes() { formulation_.narrow_to(boxes()); }

  /// The ranges of all that enters products, and the product whose envelope gives most away: for branching.
  [[nodiscard]] std::vector<Range> ranges() const { return formulation_.ranges(); }
  void set_ranges(std::span<const Range> ranges) { formulation_.set_ranges(ranges); }
  [[nodiscard]] std::optional<Envelopes::Split> worst_product() const { return formulation_.envelopes().worst(); }
  /// The rate in a product.
  [[nodiscard]] std::size_t rate_in(std::size_t product) const {
    return formulation_.envelopes().products()[product].a;
  }
  /// Where in the ranges that of the rate in a product is.
  [[nodiscard]] std::size_t place_of_rate(std::size_t product) const { return formulation_.place_of(rate_in(product)); }

  /// What the last solution of the master says about tables.
  [[nodiscard]] const Columns& columns() const { return columns_; }
  [[nodiscard]] bool has_products() const { return !formulation_.envelopes().products().empty(); }
  /// A range has been narrowed to nothing: no policy in the boxes is worth the cutoff.
  [[nodiscard]] bool empty() const { return formulation_.empty(); }

 private:
  /// What one run of column generation is after.
  struct Aim {
    std::span<const Coefficient> objective;
    double precision;
    double enough;
    double hopeless;  ///< stops without a bound once the master reaches it
    enum class About { value, excess, end } about;
    std::size_t variable = 0;  ///< whose end it is, the upper one if sign is 1
    int sign = 1;
  };
  /// Maximises objective . variables by column generation; the safe bound on it.
  Outcome optimise(const Aim& aim, const Deadline& deadline);
  /// The rounds of it, which end with OutOfTime; `outcome` and `meanwhile` (a bound that every round has at hand,
  /// looser than what is proven in the end) hold what is known by then.
  void generate(const Aim& aim, const Deadline& deadline, Outcome& outcome, double& meanwhile);
  /// What a bound rests on, kept if somebody records it.
  struct Evidence {
    Prices prices{};
    double bound = kInfinity;
  };
  /// The Lagrangian bound at the last prices, if it is lower.
  void lower(double& bound, Evidence& evidence, std::span<const Coefficient> objective, std::span<const double> best);
  void write_down(const Aim& aim, const Evidence& evidence);
  void give_each_block_a_column();
  /// Narrows one end of a variable's range.
  void tighten_end(std::size_t variable, int sign, double precision, const Deadline& deadline);

  void narrow_end(std::size_t variable, int sign, double bound);

  /// What proved an end of a range once: prices on rows, which hold whatever has become of ranges and rows since.
  struct Known {
    std::size_t variable;
    int sign;
    std::vector<double> row{};
  };
  void remember(std::size_t variable, int sign);
  /// The bound at prices on rows, which make `prices`.
  double bound_at(std::span<const Coefficient> objective, std::span<const double> row, Prices& prices);
  void look_again(const Known& known);
  void sweep(const Deadline& deadline);
  [[nodiscard]] bool known_to_be_below(double enough, const Deadline& deadline);
  void cut_off(double at);

  const Program& program_;
  Pricing& pricing_;
  Master master_;
  Columns columns_;
  Formulation formulation_;
  std::vector<Known> known_{};
  std::vector<double> known_of_objective_{};  ///< [row] the prices that bounded the objective last
  std::optional<Recorder> recorder_{};
  Evidence evidence_{}, meanwhile_{};  ///< of the last bound
  double elastic_price_;               ///< of exceeding a limit: above any gain
};

}  // namespace fairstep
