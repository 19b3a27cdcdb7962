// The columns of the master: tables of one block each, those that lie in its box.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/optimise/bound/lottery.hpp>
#include <fairstep/optimise/bound/master.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

class Columns {
 public:
  /// Program and master must outlive them.
  Columns(const Program& program, Master& master, Deadline deadline);

  /// Ignored if it lies outside the box.
  void add(std::size_t block, std::span<const double> accept);
  [[nodiscard]] bool has_one_inside(std::size_t block) const;
  /// Drops those that are not in use and would cost more than `worth` at the last prices.
  void forget(double worth);
  [[nodiscard]] std::size_t number() const { return columns_.size(); }

  void set_boxes(std::vector<Box> boxes);
  [[nodiscard]] const std::vector<Box>& boxes() const { return boxes_; }

  /// The tables of a block that the last solution uses.
  [[nodiscard]] std::vector<std::vector<double>> in_use(std::size_t block) const;
  /// The average table of each block in the last solution; the middle of its box, if there was none.
  [[nodiscard]] Tables average() const;
  [[nodiscard]] Dispute most_disputed() const;
  /// The best choice of one column per block, by objective if any choice keeps the limits, else by excess. Of those
  /// whose entries are all at an end of the program's boxes.
  [[nodiscard]] Candidate best_combination(double tolerance, const Deadline& deadline) const;

 private:
  struct Column {
    std::size_t block;
    std::vector<double> accept{};
    Effect effect{};
  };
  [[nodiscard]] bool inside(std::size_t block, std::span<const double> accept) const;
  [[nodiscard]] bool at_ends(std::size_t block, std::span<const double> accept) const;
  [[nodiscard]] std::vector<Ticket> lottery() const;

  const Program& program_;
  Master& master_;
  Deadline deadline_;
  std::vector<Box> boxes_;
  std::vector<Column> columns_{};  ///< [its number in the master]
  Workspace work_;
};

}  // namespace fairstep
