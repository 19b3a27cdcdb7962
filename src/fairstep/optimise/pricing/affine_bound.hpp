// An upper bound on what a table without memory earns, from how far the choices of all other entries can move those who
// stand at one of them.
//
// Backward in time the value-to-go is over-estimated by affine functions of where people are. At an entry accept[h,x]
// accepting is worth s more than refusing, s linear in the masses at x, and the table adds accept * s: a product. Over a
// range [L,U] of s it lies below a chord, and where L and U have one sign it is linear. A policy that remembers would
// add max(0, s) for every past apart; here all pasts have one entry, and what they come to together varies much less
// than what each of them says. Ranges of masses are bounded by the same recursion, step after step; only tables that are
// worth the cutoff count, which narrows them further.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

class AffineBound {
 public:
  /// `reward` [g][h,x,y,a] is what the groups of the block are paid; program, rewards and deadline must outlive it.
  AffineBound(const Program& program, std::size_t block, const std::vector<std::vector<double>>& reward,
              const Deadline& deadline);

  /// Where people can be: the most of each direction in the plane of (y=0, y=1), [h,group,x,direction].
  using Reach = std::vector<double>;

  struct Result {
    double bound = 0;              ///< no table in the box is worth more, or more than the cutoff
    std::size_t branch = 0;        ///< the entry whose chord gives most away
    std::size_t work = 0;          ///< multiplications
    double given_away = 0;         ///< by that chord
    std::vector<double> accept{};  ///< [h,x] what the bound plays
  };
  /// The box is narrowed to entries that a table worth the cutoff may have; `reach` is narrowed, or worked out if empty.
  Result bound(Box& box, double cutoff, double enough, Reach& reach, int rounds) const;

 private:
  struct Lanes;
  struct Plan;

  [[nodiscard]] std::size_t place(std::size_t h, std::size_t k, std::size_t x) const;
  [[nodiscard]] double most(const Reach& reach, std::size_t at, double d0, double d1) const;
  void step_back(std::size_t h, const Box& box, const Reach& reach, Lanes& lanes) const;
  void back_to_start(std::size_t h, const Box& box, const Reach& reach, Lanes& lanes) const;
  [[nodiscard]] bool look_ahead(const Box& box, double cutoff, const Plan* plan, Reach& reach) const;
  Result plan_back(Box& box, double cutoff, const Reach& reach, Plan& plan) const;

  const Program& program_;
  const Shape& n_;
  const std::vector<std::size_t>& groups_;
  const std::vector<std::vector<double>>& reward_;
  const Deadline& deadline_;
  mutable std::size_t work_ = 0;
  std::vector<double> scale_{};      ///< [h,group,x,y] about the most people there
  std::vector<double> magnitude_{};  ///< [h] the most that can be paid from there on
};

}  // namespace fairstep
