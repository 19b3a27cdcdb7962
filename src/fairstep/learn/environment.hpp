// The other side of learning: whoever carries a policy out and reports what was seen. Our simulator is one; a real
// system behind a queue of applications is another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep {

/// What is known before the first decision. Kernel, rewards and initial distribution are not.
struct Known {
  std::size_t horizon = 0;
  Names names{};
  std::vector<double> share{};  ///< [g] of the population
  double discount = 1;
  Range reward{0, 1};         ///< no single reward lies outside
  Periods periods{};          ///< with a kernel of their own
  bool noisy_rewards = true;  ///< false: a cell always brings the same reward, so that one visit tells it

  [[nodiscard]] Shape shape() const { return {names.groups.size(), horizon, names.features.size(), periods.number()}; }
};

/// A stretch of episodes under one policy.
struct Phase {
  std::size_t number = 0;      ///< counted from 0; phase i follows the i-th update, phase 0 precedes the first
  std::uint64_t episodes = 0;  ///< at least 1
  std::uint64_t people_per_episode = 1;  ///< of each group, or in all if `by_share`
  bool by_share = false;                 ///< drawn from the population, rather than as many of each group
  std::stop_token stop{};                ///< to act takes as long as there are people; what was stopped is an error
};

class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  virtual ~Environment() = default;

  [[nodiscard]] virtual const Known& known() const = 0;

  /// Carries the policy out and returns what this phase alone showed. Called once per phase, in order; a run that is
  /// resumed begins with the first phase whose counts were not kept. An error ends the run.
  [[nodiscard]] virtual Expected<Counts> act(const Policy& policy, const Phase& phase) = 0;
};

/// People drawn from a model. The draws of a phase depend on the seed and its number alone.
class SimulatedEnvironment final : public Environment {
 public:
  /// `by_person` walks people one by one; otherwise whole crowds are drawn at once, the same in distribution and at a
  /// cost that does not grow with the number of episodes.
  SimulatedEnvironment(Model model, std::uint64_t seed, bool by_person = false);

  [[nodiscard]] const Known& known() const override { return known_; }
  [[nodiscard]] Expected<Counts> act(const Policy& policy, const Phase& phase) override;

 private:
  Model model_;
  std::uint64_t seed_;
  bool by_person_;
  Known known_;
};

}  // namespace fairstep
