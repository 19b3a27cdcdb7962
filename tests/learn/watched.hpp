// A population, an environment that keeps a diary, and options that cost little time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fairstep/learn/environment.hpp>
#include <fairstep/learn/learn.hpp>

namespace fairstep::testing {

/// Two groups, two features, three steps; fairness costs a fifth of the value.
const Model& population();

/// A simulator that keeps a diary, and breaks down at the phase it is told to.
class Watched final : public Environment {
 public:
  explicit Watched(const Model& model, std::size_t breaks_at = 99) : inner_(model, 5), breaks_at_(breaks_at) {}

  [[nodiscard]] const Known& known() const override { return inner_.known(); }
  [[nodiscard]] Expected<Counts> act(const Policy& policy, const Phase& phase) override;

  std::vector<std::pair<Policy, Phase>> diary{};
  std::vector<Counts> shown{};

 private:
  SimulatedEnvironment inner_;
  std::size_t breaks_at_;
};

/// Neither proofs nor trials.
LearnOptions quick(std::vector<std::uint64_t> schedule = {8, 20, 64});

/// A whole run on people drawn from the model.
std::vector<Update> learned(const Model& model, const LearnOptions& options, std::uint64_t seed = 5,
                            bool judged = true);

}  // namespace fairstep::testing
