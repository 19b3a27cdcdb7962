// When an estimated model is not worth solving, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>

namespace fairstep {

/// What is wrong, and what would help; both are sentences without a full stop.
struct Objection {
  std::string problem{};
  std::string remedy{};
  bool guesswork = false;  ///< every row of the model is a guess

  friend bool operator==(const Objection&, const Objection&) = default;
};

/// Of an estimated model: no decision was counted; nobody (of a group) was seen at two steps in a row, so that all rows
/// are guesses; a label that nobody was seen to have, or none seen at all, so that rates by label compare nobody;
/// rewards that are 0 everywhere, so that no policy is better than another. None for a model that is no estimate.
[[nodiscard]] std::vector<Objection> objections(const Model& model);

/// An error if every row of the model is a guess. For whoever did not ask for guesses by naming their rule.
[[nodiscard]] Expected<void> refuse_guesswork(const Model& model);

}  // namespace fairstep
