// One call: the best policy under stepwise fairness limits, and a proof of how good it is.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/feature_order.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/optimise/policy_class.hpp>
#include <fairstep/optimise/proof_budget.hpp>
#include <fairstep/prove/trace.hpp>

namespace fairstep {

/// A policy keeps its limits to within this, by the referee's word; bounds are for limits that are this much wider, so
/// that they hold for it all the same.
inline constexpr double kLimitTolerance = 1e-8;

enum class Method {
  constrained,    ///< the greatest value that keeps every limit (the paper's)
  unconstrained,  ///< the greatest value
  penalty,        ///< value minus lambda times the squared gaps
  myopic,         ///< keeps every limit, but looks at one step at a time
};
template <>
inline constexpr auto kWords<Method> = words<Method>({{Method::constrained, "constrained"},
                                                      {Method::unconstrained, "unconstrained"},
                                                      {Method::penalty, "penalty"},
                                                      {Method::myopic, "myopic"}});

enum class Outcome { optimal, feasible, infeasible, unknown };  // what is known
template <>
inline constexpr auto kWords<Outcome> = words<Outcome>({{Outcome::optimal, "optimal"},
                                                        {Outcome::feasible, "feasible"},
                                                        {Outcome::infeasible, "infeasible"},
                                                        {Outcome::unknown, "unknown"}});

/// Why it ended.
enum class StopReason {
  finished,    ///< all that was asked for is done
  time,        ///< the time limit
  iterations,  ///< the limit on effort
  requested,   ///< the stop token
  numerical,   ///< numbers are not precise enough for the gap: nothing is left to branch on
};
template <>
inline constexpr auto kWords<StopReason> = words<StopReason>({{StopReason::finished, "finished"},
                                                              {StopReason::time, "time"},
                                                              {StopReason::iterations, "iterations"},
                                                              {StopReason::requested, "requested"},
                                                              {StopReason::numerical, "numerical"}});

/// lower <= optimum <= upper.
struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

struct SolveProgress {
  Bounds bounds{};
  double seconds = 0;
  const char* phase = "";
};

struct SolveOptions {
  Method method = Method::constrained;
  PolicyClass policies{};
  double penalty = 0;  ///< lambda, for Method::penalty
  PenaltyForm penalty_form = PenaltyForm::rate;
  ProofBudget proof{};
  std::optional<Policy> start{};  ///< where to look first
  prove::Trace* trace = nullptr;  ///< where what is proven is written down, for a proof file (proof_file.hpp)
  bool price_rules = true;        ///< also solve without the class's rules, to say what they cost
  std::stop_token stop{};
  std::function<bool()> interrupted{};  ///< asked every millisecond or so; once it says yes it must stay with it
  std::function<void(const SolveProgress&)> progress{};
};

/// A limit that stops the value from growing.
struct Binding {
  std::size_t step = 0;      ///< the horizon for a constraint on the whole episode
  std::string constraint{};  ///< dp, eqopt, ..., or the row's name
  std::string pair{};        ///< "white-black" for a parity, "black/white" for a ratio
  double value = 0;          ///< where the policy is
  double limit = 0;
  double shadow_price = 0;  ///< what a unit of limit is worth, near here; NaN if there was no time to find out
};

/// Why nothing fits, and what would.
struct Infeasibility {
  std::size_t step = 0;
  std::string constraint{};
  std::string pair{};
  double least_excess = 0;     ///< proven: every policy exceeds some limit by at least this much
  double attained_excess = 0;  ///< what `nearest` exceeds its limits by
  double smallest_limit = 0;   ///< what `nearest` reaches: a limit that would do
  double limit = 0;            ///< what was asked for
  bool ratio = false;          ///< of a ratio: it should be at least the limit, not at most
  std::optional<Policy> nearest{};
};

struct Solution {
  Policy policy;
  Evaluation evaluation;  ///< the referee's numbers; every value and gap below comes from here
};

/// Of decisions [g,h,x] that the log behind an estimated model has less often than was asked for.
struct Support {
  std::size_t min_seen = 0;
  std::size_t decisions = 0;  ///< people of a group with a feature at a step
  std::size_t scarce = 0;     ///< of twice as many, accepting and refusing: seen less often
  std::size_t neither = 0;    ///< where both were, so that one of them has to be taken
  double visits = 0;          ///< the share of the policy's visits that rest on a decision seen less often
};

/// What the rules of the class cost: being monotone, a threshold, stationary.
struct RulesPrice {
  std::string rules{};                  ///< "monotone and stationary"
  std::optional<FeatureOrder> order{};  ///< along which acceptance never falls
  Bounds without{};                     ///< on the best objective of the same class without its rules
  double at_least = 0, at_most = 0;     ///< what the rules cost
};

struct SolveResult {
  Outcome outcome = Outcome::unknown;
  StopReason stopped_by = StopReason::finished;
  Bounds bounds{};  ///< on the objective: the value, minus the penalty if there is one
  double gap = std::numeric_limits<double>::infinity();  ///< (upper - lower) / |lower|
  std::optional<Solution> solution{};                    ///< set iff optimal or feasible
  double penalty = 0;                                    ///< what the penalty method subtracted
  std::vector<double> parity_gap{};          ///< [h] the widest gap of the notions in force; NaN if none has one
  std::vector<double> least_ratio{};         ///< [h] of the ratios in force; NaN where there is none, empty without any
  std::vector<double> shadow_price{};        ///< [h] of limits on gaps and ratios; NaN as above
  std::vector<std::size_t> vacuous_steps{};  ///< where the limit is 1 or more and can never bind
  std::vector<Binding> binding{};
  std::optional<Infeasibility> infeasibility{};
  bool accepts_nobody = false, accepts_everybody = false;
  std::optional<Support> support{};          ///< with a policy, if decisions had to be seen so often
  std::optional<double> randomised_value{};  ///< for deterministic policies: what randomising would reach
  std::optional<RulesPrice> rules_price{};   ///< set if the class has rules, and it was asked for
  double seconds = 0;
  std::size_t nodes = 0;  ///< of the branching on the whole problem
};

/// An error means the question was malformed, or that a proof contradicted itself (Error::ours); "infeasible" is an
/// answer. When the time is up, or somebody wants to stop, what is known by then.
[[nodiscard]] Expected<SolveResult> solve(const Model& model, const Fairness& fairness,
                                          const SolveOptions& options = {});

/// Truncation of a discounted model: what all later steps together can add or take away, discount^H / (1 - discount) *
/// max |r|. Infinite for a discount of 1.
[[nodiscard]] double tail_bound(const Model& model);
[[nodiscard]] double tail_bound(const Model& model, std::size_t horizon);  ///< if it were cut there

/// `upper` as it is, unless it is below `lower` by no more than rounding: then `lower`. Further below, one of the two
/// is wrong, and nobody can tell which: an error. `scale` is what the largest numbers behind them are about.
[[nodiscard]] Expected<double> upper_above(double lower, double upper, double scale);
/// About the largest number in a value of the model: its greatest reward at every step.
[[nodiscard]] double value_scale(const Model& model);

/// What the later steps may add or take away widens the bounds, and may cost the word "optimal" where `gap` was asked
/// for.
void widen(SolveResult& result, double tail, double gap);

/// The same model with a horizon at which the tail is at most `tail`; an error if discount is 1 or the horizon would
/// exceed `most`.
[[nodiscard]] Expected<Model> truncate(const Model& model, double tail, std::size_t most = 200);

}  // namespace fairstep
