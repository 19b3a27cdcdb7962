// How groups were treated, step by step, and how sure one can be of it: rates and gaps with bands that hold all
// together, drift over the calendar, what the data do not cover, and what another policy would have done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/decision_weights.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/diagnose/diagnose.hpp>
#include <fairstep/estimate/coverage.hpp>
#include <fairstep/estimate/estimate.hpp>

namespace fairstep {

/// Shares of people that a notion of fairness compares.
enum class Rate { accept /* P(a=1) */, tpr /* P(a=1 | y=1) */, fpr /* P(a=1 | y=0) */ };
template <>
inline constexpr auto kWords<Rate> = words<Rate>({{Rate::accept, "accept"}, {Rate::tpr, "tpr"}, {Rate::fpr, "fpr"}});
/// The rates that a notion compares between groups.
[[nodiscard]] std::vector<Rate> rates_of(Notion notion);

/// Fewer people than this are too few for a group to be compared: it is set apart.
inline constexpr std::int64_t kSmallGroup = 50;

struct AuditOptions {
  std::vector<Notion> notions{Notion::dp, Notion::eqopt, Notion::eqodds};
  /// Each part of what is said fails with at most this: rates at steps, differences of two groups, ratios, windows, and
  /// the ranges of the policy. `assumptions_of` says what holds together.
  double delta = 0.05;
  std::int64_t thin = 30;
  /// Labels follow features: rates given the label are of all decisions, with a label or without. None: as seen.
  std::optional<LabelAssumption> labels{};
  /// Decisions count by them: of the log that the counts are of.
  std::optional<DecisionWeights> weights{};
  std::int64_t small = kSmallGroup;        ///< groups of fewer people are set apart; 0: none is
  std::optional<std::size_t> reference{};  ///< the group that ratios are to; none: whichever is treated best
  Fairness limits{};                       ///< what is judged: limits on gaps, ratios and the gap over the episode
  std::stop_token stop{};                  ///< gives up, with an Error
};

/// A share that was observed, and what the chance behind it can be. Where labels follow features the rate is of all
/// decisions, as if those whose label was not seen were like those whose label was, and the numbers are those with a
/// label.
struct Observed {
  std::int64_t accepted = 0;
  std::int64_t decisions = 0;
  double rate = 0;  ///< NaN without a decision
  Range band{0, 1};
};

/// By what decisions count, if not each for one.
struct WeightAudit {
  std::string column{};
  double largest = 1;               ///< said beforehand
  std::vector<double> total{};      ///< [g] of the decisions that are counted
  std::vector<double> effective{};  ///< [g] Kish's number of them, a description
  double effective_of_all = 0;
};

struct AuditedRate {
  Rate rate{};
  bool known = true;  ///< false if labels that were censored would be needed, and nobody knows how many
  /// Why there is no band, so that they are all [0,1]: it is not known how many rows were left out, or labels were
  /// drawn. Empty if there are bands: these hold whatever the rows that were left out would have said.
  std::string without_bands{};
  Tensor<Observed, 2> steps{};                   ///< [g,h]
  std::vector<std::vector<Observed>> windows{};  ///< [w][g], over all steps; empty without windows
};

/// The difference of two groups, first minus second, at a step, and their ratio.
struct PairGap {
  Rate rate{};
  std::size_t step = 0, first = 0, second = 0;
  double difference = 0;  ///< NaN if a group has no such decision
  Range band{-1, 1};
  /// Shown to differ, in the direction observed. The band has 0 inside if they are not; if they are it leaves 0 out, or
  /// ends there.
  bool differ = false;
  double p = std::numeric_limits<double>::quiet_NaN();      ///< adjusted for all that are compared; NaN without a test
  double ratio = std::numeric_limits<double>::quiet_NaN();  ///< NaN if there is none, or nothing was asked of it
  Range ratio_band{0, std::numeric_limits<double>::infinity()};
};

/// The widest gap of a notion at a step, and between whom.
struct NotionGap {
  Notion notion{};
  std::size_t step = 0;
  double gap = 0;                    ///< NaN if fewer than two groups have the rate
  Range band{0, 1};                  ///< of the widest gap, whichever groups it is between
  bool differ = false;               ///< some pair is shown to
  std::size_t above = 0, below = 0;  ///< the groups with the greater and the lesser rate; meaningless if NaN
};

/// The least ratio of a group's rate to the reference's, or to that of any other group, at a step.
struct NotionRatio {
  RatioNotion notion{};
  std::size_t step = 0;
  double ratio = 0;                   ///< NaN if fewer than two groups have the rate, or the lower rate is 0
  std::size_t group = 0, beside = 0;  ///< whose rate is above the line, and below it; meaningless if NaN
  Range band{0, std::numeric_limits<double>::infinity()};  ///< of the least ratio, whichever groups it is of
};

/// What the data say of a limit.
enum class Ruling {
  within,  ///< proven to be kept
  open,    ///< neither
  beyond,  ///< proven to be broken
};
template <>
inline constexpr auto kWords<Ruling> =
    words<Ruling>({{Ruling::within, "within"}, {Ruling::open, "open"}, {Ruling::beyond, "beyond"}});

/// A limit at a step, and what was found there.
struct Judged {
  std::string notion{};  ///< `dp`, `eqopt-ratio`, `aggregate dp`
  std::size_t step = 0;  ///< the horizon: the whole episode
  double limit = 0;
  double found = 0;  ///< the widest gap or the least ratio; NaN if there is none
  Range band{};
  Ruling ruling = Ruling::open;
};

/// Demographic parity over the whole episode: the mean over the steps of the shares accepted there. Its bands are the
/// means of the steps' bands, so that they hold whenever those do, however a person's decisions depend on each other.
struct EpisodeAudit {
  std::vector<Observed> accept{};  ///< [g] decisions of all steps; the rate is NaN if a step has none
  std::vector<PairGap> pairs{};    ///< their step is the horizon
  NotionGap gap{};                 ///< the widest; likewise
};

/// What is assumed about labels, and whether the log refutes it.
struct LabelAudit {
  /// The widest gaps under a rule for those whose label was not seen.
  struct Rule {
    RefusedRule refused{};
    std::vector<NotionGap> gaps{};  ///< of notions that need labels, by notion and step
  };
  LabelAssumption assumption{};
  std::vector<Rule> rules{};       ///< like-accepted, odds if chosen, anything; each holds by itself
  std::int64_t unseen = 0;         ///< decisions without a label
  Verdict verdict{};               ///< refuted if that labels follow features is, for any group
  std::vector<Diagnosed> tests{};  ///< by which
};

/// What a policy would have done, by the estimated model and by every model that the data allow.
struct PolicyAudit {
  struct Step {
    Notion notion{};
    std::size_t step = 0;
    double gap = 0;      ///< estimated; NaN if fewer than two groups have the rate
    double at_most = 1;  ///< for every model within the radii, whatever the rows left out would have said
  };
  double value = 0;  ///< estimated return of a person
  std::vector<Step> gaps{};
  std::optional<Step> episode{};   ///< of dp over the whole episode, whose step is the horizon; if asked for dp
  Tensor<double, 2> accept{};      ///< [g,h] estimated P(a=1)
  Tensor<Range, 2> accept_band{};  ///< [g,h]
  std::size_t unvisited = 0;       ///< cells without a seen successor; their rows are uniform in the estimate
  std::size_t rows = 0;            ///< of these: groups times cells, and times periods
};

struct Audit {
  Names names{};
  std::size_t horizon = 0;
  double delta = 0;
  std::size_t intervals = 0;         ///< of rates, that hold together: each may fail with delta over this
  std::size_t window_intervals = 0;  ///< the same for windows
  std::size_t pair_tests = 0;   ///< the same for differences; 0 where they are what the rates' bands leave possible
  std::size_t ratio_tests = 0;  ///< the same for ratios
  std::size_t parts = 1;        ///< of rates, differences, ratios, windows and policy those there are; delta for each
  std::int64_t small = 0;       ///< groups of fewer people are set apart, unless fewer than two were left
  std::vector<std::size_t> set_apart{};             ///< groups that are compared with none
  std::optional<std::size_t> reference{};           ///< of ratios
  std::vector<std::int64_t> people{}, decisions{};  ///< [g] everybody, also whose first state could not be used
  bool people_known = true;      ///< false: what the log lost was not recorded, and there may be more people
  bool groups_in_doubt = false;  ///< somebody's group is not known: who may be of several groups counts in each
  std::vector<AuditedRate> rates{};
  std::vector<PairGap> pairs{};           ///< by rate, step and pair
  std::vector<NotionGap> gaps{};          ///< by notion and step
  std::vector<NotionRatio> ratios{};      ///< by notion and step, of notions whose rates are known
  std::vector<Judged> judged{};           ///< by limit and step
  std::optional<EpisodeAudit> episode{};  ///< if asked for dp
  Coverage coverage{};
  std::optional<LogRecord> log{};
  std::optional<Part> part{};  ///< of which split, if these are not all people of the log
  std::optional<PolicyAudit> policy{};
  std::optional<LabelAudit> labels{};
  std::optional<WeightAudit> weights{};  ///< then all rates are weighted
  /// Whether these data refute the model that a policy's numbers rest on; with weights nobody is asked.
  Diagnosis diagnosis{};
};

/// Beyond, if any limit is proven to be broken at some step; within, if all are proven to be kept; nothing without one.
[[nodiscard]] std::optional<Ruling> ruling_of(const Audit& audit);

/// What the bands rest on, a sentence each, and what holds together with what.
[[nodiscard]] std::vector<std::string> assumptions_of(const Audit& audit);

/// An error if the options make no sense, if the policy does not fit, or if nothing can be claimed about it from these
/// counts (`lost_for_claims`).
[[nodiscard]] Expected<Audit> audit(const Counts& counts, const AuditOptions& options = {},
                                    const Policy* policy = nullptr);

/// A file that was read, so that anybody can tell whether it is the one they have.
struct SourceFile {
  std::string name{};
  std::int64_t bytes = 0;
  std::string modified{};  ///< 2024-07-01 12:00:00 UTC
  std::string sha256{};
};

/// Where the documents come from, for their heads.
struct AuditSource {
  std::string data{};    ///< file of counts, or of the log
  std::string policy{};  ///< file; empty without one
  std::string version{};
  std::vector<SourceFile> files{};
};

[[nodiscard]] std::string to_markdown(const Audit& audit, const AuditSource& source);
/// One page without scripts or links, for screen (light and dark) and paper.
[[nodiscard]] std::string to_html(const Audit& audit, const AuditSource& source);

}  // namespace fairstep
