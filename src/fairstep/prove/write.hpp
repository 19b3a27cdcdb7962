// A proof from what a search did: its prices are tried out, and what nothing rests on is left out.
#pragma once

#include <optional>
#include <string>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/prove/proof.hpp>
#include <fairstep/prove/trace.hpp>

namespace fairstep::prove {

struct ToProve {
  Asked asked{};
  std::optional<Policy> policy{};  ///< none: that no policy keeps the limits
  double value = 0;                ///< of it
  double bound = 0;                ///< the search's
  double allowed = 0;              ///< the proof's may be as much greater
};

/// A proof that `check_proof` accepts; an Error if the trace has none.
[[nodiscard]] Expected<Proof> write_proof(const Trace& trace, const ToProve& wanted, const Model& model,
                                          const std::string& model_sha256);

}  // namespace fairstep::prove
