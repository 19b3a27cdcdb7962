#include <fairstep/core/simple_policies.hpp>

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/rng.hpp>

namespace fairstep {
namespace {

constexpr std::uint64_t kPurpose = 0x706f6c696379;  // "policy": no other use of the seed shares this stream

/// The policy accept(g,h,x); with PolicyForm::group_independent that of g = 0. `accept` gives probabilities.
template <class Accept>
Policy build(const Model& model, PolicyForm form, const Accept& accept) {
  const Shape& n = model.shape();
  const bool blind = form == PolicyForm::group_independent;
  Tensor<double, 3> table({blind ? 1 : n.groups, n.horizon, n.features});
  for (std::size_t g = 0; g < table.extents()[0]; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) table(g, h, x) = accept(g, h, x);
  if (!blind) {
    auto policy = Policy::make(std::move(table), model.names().groups);
    assert(policy);
    return std::move(*policy);
  }
  Tensor<double, 2> shared({n.horizon, n.features});
  std::copy(table.flat().begin(), table.flat().end(), shared.flat().begin());
  auto policy = Policy::make_group_independent(shared);
  assert(policy);
  return std::move(*policy);
}

Policy constant(const Model& model, PolicyForm form, double accept) {
  return build(model, form, [accept](std::size_t, std::size_t, std::size_t) { return accept; });
}

bool is_probability(double p) { return p >= 0 && p <= 1; }

Expected<void> check(const Threshold& threshold, std::size_t features) {
  if (threshold.from > features)
    return fail(fmt::format("threshold is x={}, expected 0 to {} (at {} nobody is accepted)", threshold.from, features,
                            features));
  if (!is_probability(threshold.at))
    return fail(fmt::format("threshold accepts {} at x={}, expected a probability between 0 and 1", threshold.at,
                            threshold.from));
  return {};
}

double accept_by(const Threshold& threshold, std::size_t x) {
  if (x == threshold.from) return threshold.at;
  return x > threshold.from ? 1 : 0;
}

}  // namespace

Expected<Policy> uniform_policy(const Model& model, double accept, PolicyForm form) {
  if (!is_probability(accept))
    return fail_option("uniform", fmt::format(" is {}, expected a probability between 0 and 1", accept));
  return constant(model, form, accept);
}

Policy accept_all(const Model& model, PolicyForm form) { return constant(model, form, 1); }

Policy refuse_all(const Model& model, PolicyForm form) { return constant(model, form, 0); }

Expected<Policy> threshold_policy(const Model& model, Threshold threshold, PolicyForm form) {
  if (auto ok = check(threshold, model.shape().features); !ok) return tl::unexpected(ok.error());
  return build(model, form, [&](std::size_t, std::size_t, std::size_t x) { return accept_by(threshold, x); });
}

Expected<Policy> threshold_policy(const Model& model, std::span<const Threshold> thresholds) {
  const auto& groups = model.names().groups;
  if (thresholds.size() != groups.size())
    return fail(fmt::format("threshold has {} entries, expected {} (one for each of {})", thresholds.size(),
                            groups.size(), fmt::join(groups, ", ")));
  for (const Threshold& threshold : thresholds)
    if (auto ok = check(threshold, model.shape().features); !ok) return tl::unexpected(ok.error());
  return build(model, PolicyForm::per_group,
               [&](std::size_t g, std::size_t, std::size_t x) { return accept_by(thresholds[g], x); });
}

Policy random_policy(const Model& model, std::uint64_t seed, PolicyForm form) {
  Rng rng(seed, kPurpose);
  return build(model, form, [&rng](std::size_t, std::size_t, std::size_t) { return rng.uniform(); });
}

}  // namespace fairstep
