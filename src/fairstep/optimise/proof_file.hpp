// The answer of `solve` as a proof that others can check (prove/proof.hpp).
#pragma once

#include <string>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/optimise/solve.hpp>
#include <fairstep/prove/proof.hpp>
#include <fairstep/prove/trace.hpp>

namespace fairstep {

/// An Error unless proofs are written for such questions.
[[nodiscard]] Expected<void> check_can_be_written(const Fairness& fairness, const SolveOptions& options);

/// What `solve` proved, with options that have this trace. An Error if it ended without a bound or an answer, or if
/// what it did cannot be made a proof.
[[nodiscard]] Expected<prove::Proof> proof_of(const prove::Trace& trace, const SolveResult& result, const Model& model,
                                              const Fairness& fairness, const SolveOptions& options,
                                              const std::string& model_sha256);

}  // namespace fairstep
