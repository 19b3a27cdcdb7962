// Whether the data refute what is said of rewards and shares.
#pragma once

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/estimate/estimate.hpp>

namespace fairstep {

/// An error, with a pointer into the counts or, for known rewards and shares, into the model they come from.
[[nodiscard]] Expected<void> check_terms(const Counts& counts, const Estimate& estimate, const CertifyOptions& options);

}  // namespace fairstep
