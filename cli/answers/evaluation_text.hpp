// An evaluation for people: the value, a table by step, and one closing line with the worst gap.
#pragma once

#include <cstddef>
#include <string>

#include <fairstep/core/model.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep::cli {

[[nodiscard]] std::string to_text(const Model& model, const Evaluation& evaluation, std::size_t width);

}  // namespace fairstep::cli
