// Binomial probabilities by another road than the sampler's.
#pragma once

#include <cstdint>
#include <vector>

namespace fairstep::testing {

/// [k] P(k of n), k = 0 .. n, from a table of log k! summed in long double: good to 1e-12 for n up to 10^5.
std::vector<double> exact_pmf(std::int64_t n, double p);

}  // namespace fairstep::testing
