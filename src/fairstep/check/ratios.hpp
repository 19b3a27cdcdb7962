// What a certificate's rates and pairs say of ratios and of the whole episode: arithmetic on its own claims, which are
// checked for themselves. docs/guarantees.md, G.
#pragma once

#include <cstddef>
#include <string>

#include <fairstep/check/form.hpp>
#include <fairstep/check/interval.hpp>
#include <fairstep/check/question.hpp>

namespace fairstep::rigorous {

/// Of `dp-ratio` or `eqopt-ratio` at a step, rounded down; NaN where the rate below the line may be 0.
[[nodiscard]] Real least_ratio(const Question& q, const Json& certificate, const std::string& ratio, std::size_t h);
/// By the estimated rates; NaN where there is none.
[[nodiscard]] Real estimated_ratio(const Question& q, const Json& certificate, const std::string& ratio, std::size_t h);

/// The gap of accepted shares over all steps, rounded up.
[[nodiscard]] Real greatest_aggregate(const Question& q, const Json& certificate);
[[nodiscard]] Real estimated_aggregate(const Question& q, const Json& certificate);

}  // namespace fairstep::rigorous
