// The population: who is there, what they are like, how decisions change them, and what a decision earns.
//
// A Model that exists is valid: `Model::make` checks everything once and nothing later checks again. It never rescales:
// a row of probabilities that does not sum to 1 is an error that names the row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fairstep/core/by_period.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/grounds.hpp>
#include <fairstep/core/kernel.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// Sums of probabilities may miss 1 by this much; nothing is rescaled.
inline constexpr double kSumTolerance = 1e-9;

/// Rewards and their noise are at most this in size, so that no sum of them or of their squares overflows.
inline constexpr double kLargestReward = 1e100;

struct Names {
  std::vector<std::string> groups{};                            ///< [g]
  std::vector<std::string> features{};                          ///< [x]
  std::vector<std::string> labels{"unqualified", "qualified"};  ///< [y]
  std::vector<std::string> actions{"refuse", "accept"};         ///< [a]

  friend bool operator==(const Names&, const Names&) = default;
};

/// Opting in and out (paper, App. D). It shapes what data look like, never what a policy is worth: values and rates are
/// those of a representative person who stays for the whole episode.
struct Participation {
  Tensor<double, 4> leave{};       ///< [g,x,y,a] probability to leave for good after a step in this cell
  Tensor<double, 2> first_step{};  ///< [g,h] distribution of the first step taken part in

  friend bool operator==(const Participation&, const Participation&) = default;
};

/// Everything that makes a model, before it is checked.
struct ModelSpec {
  std::string description{};
  std::size_t horizon = 0;
  Names names{};
  std::vector<double> share{};       ///< [g] of the population
  Tensor<double, 3> initial{};       ///< [g,x,y] distribution of the first state
  Periods periods{};                 ///< with a kernel of their own; none: one kernel for all steps
  ByPeriod<double, 6> transition{};  ///< [g,x,y,a,x1,y1], by period
  Tensor<double, 4> reward{};        ///< [g,x,y,a] mean reward
  Tensor<double, 4> reward_noise{};  ///< [g,x,y,a] reward is mean - w or mean + w with equal chance; empty: no noise
  double discount = 1;               ///< step h counts discount^h, h from 0
  std::optional<Participation> participation{};
  std::optional<Grounds> rests_on{};  ///< of an estimated model: what was seen and what was guessed

  friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

struct Range {
  double low = 0;
  double high = 0;
};

class Model {
 public:
  /// Takes the spec over, or says what is wrong with it: which entry, what was found, what would be right.
  [[nodiscard]] static Expected<Model> make(ModelSpec spec);

  [[nodiscard]] const ModelSpec& spec() const { return spec_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const Names& names() const { return spec_.names; }
  [[nodiscard]] double share(std::size_t g) const { return spec_.share[g]; }
  [[nodiscard]] double discount() const { return spec_.discount; }
  /// [x,y] of group g.
  [[nodiscard]] std::span<const double> initial(std::size_t g) const { return spec_.initial.block(g); }
  /// [x,y,a] of group g.
  [[nodiscard]] std::span<const double> reward(std::size_t g) const { return spec_.reward.block(g); }
  [[nodiscard]] const Periods& periods() const { return spec_.periods; }
  /// Rows [x,y,a] -> [x1,y1] of group g from step h to the next, h not the last. The view lives as long as the model
  /// stays where it is.
  [[nodiscard]] KernelView kernel(std::size_t g, std::size_t h) const { return kernels(g).at(h); }
  /// The same for all steps.
  [[nodiscard]] Kernels kernels(std::size_t g) const {
    return {spec_.transition.of(g, 0).data(), shape_.states(),
            std::span(nonzeros_).subspan(g * shape_.periods, shape_.periods), period_of_};
  }
  /// The least and the greatest reward that a single decision can bring, noise included.
  [[nodiscard]] Range reward_range() const { return reward_range_; }

 private:
  Model() = default;

  ModelSpec spec_{};
  Shape shape_{};
  std::vector<NonZeros> nonzeros_{};        ///< [g,k]
  std::vector<std::uint32_t> period_of_{};  ///< [h]; empty if all steps have the same kernel
  Range reward_range_{};
};

}  // namespace fairstep
