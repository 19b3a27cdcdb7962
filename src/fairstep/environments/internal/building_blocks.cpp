#include <fairstep/environments/internal/building_blocks.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairstep::building_blocks {
namespace {

Expected<void> check_length(const Part& part, std::size_t given, const Names& owners) {
  if (given == owners.size()) return {};
  return fail_option(part.option,
                     fmt::format("{} has {} {}, expected {} (one for each of {})", part.place, given,
                                 given == 1 ? "entry" : "entries", owners.size(), fmt::join(owners, ", ")));
}

template <class Sound>
Expected<void> check_each(const Part& part, const std::vector<double>& given, const Names& owners, const Sound& sound,
                          const char* right) {
  if (auto ok = check_length(part, given.size(), owners); !ok) return ok;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!sound(given[i]))
      return fail_option(part.option, fmt::format("{}[{}] is {}, expected {}", part.place, owners[i], given[i], right));
  return {};
}

bool is_probability(double p) { return p >= 0 && p <= 1; }

}  // namespace

Expected<void> check_size(std::size_t groups, std::size_t features, std::size_t horizon) {
  if (groups < 2) return fail_option("groups", fmt::format(": there is {}, expected at least 2", groups));
  if (features < 1) return fail_option("features", " is 0, expected at least 1");
  if (horizon < 1) return fail_option("horizon", " is 0, expected at least 1");
  // In doubles, which do not overflow; exact up to far above the limit.
  const double cells = 4.0 * static_cast<double>(groups) * static_cast<double>(features);
  const double transitions = cells * 2.0 * static_cast<double>(features);
  const double visits = cells * static_cast<double>(horizon);
  if (transitions > static_cast<double>(kLargestTable))
    return fail_option(
        groups > features ? "groups" : "features",
        fmt::format(" is {} with {} {}: {} transition probabilities, expected at most {}", std::max(groups, features),
                    std::min(groups, features), groups > features ? "features" : "groups", transitions, kLargestTable));
  if (visits > static_cast<double>(kLargestTable))
    return fail_option("horizon", fmt::format(" is {} with {} groups and {} features: {} cells, expected at most {}",
                                              horizon, groups, features, visits, kLargestTable));
  return {};
}

Expected<ModelSpec> blank_spec(Names groups, Names features, std::size_t horizon, double discount) {
  const std::size_t n_groups = groups.size();
  const std::size_t n_features = features.size();
  if (auto ok = check_size(n_groups, n_features, horizon); !ok) return tl::unexpected(ok.error());
  if (!(discount > 0 && discount <= 1))
    return fail_option("discount", fmt::format(" is {}, expected more than 0 and at most 1", discount));

  ModelSpec spec;
  spec.horizon = horizon;
  spec.discount = discount;
  spec.names.groups = std::move(groups);
  spec.names.features = std::move(features);
  spec.share = equal_shares(n_groups);
  spec.initial = Tensor<double, 3>({n_groups, n_features, kLabels});
  spec.transition = Tensor<double, 6>({n_groups, n_features, kLabels, kActions, n_features, kLabels});
  spec.reward = Tensor<double, 4>({n_groups, n_features, kLabels, kActions});
  return spec;
}

Expected<void> check_amounts(const char* option, const std::vector<double>& given, const Names& owners) {
  const auto sound = [](double v) { return v >= 0 && v <= kLargestReward; };
  return check_each({option}, given, owners, sound, "a number from 0 to 1e100");
}

Expected<void> check_probabilities(const char* option, const std::vector<double>& given, const Names& owners) {
  return check_each({option}, given, owners, is_probability, "a probability between 0 and 1");
}

Expected<void> check_distribution(const Part& part, const std::vector<double>& given, const Names& owners) {
  if (auto ok = check_each(part, given, owners, is_probability, "a probability between 0 and 1"); !ok) return ok;
  double sum = 0;
  for (const double p : given) sum += p;
  if (std::abs(sum - 1) <= kSumTolerance) return {};
  return fail_option(part.option, fmt::format("{} sums to {}, expected 1 (within {})", part.place, sum, kSumTolerance),
                     {}, "probabilities are never rescaled silently");
}

Expected<void> fill_rewards(const ScoreRewards& rewards, ModelSpec& spec) {
  const Names& groups = spec.names.groups;
  const Names& features = spec.names.features;
  if (auto ok = check_amounts("gain", rewards.gain, groups); !ok) return ok;
  if (auto ok = check_amounts("loss", rewards.loss, groups); !ok) return ok;
  if (auto ok = check_amounts("score", rewards.score, features); !ok) return ok;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t x = 0; x < features.size(); ++x) {
      spec.reward(g, x, 0, 1) = 0 - rewards.loss[g] * rewards.score[x];  // 0 - 0 is 0, -0 would be printed
      spec.reward(g, x, 1, 1) = rewards.gain[g] * rewards.score[x];
    }
  return {};
}

std::vector<double> equal_shares(std::size_t groups) {
  return std::vector<double>(groups, 1 / static_cast<double>(groups));
}

}  // namespace fairstep::building_blocks
