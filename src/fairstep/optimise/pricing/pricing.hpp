// The best table of one block when every functional has a price: found by ascent, proven by branch and bound.
//
// With prices fixed, what a block earns is affine in each entry of its table separately, so a best table has every
// entry at an end of its box, or an extreme row of each step where acceptance may not fall. Ascent improves one step at
// a time; the proof bounds what is left open by policies that remember (belief_grid.hpp), or by how far tables can move
// people (affine_bound.hpp). Boxes are narrowed to the program's rules.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/pricing/belief_grid.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

struct Priced {
  double value = 0;              ///< what `accept` earns at the prices
  double bound = 0;              ///< what no table in the box exceeds; only from `prove`, infinite if it had no time
  std::vector<double> accept{};  ///< [h,x], every entry at an end of its box; where acceptance never falls: of some box
  std::size_t nodes = 0;         ///< of the branch and bound
  std::size_t effort = 0;        ///< that the proof took, as in deadline.hpp
};

/// What a proof may rest on: policies that remember, how far tables can move people, or both.
enum class Evidence { both, memory, reach };

struct ProofOptions {
  double tolerance = 0;  ///< absolute: stop once bound - value is this small
  double enough = 0;     ///< absolute: also stop once the bound is below this (-infinity: never)
  std::size_t max_effort = 1000;
  Evidence evidence = Evidence::both;  ///< where acceptance never falls there is memory only
};

class Pricing {
 public:
  static constexpr std::size_t kGridPoints = 9;  ///< beliefs of a feature that bounds are worked out at

  /// The program must outlive it. Grids are shared by all boxes and prices. Everything here ends with OutOfTime once
  /// the deadline is over, but for `prove`.
  explicit Pricing(const Program& program, std::size_t grid_points = kGridPoints, Deadline deadline = {});

  /// Sets the prices for the calls below: the block earns value_weight * value + sum of price * functional.
  void set_prices(std::span<const double> price, double value_weight);

  /// Local search from a table whose entries may be anywhere in the box; the result is at its ends.
  [[nodiscard]] Priced ascend(std::size_t block, const Box& box, std::span<const double> start);

  /// What several ascents end at, the best first: from what memory would do, and from the given tables. `remembering`
  /// gets the bound that lets the policy remember.
  [[nodiscard]] std::vector<Priced> search(std::size_t block, const Box& box,
                                           std::span<const std::vector<double>> starts, double* remembering = nullptr);

  /// Branch and bound, begun with a known table (may be empty). If the time is up, what was proven by then.
  [[nodiscard]] Priced prove(std::size_t block, const Box& box, std::span<const double> known,
                             const ProofOptions& options);

  /// One evaluation of the bound that lets the policy remember.
  double remembering_bound(std::size_t block, const Box& box);

 private:
  class Stepwise;
  static void keep_better(Priced found, Priced& best);
  class Rising;
  [[nodiscard]] Priced prove_in_time(std::size_t block, const Box& box, std::span<const double> known,
                                     const ProofOptions& options);
  [[nodiscard]] Priced prove_by_entries(std::size_t block, const Box& box, std::span<const double> known,
                                        const ProofOptions& options);
  /// By affine_bound.hpp, from what is known of `best`.
  void prove_by_reach(std::size_t block, const Box& box, const ProofOptions& options, Priced& best);
  /// Where acceptance never falls.
  [[nodiscard]] Priced prove_rising(std::size_t block, const Box& box, std::span<const double> known,
                                    const ProofOptions& options);
  [[nodiscard]] bool rising() const { return !program_.rules.chains.empty(); }
  /// [h] if acceptance never falls, else none.
  [[nodiscard]] std::vector<RisingRows> rows_in(const Box& box) const;

  struct Votes {
    std::vector<double> in_favour{}, against{};
  };
  /// What the policy that remembers, of the last `remembering_bound` on the same block and box, would do where.
  Votes votes_of(std::size_t block, const Box& box);
  [[nodiscard]] std::vector<double> majority(const Box& box, const Votes& votes) const;

  const Program& program_;
  Deadline deadline_;
  std::vector<BeliefGrid> grids_{};            ///< [g]
  std::vector<std::vector<double>> reward_{};  ///< [g][h,x,y,a]
  std::vector<std::vector<double>> mass_{};    ///< [g][h,x,y]
  std::vector<double> next_{}, here_{};        ///< [g,x,y] values to go
  std::vector<BeliefGrid::Worth> worth_{};     ///< [g] of the last remembering bound
  std::vector<double> scratch_{};
  std::vector<double> gain_{};  ///< [x]
  std::vector<double> q_{};     ///< [g,x,y,a]
};

}  // namespace fairstep
