#include "optimise/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairstep/environments/environments.hpp>

#include "support/models.hpp"

namespace fairstep::testing {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

double at_step(const std::vector<double>& values, std::size_t h) { return values.size() == 1 ? values[0] : values[h]; }

/// E[payoff | event] at a step; NaN if nobody is in the event.
double mean(const Model& model, const ConditionalMean& what, const Policy& policy, const Evaluation& evaluation,
            std::size_t h) {
  const Shape& n = model.shape();
  double top = 0, bottom = 0;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        const double people = model.share(g) * evaluation.mass(g, h, x, y) * what.event(g, x, y);
        const double p = policy.accept(g, h, x);
        bottom += people;
        top += people * ((1 - p) * what.payoff(g, x, y, 0) + p * what.payoff(g, x, y, 1));
      }
  return bottom > 0 ? top / bottom : std::nan("");
}

double gap_of(const Evaluation& evaluation, Notion notion, std::size_t h) {
  switch (notion) {
    case Notion::dp:
      return evaluation.gap.dp[h].gap;
    case Notion::eqopt:
      return evaluation.gap.eqopt[h].gap;
    case Notion::eqodds:
      return evaluation.gap.eqodds[h].gap;
  }
  return 0;
}

/// What the rates of a group may be off by at step h, before division: start + sum over earlier steps of E[cell].
double drift(const Doubt& doubt, const Policy& policy, const Evaluation& evaluation, std::size_t g, std::size_t h) {
  double sum = doubt.start[g];
  for (std::size_t t = 0; t < h; ++t)
    for (std::size_t x = 0; x < policy.features(); ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        const double p = policy.accept(g, t, x);
        sum += evaluation.mass(g, t, x, y) * ((1 - p) * doubt.cell(g, x, y, 0) + p * doubt.cell(g, x, y, 1));
      }
  return sum;
}

/// The gap in doubt at a step: the most a group's rate counts for, less the least.
double doubtful_gap(const StepwiseParity& parity, const Policy& policy, const Evaluation& evaluation, std::size_t h) {
  const double sign = parity.doubt->stance == Doubt::Stance::hopeful ? -1 : 1;
  double widest = kNone;
  const auto compare = [&](const Tensor<double, 2>& rates, const auto& denominator) {
    double most = kNone, least = -kNone;
    for (std::size_t g = 0; g < rates.extents()[0]; ++g) {
      if (std::isnan(rates(g, h))) continue;
      const double off = sign * drift(*parity.doubt, policy, evaluation, g, h) / denominator(g);
      most = std::max(most, rates(g, h) + off);
      least = std::min(least, rates(g, h) - off);
    }
    widest = std::max(widest, most - least);
  };
  const auto& rates = evaluation.rates;
  const auto qualified = [&](std::size_t g) { return rates.qualified(g, h); };
  const auto unqualified = [&](std::size_t g) { return 1 - rates.qualified(g, h); };
  if (parity.notion == Notion::dp) compare(rates.accept, [](std::size_t) { return 1.0; });
  if (parity.notion != Notion::dp) compare(rates.tpr, qualified);
  if (parity.notion == Notion::eqodds) compare(rates.fpr, unqualified);
  return widest;
}

/// By how much some rate is below the limit times the greatest, or the reference's.
double shortfall(const StepwiseRatio& ratio, const Evaluation& evaluation, std::size_t h) {
  const auto& rate = ratio.notion == RatioNotion::dp ? evaluation.rates.accept : evaluation.rates.tpr;
  double worst = kNone;
  for (std::size_t g = 0; g < rate.extents()[0]; ++g)
    for (std::size_t other = 0; other < rate.extents()[0]; ++other) {
      if (g == other || (ratio.reference && other != *ratio.reference)) continue;
      const double short_by = at_step(ratio.limit, h) * rate(other, h) - rate(g, h);
      if (short_by > worst) worst = short_by;  // never one of nobody
    }
  return worst;
}

}  // namespace

