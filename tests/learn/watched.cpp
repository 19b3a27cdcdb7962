#include "learn/watched.hpp"

#include "support/models.hpp"

namespace fairstep::testing {

const Model& population() {
  static const Model model = random_model(7, 2, 2, 3);
  return model;
}

Expected<Counts> Watched::act(const Policy& policy, const Phase& phase) {
  diary.emplace_back(policy, phase);
  if (phase.number == breaks_at_) return fail("the queue is closed", {}, "try tomorrow");
  auto seen = inner_.act(policy, phase);
  if (seen) shown.push_back(*seen);
  return seen;
}

LearnOptions quick(std::vector<std::uint64_t> schedule) {
  LearnOptions options;
  options.schedule = std::move(schedule);
  options.proof.wanted = false;
  options.trial_episodes = 0;
  return options;
}

std::vector<Update> learned(const Model& model, const LearnOptions& options, std::uint64_t seed, bool judged) {
  SimulatedEnvironment environment(model, seed);
  return unwrap(learn(environment, options, judged ? &model : nullptr));
}

}  // namespace fairstep::testing
