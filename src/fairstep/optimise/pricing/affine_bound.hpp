// An upper bound on what a table that does not remember earns, by how far its other entries can move those who stand at
// one of them.
//
// Backward in time the value-to-go is over-estimated by functions that are affine in where people are. At an entry
// accepting is worth s more than refusing, s linear in the masses there, and the table adds accept * s. For s in [L,U]
// a product of the two lies below a chord; where L and U have one sign it is linear itself. A policy that remembers
// adds max(0, s) for each past apart; here all pasts share an entry, and all of them together vary much less than each
// of them. The ranges come from the same recursion, step after step (reach.hpp); only tables that are worth the cutoff
// count, which is what makes them narrow: with a price on what is missing to the cutoff, how far people can be moved is
// bounded together with what moving them costs.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/pricing/reach.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

class AffineBound {
 public:
  /// The groups of the block are paid reward[g][h,x,y,a]. All of these must outlive it.
  AffineBound(const Program& program, std::size_t block, const std::vector<std::vector<double>>& reward,
              const Deadline& deadline);

  struct Aim {
    double cutoff;  ///< only tables worth more matter
    double enough;  ///< and a bound as low as this is
  };
  struct Result {
    /// No table with every entry at an end of the box is worth more, or more than the cutoff.
    double bound = std::numeric_limits<double>::infinity();
    std::size_t entry = 0;         ///< whose chord gives most away
    double given_away = 0;         ///< by that chord
    std::vector<double> accept{};  ///< [h,x] a table that the bound has in mind
    std::size_t work = 0;          ///< multiplications
  };
  /// Narrows the box to what a table worth the cutoff may have, and the reach to where it may lead; both stay good for
  /// any part of the box and any higher cutoff.
  Result bound(const Aim& aim, Box& box, Reach& reach);

  /// Multiplications that any bound takes.
  [[nodiscard]] std::size_t least_work() const;

  /// What is known before anything is bounded.
  [[nodiscard]] Reach first_reach() const { return {*program_.model, groups_}; }

 private:
  struct Lanes;
  /// What the block's own rewards come to from each step on, at the most: affine in where people are.
  struct ToGo {
    std::vector<double> value{};      ///< [h,group,x,y]
    std::vector<double> constant{};   ///< [h]
    std::vector<double> magnitude{};  ///< [h] no part of either is greater
    double all = std::numeric_limits<double>::infinity();
  };

  void step_back(std::size_t h, const Box& box, const Reach& reach, Lanes& lanes);
  void back_to_start(std::size_t h, const Box& box, const Reach& reach, Lanes& lanes);
  /// False: no table is worth the cutoff.
  [[nodiscard]] bool look_ahead(double cutoff, const Box& box, const ToGo* to_go, Reach& reach);
  [[nodiscard]] Result plan(double cutoff, const Box& box, const Reach& reach, ToGo& to_go,
                            std::vector<double>& regret);
  void sharpen(std::size_t h, double cutoff, const Box& box, const Reach& reach, double open, Lanes& main);

  const Program& program_;
  const Shape& n_;
  const std::vector<std::size_t>& groups_;
  const std::vector<std::vector<double>>& reward_;
  const Deadline& deadline_;
  std::size_t states_;    ///< of all groups
  double most_paid_ = 0;  ///< no table's value to go is greater in size
  std::size_t work_of_state_ = 0;
  std::size_t work_ = 0;  ///< multiplications so far
};

}  // namespace fairstep
