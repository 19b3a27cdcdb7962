// The optimiser's answer as the JSON document that others rely on; its keys are listed in docs/cli.md.
#pragma once

#include <optional>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/optimise/solve.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// All keys but schema and warnings. `tail` is what the steps after the horizon can add or take away, if there are any.
[[nodiscard]] Json to_json(const Model& model, const SolveResult& result, std::optional<double> tail);

/// What is strange about a policy that keeps every limit: it accepts nobody, or a limit can never bind.
[[nodiscard]] std::vector<std::string> peculiarities(const SolveResult& result);

}  // namespace fairstep::cli
