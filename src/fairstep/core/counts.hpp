// What a log says, in as many numbers as matter: the sufficient statistics of a group-dependent kernel, the same at all
// steps or by period, and the visits per step that an audit needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <fairstep/core/error.hpp>
#include <fairstep/core/history.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// Everything that makes counts, before it is checked.
struct CountsSpec {
  std::size_t horizon = 0;
  Names names{};
  Tensor<std::int64_t, 3> first{};        ///< [g,x,y] people whose first seen state this was
  Tensor<std::int64_t, 5> visits{};       ///< [g,h,x,y,a] decisions taken
  Tensor<std::int64_t, 6> transitions{};  ///< [g,x,y,a,x1,y1] steps whose successor was seen, over all steps
  Periods periods{};                      ///< by which they were counted; none: over all steps alone
  Tensor<std::int64_t, 7> by_period{};    ///< [g,period,x,y,a,x1,y1] adds up to `transitions`; empty without periods
  Tensor<double, 4> reward_sum{};         ///< [g,x,y,a]
  Tensor<double, 4> reward_squares{};     ///< [g,x,y,a] sum of squared rewards
  std::optional<LogRecord> log{};         ///< where they came from, if they came from a log
  std::optional<History> history{};       ///< when and after what, for `diagnose`; if it was counted
  std::optional<Part> part{};             ///< of which split, if they are not of all people

  /// All zero, for a model's or a log's names: to count in.
  [[nodiscard]] static CountsSpec zeros(std::size_t horizon, Names names, Periods periods = {});

  [[nodiscard]] Shape shape() const { return {names.groups.size(), horizon, names.features.size(), periods.number()}; }
  /// [x,y,a,x1,y1] successors seen of a group in a period, which is 0 where there are none.
  [[nodiscard]] std::span<std::int64_t> kernel(std::size_t g, std::size_t k) {
    return periods.pooled() ? transitions.block(g) : by_period.block(g, k);
  }
  [[nodiscard]] std::span<const std::int64_t> kernel(std::size_t g, std::size_t k) const {
    return periods.pooled() ? transitions.block(g) : by_period.block(g, k);
  }
  /// Fills `transitions` from `by_period`, if there are periods; their sum must fit.
  void sum_over_periods();
  /// The same for a table from outside: an error if it is not of the right size or has entries that are no counts.
  [[nodiscard]] Expected<void> take_sums();
  /// First states seen.
  [[nodiscard]] std::int64_t people(std::size_t g) const;
  /// Decisions taken in a cell, over all steps.
  [[nodiscard]] std::int64_t visits_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const;
  /// Successors seen of a cell: at most its visits.
  [[nodiscard]] std::int64_t successors_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const;

  friend bool operator==(const CountsSpec&, const CountsSpec&) = default;
};

/// Counts that exist are those of some log, checked once: sizes, no negative number, no more successors than visits, a
/// record and a history that go with them.
class Counts {
 public:
  /// Takes the spec over, or says what is wrong with it: which entry, what was found, what would be right.
  [[nodiscard]] static Expected<Counts> make(CountsSpec spec);

  [[nodiscard]] const CountsSpec& spec() const { return spec_; }
  [[nodiscard]] Shape shape() const { return spec_.shape(); }
  [[nodiscard]] std::size_t horizon() const { return spec_.horizon; }
  [[nodiscard]] const Names& names() const { return spec_.names; }
  [[nodiscard]] const Tensor<std::int64_t, 3>& first() const { return spec_.first; }
  [[nodiscard]] const Tensor<std::int64_t, 5>& visits() const { return spec_.visits; }
  [[nodiscard]] const Tensor<std::int64_t, 6>& transitions() const { return spec_.transitions; }
  [[nodiscard]] const Periods& periods() const { return spec_.periods; }
  /// [x,y,a,x1,y1] successors seen of a group in a period.
  [[nodiscard]] std::span<const std::int64_t> kernel(std::size_t g, std::size_t k) const { return spec_.kernel(g, k); }
  [[nodiscard]] const Tensor<double, 4>& reward_sum() const { return spec_.reward_sum; }
  [[nodiscard]] const Tensor<double, 4>& reward_squares() const { return spec_.reward_squares; }
  [[nodiscard]] const std::optional<LogRecord>& log() const { return spec_.log; }
  [[nodiscard]] const std::optional<History>& history() const { return spec_.history; }
  [[nodiscard]] const std::optional<Part>& part() const { return spec_.part; }

  [[nodiscard]] std::int64_t people(std::size_t g) const { return spec_.people(g); }
  /// These, and the people whose first state was in the log and could not be used. Whoever may be of several groups
  /// counts in each. Of a log whose losses nobody recorded it is what was seen, and there may be more.
  [[nodiscard]] std::int64_t everybody(std::size_t g) const;
  [[nodiscard]] std::int64_t visits_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const {
    return spec_.visits_of(g, x, y, a);
  }
  [[nodiscard]] std::int64_t successors_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const {
    return spec_.successors_of(g, x, y, a);
  }

  /// Adds counts of other people; an error if names or horizon differ, if they are not the same part of the same split,
  /// if the logs were read in ways that do not go together, or if a sum would overflow. A record that only one of the
  /// two has stays, and counts the other's people as unrecorded; a history is kept only if both have one.
  [[nodiscard]] Expected<void> add(const Counts& other);

  /// They are of this part of the people; without one, of all.
  [[nodiscard]] Expected<void> mark(std::optional<Part> part);

  /// The same counts with successors by these periods; an error unless each is made of periods that were counted.
  [[nodiscard]] Expected<Counts> by(const Periods& periods) const;

  /// The same counts without their record, history and part.
  [[nodiscard]] Counts tables() const;

  friend bool operator==(const Counts&, const Counts&) = default;

 private:
  explicit Counts(CountsSpec spec) : spec_(std::move(spec)) {}

  CountsSpec spec_;
};

}  // namespace fairstep
