// The paper's algorithm: count, add a bonus, relax the limits, solve, act, repeat.
//
// An update at episode k sees the episodes before it; its policy acts until the next update. Before the first one
// everybody is accepted with probability 1/2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/records.hpp>
#include <fairstep/learn/environment.hpp>
#include <fairstep/learn/trial.hpp>
#include <fairstep/optimise/policy_class.hpp>
#include <fairstep/optimise/proof_budget.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

/// How far limits are relaxed and rewards raised while the population is not yet known (docs/guarantees.md).
enum class RelaxationMode {
  literal,       ///< the paper's lemmas as printed, App. D's N included: a theorem, and vacuous for a long time
  scaled,        ///< what they come to times user-set factors: no theorem
  scaled_width,  ///< every width in them times user-set factors, those inside of d_hat as well: no theorem either
  tight,         ///< by the doubt that is left along the policy's own path: a theorem, and of use
};
template <>
inline constexpr auto kWords<RelaxationMode> = words<RelaxationMode>({{RelaxationMode::literal, "literal"},
                                                                      {RelaxationMode::scaled, "scaled"},
                                                                      {RelaxationMode::scaled_width, "scaled-width"},
                                                                      {RelaxationMode::tight, "tight"}});

/// Those with factors of their own: 1 would leave them vacuous.
[[nodiscard]] constexpr bool is_scaled(RelaxationMode mode) {
  return mode == RelaxationMode::scaled || mode == RelaxationMode::scaled_width;
}

/// Trials walk people one by one; more than this would only take longer.
inline constexpr std::uint64_t kMostTrialPeople = std::uint64_t{1} << 18;

/// The best that can be done with the model known: what regret is measured against.
struct Oracle {
  Bounds bounds{};
  Outcome outcome = Outcome::unknown;
  std::optional<Policy> policy{};  ///< which attains the lower bound; not kept with a run
};

struct LearnOptions {
  StepwiseParity fairness{Notion::dp, {0.0}, {}};  ///< the limits that the user wants, without doubt
  /// A limit on the ratio of rates in their place. Gaps are then reported of the same rates, and not limited.
  std::optional<StepwiseRatio> ratio{};
  Method method = Method::constrained;  ///< or unconstrained, or penalty
  double penalty = 0;                   ///< lambda
  PenaltyForm penalty_form = PenaltyForm::rate;
  std::vector<std::uint64_t> schedule{};  ///< [l] episodes k at which the policy is updated, rising; empty: 2^3 .. 2^18
  std::uint64_t people_per_episode = 1;   ///< n_k, of each group, or in all if they come by share
  /// The people of an episode are drawn from the population, as the paper has it, so that an episode may have nobody of
  /// a group; otherwise every group has its n_k.
  bool people_by_share = false;
  RelaxationMode relaxation = RelaxationMode::scaled_width;
  std::optional<double> bonus_scale{};       ///< empty: 0.001 if scaled, else 1
  std::optional<double> relaxation_scale{};  ///< empty: 0.001 (eqopt: 0.0001) if scaled, else 1
  /// gamma^h |gap| <= limit instead of |gap| <= limit, h from 1 and gamma the discount: later steps may differ more.
  bool discounted_limits = false;
  double delta = 0.1;
  std::optional<double> floor{};    ///< eta_k at every update; empty: k^(-1/3), at most 1/2 for a floor on both actions
  std::optional<double> epsilon{};  ///< eps_k at every update; empty: 1/(kHS)
  FloorKind floor_kind = FloorKind::two_sided;
  bool group_independent = false;  ///< policies that do not look at the group, and the best of them to measure against
  /// What else is asked of policies, and of the best one: monotone, threshold, stationary; order and monotone_in. Floor
  /// and group_independent are those above.
  PolicyClass rules{};
  Unvisited unvisited = Unvisited::uniform;
  bool safe = false;    ///< deploy only what keeps the limits whatever the population is, to confidence 1 - delta
  ProofBudget proof{};  ///< of every solve
  /// Of the last update's, which comparisons are about; empty: the same.
  std::optional<ProofBudget> last_proof{};
  /// Simulated after every update where the truth is known, with people_per_episode each but no more than
  /// kMostTrialPeople of a group; 0: none.
  std::uint64_t trial_episodes = 8000;
  std::uint64_t seed = 1;  ///< of the trials
  /// Of the truth and these limits, from someone who solved for it before.
  std::optional<Oracle> oracle{};
  std::stop_token stop{};
};

