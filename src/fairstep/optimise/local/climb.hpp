// A local optimum by linear programs in a trust region.
//
// An optimum has all but a few entries at an end of their box, and there linear models are as good as Newton's: a few
// steps do what an interior point method needs second derivatives for, or hundreds of gradients. Tables may be large.
#pragma once

#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/local/table_program.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

[[nodiscard]] LocalResult climb(const Program& program, const Tables& start, const LocalOptions& options, Goal goal);

}  // namespace fairstep
