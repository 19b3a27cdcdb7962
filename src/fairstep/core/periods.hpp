// Stretches of steps, each with a kernel of its own: a world that changes. Without any, one kernel holds for all steps.
//
// The kernel of step h leads from step h to step h + 1 and belongs to the period that step h is in, so that h runs over
// all steps but the last: what comes after the last step is nobody's business.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/shape.hpp>

namespace fairstep {

struct Period {
  std::string name{};
  std::size_t first_step = 0;  ///< its last is the one before the next period's first

  friend bool operator==(const Period&, const Period&) = default;
};

/// In the order of time; the first begins at step 0. Empty: pooled, one kernel for all steps.
struct Periods {
  std::vector<Period> list{};

  [[nodiscard]] bool pooled() const { return list.empty(); }
  /// Kernels of a group: 1 if pooled.
  [[nodiscard]] std::size_t number() const { return pooled() ? 1 : list.size(); }
  /// The period, counted from 0, that step h is in; 0 if pooled.
  [[nodiscard]] std::size_t of(std::size_t h) const;
  /// One past the last step with a kernel of period k.
  [[nodiscard]] std::size_t end(std::size_t k, std::size_t horizon) const;

  /// A period for each step that has a next: `step 0`, `step 1`, ...
  [[nodiscard]] static Periods per_step(std::size_t horizon);
  friend bool operator==(const Periods&, const Periods&) = default;
};

/// What somebody asks for: one kernel, one for each step, or one for each of some periods.
struct KernelChoice {
  bool per_step = false;
  Periods periods{};  ///< if not per step; none: pooled

  /// `pooled`, `per-step`, or `before=0,after=3`: names, and the first step of each.
  [[nodiscard]] static Expected<KernelChoice> parse(std::string_view text);
  /// For so many steps; an error if the periods do not go with the shape.
  [[nodiscard]] Expected<Periods> of(const Shape& shape) const;

  friend bool operator==(const KernelChoice&, const KernelChoice&) = default;
};

/// An error unless names are different and fit to be printed, first steps rise from 0 to the last but one at most, and
/// the kernels fit in memory. Of `shape` the number of periods is not looked at; `key` is what they were given as.
[[nodiscard]] Expected<void> check(const Periods& periods, const Shape& shape, const std::string& key = "periods");

/// For whoever knows one kernel of all steps only: an error unless there is just one. `what` has the periods ("the
/// model"), `who` cannot do with them ("learning").
[[nodiscard]] Expected<void> require_pooled(const Periods& periods, std::string_view what, std::string_view who,
                                            const Text& hint = {});

/// `before (steps 0 to 2), after (steps 3 to 8)`: steps whose next state the kernels are of.
[[nodiscard]] std::string in_words(const Periods& periods, std::size_t horizon);

}  // namespace fairstep
