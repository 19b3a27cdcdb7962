// Optimality-based bound tightening: how far can what enters a product be, in policies that are worth the cutoff?
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fairstep/optimise/bound/lagrangian.hpp>
#include <fairstep/optimise/bound/relaxation.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {
namespace {

/// How precisely a range's end is worth knowing, relative to its width: roughly at first, better where that is enough.
constexpr double kRoughRange = 0.1;
constexpr double kRangePrecision = 0.02;
/// Rounds over all known prices at the most, and the share of some range that makes another one worth it.
constexpr int kSweeps = 20;
constexpr double kWorthASweep = 0.01;
/// Looks at known prices that take a unit of effort.
constexpr std::size_t kLooksPerUnit = 4;
/// More columns than this slow the master down.
constexpr std::size_t kManyColumns = 1000;

/// The variables whose ranges are to be narrowed, in the order of the products.
std::vector<std::size_t> targets_of(const Envelopes& envelopes, Tightening depth) {
  std::vector<std::size_t> targets;
  const auto want = [&](std::size_t variable) {
    if (std::find(targets.begin(), targets.end(), variable) == targets.end()) targets.push_back(variable);
  };
  for (const Envelopes::Product& product : envelopes.products()) {
    if (depth != Tightening::differences) want(product.a);
    if (depth == Tightening::everything || (depth != Tightening::rates && product.of_difference)) want(product.b);
  }
  return targets;
}

}  // namespace

double Relaxation::tighten(const Cutoff& cutoff, Tightening depth, const Deadline& deadline) {
  cut_off(cutoff.at);
  const double precision = depth == Tightening::differences ? kRoughRange : kRangePrecision;
  double most = 0;
  for (const std::size_t variable : targets_of(formulation_.envelopes(), depth)) {
    const double width = master_.range(variable).high - master_.range(variable).low;
    if (width < kNarrow || empty()) continue;
    for (const int sign : {1, -1}) {
      if (deadline.passed()) break;
      tighten_end(variable, sign, precision * width, deadline);
    }
    most = std::max(most, 1 - (master_.range(variable).high - master_.range(variable).low) / width);
    sweep(deadline);
    // The library takes longer over many columns than it takes to find those again that are needed again.
    if (columns_.number() > kManyColumns) columns_.forget(0);
    if (known_to_be_below(cutoff.enough, deadline)) break;
  }
  formulation_.set_cutoff(-kInfinity);
  return most;
}

/// A policy as good as the one that sets the cutoff must not be cut off by rounding.
void Relaxation::cut_off(double at) {
  formulation_.set_cutoff(at - 1e-12 * std::max(std::abs(at), master_.range(Master::kValue).high));
}

/// All known prices in turn, until they say no more.
void Relaxation::sweep(const Deadline& deadline) {
  try {
    double most = 1;
    for (int i = 0; i < kSweeps && most >= kWorthASweep; ++i) {
      most = 0;
      deadline.spend(1 + known_.size() / kLooksPerUnit);
      for (const Known& known : known_) {
        const double width = master_.range(known.variable).high - master_.range(known.variable).low;
        if (empty() || deadline.passed()) return;
        if (width < kNarrow) continue;
        look_again(known);
        const double left = master_.range(known.variable).high - master_.range(known.variable).low;
        most = std::max(most, 1 - left / width);
      }
    }
  } catch (const OutOfTime&) {
    return;  // what was narrowed stays so
  }
}

/// By the prices that bounded the objective last.
bool Relaxation::known_to_be_below(double enough, const Deadline& deadline) {
  if (known_of_objective_.empty() || empty()) return empty();
  try {
    deadline.spend(1);
    Prices unused;
    return bound_at(formulation_.objective(elastic_price_), known_of_objective_, unused) <= enough;
  } catch (const OutOfTime&) {
    return false;
  }
}

void Relaxation::look_again(const Known& known) {
  const std::vector<Coefficient> objective = formulation_.end_of_range(known.variable, known.sign);
  Prices prices;
  const double bound = bound_at(objective, known.row, prices);
  const Range range = master_.range(known.variable);
  if (recorder_ && bound < (known.sign == 1 ? range.high : -range.low))
    recorder_->end(known.variable, known.sign, objective, prices, bound);
  narrow_end(known.variable, known.sign, bound);
}

/// With policies that remember, so that a look at all prices costs less than one linear program.
double Relaxation::bound_at(std::span<const Coefficient> objective, std::span<const double> row, Prices& prices) {
  prices = balanced_prices(master_, objective, row);
  std::vector<double> paid(prices.functional.size());
  for (std::size_t j = 0; j < paid.size(); ++j) paid[j] = -prices.functional[j];
  pricing_.set_prices(paid, -prices.value);
  std::vector<double> best(program_.blocks.size());
  for (std::size_t b = 0; b < best.size(); ++b) best[b] = pricing_.remembering_bound(b, boxes()[b]);
  return lagrangian_bound(master_, objective, prices, best);
}

/// The last prices are about this end.
void Relaxation::remember(std::size_t variable, int sign) {
  if (!master_.has_prices()) return;
  std::vector<double> row = last_prices(master_).row;
  const auto same = [&](const Known& known) { return known.variable == variable && known.sign == sign; };
  const auto known = std::find_if(known_.begin(), known_.end(), same);
  if (known == known_.end())
    known_.push_back({variable, sign, std::move(row)});
  else
    known->row = std::move(row);
}

void Relaxation::narrow_end(std::size_t variable, int sign, double bound) {
  const Range known = master_.range(variable);
  if (sign == 1 && bound < known.high) formulation_.set_range(variable, known.low, bound);
  if (sign == -1 && -bound > known.low) formulation_.set_range(variable, -bound, known.high);
}

void Relaxation::tighten_end(std::size_t variable, int sign, double precision, const Deadline& deadline) {
  const std::vector<Coefficient> objective = formulation_.end_of_range(variable, sign);
  const Range known = master_.range(variable);
  // The master only grows: once it is this near the range's end, the end will not move.
  const double end = sign == 1 ? known.high : -known.low;
  const Outcome outcome =
      optimise({objective, precision, -kInfinity, end - precision, Aim::About::end, variable, sign}, deadline);
  narrow_end(variable, sign, outcome.bound);
  if (outcome.bound < kInfinity) remember(variable, sign);
}

}  // namespace fairstep
