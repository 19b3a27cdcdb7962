// Writes down what a search proves, so that a proof can be made of it which others check (prove/trace.hpp): prices, by
// the names that rows and quantities have there. Slacks and repairs are left out: they stand for no policy.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/optimise/bound/formulation.hpp>
#include <fairstep/optimise/bound/lagrangian.hpp>
#include <fairstep/optimise/bound/master.hpp>
#include <fairstep/prove/trace.hpp>

namespace fairstep {

class Recorder {
 public:
  /// All of these outlive it. A unit of the master's values is `unit` of the model's; a step has so many `features`.
  Recorder(const Master& master, const Formulation& formulation, std::size_t features, double unit,
           prove::Trace& trace);

  /// From now on the search is about this node of the trace.
  void at(std::size_t node) { node_ = node; }
  /// Splits the node; returns its first half, and the other one is the next.
  std::size_t split_rate(std::size_t variable, double at);
  std::size_t split_entry(std::size_t block, std::size_t entry, double at);

  /// A bound at these prices: on the value,
  void value(std::span<const Coefficient> objective, const Prices& prices, double bound);
  /// on minus the excess over limits,
  void nothing(std::span<const Coefficient> objective, const Prices& prices, double bound);
  /// and on an end of a variable's range, the upper one if sign is 1.
  void end(std::size_t variable, int sign, std::span<const Coefficient> objective, const Prices& prices, double bound);

 private:
  void add(prove::Claim claim, std::span<const Coefficient> objective, const Prices& prices, double bound, double unit);
  std::size_t split(const prove::Part::Split& split);

  const Master& master_;
  const Formulation& formulation_;
  std::size_t features_;
  double unit_;
  prove::Trace& trace_;
  std::size_t node_ = 0;
};

}  // namespace fairstep
