#include <fairstep/check/features.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fairstep/check/numbers.hpp>
#include <fairstep/check/row_range.hpp>

namespace fairstep::rigorous {
namespace {

/// What the log lost of features: as it was recorded, or summed over labels where each row has one; null if nothing.
struct Losses {
  std::vector<Real> first{}, in_doubt{}, decisions{}, cells{}, transitions{};
};

/// [g,x,a] of [g,x,y,a]
std::vector<Real> over_labels(const std::vector<Real>& cells) {
  std::vector<Real> sums(cells.size() / 2);
  for (std::size_t i = 0; i < cells.size(); ++i) sums[i / 4 * 2 + i % 2] += cells[i];
  return sums;
}

Losses losses_of(const Json& counts) {
  if (!counts.contains("log")) return {};
  const Json& log = counts.at("log");
  const bool by_features = log.contains("unlabelled_rows");
  const Json& holder = by_features ? log.at("unlabelled_rows") : log;
  if (!holder.contains("lost")) return {};
  const Json& lost = holder.at("lost");
  Losses found{numbers_in<Real>(lost.at("first")), numbers_in<Real>(lost.at("first_in_doubt")),
               numbers_in<Real>(lost.at("decisions")), numbers_in<Real>(lost.at("cells")),
               numbers_in<Real>(lost.at("transitions"))};
  if (!by_features) {
    found.cells = over_labels(found.cells);
    found.transitions = over_labels(found.transitions);
  }
  return found;
}

/// Odds of p times `factor`, at a number p.
Interval with_odds(const Interval& factor, Real p) {
  if (p <= 0 || p >= 1) return p;
  return factor * p / (Interval(1) - p + factor * p);
}

/// A statement of Lemma I1, (a) or (b): the ends of an interval for so many draws, at all times.
Interval at_all_times(Real k, Real others, Real missing, const Interval& alpha) {
  if (k + others + missing == 0) return {0, 1};
  const Real n = k + others + missing;
  const Real high = upper_end(k + missing, n, alpha);
  const Real low = down(1 - upper_end(others + missing, n, alpha));
  return {std::max(Real{0}, low), high};
}

/// (c), the upper end for the share of those that k of the decisions had.
Real end_by_all(Real k, Real others, const FeatureTables::Labels& seen, Real odds, const Interval& label) {
  const Real n = seen.ones + seen.zeros + seen.unseen;
  if (n == 0) return 1;
  const Real reach = greatest_radius(n, n + seen.lost, 0, label / 16);
  const Interval all = Interval(n) + seen.lost;
  const Interval most = (Interval(k) + seen.lost) / all + reach;
  const Interval less = Interval(others) / all - reach;
  if (less.low <= 0) return 1;  // with nothing to say for the others
  const Interval end = most * (Interval(odds) - (Interval(odds) - 1) * less) / (less + Interval(odds) * most);
  return std::min(Real{1}, end.high);
}

Real share_in(const std::vector<Real>& table, std::size_t row, std::size_t x, std::size_t features) {
  Real all = 0;
  for (std::size_t i = 0; i < features; ++i) all += table[row * features + i];
  return all == 0 ? 1 / static_cast<Real>(features) : table[row * features + x] / all;
}

}  // namespace

FeatureTables FeatureTables::without_losses() const {
  FeatureTables complete = *this;
  for (std::vector<Real>* table : {&complete.lost_first, &complete.in_doubt, &complete.lost_next})
    std::fill(table->begin(), table->end(), Real{0});
  for (Labels& seen : complete.labels) seen.lost = 0;
  return complete;
}

bool lost_any_feature(const Json& counts) {
  const Losses lost = losses_of(counts);
  const auto any = [](const std::vector<Real>& table) {
    return std::any_of(table.begin(), table.end(), [](Real n) { return n > 0; });
  };
  return any(lost.first) || any(lost.in_doubt) || any(lost.decisions) || any(lost.cells) || any(lost.transitions);
}

FeatureTables feature_tables(const Question& q, const Json& counts) {
  const std::size_t features = q.features;
  FeatureTables tables;
  tables.first.resize(q.groups * features);
  tables.transitions.resize(q.groups * features * 2 * features);
  tables.labels.resize(q.groups * features);
  for (std::size_t i = 0; i < q.first.size(); ++i) tables.first[i / 2] += q.first[i];
  for (std::size_t i = 0; i < q.transitions.size(); ++i) {
    const std::size_t of_kernels = i / q.states;  // [g,k,x,y,a]
    const std::size_t row = of_kernels / q.rows() * q.cells + of_kernels % q.cells;
    tables.transitions[(row / 4 * 2 + row % 2) * features + i % q.states / 2] += q.transitions[i];
  }
  for (std::size_t i = 0; i < q.visits.size(); ++i) {
    const std::size_t cell = i % q.cells;
    FeatureTables::Labels& seen = tables.labels[i / (q.horizon * q.cells) * features + cell / 4];
    (cell / 2 % 2 == 1 ? seen.ones : seen.zeros) += q.visits[i];
  }
  if (counts.contains("log") && counts.at("log").contains("unlabelled_rows")) {
    const Json& log = counts.at("log");
    const std::vector<Real> first = numbers_in<Real>(log.at("unlabelled_rows").at("first"));
    const std::vector<Real> next = numbers_in<Real>(log.at("unlabelled_rows").at("transitions"));
    const std::vector<Real> decisions = numbers_in<Real>(log.at("unlabelled"));  // [g,h,x,a]
    for (std::size_t i = 0; i < first.size(); ++i) tables.first[i] += first[i];
    for (std::size_t i = 0; i < next.size(); ++i) tables.transitions[i] += next[i];
    for (std::size_t i = 0; i < decisions.size(); ++i)
      tables.labels[i / (q.horizon * features * 2) * features + i / 2 % features].unseen += decisions[i];
  }
  const Losses lost = losses_of(counts);
  tables.lost_first = lost.first;
  tables.in_doubt = lost.in_doubt;
  tables.lost_next = lost.transitions;
  tables.lost_first.resize(q.groups);
  tables.in_doubt.resize(q.groups);
  tables.lost_next.resize(q.groups * features * 2);
  for (std::size_t i = 0; i < lost.cells.size(); ++i) tables.labels[i / 2].lost += lost.cells[i];
  return tables;
}

LabelRule rule_of(const Json& object) {
  const auto word = object.at("refused").get<std::string>();
  if (word == "anything") return {LabelRule::Kind::anything, 1};
  if (word == "odds") return {LabelRule::Kind::odds, object.value("odds", 1.0)};
  return {LabelRule::Kind::like_accepted, 1};
}

Interval share_of_ones(const FeatureTables::Labels& seen, const LabelRule& rule, const Interval& label) {
  const Interval each = label / 4;
  Interval range = at_all_times(seen.ones, seen.zeros, seen.unseen + seen.lost, each);
  if (rule.kind == LabelRule::Kind::anything) return range;
  const Interval by_seen = at_all_times(seen.ones, seen.zeros, seen.lost, each);
  const Interval odds = rule.odds;
  range.low = std::max(range.low, with_odds(Interval(1) / odds, by_seen.low).low);
  range.high = std::min(range.high, with_odds(odds, by_seen.high).high);
  range.low = std::max(range.low, down(1 - end_by_all(seen.zeros, seen.ones, seen, rule.odds, label)));
  range.high = std::min(range.high, end_by_all(seen.ones, seen.zeros, seen, rule.odds, label));
  return {std::max(Real{0}, range.low), std::min(Real{1}, range.high)};
}

FeatureBounds::FeatureBounds(const Question& question, const FeatureTables& tables, const Split& split,
                             const LabelRule& rule)
    : q_(question), tables_(tables) {
  const auto row_at = [&](const std::vector<Real>& table, std::size_t row, const Unknown& unknown) {
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(row * q_.features);
    return set_of({begin, begin + static_cast<std::ptrdiff_t>(q_.features)}, unknown, split);
  };
  for (std::size_t g = 0; g < q_.groups; ++g)
    first_.push_back(row_at(tables_.first, g, {tables_.lost_first[g], tables_.in_doubt[g]}));
  for (std::size_t row = 0; row < q_.groups * q_.features * 2; ++row)
    rows_.push_back(row_at(tables_.transitions, row, {tables_.lost_next[row], 0}));
  if (!q_.eqopt && !q_.eqodds) return;
  for (const FeatureTables::Labels& seen : tables_.labels) shares_.push_back(share_of_ones(seen, rule, split.label));
}

/// At least the mean of the payoff at step h under every chain in the sets.
Real FeatureBounds::greatest(std::size_t g, std::size_t h, std::vector<Real> payoff) const {
  for (std::size_t t = h; t-- > 0;) {
    const Ranked ranked(std::move(payoff));
    payoff.assign(q_.features, 0);
    for (std::size_t x = 0; x < q_.features; ++x) {
      const Interval p = q_.accepted(g, t, x);
      const std::size_t row = (g * q_.features + x) * 2;
      Interval mean = 0;
      if (p.low > 0) mean = p * greatest_of_row(rows_[row + 1], ranked);
      if (p.high < 1) mean = mean + (Interval(1) - p) * greatest_of_row(rows_[row], ranked);
      payoff[x] = mean.high;
    }
  }
  return greatest_of_row(first_[g], Ranked(std::move(payoff)));
}

Interval FeatureBounds::share(std::size_t g, std::size_t x, Rate rate) const {
  const Interval ones = shares_[g * q_.features + x];
  return rate == Rate::fpr ? Interval(1) - ones : ones;
}

bool FeatureBounds::prove(const End& end, Real value, Real slack) {
  const auto& [g, h, rate, sign] = end;
  std::vector<Real> payoff(q_.features);
  if (rate == Rate::qualified) {
    if (value >= (sign > 0 ? 1 : 0)) return true;
    for (std::size_t x = 0; x < q_.features; ++x)
      payoff[x] = sign > 0 ? share(g, x, rate).high : -share(g, x, rate).low;
    return greatest(g, h, std::move(payoff)) <= value;
  }
  Real most = sign * q_.accepted(g, h, 0);  // no rate is outside of the policy's entries
  for (std::size_t x = 1; x < q_.features; ++x) most = std::max(most, sign * q_.accepted(g, h, x));
  if (value >= most) return true;
  for (std::size_t x = 0; x < q_.features; ++x) {
    const Real entry = sign * q_.accepted(g, h, x);
    payoff[x] = rate == Rate::accept ? entry : ((Interval(entry) - value) * share(g, x, rate)).high;
  }
  return greatest(g, h, std::move(payoff)) <= (rate == Rate::accept ? value : slack);
}

std::vector<Real> FeatureBounds::estimates(std::size_t g, Rate rate) const {
  std::vector<Real> mass(q_.features);
  for (std::size_t x = 0; x < q_.features; ++x) mass[x] = share_in(tables_.first, g, x, q_.features);
  std::vector<Real> rates;
  for (std::size_t h = 0; h < q_.horizon; ++h) {
    Real people = 0, accepted = 0;
    std::vector<Real> next(q_.features);
    for (std::size_t x = 0; x < q_.features; ++x) {
      const FeatureTables::Labels& seen = tables_.labels[g * q_.features + x];
      const Real all = seen.ones + seen.zeros;
      const Real ones = all == 0 ? 0.5L : seen.ones / all;
      const Real weight = mass[x] * (rate == Rate::accept ? 1 : rate == Rate::fpr ? 1 - ones : ones);
      const Real p = q_.accepted(g, h, x);
      people += weight;
      accepted += weight * p;
      for (std::size_t x1 = 0; x1 < q_.features; ++x1) {
        const std::size_t row = (g * q_.features + x) * 2;
        next[x1] += mass[x] * (p * share_in(tables_.transitions, row + 1, x1, q_.features) +
                               (1 - p) * share_in(tables_.transitions, row, x1, q_.features));
      }
    }
    rates.push_back(rate == Rate::qualified ? people
                    : people == 0           ? std::numeric_limits<Real>::quiet_NaN()
                                            : accepted / people);
    mass = std::move(next);
  }
  return rates;
}

}  // namespace fairstep::rigorous
