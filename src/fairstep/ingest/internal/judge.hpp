// The rows of one person beside each other: put in order, and what contradicts itself is not used.
#pragma once

#include <cstdint>
#include <vector>

#include <fairstep/core/log_record.hpp>
#include <fairstep/ingest/internal/chunk.hpp>
#include <fairstep/ingest/internal/findings.hpp>

namespace fairstep::internal {

/// Judges one person after the other; what it says is about the last.
class Judge {
 public:
  /// Leaves in `rows` one for each step, or several of which none is usable, in the order of steps. False if all rows
  /// that name a group name an excluded one: then the person is outside of the study.
  [[nodiscard]] bool judge(std::vector<Row>& rows, Findings& findings);

  /// Rows whose step is not known.
  [[nodiscard]] const std::vector<Row>& unplaced() const { return unplaced_; }
  /// The groups that the person may be of, by number, or kAny.
  [[nodiscard]] const std::vector<std::int32_t>& may_be() const { return may_be_; }

 private:
  void put_in_order(std::vector<Row>& rows, Findings& findings);
  static void judge_steps(std::vector<Row>& rows, Findings& findings);
  [[nodiscard]] bool judge_group(std::vector<Row>& rows, Findings& findings);

  std::vector<Row> unplaced_{};
  std::vector<std::int32_t> may_be_{};
};

}  // namespace fairstep::internal
