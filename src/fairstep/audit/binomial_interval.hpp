// What the chance behind k successes in n trials can be: the interval of Clopper and Pearson, which is exact at every
// n.
#pragma once

#include <cstdint>

#include <fairstep/core/model.hpp>

namespace fairstep {

/// Holds the chance with probability at least 1 - delta, delta / 2 on either side; [0,1] without a trial.
[[nodiscard]] Range binomial_interval(std::int64_t successes, std::int64_t trials, double delta);

}  // namespace fairstep
