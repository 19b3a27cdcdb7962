// In which order features rise, and where acceptance falls along it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep {

/// Chains of features, the lowest first. Every feature is in one chain; those of different chains are not compared.
using FeatureOrder = std::vector<std::vector<std::size_t>>;

/// What is between the slashes of a feature made of several columns, those that are escaped aside.
[[nodiscard]] std::vector<std::string> parts_of_name(const std::string& name);

/// The order as `names` has it, the model's features; or as `order` has it, which names each of them once, the lowest
/// first (one text may name them all, with commas). `column` counts from 1: features are compared that differ in this
/// part of their names alone, `order` is about its values, and left out they rise as they are first met. 0: whole
/// names.
[[nodiscard]] Expected<FeatureOrder> feature_order(const std::vector<std::string>& names,
                                                   const std::vector<std::string>& order = {}, std::size_t column = 0);

/// Where a higher feature is accepted less often than the one below it.
struct Fall {
  std::size_t group = 0, step = 0;  ///< group 0 of a policy that does not look at the group
  std::size_t lower = 0, higher = 0;
  double by = 0;
};

/// All falls by more than `rounding`, in the order of groups, steps and chains.
[[nodiscard]] std::vector<Fall> falls_of(const Policy& policy, const FeatureOrder& order, double rounding = 0);

}  // namespace fairstep
