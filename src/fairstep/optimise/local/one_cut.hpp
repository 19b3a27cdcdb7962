// Policies with one cut a step: below it nobody is accepted, above it everybody, and on it some.
#pragma once

#include <functional>

#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// Where each step of each chain is cut, from tables that rise: as many are accepted above the cut as by the table.
/// With the cuts in place `solve` says what is best; where it leaves one at an end of its range, the cut moves on to
/// the next feature, until that gains nothing. The tables need not be good for anything.
[[nodiscard]] Candidate cut_once(
    const Program& program, Tables tables, const LocalOptions& options,
    const std::function<LocalResult(const Program&, const Tables&, const LocalOptions&)>& solve);

}  // namespace fairstep
