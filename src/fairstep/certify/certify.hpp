// What counts prove about a policy: with probability at least 1 - delta over the data, how far apart the groups' rates
// can be at any step under the true population, and how little the policy can be worth. The people in the data may have
// met any policies whatever.
//
// Two kinds of sets hold each true row at once, each for half of what the row may fail with: a ball in total variation
// (estimate/confidence.hpp) and an interval for every entry (estimate/proportion.hpp), both so wide that they hold
// whatever the rows that were left out of the counts would have said. Whatever kernel in these sets is worst for the
// policy, backward recursion finds it (evaluate/robust.hpp). docs/guarantees.md, G has the theorem. Where people were
// split in two parts, the design part chooses directions in which the errors of all rows are bounded at once; H has
// that theorem. Where labels follow features, these alone are the states; I has that theorem.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {

/// What a decision earns is known beforehand.
struct KnownRewards {
  Tensor<double, 4> reward{};   ///< [g,x,y,a] mean reward
  std::vector<double> share{};  ///< [g] of the population
  double discount = 1;
  // Nothing is computed from these. They are of the model that the rewards come from, if there is one: data that refute
  // them refute that the model is about these people.
  Tensor<double, 4> noise{};         ///< [g,x,y,a] half-width around the mean
  Tensor<double, 3> initial{};       ///< [g,x,y]
  ByPeriod<double, 6> transition{};  ///< [g,x,y,a,x1,y1], by `periods`
  Periods periods{};
};

/// Of rewards only the interval is known in which each of them lies; their means are counted. The value is that of a
/// population whose groups have the shares of the people counted.
struct CountedRewards {
  Range range{0, 1};
  double discount = 1;
};

/// monostate: no statement on the value.
using ValueTerms = std::variant<std::monostate, KnownRewards, CountedRewards>;

struct CertifyOptions {
  double delta = 0.05;  ///< within (0,1)
  std::vector<Notion> notions{Notion::dp, Notion::eqopt, Notion::eqodds};
  /// The people counted were independent of each other and treated by the policy itself at every step. It was fixed
  /// before the data, as was their number: a policy that was chosen by looking at these data is another case. Rates are
  /// then bounded by the people seen, too, as far as they were there at all steps until then.
  bool followed = false;
  ValueTerms value{};
  /// Labels follow features, and what is assumed of those that were not seen; none: they are part of states, and those
  /// that were not seen are lost. Neither a value nor people who followed the policy go with it, nor a design part.
  std::optional<LabelAssumption> labels{};
  /// With `labels`: for which odds is every gap still at most this?
  std::optional<double> limit{};
  /// Ratios of rates whose gaps are among `notions`: they follow from the same bounds, and cost nothing.
  std::vector<RatioNotion> ratios{};
  std::optional<std::size_t> reference{};  ///< of the ratios: a group; none: whichever is treated best
  /// The gap of sum_h P(a=1) / H as well, where dp is among `notions`.
  bool aggregate_dp = false;
};

/// Who may fail with what: all together with delta. What is not used is 0.
struct DeltaSplit {
  double rows = 0;      ///< all rows of the kernel and of the first states
  double row = 0;       ///< one of them
  double ball = 0;      ///< its ball
  double interval = 0;  ///< one of its entries
  double followed = 0;  ///< all rates of people who followed the policy
  double tail = 0;      ///< one end of one of them
  double rewards = 0;   ///< all mean rewards
  double reward = 0;    ///< one of them
  double labels = 0;    ///< the shares of labels of all features, where labels follow these
  double label = 0;     ///< one of them
  // What follows is of people who were split in two parts; all above has a fifth of delta then.
  double directions = 0;  ///< all that is asked of them
  double question = 0;    ///< one end of the answer to one question
  double path = 0;        ///< one end of how often people are somewhere
};

/// Which of two bounds is the narrower one.
enum class BoundBy {
  worst_case,  ///< over all populations in the sets, or by those who followed the policy
  split,       ///< in the directions that the design part has chosen
};
template <>
inline constexpr auto kWords<BoundBy> =
    words<BoundBy>({{BoundBy::worst_case, "worst-case"}, {BoundBy::split, "split"}});

/// [h] of each notion that was asked for, for the pair that is furthest apart.
struct BoundsBy {
  std::vector<BoundBy> dp{}, eqopt{}, eqodds{};
  std::optional<BoundBy> value{};
};

