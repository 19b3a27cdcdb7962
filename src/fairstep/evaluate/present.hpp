// Rates of those who are there: people come at their first step, in a first state, and leave for good after a decision.
#pragma once

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep {

/// The policy must fit the model. Without participation everybody is there at every step.
[[nodiscard]] Presence rates_of_those_present(const Model& model, const Policy& policy);

}  // namespace fairstep
