// What an estimated model rests on, row by row: how much was seen, what was guessed and by which rule, what was assumed
// about labels, and what of the log could not be used.
//
// It is part of the model, so that whatever is proven about the model later can say on what. A model that was written
// down rather than estimated has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/by_period.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/core/words.hpp>

namespace fairstep {

/// What the row of a cell is when no successor of it was seen. The paper's formula gives a row of zeros, which is no
/// distribution.
enum class Unvisited {
  uniform,  ///< every state alike
  stay,     ///< the state stays as it is
  error,    ///< there is no such row: the estimate is refused
};
template <>
inline constexpr auto kWords<Unvisited> =
    words<Unvisited>({{Unvisited::uniform, "uniform"}, {Unvisited::stay, "stay"}, {Unvisited::error, "error"}});

/// What the log behind an estimate was like, in totals; the counts have it in full.
struct LogGrounds {
  std::int64_t rows = 0;  ///< in the log, lines that are no rows included
  std::int64_t lost = 0;  ///< of these, so many could not be used
  Censoring censoring = Censoring::none;
  std::int64_t imputed = 0;            ///< labels that were drawn
  std::int64_t unlabelled = 0;         ///< decisions without a label, left out
  std::int64_t excluded = 0;           ///< rows of groups that are outside of the study, as asked for
  std::int64_t unrecorded_people = 0;  ///< people in the counts of whose log nothing is known

  friend bool operator==(const LogGrounds&, const LogGrounds&) = default;
};

/// Of a model in which labels follow features: the rows of a cell are those of its feature and decision, and labels
/// those of the next feature.
struct LabelGrounds {
  LabelAssumption assumption{};
  RefusedPoint point = RefusedPoint::like_accepted;  ///< which of the models that the assumption allows
  Tensor<std::int64_t, 2> seen{};    ///< [g,x] labels seen; 0: the share of the qualified is a guess, or the rule's
  Tensor<std::int64_t, 2> unseen{};  ///< [g,x] decisions whose label nobody saw

  friend bool operator==(const LabelGrounds&, const LabelGrounds&) = default;
};

struct Grounds {
  std::vector<std::int64_t> people{};  ///< [g] people counted
  bool shares_counted = true;          ///< the groups' shares are those of `people`; false: they were given
  std::vector<std::int64_t> first{};   ///< [g] first states seen; 0: the group's first state is a guess, uniform
  /// [g,x,y,a] next states seen, or next features of (g,x,a) where labels follow features; 0: the row is a guess. By
  /// the model's periods.
  ByPeriod<std::int64_t, 4> successors{};
  /// [g,x,y,a] rewards seen; 0: the mean reward is a guess, 0. If rewards were given, decisions seen
  Tensor<std::int64_t, 4> rewards{};
  Unvisited unvisited{};                 ///< the rule of the guessed rows
  std::optional<LogGrounds> log{};       ///< none: the counts did not say which log they came from
  std::optional<LabelGrounds> labels{};  ///< none: nothing is assumed about them, states are as seen
  bool rewards_given = false;            ///< rewards are not estimates: whoever asked for the model chose them
  std::int64_t gaps = 0;  ///< decisions after a gap that participation takes for those of people who join there

  friend bool operator==(const Grounds&, const Grounds&) = default;
};

/// An error if these cannot be the grounds of a model of this shape; keys are under `rests_on`.
[[nodiscard]] Expected<void> check(const Grounds& grounds, const Shape& shape, const std::vector<std::string>& groups);

/// Rows, of groups times cells, that nobody saw a successor of.
[[nodiscard]] std::size_t guessed_rows(const Grounds& grounds);

/// The totals of a log. Lost are rows that could not be used: neither duplicates, nor rows outside of the steps asked
/// for, nor decisions that lack nothing but the label.
[[nodiscard]] LogGrounds grounds_of(const LogRecord& record);

/// What whoever uses the model has to know besides what was guessed, a sentence each: labels that were drawn or left
/// out, rows that were lost, groups whose first state nobody saw. `groups` are the names.
[[nodiscard]] std::vector<std::string> caveats(const Grounds& grounds, const std::vector<std::string>& groups);

}  // namespace fairstep
