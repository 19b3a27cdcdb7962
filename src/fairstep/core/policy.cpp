#include <fairstep/core/policy.hpp>

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairstep {
namespace {

Expected<void> check_probabilities(const Tensor<double, 3>& accept, const std::vector<std::string>& groups,
                                   bool group_independent) {
  const auto [n_groups, horizon, features] = accept.extents();
  for (std::size_t g = 0; g < n_groups; ++g)
    for (std::size_t h = 0; h < horizon; ++h)
      for (std::size_t x = 0; x < features; ++x) {
        const double p = accept(g, h, x);
        if (std::isfinite(p) && p >= 0 && p <= 1) continue;
        const std::string group = groups.empty() ? std::to_string(g) : groups[g];
        const std::string where =
            group_independent ? fmt::format("[h={},x={}]", h, x) : fmt::format("[g={},h={},x={}]", group, h, x);
        const std::string pointer =
            group_independent ? fmt::format("/accept/{}/{}", h, x) : fmt::format("/accept/{}/{}/{}", g, h, x);
        return fail(fmt::format("accept{} is {}, expected a probability between 0 and 1", where, p), pointer);
      }
  return {};
}

}  // namespace

Expected<Policy> Policy::make(Tensor<double, 3> accept, std::vector<std::string> groups) {
  if (accept.empty())
    return fail(fmt::format("accept has size {}, expected at least one group, step and feature",
                            fmt::join(accept.extents(), " x ")),
                "/accept");
  if (!groups.empty() && groups.size() != accept.extents()[0])
    return fail(fmt::format("accept is for {} groups, expected {} ({})", accept.extents()[0], groups.size(),
                            fmt::join(groups, ", ")),
                "/accept");
  if (auto ok = check_probabilities(accept, groups, false); !ok) return tl::unexpected(ok.error());
  Policy policy;
  policy.accept_ = std::move(accept);
  policy.group_names_ = std::move(groups);
  return policy;
}

Expected<Policy> Policy::make_group_independent(const Tensor<double, 2>& accept) {
  if (accept.empty())
    return fail(
        fmt::format("accept has size {}, expected at least one step and feature", fmt::join(accept.extents(), " x ")),
        "/accept");
  Policy policy;
  policy.group_independent_ = true;
  policy.accept_ = Tensor<double, 3>({1, accept.extents()[0], accept.extents()[1]});
  std::copy(accept.flat().begin(), accept.flat().end(), policy.accept_.flat().begin());
  if (auto ok = check_probabilities(policy.accept_, {}, true); !ok) return tl::unexpected(ok.error());
  return policy;
}

Expected<void> Policy::check_fits(const Model& model) const {
  const Shape& n = model.shape();
  if (!group_independent_ && groups() != n.groups)
    return fail(fmt::format("the policy is for {} groups, the model has {} ({})", groups(), n.groups,
                            fmt::join(model.names().groups, ", ")),
                "/accept");
  if (!group_names_.empty() && group_names_ != model.names().groups)
    return fail(fmt::format("the policy is for the groups {}, the model has {}", fmt::join(group_names_, ", "),
                            fmt::join(model.names().groups, ", ")),
                "/groups");
  if (horizon() != n.horizon)
    return fail(fmt::format("the policy has {} steps, the model has horizon {}", horizon(), n.horizon), "/accept");
  if (features() != n.features)
    return fail(fmt::format("the policy has {} features, the model has {}", features(), n.features), "/accept");
  return {};
}

}  // namespace fairstep
