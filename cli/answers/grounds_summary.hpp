// What an estimated model rests on, said by every verb that uses one: for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/evaluate/unseen.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// The value of the key `rests_on`: null for a model that is no estimate, and without `unseen` where there is no
/// policy.
[[nodiscard]] Json grounds_json(const Model& model, const std::optional<Unseen>& unseen);

/// A line about a policy under an estimated model; empty for a model that is no estimate.
[[nodiscard]] std::string grounds_line(const Model& model, const std::optional<Unseen>& unseen, std::size_t width);

/// What was assumed about labels, what was lost, and what leaves nothing to solve.
[[nodiscard]] std::vector<std::string> grounds_warnings(const Model& model);

/// `1,000 people, 7,000 decisions; 3 of 40 rows are guesses (uniform)`, for a model alone.
[[nodiscard]] std::string grounds_in_short(const Grounds& grounds);

}  // namespace fairstep::cli
