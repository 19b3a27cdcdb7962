// How long the rest of an experiment takes, learned from what has been done of it.
//
// Solves differ: a program whose optimum is proven at once takes a hundredth of one that uses up its effort, and the
// last update of a run may be given ten times the effort of the others. So every piece of work has a cost that is
// expected beforehand, and what pieces take in fact, as a multiple of that, is learned: of all pieces, of those of a
// kind, of those of a cell, and of one update of a cell. Each of these begins where the one before it is, and moves
// with what is seen.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace fairstep::internal {

class TimeLeft {
 public:
  /// `repeats` runs of a cell each have a piece for each update; `expected` is what it costs, in seconds or any other
  /// unit. Cells of a kind are alike, such as all penalties under one notion. The number of the cell.
  std::size_t add(std::string kind, std::vector<double> expected, std::size_t repeats);

  /// A piece took so long.
  void done(std::size_t cell, std::size_t update, double seconds);
  /// A piece was there before, and says nothing of the speed.
  void found(std::size_t cell, std::size_t update);

  /// Seconds of one thread that the rest takes.
  [[nodiscard]] double seconds() const;
  /// Of all the work, how much is done: 0 .. 1.
  [[nodiscard]] double share() const;

 private:
  /// What pieces took, and what was expected of them.
  struct Seen {
    double seconds = 0, expected = 0;
    /// A multiple that is `before` as long as nothing is seen, and the mean of it and what was seen, where `before` has
    /// the weight of so much expected work.
    [[nodiscard]] double multiple(double before, double weight) const {
      return (weight * before + seconds) / (weight + expected);
    }
  };
  struct Cell {
    std::string kind{};
    std::vector<double> expected{};   ///< [l]
    std::vector<std::size_t> left{};  ///< [l] pieces
    std::vector<std::size_t> old{};   ///< [l] pieces that were there before
    std::vector<Seen> seen{};         ///< [l]
    Seen all{};
  };

  /// Seconds of the pieces that `count` counts.
  [[nodiscard]] double cost_of(const std::vector<std::size_t> Cell::* count) const;

  std::vector<Cell> cells_{};
  std::map<std::string, Seen> kinds_{};
  Seen all_{};
};

}  // namespace fairstep::internal
