// Tables that a linear program mixes: what they are on average, and where they disagree. A lottery over tables can do
// whatever a single one can, and more; branching on the entry that they disagree about most takes that away.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// A table of a block, and its probability.
struct Ticket {
  std::size_t block = 0;
  double use = 0;
  std::span<const double> table{};  ///< [h,x]
};

/// The table of each block, on average.
[[nodiscard]] Tables average_of(const Program& program, std::span<const Ticket> lottery);

/// Where to split: away from the ends.
[[nodiscard]] double inner(double at, double low, double high);

struct Dispute {
  std::size_t block = 0, entry = 0;
  double average = 0;
};
/// The entry that the tables in use disagree about most, weighted by the people it decides on; of those that are not
/// narrow already.
[[nodiscard]] Dispute most_disputed(const Program& program, std::span<const Box> boxes, const Tables& average,
                                    std::span<const Ticket> lottery);

}  // namespace fairstep
