// An evaluation for people: the value, a table by step, and closing lines with the worst gap and the least ratios.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <fairstep/core/model.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep::cli {

/// Ratios are beside the `reference`, or the group that is treated best.
[[nodiscard]] std::string to_text(const Model& model, const Evaluation& evaluation,
                                  std::optional<std::size_t> reference, std::size_t width);

}  // namespace fairstep::cli
