// What fairness asks of a policy: which shares of people are compared or bounded, at which steps, and how far apart
// they may be.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/core/words.hpp>

namespace fairstep {

enum class Notion {
  dp,      ///< demographic parity: P(a=1)
  eqopt,   ///< equal opportunity: P(a=1 | y=1)
  eqodds,  ///< equalized odds: P(a=1 | y=1) and P(a=1 | y=0)
};

template <>
inline constexpr auto kWords<Notion> =
    words<Notion>({{Notion::dp, "dp"}, {Notion::eqopt, "eqopt"}, {Notion::eqodds, "eqodds"}});
[[nodiscard]] const char* in_words(Notion notion);  ///< "demographic parity"

/// How far a model may be from the population it was estimated from. Whatever the policy, the share of a group's people
/// of whom something holds at step h is off by at most A = start[g] + the sum over earlier steps of E[cell[g,x,y,a]]; a
/// rate, by A over its denominator (docs/guarantees.md).
struct Doubt {
  enum class Stance {
    hopeful,   ///< a policy is admitted if it may keep the limit: the truly best one always is
    cautious,  ///< a policy is admitted if it must keep the limit
  };
  Stance stance = Stance::hopeful;
  std::vector<double> start{};  ///< [g]
  Tensor<double, 4> cell{};     ///< [g,x,y,a]

  friend bool operator==(const Doubt&, const Doubt&) = default;
};

/// At every step the rates of any two groups differ by at most the step's limit.
struct StepwiseParity {
  Notion notion = Notion::dp;
  std::vector<double> limit{};   ///< [h], or one entry for all steps
  std::optional<Doubt> doubt{};  ///< none: the model is the population

  friend bool operator==(const StepwiseParity&, const StepwiseParity&) = default;
};

[[nodiscard]] inline double limit_at(const StepwiseParity& parity, std::size_t h) {
  return parity.limit.size() == 1 ? parity.limit[0] : parity.limit[h];
}

/// Rates whose ratio between groups may be limited.
enum class RatioNotion {
  dp,     ///< of P(a=1): the adverse impact ratio
  eqopt,  ///< of P(a=1 | y=1)
};
template <>
inline constexpr auto kWords<RatioNotion> =
    words<RatioNotion>({{RatioNotion::dp, "dp-ratio"}, {RatioNotion::eqopt, "eqopt-ratio"}});
/// Whose rates these are.
[[nodiscard]] constexpr Notion notion_of(RatioNotion ratio) {
  return ratio == RatioNotion::dp ? Notion::dp : Notion::eqopt;
}
/// "adverse impact ratio"
[[nodiscard]] const char* in_words(RatioNotion ratio);

/// The four-fifths rule.
inline constexpr double kFourFifths = 0.8;

/// At every step no group's rate is less than `limit` times the greatest rate of any group; or, with a reference, than
/// `limit` times the reference's rate, which itself may be as low as it likes. A rate of nobody is in no comparison,
/// and where nobody is accepted there is no ratio, and no limit is broken.
struct StepwiseRatio {
  RatioNotion notion = RatioNotion::dp;
  std::vector<double> limit{};             ///< [h], or one entry for all steps
  std::optional<std::size_t> reference{};  ///< a group; none: whichever is treated best

  friend bool operator==(const StepwiseRatio&, const StepwiseRatio&) = default;
};

[[nodiscard]] inline double limit_at(const StepwiseRatio& ratio, std::size_t h) {
  return ratio.limit.size() == 1 ? ratio.limit[0] : ratio.limit[h];
}

/// At every step at most this share of all people is accepted.
struct Capacity {
  std::vector<double> share{};  ///< [h], or one entry for all steps

  friend bool operator==(const Capacity&, const Capacity&) = default;
};

/// mu = E[payoff | event], people of all groups together unless the event names some.
struct ConditionalMean {
  std::string name{};
  Tensor<double, 4> payoff{};  ///< [g,x,y,a]
  Tensor<double, 3> event{};   ///< [g,x,y] 1 inside, 0 outside

  friend bool operator==(const ConditionalMean&, const ConditionalMean&) = default;
};

/// The paper's general family, M mu <= c at every step.
struct MomentConstraint {
  std::vector<ConditionalMean> means{};  ///< [j]
  Tensor<double, 2> matrix{};            ///< [k,j]
  std::vector<double> bound{};           ///< [k]
  std::vector<std::string> names{};      ///< [k] what a row says

  friend bool operator==(const MomentConstraint&, const MomentConstraint&) = default;
};

/// All of it at once; empty means no constraint.
struct Fairness {
  std::vector<StepwiseParity> parity{};
  std::optional<double> aggregate_dp{};     ///< limit on the gap of sum_h P(a=1) / H
  std::optional<double> aggregate_eqopt{};  ///< limit on the gap of sum_h P(a=1,y=1) / sum_h P(y=1)
  std::optional<Capacity> capacity{};
  std::vector<MomentConstraint> moments{};
  std::vector<StepwiseRatio> ratios{};

  friend bool operator==(const Fairness&, const Fairness&) = default;
};

/// A limit on a notion's rates over the whole episode: one number, for all steps together.
struct EpisodeLimit {
  Notion notion{};
  const char* name = "";  ///< as an option and as a key
  std::optional<double> Fairness::* limit = nullptr;
};
inline constexpr std::array kEpisodeLimits{
    EpisodeLimit{Notion::dp, "aggregate_dp", &Fairness::aggregate_dp},
    EpisodeLimit{Notion::eqopt, "aggregate_eqopt", &Fairness::aggregate_eqopt},
};

/// `aggregate dp`: what such a limit is called where limits are listed.
[[nodiscard]] std::string over_the_episode(Notion notion);
/// The limit that is called so; null if none is.
[[nodiscard]] const EpisodeLimit* episode_limit_called(std::string_view name);

/// These and more: limits on the whole episode and on capacity are those of `more`, if it has any.
void append(Fairness& all, Fairness more);

/// An error unless the constraints are meant for a model of this size and every number makes sense.
[[nodiscard]] Expected<void> check(const Fairness& fairness, const Model& model);
/// The same for counts, or anything else that has groups and steps.
[[nodiscard]] Expected<void> check(const Fairness& fairness, const Shape& shape);

}  // namespace fairstep
