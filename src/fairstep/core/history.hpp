// What a log says beyond the sums that a model needs: enough to ask whether it refutes the model (room `diagnose`).
//
// Counts add up over steps and forget where people came from, as a kernel that is the same at all steps may. These
// tables keep just that: when and after what a next state was seen, each a few times as large as the transitions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

struct CountsSpec;

inline constexpr Layout<4> kArrivalAxes{Axis::g, Axis::h, Axis::x1, Axis::y1};
inline constexpr Layout<7> kPairAxes{Axis::g, Axis::x0, Axis::y0, Axis::a0, Axis::x, Axis::y, Axis::a};
inline constexpr Layout<6> kAfterPairAxes{Axis::g, Axis::x0, Axis::y0, Axis::a0, Axis::x1, Axis::y1};
inline constexpr Layout<5> kUnseenAxes{Axis::g, Axis::k, Axis::x, Axis::y, Axis::a};
inline constexpr Layout<3> kWindowArrivalAxes{Axis::g, Axis::x1, Axis::y1};

/// The decision before, in short: none was seen, or its label and action.
[[nodiscard]] inline std::size_t class_before(std::size_t y0, std::size_t a0) { return 1 + y0 * kActions + a0; }

/// Each part is empty where it would have more than kMostEntries entries, or was not counted.
struct History {
  static constexpr std::size_t kMostEntries = std::size_t{1} << 20U;  ///< of any table

  // When: by step.
  Tensor<std::int64_t, 5> departures{};  ///< [g,h,x,y,a] decisions whose next state was seen
  Tensor<std::int64_t, 4> arrivals{};    ///< [g,h,x1,y1] those next states, by the step they were seen at
  // After what: of the transitions whose decision had one seen right before it.
  Tensor<std::int64_t, 7> pairs{};        ///< [g,x0,y0,a0,x,y,a] the decision before, and the decision
  Tensor<std::int64_t, 6> after_pairs{};  ///< [g,x0,y0,a0,x1,y1] the decision before, and the next state
  /// [g,k,x,y,a] decisions before the last step whose next state was not seen, by `class_before`.
  Tensor<std::int64_t, 5> unseen{};

  /// The transitions whose decision was in a part of the calendar.
  struct Window {
    std::string from{};                    ///< first day
    Tensor<std::int64_t, 4> departures{};  ///< [g,x,y,a]
    Tensor<std::int64_t, 3> arrivals{};    ///< [g,x1,y1]

    friend bool operator==(const Window&, const Window&) = default;
  };
  std::vector<Window> windows{};  ///< in the order of time; none if the log was not cut into windows

  [[nodiscard]] static bool keeps_steps(const Shape& shape);
  [[nodiscard]] static bool keeps_pairs(const Shape& shape);

  friend bool operator==(const History&, const History&) = default;
};

/// An error if the tables do not go with those of the counts, which add up to the same.
[[nodiscard]] Expected<void> check(const History& history, const CountsSpec& counts);

/// Of both together: each part that both have. Null if a sum overflows.
[[nodiscard]] std::optional<History> merge(const History& ours, const History& theirs);

/// Counts a history from the decisions about people, one person after the other, each in the order of steps.
class HistoryCounter {
 public:
  explicit HistoryCounter(const Shape& shape);

  struct Decision {
    std::size_t g, h, x, y, a;
  };
  /// `goes_on` if this person's decision one step earlier was the last one added.
  void add(const Decision& decision, bool goes_on);
  /// Everybody was added.
  [[nodiscard]] History finish();

 private:
  void end_here();

  Shape shape_;
  History history_;
  std::array<Decision, 2> before_{};  ///< the last decision, and the one before it
  std::size_t known_ = 0;             ///< how many of these are of this stretch
};

}  // namespace fairstep
