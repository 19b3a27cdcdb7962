// The sums over a log while it is being read: sizes are not known before the end, so tables grow as values come.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include <fairstep/core/shape.hpp>
#include <fairstep/ingest/internal/exact_sum.hpp>

namespace fairstep::internal {

/// Rewards of one cell, summed exactly. Most cells know few different rewards: those are only counted.
class RewardSum {
 public:
  void add(double reward, std::int64_t times = 1) {
    // All four at once: which one it is cannot be foretold, so that branches would be missed.
    const auto bits = std::bit_cast<std::uint64_t>(reward);
    unsigned same = 0;
    for (unsigned i = 0; i < counted_.size(); ++i)
      same |= static_cast<unsigned>(std::bit_cast<std::uint64_t>(counted_[i].reward) == bits) << i;
    if (same != 0)
      counted_[static_cast<std::size_t>(std::countr_zero(same))].times += times;
    else
      add_other(reward, times);
  }
  void add(const RewardSum& other);
  template <class Wire>
  void travel(Wire& wire) {
    for (Counted& counted : counted_) wire(counted.reward, counted.times);
    bool more = sums_ != nullptr;
    wire(more);
    if (!more) return;
    if (!sums_) sums_ = std::make_unique<Sums>();
    wire(sums_->sum, sums_->squares);
  }
  [[nodiscard]] double sum() const;
  [[nodiscard]] double squares() const;

 private:
  struct Sums {
    ExactSum sum{};
    ExactSum squares{};  ///< of squares that were each rounded to a double
  };
  struct Counted {
    double reward = 0;
    std::int64_t times = 0;
  };
  void add_other(double reward, std::int64_t times);
  void spill(const Counted& counted);
  [[nodiscard]] Sums total() const;

  std::array<Counted, 4> counted_{};
  std::unique_ptr<Sums> sums_{};  ///< of all that did not fit above
};

/// Numbers of group, feature and step are those of the reader's categories.
class Tables {
 public:
  static constexpr std::size_t kUnlabelled = 2;                             ///< in place of a label
  static constexpr std::size_t kMostEntries = std::size_t{1} << 25U;        ///< of any table
  static constexpr std::size_t kMostWindowEntries = std::size_t{1} << 23U;  ///< of all windows together

  explicit Tables(bool by_step = false) : by_step_(by_step) {}

  /// Makes room; call before using numbers that are new.
  void reserve(std::size_t groups, std::size_t features, std::size_t steps);
  /// The greatest number of entries that any table has.
  [[nodiscard]] static std::size_t entries(std::size_t groups, std::size_t features, std::size_t steps, bool by_step);

