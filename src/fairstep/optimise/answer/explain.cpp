#include <fairstep/optimise/answer/explain.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include <fairstep/evaluate/ratios.hpp>
#include <fairstep/optimise/answer/shadow_prices.hpp>

namespace fairstep {
namespace {

/// The two means that are furthest apart, by name.
std::string widest_pair(const Parity& parity, std::span<const double> f) {
  std::size_t first = 0, second = 0;
  double widest = -kInfinity;
  for (std::size_t i = 0; i < parity.means.size(); ++i)
    for (std::size_t j = 0; j < parity.means.size(); ++j) {
      const double width = mean_of(parity.means[i], f) - mean_of(parity.lower_of(j), f);
      if (i == j || !(width > widest)) continue;  // nor if one of them is a mean of nobody
      widest = width;
      std::tie(first, second) = std::minmax(i, j);
    }
  if (widest == -kInfinity) return {};
  return fmt::format("{}-{}", parity.means[first].name, parity.means[second].name);
}

/// `black/white`: whose rate is measured by whose.
std::string pair_of(const MeanRow& row) {
  return row.ratio ? fmt::format("{}/{}", row.means[1].name, row.means[0].name) : std::string();
}

/// A row about a ratio, in the ratio's own terms: easing its limit by one moves the row by the rate it is measured by.
Binding binding_of(const Program& program, const MeanRow& row, std::span<const double> f, double price) {
  if (!row.ratio) return {row.step, row.name, {}, height_of(row, f), row.upper, price};
  return {row.step,
          row.name,
          pair_of(row),
          ratio_of(row, f),
          program.ratios[*row.ratio].least,
          price * mean_of(row.means[0], f)};
}

}  // namespace

std::vector<double> functionals_of(const Program& program, const Solution& solution) {
  const Shape& n = program.shape();
  std::vector<double> f(program.functionals, 0.0);
  for (std::size_t g = 0; g < n.groups; ++g)
    for (const Term& term : program.terms[g])
      for (std::size_t x = 0; x < n.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y) {
          const double p = solution.policy.accept(g, term.step, x);
          f[term.functional] += solution.evaluation.mass(g, term.step, x, y) *
                                ((1 - p) * term.weight[cell_of(x, y, 0)] + p * term.weight[cell_of(x, y, 1)]);
        }
  return f;
}

void describe_limits(const Program& program, const Tables& tables, const Deadline& deadline, SolveResult& result) {
  const Shape& n = program.shape();
  const std::vector<double> f = functionals_of(program, *result.solution);
  const ShadowPrices prices = shadow_prices(program, tables, deadline);
  constexpr double kBinds = 1e-6;
  for (std::size_t i = 0; i < program.parities.size(); ++i) {
    const Parity& parity = program.parities[i];
    const double gap = width_of(parity, f);
    if (parity.step < n.horizon) result.shadow_price[parity.step] += prices.parity[i];
    if (gap >= parity.limit - kBinds && parity.limit < 1)
      result.binding.push_back(
          {parity.step, parity.notion, widest_pair(parity, f), gap, parity.limit, prices.parity[i]});
  }
  for (std::size_t i = 0; i < program.rows.size(); ++i) {
    const MeanRow& row = program.rows[i];
    const double sum = height_of(row, f);
    if (row.ratio && row.step < n.horizon && prices.row[i] != 0)
      result.shadow_price[row.step] += binding_of(program, row, f, prices.row[i]).shadow_price;
    const bool vacuous = row.ratio && (program.ratios[*row.ratio].least == 0 || std::isnan(ratio_of(row, f)));
    if (sum >= row.upper - kBinds && !vacuous) result.binding.push_back(binding_of(program, row, f, prices.row[i]));
  }
}

Infeasibility explain(const Program& program, const Solution& nearest, double least_excess) {
  const std::vector<double> f = functionals_of(program, nearest);
  Infeasibility why;
  why.least_excess = least_excess;
  why.attained_excess = -kInfinity;
  for (const Parity& parity : program.parities) {
    const double excess = width_of(parity, f) - parity.limit;
    if (excess <= why.attained_excess) continue;
    why.step = parity.step;
    why.constraint = parity.notion;
    why.pair = widest_pair(parity, f);
    why.attained_excess = excess;
    why.smallest_limit = parity.limit + excess;
    why.limit = parity.limit;
  }
  for (const MeanRow& row : program.rows) {
    const double excess = height_of(row, f) - row.upper;
    if (!(excess > why.attained_excess)) continue;
    why.step = row.step;
    why.constraint = row.name;
    why.pair = pair_of(row);
    why.attained_excess = excess;
    why.smallest_limit = row.ratio ? ratio_of(row, f) : row.upper + excess;
    why.limit = row.ratio ? program.ratios[*row.ratio].least : row.upper;
    why.ratio = row.ratio.has_value();
  }
  why.nearest = nearest.policy;
  return why;
}

std::vector<double> parity_gaps(const Fairness& fairness, const Evaluation& evaluation) {
  std::vector<double> gaps(evaluation.value_per_step.size(), fairness.parity.empty() ? 0.0 : std::nan(""));
  for (const StepwiseParity& parity : fairness.parity) {
    const auto& of = of_notion(evaluation.gap, parity.notion);
    for (std::size_t h = 0; h < gaps.size(); ++h) gaps[h] = std::fmax(gaps[h], of[h].gap);  // a number before a NaN
  }
  return gaps;
}

std::vector<double> least_ratios(const Fairness& fairness, const Evaluation& evaluation) {
  std::vector<double> least;
  for (const StepwiseRatio& wanted : fairness.ratios) {
    least.resize(evaluation.value_per_step.size(), std::nan(""));
    const std::vector<StepRatio> steps = step_ratios(evaluation.rates, wanted.notion, wanted.reference);
    for (std::size_t h = 0; h < least.size(); ++h) least[h] = std::fmin(least[h], steps[h].ratio);  // as above
  }
  return least;
}

std::vector<std::size_t> vacuous_steps(const Fairness& fairness, std::size_t horizon) {
  std::vector<std::size_t> steps;
  for (std::size_t h = 0; h < horizon; ++h)
    if (!fairness.parity.empty() && std::all_of(fairness.parity.begin(), fairness.parity.end(),
                                                [&](const StepwiseParity& p) { return limit_at(p, h) >= 1; }))
      steps.push_back(h);
  return steps;
}

void note_degenerate(const Solution& solution, SolveResult& result) {
  const auto rates = solution.evaluation.rates.accept.flat();
  result.accepts_nobody = std::all_of(rates.begin(), rates.end(), [](double r) { return r <= 1e-9; });
  result.accepts_everybody = std::all_of(rates.begin(), rates.end(), [](double r) { return r >= 1 - 1e-9; });
}

}  // namespace fairstep