double excess(const Question& question, const Policy& policy, const Evaluation& evaluation) {
  const Shape& n = question.model.shape();
  const Fairness& fairness = question.fairness;
  const bool parity = question.options.method == Method::constrained || question.options.method == Method::myopic;
  double worst = kNone;
  // A NaN, a rate of nobody, loses every comparison and so breaks no limit.
  const auto add = [&](double over) { worst = over > worst ? over : worst; };
  for (std::size_t h = 0; h < n.horizon; ++h) {
    if (parity)
      for (const StepwiseParity& p : fairness.parity)
        add((p.doubt ? doubtful_gap(p, policy, evaluation, h) : gap_of(evaluation, p.notion, h)) - at_step(p.limit, h));
    for (const StepwiseRatio& ratio : fairness.ratios)
      if (parity) add(shortfall(ratio, evaluation, h));
    if (fairness.capacity) {
      double accepted = 0;
      for (std::size_t g = 0; g < n.groups; ++g) accepted += question.model.share(g) * evaluation.rates.accept(g, h);
      add(accepted - at_step(fairness.capacity->share, h));
    }
    if (question.options.method == Method::unconstrained) continue;
    for (const MomentConstraint& moment : fairness.moments)
      for (std::size_t k = 0; k < moment.bound.size(); ++k) {
        double sum = 0;
        for (std::size_t j = 0; j < moment.means.size(); ++j)
          if (moment.matrix(k, j) != 0)
            sum += moment.matrix(k, j) * mean(question.model, moment.means[j], policy, evaluation, h);
        add(sum - moment.bound[k]);
      }
  }
  if (fairness.aggregate_dp && question.options.method != Method::unconstrained)
    add(evaluation.aggregate_dp_gap.gap - *fairness.aggregate_dp);
  if (fairness.aggregate_eqopt && question.options.method != Method::unconstrained)
    add(evaluation.aggregate_eqopt_gap.gap - *fairness.aggregate_eqopt);
  return worst;
}

double objective(const Question& question, const Evaluation& evaluation) {
  if (question.options.method != Method::penalty) return evaluation.value;
  const Shape& n = question.model.shape();
  double total = evaluation.value;
  const auto& rates = evaluation.rates;
  for (const StepwiseParity& parity : question.fairness.parity)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t i = 0; i < n.groups; ++i)
        for (std::size_t j = i + 1; j < n.groups; ++j) {
          const auto subtract = [&](double difference) {
            if (!std::isnan(difference)) total -= question.options.penalty * difference * difference;
          };
          const bool multiply = question.options.penalty_form == PenaltyForm::cross;
          const auto both = [&](const Tensor<double, 2>& rate, double share_i, double share_j) {
            subtract((rate(i, h) - rate(j, h)) * (multiply ? share_i * share_j : 1));
          };
          const double qi = rates.qualified(i, h), qj = rates.qualified(j, h);
          if (parity.notion == Notion::dp) subtract(rates.accept(i, h) - rates.accept(j, h));
          if (parity.notion != Notion::dp) both(rates.tpr, qi, qj);
          if (parity.notion == Notion::eqodds) both(rates.fpr, 1 - qi, 1 - qj);
        }
  return total;
}

std::size_t table_size(const Question& question) {
  const Shape& n = question.model.shape();
  return (question.options.policies.group_independent ? 1 : n.groups) * n.horizon * n.features;
}

Policy policy_from(const Question& question, const std::vector<double>& accept) {
  const Shape& n = question.model.shape();
  if (question.options.policies.group_independent) {
    Tensor<double, 2> table({n.horizon, n.features});
    std::copy(accept.begin(), accept.end(), table.flat().begin());
    return unwrap(Policy::make_group_independent(table));
  }
  Tensor<double, 3> table({n.groups, n.horizon, n.features});
  std::copy(accept.begin(), accept.end(), table.flat().begin());
  return unwrap(Policy::make(std::move(table), question.model.names().groups));
}

std::vector<double> table_of(const Question& question, const Policy& policy) {
  std::vector<double> all;
  const std::size_t tables = question.options.policies.group_independent ? 1 : question.model.shape().groups;
  for (std::size_t g = 0; g < tables; ++g) all.insert(all.end(), policy.group(g).begin(), policy.group(g).end());
  return all;
}

