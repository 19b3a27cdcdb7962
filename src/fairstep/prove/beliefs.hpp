// What policies of one group earn at the most if they may remember: a bound on all that may not.
//
// Whoever remembers knows, beside the feature x, the belief b = P(y=1 | past). With m = (people with y=0, with y=1) at
// x, what is to be had from a step on is a convex function of m that is homogeneous, so at a sum of two such vectors it
// is at most the sum of what it is at either. The vectors (1-b, b) of two neighbouring beliefs of a grid make up
// whatever lies between them, and a recursion over the grid bounds all policies. Every number is rounded to the unsafe
// side of nobody: upwards.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/check/interval.hpp>
#include <fairstep/core/model.hpp>

namespace fairstep::prove {

using rigorous::Interval;
using rigorous::Real;

class Beliefs {
 public:
  /// So many beliefs of each feature, spread over those that can come about.
  Beliefs(const Model& model, std::size_t g, std::size_t points);

  /// What is to be had: [h,node] by refusing now, by accepting, and by the better end of the box.
  struct Values {
    std::vector<Real> refused{}, accepted{}, best{};
    std::vector<Real> greatest{};  ///< [h] nobody earns or loses more from there on
  };
  /// The most that pay[h,x,y,a] adds up to, for P(a=1) between lo[h,x] and hi[h,x].
  [[nodiscard]] Real most(std::span<const Interval> pay, std::span<const double> lo, std::span<const double> hi,
                          Values& values) const;

  /// What people at x are worth at a step with these values, at the most.
  [[nodiscard]] Real worth(const Values& values, std::size_t h, std::size_t x, const Interval& unqualified,
                           const Interval& qualified) const;

  /// Where memory matters, for whoever looks for a proof: of people who follow the values, the advantage of accepting
  /// where it is positive and where it is negative. Adds to both; rounded as it comes.
  void add_votes(const Values& values, std::span<const double> lo, std::span<const double> hi,
                 std::span<double> in_favour, std::span<double> against) const;

 private:
  /// What of some people counts for a belief of the grid and what for the next one.
  struct Landing {
    std::size_t node;
    Interval lower, upper;
  };
  /// Where people go to; `astray` of them may be on the wrong side of zero, and are counted apart.
  struct Landings {
    std::vector<Landing> list{};
    Real astray = 0;
  };

  [[nodiscard]] std::size_t nodes() const { return belief_.size(); }
  static Real collect(const Landings& landings, const Real* values, Real greatest);
  void land(std::size_t x, const Interval& unqualified, const Interval& qualified, Landings& landings) const;

  const Model& model_;
  std::vector<double> belief_{};
  std::vector<std::size_t> feature_{};
  std::vector<std::size_t> first_{};  ///< [x] its first node, one more than there are features
  std::vector<Landings> steps_{};     ///< [period,node,a]
  Landings initial_{};
};

}  // namespace fairstep::prove
