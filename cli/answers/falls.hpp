// Where acceptance falls as the feature rises.
#pragma once

#include <string>

#include <fairstep/core/feature_order.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// {"falls": how many, "of": neighbours, "worst": {group, step, lower, higher, accept}}
[[nodiscard]] Json falls_json(const Names& names, const Policy& policy, const FeatureOrder& order);
/// One sentence; empty if no two features are compared.
[[nodiscard]] std::string falls_line(const Names& names, const Policy& policy, const FeatureOrder& order);

}  // namespace fairstep::cli
