// A bound on a penalised program by prices on rates, block by block.
//
// A penalty joins the blocks only by what their rates differ by. For any price on that difference z,
//   - weight z^2 <= price^2 / (4 weight) - price z,
// and the blocks fall apart: each pays tolls on its own rates, or is paid. What is left to prove is about one block,
// with its own quotients only, and takes a small branch and bound each. The prices are those of a lottery over tables
// whose rates are known exactly, so that little is given away where rates lie far apart at little cost.
#pragma once

#include <vector>

#include <fairstep/optimise/pricing/pricing.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>
#include <fairstep/optimise/search/branch.hpp>

namespace fairstep {

/// Whether there is nothing but penalties, on means of one block each, and quotients among them.
[[nodiscard]] bool can_price_rates(const Program& program);

/// From a good policy to a proof, where rates can be priced: boxes of tables are split until the gap is closed. Gives
/// up early if the prices say no more than that nothing exceeds `upper`, which is known.
[[nodiscard]] BranchResult branch_on_rates(const Program& program, const Candidate& start, double upper,
                                           const BranchOptions& options);

/// A table of a block that pays tolls, and better ones at the ends of its box: the best of them.
[[nodiscard]] Candidate follow_tangents(const Program& part, Pricing& pricing, std::vector<double> table);

}  // namespace fairstep
