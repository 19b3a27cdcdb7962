#include "answers/falls.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace fairstep::cli {
namespace {

/// Of numbers that were worked out and written down.
constexpr double kRounding = 1e-12;

std::string group_name(const Names& names, const Policy& policy, const Fall& fall) {
  return policy.group_independent() ? "any group" : names.groups[fall.group];
}

/// The first of the deepest ones.
const Fall& deepest(const std::vector<Fall>& falls) {
  return *std::max_element(falls.begin(), falls.end(), [](const Fall& a, const Fall& b) { return a.by < b.by; });
}

std::size_t neighbours(const Policy& policy, const FeatureOrder& order) {
  std::size_t pairs = 0;
  for (const std::vector<std::size_t>& chain : order) pairs += chain.size() - 1;
  return pairs * policy.groups() * policy.horizon();
}

}  // namespace

Json falls_json(const Names& names, const Policy& policy, const FeatureOrder& order) {
  const std::vector<Fall> falls = falls_of(policy, order, kRounding);
  Json worst;
  if (!falls.empty()) {
    const Fall& fall = deepest(falls);
    worst = {{"group", policy.group_independent() ? Json() : Json(names.groups[fall.group])},
             {"step", fall.step},
             {"lower", names.features[fall.lower]},
             {"higher", names.features[fall.higher]},
             {"accept",
              {policy.accept(fall.group, fall.step, fall.lower), policy.accept(fall.group, fall.step, fall.higher)}}};
  }
  return {{"falls", falls.size()}, {"of", neighbours(policy, order)}, {"worst", worst}};
}

std::string falls_line(const Names& names, const Policy& policy, const FeatureOrder& order) {
  const std::size_t pairs = neighbours(policy, order);
  if (pairs == 0) return {};
  const std::vector<Fall> falls = falls_of(policy, order, kRounding);
  if (falls.empty()) return "monotone: acceptance never falls as the feature rises";
  const Fall& fall = deepest(falls);
  return fmt::format(
      "not monotone: acceptance falls as the feature rises {} of {} times, most for {} at step {}, from {:.4f} at {} "
      "to "
      "{:.4f} at {}",
      falls.size(), pairs, group_name(names, policy, fall), fall.step, policy.accept(fall.group, fall.step, fall.lower),
      names.features[fall.lower], policy.accept(fall.group, fall.step, fall.higher), names.features[fall.higher]);
}

}  // namespace fairstep::cli
