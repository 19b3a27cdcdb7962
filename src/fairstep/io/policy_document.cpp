#include <algorithm>
#include <optional>
#include <utility>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep {
namespace internal {
namespace {

/// The length of an array, or of the first of its entries at some depth; 0 where there is none.
std::size_t length_at(const Json* value, int depth) {
  for (; depth > 0 && value != nullptr && value->is_array() && !value->empty(); --depth) value = &value->front();
  return depth == 0 && value != nullptr && value->is_array() ? value->size() : 0;
}

}  // namespace

Expected<Policy> policy_from(const Json& document) {
  std::optional<Error> error;
  ObjectReader in(document, {{"schema", "accept"}, {"groups", "group_independent"}}, error);
  const std::vector<std::string> groups = in.texts("groups", {});
  const bool independent = in.flag("group_independent", false);
  if (!error && independent && in.has("groups"))
    error = Error{"groups are named, expected none in a policy that is group independent",
                  "/groups",
                  {},
                  R"(leave out "groups", or set "group_independent" to false and give accept per group)"};
  if (!error && in.has("groups")) in.require(check_names(groups, "groups", 2));

  // A policy says nothing else about its size: the first row sets it, and the others must agree.
  const Json* accept = in.find("accept");
  Shape n;
  n.groups = in.has("groups") ? groups.size() : length_at(accept, 0);
  n.horizon = length_at(accept, independent ? 0 : 1);
  n.features = length_at(accept, independent ? 1 : 2);
  if (independent) {
    const auto table =
        in.tensor<double>("accept", kSharedAcceptAxes, n, groups,
                          "accept is [step][feature] in a group-independent policy, as long as its first row");
    if (error) return tl::unexpected(std::move(*error));
    return Policy::make_group_independent(table);
  }
  auto table = in.tensor<double>("accept", kAcceptAxes, n, groups,
                                 "accept is [group][step][feature], as long as its first rows; with "
                                 "\"group_independent\": true it is [step][feature]");
  if (error) return tl::unexpected(std::move(*error));
  return Policy::make(std::move(table), groups);
}

}  // namespace internal

std::string to_text(const Policy& policy) {
  JsonWriter json;
  json.object().field("schema", internal::kPolicySchema);
  const std::size_t horizon = policy.horizon();
  const std::size_t features = policy.features();
  if (policy.group_independent()) {
    Tensor<double, 2> accept({horizon, features});
    std::copy(policy.group(0).begin(), policy.group(0).end(), accept.flat().begin());
    json.field("group_independent", true).field("accept", accept);
  } else {
    Tensor<double, 3> accept({policy.groups(), horizon, features});
    for (std::size_t g = 0; g < policy.groups(); ++g)
      std::copy(policy.group(g).begin(), policy.group(g).end(), accept.block(g).begin());
    if (!policy.group_names().empty()) json.field("groups", policy.group_names());
    json.field("accept", accept);
  }
  json.end();
  return std::move(json).text();
}

}  // namespace fairstep
