// The best lottery over tables whose rates are known exactly, and the prices that go with it: a small linear program.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <fairstep/optimise/backends/linear_program.hpp>
#include <fairstep/optimise/bound/lottery.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// One block of a penalised program alone. It pays tolls on its own means, each of which is there once.
struct BlockPart {
  struct Share {
    std::size_t penalty, toll;
    double sign;
  };
  Program program{};
  std::vector<Share> shares{};  ///< in what penalties its means are

  void set_tolls(const std::vector<double>& price);  ///< [penalty] on the differences of their means
};

[[nodiscard]] BlockPart part_of(const Program& program, std::size_t block);

struct TableOf {
  std::size_t block;
  std::vector<double> table{};
};

class RateLottery {
 public:
  /// Of a program of penalties alone; parts by block. All three must outlive it.
  RateLottery(const Program& program, const std::vector<BlockPart>& parts, const Deadline& deadline);

  void add(std::size_t block, std::vector<double> table);

  /// False if there is no telling. Squares are right to `precision`, all together.
  bool solve(double precision);

  // Of the last solution:
  [[nodiscard]] double objective() const { return last_.objective; }
  [[nodiscard]] std::vector<double> prices() const;  ///< [penalty] on the differences of their means
  /// What a table of the block earns at the prices if it is in use.
  [[nodiscard]] double worth(std::size_t block) const { return last_.price[convexity_[block]]; }
  [[nodiscard]] std::vector<std::vector<double>> in_use(std::size_t block) const;
  [[nodiscard]] Tables average() const;
  [[nodiscard]] Dispute most_disputed(std::span<const Box> boxes) const;

  [[nodiscard]] const std::vector<TableOf>& tables() const { return tables_; }
  [[nodiscard]] std::vector<std::vector<double>> tables_of(std::size_t block) const;

 private:
  [[nodiscard]] double use(std::size_t i) const;
  [[nodiscard]] std::vector<Ticket> lottery() const;
  void add_tangent(std::size_t i, double z);

  const Program& program_;
  const std::vector<BlockPart>& parts_;
  const Deadline& deadline_;
  std::unique_ptr<LinearProgram> lp_;
  std::vector<std::size_t> convexity_{}, difference_row_{}, difference_{}, square_{};
  std::vector<TableOf> tables_{};
  std::vector<std::size_t> variable_{};  ///< [table]
  LpSolution last_{};
};

}  // namespace fairstep
