// Whether a proof proves what it says, from the model and the proof alone: nothing of what found it is used.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/prove/proof.hpp>

namespace fairstep::prove {

struct Proven {
  std::string statement{};        ///< what is proven, in words
  std::optional<double> bound{};  ///< none: no policy keeps the limits
  std::optional<double> value{};
  std::size_t parts = 0, claims = 0;
};

/// An Error says where the proof does not hold. `model_text` is the file that the model was read from.
[[nodiscard]] Expected<Proven> check_proof(std::string_view text, const Model& model, std::string_view model_text);
[[nodiscard]] Expected<Proven> check_proof(const Proof& proof, const Model& model, std::string_view model_sha256);

/// "No policy ... is worth more than ..."
[[nodiscard]] std::string statement_of(const Proof& proof, const Model& model);

}  // namespace fairstep::prove
