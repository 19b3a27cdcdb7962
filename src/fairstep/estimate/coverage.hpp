// Which cells a log has hardly seen: what is said about them is a guess, and a policy that goes there is a leap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/estimate/estimate.hpp>

namespace fairstep {

struct SeenCell {
  Cell cell{};
  std::int64_t decisions = 0;
};

struct Coverage {
  std::int64_t threshold = 0;    ///< fewer decisions than this are thin
  std::size_t cells = 0;         ///< (g,x,y,a) there are
  std::vector<Cell> unseen{};    ///< without a decision, in the order of the axes
  std::vector<SeenCell> thin{};  ///< with some, but fewer than `threshold`
};

[[nodiscard]] Coverage coverage(const Counts& counts, std::int64_t threshold = 30);

}  // namespace fairstep
