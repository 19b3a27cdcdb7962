// Policies with one cut a step: below it nobody is accepted, above it everybody, and on it some.
#pragma once

#include <functional>

#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

using SolveCut = std::function<LocalResult(const Program&, const Tables&, const LocalOptions&)>;

/// How cuts are moved: on, where `solve` leaves them at an end of their range; or then each up and down by itself, too.
enum class Moves { along, each };

/// Where each step of each chain is cut, from tables that rise: as many are accepted above the cut as by the table.
/// With the cuts in place `solve` says what is best; they are moved until that gains nothing. The tables need not be
/// good for anything.
[[nodiscard]] Candidate cut_once(const Program& program, Tables tables, const LocalOptions& options,
                                 const SolveCut& solve, Moves moves = Moves::along);

}  // namespace fairstep
