// How far an estimate is from the truth, row by row, and how many failures are too many.
#pragma once

#include <cstdint>

#include <fairstep/core/model.hpp>
#include <fairstep/estimate/confidence.hpp>

namespace fairstep::testing {

/// Total variation distances of all rows and first states, in the place of radii.
Radii distances(const Model& truth, const Model& estimate);

/// Whether every distance is at most `factor` times its radius.
bool within(const Radii& distance, const Radii& radii, double factor = 1);

/// The least number m with P(more than m of `runs` fail) <= alarm, if each fails with probability `delta` on its own.
int most_failures(int runs, double delta, double alarm);

}  // namespace fairstep::testing