/// Under the true model, where there is one.
struct Truth {
  Evaluation evaluation;        ///< exact
  double reward_regret = 0;     ///< (best fair value - this value) / H, the best one as the oracle attained it
  double regret_bound = 0;      ///< the same against what the oracle proved: the regret is at most this
  double violation = 0;         ///< step-average gap of the notion in force, or what the ratio lacks to its limit
  std::vector<double> ratio{};  ///< [h] the least, where a ratio is limited; NaN if there is none
  std::optional<Trial> trial{};
};

struct Update {
  std::uint64_t k = 0;
  Policy policy;
  double floor = 0, epsilon = 0;
  double bonus_max = 0;                ///< the largest bonus of a cell
  std::vector<double> limit{};         ///< [h] the user's limit
  std::vector<double> relaxation{};    ///< [h] what was allowed on top, for the worst pair under the policy if tight
  std::vector<std::size_t> vacuous{};  ///< steps at which that is 1 or more
  std::size_t unvisited = 0;           ///< cells filled by rule
  Bounds bounds{};                     ///< on the program's optimum: estimated rewards and bonus
  double gap_to_bound = 0;
  Outcome outcome = Outcome::unknown;
  StopReason stopped_by = StopReason::finished;
  std::vector<double> estimated_gap{};  ///< [h] under the estimate; NaN if fewer than two groups have the rate there
  std::optional<Safety> safety{};
  std::optional<Truth> truth{};
  double seconds = 0;  ///< not part of what is reproducible
};

/// What fairness is about: `dp`, or `dp-ratio`.
[[nodiscard]] const char* notion_in_force(const LearnOptions& options);

/// Which policies there are with this floor; without one for the best of them.
[[nodiscard]] PolicyClass policies_of(const LearnOptions& options, double floor);

/// [h] how far apart rates may be at a step, relaxation aside: the limits of `options`, divided by gamma^h, h from 1,
/// if they are discounted; never more than 1.
[[nodiscard]] std::vector<double> limits_in_force(const LearnOptions& options, double discount, std::size_t horizon);

/// Solves for the oracle: the truth with the limits and policies of `options`, its budget and stop token.
[[nodiscard]] Expected<Oracle> find_oracle(const Model& truth, const LearnOptions& options);

/// One run, update by update, so that its owner can keep each before the next begins.
class Learner {
 public:
  /// `truth` is the model behind the environment if it is known; then updates are judged by it. Both must outlive the
  /// learner.
  [[nodiscard]] static Expected<Learner> make(Environment& environment, LearnOptions options,
                                              const Model* truth = nullptr);

  [[nodiscard]] const LearnOptions& options() const { return options_; }  ///< with the defaults filled in
  [[nodiscard]] const std::optional<Oracle>& oracle() const { return oracle_; }
  [[nodiscard]] std::size_t done() const { return done_; }
  [[nodiscard]] bool finished() const { return done_ == options_.schedule.size(); }
  /// Everything seen before the last update.
  [[nodiscard]] const Counts& counts() const { return counts_; }

  /// Takes up a run after its update number `done - 1`, as kept by its owner.
  [[nodiscard]] Expected<void> resume(std::size_t done, Policy policy, Counts counts);

  /// Acts until the next update is due, and makes it.
  [[nodiscard]] Expected<Update> next();

  /// Judges a policy by the truth, exactly; nothing if there is none.
  [[nodiscard]] Expected<std::optional<Truth>> judge(const Policy& policy) const;

 private:
  Learner(Environment& environment, LearnOptions options, const Model* truth, Policy policy, Counts counts)
      : environment_(&environment),
        options_(std::move(options)),
        truth_(truth),
        policy_(std::move(policy)),
        counts_(std::move(counts)) {}

  Environment* environment_;
  LearnOptions options_;
  const Model* truth_;
  std::optional<Oracle> oracle_{};
  Policy policy_;  ///< in force
  Counts counts_;  ///< seen so far
  std::size_t done_ = 0;
};

/// The whole run. `on_update` may return false to end it early.
[[nodiscard]] Expected<std::vector<Update>> learn(Environment& environment, const LearnOptions& options,
                                                  const Model* truth = nullptr,
                                                  const std::function<bool(const Update&)>& on_update = {});

}  // namespace fairstep
