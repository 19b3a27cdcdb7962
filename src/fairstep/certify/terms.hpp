// Whether the data refute what is said of rewards and shares, or the model that these come from.
#pragma once

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {

/// An error, with a pointer into the counts or, for known rewards and shares, into the model they come from.
[[nodiscard]] Expected<void> check_terms(const Counts& counts, const Estimate& estimate, const Lost& lost,
                                         const CertifyOptions& options);

/// An error if a row of the model that rewards are known from is outside of the certificate's own sets.
[[nodiscard]] Expected<void> check_kernel(const Counts& counts, const Estimate& estimate, const Balls& sets,
                                          const CertifyOptions& options);

}  // namespace fairstep