double floor_of(const Question& question) { return question.options.policies.floor; }
double ceiling_of(const Question& question) {
  return question.options.policies.floor_kind == FloorKind::two_sided ? 1 - question.options.policies.floor : 1;
}

double best_on_walks(const Question& question, const std::vector<std::vector<double>>& near, std::size_t steps,
                     double tolerance, std::uint64_t seed) {
  Rng rng(seed, 501);
  const double lo = floor_of(question), hi = ceiling_of(question);
  Evaluation evaluation(question.model.shape());
  // Feasible: by objective; else the smaller excess is better, so that walks find their way in.
  struct Worth {
    bool feasible;
    double score;
    bool operator>(const Worth& other) const { return feasible != other.feasible ? feasible : score > other.score; }
  };
  const auto worth = [&](const std::vector<double>& table) -> Worth {
    const Policy policy = policy_from(question, table);
    evaluate_into(question.model, policy, evaluation);
    const double over = excess(question, policy, evaluation);
    return over <= tolerance ? Worth{true, objective(question, evaluation)} : Worth{false, -over};
  };
  std::vector<std::vector<double>> starts = near;
  for (const double share : {0.1, 0.5, 0.9}) starts.emplace_back(table_size(question), std::clamp(share, lo, hi));
  starts.emplace_back(table_size(question));
  for (double& p : starts.back()) p = lo + (hi - lo) * rng.uniform();

  double best = kNone;
  for (std::vector<double> here : starts) {
    Worth now = worth(here);
    for (std::size_t i = 0; i < steps; ++i) {
      std::vector<double> next = here;
      const double size = std::pow(10.0, -5 * rng.uniform());
      // One entry, a few, or all of them.
      const double chance = std::pow(static_cast<double>(next.size()), -rng.uniform());
      for (double& p : next)
        if (rng.uniform() < chance) p = std::clamp(p + size * (2 * rng.uniform() - 1), lo, hi);
      const Worth then = worth(next);
      if (!(then > now)) continue;
      now = then;
      here = std::move(next);
    }
    if (now.feasible) best = std::max(best, now.score);
  }
  return best;
}

double best_deterministic(const Question& question, double tolerance, double* least_excess) {
  const std::size_t size = table_size(question);
  Evaluation evaluation(question.model.shape());
  std::vector<double> table(size);
  double best = kNone;
  if (least_excess != nullptr) *least_excess = std::numeric_limits<double>::infinity();
  for (std::uint32_t bits = 0; bits < (std::uint32_t{1} << size); ++bits) {
    for (std::size_t i = 0; i < size; ++i) table[i] = (bits >> i & 1) != 0 ? ceiling_of(question) : floor_of(question);
    const Policy policy = policy_from(question, table);
    evaluate_into(question.model, policy, evaluation);
    const double over = excess(question, policy, evaluation);
    if (least_excess != nullptr) *least_excess = std::min(*least_excess, over);
    if (over <= tolerance) best = std::max(best, objective(question, evaluation));
  }
  return best;
}

Model sparse_model(std::uint64_t seed, std::size_t groups, std::size_t features, std::size_t horizon,
                   std::size_t successors) {
  return unwrap(make_random(
      {.groups = groups, .features = features, .horizon = horizon, .successors = successors, .seed = seed}));
}

MomentConstraint moment_row(const Model& model, double bound) {
  const Shape& n = model.shape();
  MomentConstraint moment;
  for (std::size_t j = 0; j < 2; ++j) {
    ConditionalMean what;
    what.name = j == 0 ? "qualified" : "first group";
    what.payoff = Tensor<double, 4>({n.groups, n.features, kLabels, kActions});
    what.event = Tensor<double, 3>({n.groups, n.features, kLabels});
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t x = 0; x < n.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y) {
          what.payoff(g, x, y, 1) = 1;
          what.event(g, x, y) = (j == 0 ? y == 1 : g == 0) ? 1 : 0;
        }
    moment.means.push_back(std::move(what));
  }
  moment.matrix = Tensor<double, 2>({1, 2});
  moment.matrix(0, 0) = 1;
  moment.matrix(0, 1) = -0.5;
  moment.bound = {bound};
  moment.names = {"row"};
  return moment;
}

}  // namespace fairstep::testing
