// Whether rows without a label go with the other tables of counts.
#pragma once

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>

namespace fairstep::internal {

/// What holds of states holds of features, rows without a label included: whoever is first seen at a feature, or comes
/// to it, has a decision there, and a next feature is seen at most once for each decision before the last step.
[[nodiscard]] Expected<void> check_features(const CountsSpec& counts);

}  // namespace fairstep::internal