  // Each by number; y may be kUnlabelled in visits and windows only.
  [[nodiscard]] std::size_t cell(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const {
    return ((g * features_ + x) * kLabels + y) * kActions + a;
  }
  std::int64_t& first(std::size_t g, std::size_t x, std::size_t y) { return first_[(g * features_ + x) * kLabels + y]; }
  std::int64_t& visits(std::size_t cell, std::size_t h) { return visits_[cell * steps_ + h]; }
  std::int64_t& unlabelled(std::size_t g, std::size_t x, std::size_t a, std::size_t h) {
    return unlabelled_[((g * features_ + x) * kActions + a) * steps_ + h];
  }
  // Of rows without a label: first ones, and steps of which either end has none.
  std::int64_t& unlabelled_first(std::size_t g, std::size_t x) { return unlabelled_first_[g * features_ + x]; }
  std::int64_t& unlabelled_moves(std::size_t g, std::size_t x, std::size_t a, std::size_t x1) {
    return unlabelled_moves_[((g * features_ + x) * kActions + a) * features_ + x1];
  }
  std::int64_t& transitions(std::size_t cell, std::size_t x1, std::size_t y1) {
    return transitions_[cell * features_ * kLabels + x1 * kLabels + y1];
  }
  /// Somebody came from a cell at step h; counted by step as well, if that is asked for.
  void add_move(std::size_t cell, std::size_t h, std::size_t x1, std::size_t y1) {
    ++transitions(cell, x1, y1);
    if (by_step_) ++move_at(cell, h, x1, y1);
  }
  /// Of those that are counted by step.
  std::int64_t& move_at(std::size_t cell, std::size_t h, std::size_t x1, std::size_t y1) {
    return moves_[(cell * steps_ + h) * features_ * kLabels + x1 * kLabels + y1];
  }
  RewardSum& reward(std::size_t cell) { return rewards_[cell]; }
  /// Of decisions that count by weights; y may be kUnlabelled. These do not go on a wire: none that is on one has any.
  struct WeightCell {
    std::size_t g = 0, h = 0, y = 0, a = 0;

    friend auto operator<=>(const WeightCell&, const WeightCell&) = default;
  };
  void add_weight(const WeightCell& cell, double weight) { weights_[cell].add(weight); }
  [[nodiscard]] const std::map<WeightCell, RewardSum>& weights() const { return weights_; }
  /// [g,y,a] of the window that starts on a day, y = kUnlabelled included.
  std::vector<std::int64_t>& window(std::int32_t from) {
    const auto found = windows_.find(from);
    std::vector<std::int64_t>& table = found != windows_.end() ? found->second : new_window(from);
    if (table.size() < groups_ * kWindowEntries) table.resize(groups_ * kWindowEntries);
    return table;
  }
  /// False if there are too many for so many groups: then the tables are of no use.
  [[nodiscard]] bool windows_fit(std::size_t groups) const {
    return windows_fit_ && windows_.size() * groups * kWindowEntries <= kMostWindowEntries;
  }
  [[nodiscard]] const std::map<std::int32_t, std::vector<std::int64_t>>& windows() const { return windows_; }

  // For the history. What is not seen to go on or to come is rare, and counted; the rest follows from the visits.
  /// Decisions whose next state was not seen.
  std::int64_t& ended(std::size_t cell, std::size_t h) { return ended_[cell * steps_ + h]; }
  /// States that nobody was seen to come to: first ones, and those after rows that are missing.
  std::int64_t& entered(std::size_t g, std::size_t x, std::size_t y, std::size_t h) {
    return entered_[((g * features_ + x) * kLabels + y) * steps_ + h];
  }
  /// Two decisions of a person one after the other, and a state after them.
  void add_pair(std::size_t cell_before, std::size_t cell, std::size_t g, std::size_t x1, std::size_t y1) {
    if (!pairs_kept_) return;
    const std::size_t cells = features_ * kLabels * kActions;
    ++pairs_[cell_before * cells + (cell - g * cells)];
    ++after_pairs_[cell_before * features_ * kLabels + x1 * kLabels + y1];
  }
  [[nodiscard]] bool pairs_kept() const { return pairs_kept_; }
  [[nodiscard]] std::int64_t pairs(std::size_t cell_before, std::size_t cell) const {
    const std::size_t cells = features_ * kLabels * kActions;
    return pairs_[cell_before * cells + cell % cells];
  }
  [[nodiscard]] std::int64_t after_pairs(std::size_t cell_before, std::size_t x1, std::size_t y1) const {
    return after_pairs_[cell_before * features_ * kLabels + x1 * kLabels + y1];
  }
  /// A decision whose next state was not seen, by the class of the decision before. Nothing is missing after the last
  /// step of the log, which is known only in the end: those of the highest step so far are kept apart.
  void add_unseen(std::size_t cell, std::size_t k, std::int64_t step) {
    if (step > top_step_) raise_top(step);
    ++(step == top_step_ ? at_top_ : unseen_)[cell * kClassesBefore + k];
  }
  /// Those of the highest step were not at the end either.
  void raise_top(std::int64_t step);
  [[nodiscard]] std::int64_t unseen(std::size_t cell, std::size_t k) const {
    return unseen_[cell * kClassesBefore + k];
  }
  /// A transition out of a cell in a window.
  void add_window_move(std::int32_t from, std::size_t cell, std::size_t g, std::size_t x1, std::size_t y1);
  struct WindowMoves {
    std::vector<std::int64_t> departures{};  ///< [g,x,y,a]
    std::vector<std::int64_t> arrivals{};    ///< [g,x1,y1]

    template <class Wire>
    void travel(Wire& wire) {
      wire(departures, arrivals);
    }
  };
  [[nodiscard]] const std::map<std::int32_t, WindowMoves>& window_moves() const { return window_moves_; }

  [[nodiscard]] std::size_t groups() const { return groups_; }
  [[nodiscard]] std::size_t features() const { return features_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }

  template <class Wire>
  void travel(Wire& wire) {
    wire(groups_, features_, steps_, first_, visits_, unlabelled_, unlabelled_first_, unlabelled_moves_, transitions_,
         by_step_, moves_, rewards_, windows_);
    wire(ended_, entered_, pairs_kept_, pairs_, after_pairs_, unseen_, at_top_, top_step_, window_moves_,
         window_moves_kept_);
  }

  /// Adds tables whose numbers are others: `group[their number]` is ours, and so on. Room must have been made.
  void add(Tables& other, const std::vector<std::size_t>& group, const std::vector<std::size_t>& feature,
           const std::vector<std::size_t>& step);

 private:
  std::size_t groups_ = 0, features_ = 0, steps_ = 0;  ///< room, not use
  std::vector<std::int64_t> first_{};                  ///< [g,x,y]
  std::vector<std::int64_t> visits_{};                 ///< [g,x,y,a,h]
  std::vector<std::int64_t> unlabelled_{};             ///< [g,x,a,h]
  std::vector<std::int64_t> unlabelled_first_{};       ///< [g,x]
  std::vector<std::int64_t> unlabelled_moves_{};       ///< [g,x,a,x1]
  std::vector<std::int64_t> transitions_{};            ///< [g,x,y,a,x1,y1]
  bool by_step_ = false;
  std::vector<std::int64_t> moves_{};  ///< [g,x,y,a,h,x1,y1] if by step
  std::vector<RewardSum> rewards_{};   ///< [g,x,y,a]
  std::map<WeightCell, RewardSum> weights_{};
  static constexpr std::size_t kWindowEntries = 3 * kActions;  ///< of each group
  std::map<std::int32_t, std::vector<std::int64_t>> windows_{};
  bool windows_fit_ = true;

  std::vector<std::int64_t>& new_window(std::int32_t from);
  void make_room_for_history(std::size_t groups, std::size_t features, std::size_t cells);
  void add_history(Tables& other, const std::vector<std::size_t>& group, const std::vector<std::size_t>& feature,
                   const std::vector<std::size_t>& step);
  void limit_window_moves();
  /// Those by step of one of their cells, to one of ours.
  void add_moves(Tables& other, std::size_t theirs, std::size_t ours, const std::vector<std::size_t>& feature,
                 const std::vector<std::size_t>& step);

  std::vector<std::int64_t> ended_{};        ///< [g,x,y,a,h]
  std::vector<std::int64_t> entered_{};      ///< [g,x,y,h]
  bool pairs_kept_ = true;                   ///< false once there are too many
  std::vector<std::int64_t> pairs_{};        ///< [g,x0,y0,a0,x,y,a]
  std::vector<std::int64_t> after_pairs_{};  ///< [g,x0,y0,a0,x1,y1]
  std::vector<std::int64_t> unseen_{};       ///< [g,x,y,a,k]
  std::vector<std::int64_t> at_top_{};       ///< the same, of the highest step
  std::int64_t top_step_ = std::numeric_limits<std::int64_t>::min();
  std::map<std::int32_t, WindowMoves> window_moves_{};
  bool window_moves_kept_ = true;
};

}  // namespace fairstep::internal
