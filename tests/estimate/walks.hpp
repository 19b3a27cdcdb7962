// Small logs written out person by person, and their counts by the plainest road.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>

namespace fairstep::testing {

struct Visit {
  std::size_t x = 0, y = 0, a = 0;
  double reward = 0;
};

/// One person: from the step of the first visit on, until the last visit.
struct Walk {
  std::size_t group = 0;
  std::size_t first_step = 0;
  std::vector<Visit> visits{};
};

/// Features are named 0, 1, ...
Counts count(std::size_t horizon, std::vector<std::string> groups, std::size_t features,
             const std::vector<Walk>& walks);

}  // namespace fairstep::testing
