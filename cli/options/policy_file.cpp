#include "options/policy_file.hpp"

#include <utility>

#include <fairstep/core/in_order.hpp>
#include <fairstep/io/files.hpp>

namespace fairstep::cli {

Result<Policy> policy_for(const std::vector<std::string>& groups, const std::string& file) {
  auto policy = read_policy(file);
  if (!policy) return input(policy.error(), file);
  return in_order_of(groups, std::move(*policy));
}

}  // namespace fairstep::cli
