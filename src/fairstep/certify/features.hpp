// Certificates where labels follow features: features alone are the states, and labels need not have been seen.
// docs/guarantees.md, I.
#pragma once

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/evaluate/robust.hpp>
#include <fairstep/evaluate/robust_features.hpp>

namespace fairstep {

/// Whether a rate given a label is asked for.
[[nodiscard]] bool wants_labels(const CertifyOptions& options);

/// The sets around all rows of features, so wide that they hold whatever the lost rows would have said; these are
/// known.
[[nodiscard]] FeatureSets feature_sets(const FeatureCounts& counts, const DeltaSplit& split);

/// `options.labels` is set. Errors as those of `certify`, which hands over to this; no design part goes with it yet.
[[nodiscard]] Expected<Certificate> certify_features(const Counts& counts, const Policy& policy,
                                                     const CertifyOptions& options, const Watch& watch,
                                                     const Counts* design);

}  // namespace fairstep
