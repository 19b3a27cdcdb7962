// Rows that could not be used, by what is known of them. In the end each is charged to every entry of the tables that
// it may belong to: how many groups, features and steps there are is known only then.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fairstep/core/lost.hpp>
#include <fairstep/core/shape.hpp>

namespace fairstep::internal {

/// The number of a value that is not known.
inline constexpr std::int32_t kAny = -1;

/// A row as far as it is known; numbers are those of the reader's categories.
struct Known {
  std::int32_t g = kAny, h = kAny, x = kAny, y = kAny, a = kAny;
  bool label_only = false;  ///< nothing but a label is missing: the tables of features have it

  friend bool operator==(const Known&, const Known&) = default;
};

/// Where each number of a tally goes in the counts.
struct Places {
  std::vector<std::size_t> group{}, feature{}, step{};
};

class Ledger {
 public:
  /// A decision that is missing.
  void lose_decision(const Known& row, std::int64_t times = 1);
  /// The successor of a decision is missing, be the decision itself counted or not.
  void lose_successor(Known row, std::int64_t times = 1);
  /// The first state of a person is missing.
  void lose_first(std::int32_t g, bool label_only = false, std::int64_t times = 1);
  /// A row of nobody knows whom: it may follow any decision, be the first of somebody unseen, and the true first of
  /// somebody who is counted with a later one.
  void lose_row_of_anybody(const Known& row, std::int64_t times = 1);
  /// A row that is lost says this group, whatever other rows of the person say.
  void note_name(std::int32_t g) { ++named_[Known{.g = g}]; }
  /// Some lost row says it.
  [[nodiscard]] bool names(std::int32_t g) const { return named_.contains(Known{.g = g}); }

  /// Adds rows whose numbers are others: `group[their number]` is ours, and so on.
  void add(const Ledger& other, const std::vector<std::size_t>& group, const std::vector<std::size_t>& feature,
           const std::vector<std::size_t>& step);

  template <class Wire>
  void travel(Wire& wire) {
    for (Rows* rows : {&decisions_, &successors_, &first_, &doubts_, &named_}) {
      std::size_t left = rows->size();
      wire(left);
      auto next = rows->begin();
      for (; left > 0 && !wire.failed(); --left) {
        auto [row, times] = Wire::reads ? std::pair<Known, std::int64_t>{} : std::pair<Known, std::int64_t>(*next++);
        wire(row.g, row.h, row.x, row.y, row.a, row.label_only, times);
        if constexpr (Wire::reads) (*rows)[row] += times;
      }
    }
  }

  [[nodiscard]] Lost charge(const Shape& shape, const Places& places) const;
  /// The same for the tables of features.
  [[nodiscard]] FeatureLost charge_features(const Shape& shape, const Places& places) const;

 private:
  struct Hash {
    std::size_t operator()(const Known& row) const;
  };
  using Rows = std::unordered_map<Known, std::int64_t, Hash>;

  Rows decisions_{}, successors_{};
  Rows first_{}, doubts_{}, named_{};  ///< of these only the group is known
};

}  // namespace fairstep::internal
