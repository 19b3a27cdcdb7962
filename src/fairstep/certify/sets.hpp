// The sets that hold every row of the true population at once: a ball and a box around each estimated row.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {

/// What is added to the safe side of numbers that were rounded to the nearest, and of those that are computed to fewer
/// digits than doubles have: more than what is lost, also when a document's digits are read as decimals.
inline constexpr double kOutwards = 1e-12;

/// Whether this notion of fairness is asked for.
[[nodiscard]] bool wants(const CertifyOptions& options, Notion notion);

/// Delta goes in equal parts to the rows and to whatever else is asked for; the parts are spread evenly. Of people in
/// two parts all of that has a fifth, and the directions the rest: four fifths of it for questions, one for paths.
/// Where labels follow features rows are those of features, and labels have half of delta if a rate needs them.
[[nodiscard]] DeltaSplit split_delta(const CertifyOptions& options, const Shape& shape, bool two_parts = false);

/// One row: its radius is returned, and the ends of its entries are set. `draws` says what is missing of those seen.
[[nodiscard]] double set_of_row(std::span<const std::int64_t> seen, std::span<const double> estimate, Draws draws,
                                const DeltaSplit& split, std::span<double> low, std::span<double> high);

/// Radii and ends are wider than the formulas by a part in 10^12 and 10^-13, for the rounding here and in the checkers.
/// They hold whatever the lost rows would have said. Once it is stopped, the sets that are left say nothing.
[[nodiscard]] Balls confidence_sets(const Counts& counts, const Estimate& estimate, const Lost& lost,
                                    const DeltaSplit& split, const std::stop_token& stop = {});

}  // namespace fairstep
