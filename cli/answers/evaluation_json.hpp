// An evaluation as the JSON document that others rely on; its keys are listed in docs/cli.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/ratios.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// The step with the widest gap, the earliest of several; none if no gap is defined.
[[nodiscard]] std::optional<std::size_t> worst_step(const std::vector<StepGap>& steps);

/// The step with the least ratio, likewise.
[[nodiscard]] std::optional<std::size_t> least_step(const std::vector<StepRatio>& steps);

/// All keys but schema and warnings. Ratios are beside the `reference`, or the group that is treated best. `values`
/// adds q and v.
[[nodiscard]] Json to_json(const Model& model, const Evaluation& evaluation, std::optional<std::size_t> reference,
                           bool values);

/// Why a rate or gap is null, a sentence for each rate and group.
[[nodiscard]] std::vector<std::string> undefined_rates(const Model& model, const Evaluation& evaluation);

/// Steps in order as `step 2` or `steps 0-3, 5`.
[[nodiscard]] std::string in_words(const std::vector<std::size_t>& steps);

}  // namespace fairstep::cli
