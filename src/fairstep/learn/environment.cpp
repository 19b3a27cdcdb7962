#include <fairstep/learn/environment.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <fairstep/simulate/simulate.hpp>

namespace fairstep {
namespace {

Known known_of(const Model& model) {
  const ModelSpec& spec = model.spec();
  const auto noise = spec.reward_noise.flat();
  return {.horizon = spec.horizon,
          .names = spec.names,
          .share = spec.share,
          .discount = spec.discount,
          .reward = model.reward_range(),
          .periods = spec.periods,
          .noisy_rewards = std::any_of(noise.begin(), noise.end(), [](double w) { return w != 0; })};
}

}  // namespace

SimulatedEnvironment::SimulatedEnvironment(Model model, std::uint64_t seed, bool by_person)
    : model_(std::move(model)), seed_(seed), by_person_(by_person), known_(known_of(model_)) {}

Expected<Counts> SimulatedEnvironment::act(const Policy& policy, const Phase& phase) {
  std::uint64_t people = 0;
  if (__builtin_mul_overflow(phase.episodes, phase.people_per_episode, &people))
    return fail(
        fmt::format("{} episodes of {} people are more than can be counted", phase.episodes, phase.people_per_episode));
  SimulateOptions options;
  options.crowd = {people, !phase.by_share};
  options.seed = seed_;
  options.stream = phase.number;
  options.stop = phase.stop;
  return by_person_ ? simulate_people(model_, policy, options) : simulate_counts(model_, policy, options);
}

}  // namespace fairstep
