#include <fairstep/simulate/crowd.hpp>

#include <string>

#include <fairstep/simulate/binomial.hpp>

namespace fairstep {

Expected<void> check_question(const Model& model, const Policy& policy, const SimulateOptions& options) {
  if (auto ok = policy.check_fits(model); !ok) return ok;
  const Shape& n = model.shape();
  if (options.periods)
    if (auto ok = check(*options.periods, n); !ok) return ok;
  // Every count is at most the number of decisions, and that at most 2^62.
  const std::uint64_t per_person = n.horizon * (options.crowd.per_group ? n.groups : 1);
  const std::uint64_t most = static_cast<std::uint64_t>(kMostPeople) / per_person;
  if (options.crowd.people > most)
    return fail_option(options.crowd.per_group ? "people_per_group" : "people",
                       " is " + std::to_string(options.crowd.people) + ", expected at most " + std::to_string(most) +
                           (options.crowd.per_group ? " per group" : "") + " with horizon " +
                           std::to_string(n.horizon) + " (counts hold 2^62 decisions)");
  return {};
}

Periods recorded_periods(const Model& model, const SimulateOptions& options) {
  return options.periods.value_or(model.periods());
}

double reward_noise(const Model& model, std::size_t g, std::size_t x, std::size_t y, std::size_t a) {
  return model.spec().reward_noise.empty() ? 0 : model.spec().reward_noise(g, x, y, a);
}

void fill_rewards(const Model& model, const Tensor<std::int64_t, 4>& high, CountsSpec& counts) {
  const Shape& n = model.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          const std::int64_t visits = counts.visits_of(g, x, y, a);
          if (visits == 0) continue;  // 0 times a negative reward would be -0
          const double mean = model.spec().reward(g, x, y, a);
          const double noise = reward_noise(model, g, x, y, a);
          const auto ups = static_cast<double>(high(g, x, y, a));
          const auto downs = static_cast<double>(visits - high(g, x, y, a));
          const double up = mean + noise;
          const double down = mean - noise;
          counts.reward_sum(g, x, y, a) = ups * up + downs * down;
          counts.reward_squares(g, x, y, a) = ups * (up * up) + downs * (down * down);
        }
}

}  // namespace fairstep
