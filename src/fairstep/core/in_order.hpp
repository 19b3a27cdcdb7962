// Groups and features by their names: what came from one file in the order of another.
//
// Wherever two files meet, what is read second is put into the order of the first; only names that differ are refused.
#pragma once

#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep {

/// The same with groups (and features, where they have names) in this order. If the names are not the same ones it is
/// returned as it is: whoever needs them to be refuses it, and says so.
[[nodiscard]] Policy in_order_of(const std::vector<std::string>& groups, Policy policy);
[[nodiscard]] Model in_order_of(const Names& names, Model model);
/// Features that are bins of a number stay in the order of their numbers.
[[nodiscard]] Counts in_order_of(const Names& names, Counts counts);

}  // namespace fairstep
