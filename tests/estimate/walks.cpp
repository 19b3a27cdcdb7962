#include "walks.hpp"

#include <string>
#include <utility>

#include "support/counts.hpp"

namespace fairstep::testing {

Counts count(std::size_t horizon, std::vector<std::string> groups, std::size_t features,
             const std::vector<Walk>& walks) {
  Names names;
  names.groups = std::move(groups);
  for (std::size_t x = 0; x < features; ++x) names.features.push_back(std::to_string(x));
  CountsSpec counts = CountsSpec::zeros(horizon, std::move(names));
  for (const Walk& walk : walks) {
    const std::size_t g = walk.group;
    ++counts.first(g, walk.visits.front().x, walk.visits.front().y);
    for (std::size_t i = 0; i < walk.visits.size(); ++i) {
      const auto [x, y, a, reward] = walk.visits[i];
      ++counts.visits(g, walk.first_step + i, x, y, a);
      counts.reward_sum(g, x, y, a) += reward;
      counts.reward_squares(g, x, y, a) += reward * reward;
      if (i + 1 < walk.visits.size()) ++counts.transitions(g, x, y, a, walk.visits[i + 1].x, walk.visits[i + 1].y);
    }
  }
  return made(std::move(counts));
}

}  // namespace fairstep::testing
