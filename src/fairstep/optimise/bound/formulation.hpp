// What a program's limits, penalties and tolls become in the master: rows, with envelopes for quotients and tangents
// for squares; and the ranges of all that enters these.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fairstep/optimise/bound/envelopes.hpp>
#include <fairstep/optimise/bound/master.hpp>
#include <fairstep/optimise/bound/tangents.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/pricing/pricing.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

class Formulation {
 public:
  /// Writes all of it. Constraints may be exceeded by `tolerance`. Envelopes are made for policies like the `usual` one
  /// (may be empty). Program, pricing and master must outlive it. After the deadline ranges stay as wide as they may
  /// be.
  Formulation(const Program& program, Pricing& pricing, Master& master, double tolerance, const Tables& usual,
              const Deadline& deadline);
  Formulation(const Formulation&) = delete;  // its parts name each other
  Formulation& operator=(const Formulation&) = delete;

  /// V less penalties and tolls, and less what limits are exceeded by, which costs so much a unit.
  [[nodiscard]] std::vector<Coefficient> objective(double price) const;
  /// The range of a variable, upwards (1) or downwards (-1).
  [[nodiscard]] std::vector<Coefficient> end_of_range(std::size_t variable, int sign) const;
  /// Minus the greatest excess over any limit.
  [[nodiscard]] std::vector<Coefficient> least_excess() const;

  /// Only objectives of at least this matter; -infinity: all.
  void set_cutoff(double cutoff) { master_.set_row(cutoff_row_, cutoff, kInfinity); }

  /// The ranges of all that enters products and squares.
  [[nodiscard]] std::vector<Range> ranges() const;
  void set_ranges(std::span<const Range> ranges);
  void set_range(std::size_t variable, double low, double high);
  /// Where a variable's range is in `ranges`.
  [[nodiscard]] std::size_t place_of(std::size_t variable) const;
  /// Narrows ranges to what boxes alone imply.
  void narrow_to(std::span<const Box> boxes);
  /// A range has been narrowed to nothing: no policy in the boxes is worth the cutoff.
  [[nodiscard]] bool empty() const { return empty_; }

  /// What rows and variables of limits on gaps are called in proofs (prove/relations.hpp), and what denominators are
  /// multiplied by: [limit][group].
  struct Names {
    std::map<std::size_t, std::string> row{}, variable{};
    std::vector<std::vector<double>> scale{};
  };
  [[nodiscard]] const Names& names() const { return names_; }

  [[nodiscard]] const Envelopes& envelopes() const { return envelopes_; }
  [[nodiscard]] Tangents& tangents() { return tangents_; }

 private:
  /// (mean - mean) * S, S > 0 as in Tangents::Square
  struct Difference {
    std::vector<Coefficient> entries{};
    std::optional<std::size_t> scale{};
    double per_scale = 1;
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

  void bound_denominators(const std::vector<bool>& is_denominator, const Deadline& deadline);
  /// What a sum of functionals can be, in boxes.
  [[nodiscard]] Range remembering_range(std::span<const Coefficient> functionals, std::span<const Box> boxes);
  void add_parity(const Parity& parity);
  /// t * (D_i - D_j) as well as t * D_i: where the groups are alike the difference is small, and so is its envelope's
  /// error.
  /// `named` for each, if these are a limit's: which of its groups it is about.
  void relate_products(std::size_t t, const std::vector<std::size_t>& products,
                       const std::vector<std::size_t>& denominators, const std::vector<std::size_t>& named = {});
  void name_envelope(const std::string& product, std::size_t w);
  void add_ratio(const Ratio& ratio);
  void add_mean_row(const MeanRow& row);
  void add_penalty(const PenaltyTerm& penalty);
  void add_toll(const Toll& toll) { take_away(mean_variable(toll.mean), toll.price); }
  void take_away(std::size_t variable, double price);
  void make_elastic(std::size_t row, double scale);
  std::size_t mean_variable(const Mean& mean);
  [[nodiscard]] Difference difference_of(const Mean& first, const Mean& second);
  std::size_t add_difference(std::size_t i, std::size_t j, double per_i = 1, double per_j = 1);
  std::size_t add_product(std::size_t a, std::size_t b, bool of_difference = false);
  void require_product(std::size_t a, std::size_t b, std::size_t w, bool of_difference = false);
  void watch(std::size_t variable);
  /// Boxes narrow its range, so that each part of a search has a range of its own: it is among `ranges`.
  void narrow_with_boxes(Combination sum);
  void narrow_with_boxes(Among mean);
  [[nodiscard]] double per_usual(std::size_t functional) const;
  [[nodiscard]] static std::size_t functional(std::size_t j) { return Master::functional(j); }

  const Program& program_;
  Pricing& pricing_;
  Master& master_;
  double tolerance_;
  Envelopes envelopes_;
  Tangents tangents_;
  std::size_t cutoff_row_ = 0;
  std::size_t excess_ = 0;              ///< the greatest excess over any limit
  std::vector<Coefficient> taken_{};    ///< from the value, for the objective
  std::vector<std::size_t> elastic_{};  ///< by how much limits are exceeded
  std::vector<std::size_t> watched_{};  ///< variables whose ranges may be narrowed
  std::vector<Combination> sums_{};
  std::vector<Among> among_{};
  std::vector<std::optional<std::size_t>> mean_of_{};  ///< [numerator] variable of the mean
  std::vector<double> usual_{};                        ///< [j] what F_j is about
  Names names_{};
  bool empty_ = false;
};

}  // namespace fairstep
