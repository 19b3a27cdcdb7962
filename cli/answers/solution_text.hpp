// The optimiser's answer for people: one line that says what is known, and a table by step.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep::cli {

[[nodiscard]] std::string to_text(const Model& model, const Fairness& fairness, const SolveOptions& options,
                                  const SolveResult& result, std::optional<double> tail, std::size_t width);

/// A bound with five digits, rounded upwards so that it holds as it is shown.
[[nodiscard]] std::string rounded_up(double number);

}  // namespace fairstep::cli