/// A rate of each group and step.
struct RateBounds {
  Tensor<Range, 2> range{};      ///< [g,h] holds the true rate, if there is one
  Tensor<double, 2> estimate{};  ///< [g,h] under the estimated model; NaN if nobody has it
};

/// Per step; empty for a notion that was not asked for.
struct GapBounds {
  std::vector<double> dp{};      ///< [h]
  std::vector<double> eqopt{};   ///< [h]
  std::vector<double> eqodds{};  ///< [h]
};

/// [h] of each ratio that was asked for: no group's rate is less than that times the reference's, or the greatest of
/// all; NaN where that may be 0, so that there may be no ratio.
struct RatioBounds {
  std::vector<double> dp{};
  std::vector<double> eqopt{};
};
template <class PerRatio>
[[nodiscard]] auto& steps_of(PerRatio& ratios, RatioNotion ratio) {
  return ratio == RatioNotion::dp ? ratios.dp : ratios.eqopt;
}

struct PairBounds {
  std::size_t first = 0;
  std::size_t second = 0;
  GapBounds gap{};
};

/// The bounds that the same counts would give if no row had been left out: what the lost rows cost.
struct IfNothingLost {
  GapBounds gap{};
  std::optional<Tensor<Range, 2>> accept{}, tpr{}, fpr{};  ///< [g,h]
  std::optional<double> value{};
};

/// What would be so under another rule for labels that were not seen.
struct RefusedBounds {
  RefusedRule refused{};
  GapBounds gap{};                               ///< no dp, which needs no label
  std::optional<Tensor<Range, 2>> tpr{}, fpr{};  ///< [g,h]
};

/// Up to where a limit is proven.
struct BreakEven {
  double limit = 0;
  /// The weakest rule under which every gap is proven to be at most the limit: `anything`, or the largest odds there
  /// are, of which the bounds are among `if_refused`. None if it is not even proven if they are like the accepted.
  std::optional<RefusedRule> refused{};
};

/// What is known of labels, where these follow features, and what follows from it.
struct LabelBounds {
  Tensor<Range, 2> qualified{};             ///< [g,x] P(y=1 | x)
  std::vector<RefusedBounds> if_refused{};  ///< like the accepted; the break-even; anything
  std::optional<BreakEven> break_even{};    ///< if there is a limit
};

struct Certificate {
  CertifyOptions asked{};
  DeltaSplit split{};
  GapBounds gap{};            ///< at most this, over all pairs
  GapBounds estimated_gap{};  ///< under the estimated model; NaN if fewer than two groups have the rate
  std::vector<PairBounds> pairs{};
  RatioBounds ratio{};                   ///< at least this
  RatioBounds estimated_ratio{};         ///< under the estimated model; NaN if there is none
  std::optional<double> aggregate_dp{};  ///< the gap of sum_h P(a=1) / H is at most this, if asked for
  std::optional<double> estimated_aggregate_dp{};
  std::optional<RateBounds> accept{};     ///< P(a=1), if some notion is about it
  std::optional<RateBounds> tpr{};        ///< P(a=1 | y=1)
  std::optional<RateBounds> fpr{};        ///< P(a=1 | y=0)
  std::optional<RateBounds> qualified{};  ///< P(y=1), where the two before are there
  std::optional<double> value{};          ///< at least this
  std::optional<double> estimated_value{};
  std::optional<IfNothingLost> if_nothing_lost{};  ///< if some may have been lost
  std::optional<BoundsBy> bound_by{};              ///< if there was a design part
  std::optional<LabelBounds> labels{};             ///< if labels follow features, and a rate given a label is asked for
};

/// The largest entry of the notions asked for; 0 if there is none.
[[nodiscard]] double worst_gap(const GapBounds& gap);

/// An error if delta or rewards are out of bounds, if policy, counts and rewards do not fit together, if the data
/// refute what is said of rewards or shares, or of people who followed the policy and did what it does not do, if it is
/// not known what was left out of the counts (`lost_for_claims`), or if it was stopped.
///
/// With `design`, the other part of a split of which the counts are the audit part, bounds are the narrower of the
/// worst case and of what holds for a policy that was made without the audit part; shares that are counted are the
/// design part's.
[[nodiscard]] Expected<Certificate> certify(const Counts& counts, const Policy& policy,
                                            const CertifyOptions& options = {}, const Watch& watch = {},
                                            const Counts* design = nullptr);

}  // namespace fairstep
