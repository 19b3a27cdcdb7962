// When an estimated model is not worth solving, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include <fairstep/core/model.hpp>

namespace fairstep {

/// What is wrong, and what would help; both are sentences without a full stop.
struct Objection {
  std::string problem{};
  std::string remedy{};

  friend bool operator==(const Objection&, const Objection&) = default;
};

/// Of an estimated model: a group of which nobody was seen at two steps in a row, so that all of its rows are guesses;
/// rewards that are 0 everywhere, so that no policy is better than another. None for a model that is no estimate.
[[nodiscard]] std::vector<Objection> objections(const Model& model);

}  // namespace fairstep
