#include <fairstep/core/policy.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/checks.hpp>

namespace fairstep {

Expected<Policy> Policy::make(Tensor<double, 3> accept, std::vector<std::string> groups) {
  if (accept.empty())
    return fail(fmt::format("accept has size {}, expected at least one group, step and feature",
                            fmt::join(accept.extents(), " x ")),
                "/accept");
  if (!groups.empty())
    if (auto ok = internal::check_names(groups, "groups", 2); !ok) return tl::unexpected(ok.error());
  if (!groups.empty() && groups.size() != accept.extents()[0])
    return fail(fmt::format("accept is for {} groups, expected {} ({})", accept.extents()[0], groups.size(),
                            fmt::join(groups, ", ")),
                "/accept");
  if (accept.extents()[0] < 2)
    return fail("accept is for 1 group, expected at least 2", "/accept",
                "a policy for all groups alike is a group-independent one");
  if (auto ok = internal::check_probabilities({"accept", groups}, accept, kAcceptAxes); !ok)
    return tl::unexpected(ok.error());
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
  const std::vector<std::string> no_groups;
  if (auto ok = internal::check_probabilities({"accept", no_groups}, accept, kSharedAcceptAxes); !ok)
    return tl::unexpected(ok.error());
  Policy policy;
  policy.group_independent_ = true;
  policy.accept_ = Tensor<double, 3>({1, accept.extents()[0], accept.extents()[1]});
  std::copy(accept.flat().begin(), accept.flat().end(), policy.accept_.flat().begin());
  return policy;
}

Expected<void> Policy::check_fits(const Model& model) const {
  using internal::counted;
  const Shape& n = model.shape();
  if (!group_names_.empty() && group_names_ != model.names().groups)
    return fail(fmt::format("the policy is for the groups {}, the model has {}", fmt::join(group_names_, ", "),
                            fmt::join(model.names().groups, ", ")),
                "/groups");
  if (!group_independent_ && groups() != n.groups)
    return fail(fmt::format("the policy is for {} groups, the model has {} ({})", groups(), n.groups,
                            fmt::join(model.names().groups, ", ")),
                "/accept");
  if (horizon() != n.horizon)
    return fail(fmt::format("the policy has {}, the model has horizon {}", counted(horizon(), "step"), n.horizon),
                "/accept");
  if (features() != n.features)
    return fail(fmt::format("the policy has {}, the model has {}", counted(features(), "feature"), n.features),
                "/accept");
  return {};
}

}  // namespace fairstep
