// A policy that a verb reads beside a model or counts: its groups by their names, whatever their order.
#pragma once

#include <string>
#include <vector>

#include <fairstep/core/policy.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// In the order of these groups, if they are its own. That it fits the rest is for whoever uses it to check.
[[nodiscard]] Result<Policy> policy_for(const std::vector<std::string>& groups, const std::string& file);

}  // namespace fairstep::cli
