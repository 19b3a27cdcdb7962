// Columns and bounds: the master is solved, priced, and its bound proven.
#include <fairstep/optimise/bound/relaxation.hpp>

#include <algorithm>
#include <cmath>

#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {
namespace {

/// Effort of one pricing proof at the most; hard kernels of paper size take some thousands.
constexpr std::size_t kProofEffort = 60000;
/// And once it is late, so that there is a bound at all.
constexpr std::size_t kLateEffort = 50;
/// What a linear program of the master costs besides its iterations, in the same units.
constexpr std::size_t kLpEffort = 10;
/// Rows and variables that make an iteration cost a unit.
constexpr std::size_t kLpSize = 100;
/// Rounds of column generation at the most.
constexpr std::size_t kRounds = 500;
/// How precisely a range's end is worth knowing, relative to its width: roughly at first, better where that is enough.
constexpr double kRoughRange = 0.1;
constexpr double kRangePrecision = 0.02;
/// While a range is narrowed, violating a limit costs this much per unit.
constexpr double kElasticRangePrice = 100;

}  // namespace

bool Relaxation::inside(std::size_t block, std::span<const double> accept) const {
  const Box& box = boxes_[block];
  for (std::size_t i = 0; i < accept.size(); ++i)
    if (accept[i] < box.lo[i] || accept[i] > box.hi[i]) return false;
  return true;
}

void Relaxation::add_column(std::size_t block, std::span<const double> accept) {
  if (!inside(block, accept)) return;
  Column column{
      block, 0, {accept.begin(), accept.end()}, effect_of(program_, block, accept, work_, deadline_.at_work())};
  std::vector<Coefficient> entries{{convexity_[block], 1.0}, {value_row_, column.effect.value}};
  for (std::size_t j = 0; j < program_.functionals; ++j)
    if (column.effect.functional[j] != 0) entries.push_back({functional_row_[j], column.effect.functional[j]});
  column.variable = lp_->add_variable(0, kInfinity, 0, entries);
  columns_.push_back(std::move(column));
}

/// A box may be too narrow for every column so far, and without one the master has no solution.
void Relaxation::give_each_block_a_column() {
  for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
    if (std::any_of(columns_.begin(), columns_.end(),
                    [&](const Column& column) { return column.block == b && inside(b, column.accept); }))
      continue;
    pricing_.set_prices(std::vector<double>(program_.functionals, 0.0), 1);
    add_column(b, pricing_.search(b, boxes_[b], {}).front().accept);
  }
}

void Relaxation::set_boxes(std::vector<Box> boxes) {
  boxes_ = std::move(boxes);
  for (const Column& column : columns_)
    lp_->set_variable_bounds(column.variable, 0, inside(column.block, column.accept) ? kInfinity : 0);
}

void Relaxation::forget_columns(double worth) {
  if (last_.x.empty()) return;
  std::vector<bool> out(lp_->variables(), false);
  std::vector<Column> kept;
  const std::size_t first = lp_->variables() - columns_.size();
  for (Column& column : columns_) {
    double reduced = last_.price[value_row_] * column.effect.value + last_.price[convexity_[column.block]];
    for (std::size_t j = 0; j < program_.functionals; ++j)
      reduced += last_.price[functional_row_[j]] * column.effect.functional[j];
    out[column.variable] = reduced > worth && use(column) <= 0;
    if (out[column.variable]) continue;
    kept.push_back(std::move(column));
  }
  if (kept.size() < columns_.size()) {
    lp_->remove_variables(out);
    std::vector<double> x(last_.x.begin(), last_.x.begin() + static_cast<std::ptrdiff_t>(first));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      x.push_back(use(kept[i]));
      kept[i].variable = first + i;
    }
    last_.x = std::move(x);
  }
  columns_ = std::move(kept);
}

/// Ranges that the boxes alone imply.
void Relaxation::narrow_to_boxes() {
  std::vector<double> price(program_.functionals, 0.0);
  for (const Combination& sum : sums_) {
    double ends[2] = {0, 0};
    for (const int sign : {1, -1}) {
      for (const Coefficient& c : sum.functionals) price[c.index] = sign * c.value;
      pricing_.set_prices(price, 0);
      for (std::size_t b = 0; b < program_.blocks.size(); ++b)
        ends[sign == 1] += pricing_.remembering_bound(b, boxes_[b]);
    }
    for (const Coefficient& c : sum.functionals) price[c.index] = 0;
    const Variable& v = variables_[sum.variable];
    if (-ends[0] > v.low || ends[1] < v.high)
      set_range(sum.variable, std::max(v.low, -ends[0]), std::min(v.high, ends[1]));
  }
  for (const Among& known : among_) {
    const Range range = range_of(known.means);
    const Variable& v = variables_[known.variable];
    const double low = std::max(v.low, rounded_down(range.low - known.beyond));
    const double high = std::min(v.high, rounded_up(range.high + known.beyond));
    if (low > v.low || high < v.high) set_range(known.variable, low, high);
  }
}

/// sum of best responses + what rows and ranges can add at these prices; holds whatever the prices are, and whatever
/// rounding does.
double Relaxation::lagrangian(std::span<const Coefficient> objective, const LpSolution& solution,
                              std::span<const double> best) {
  std::vector<Sum> left(variables_.size());
  for (const Coefficient& c : objective) left[c.index].add(c.value);
  Sum total;
  double error = 0;
  for (const double b : best) total.add(b);
  // V and F_j are sold to the blocks at their prices (the defining rows are columns - V = 0). A block is paid the sum
  // of what it is paid for each of them, which rounds as well.
  left[value_].add(solution.price[value_row_]);
  for (std::size_t j = 0; j < program_.functionals; ++j) {
    const double price = solution.price[functional_row_[j]];
    left[functional_[j]].add(price);
    error += static_cast<double>(most_terms_ + 2) * kRounding * std::abs(price) * weight_[j];
  }
  for (const Repair& repair : repairs_)
    left[repair.slack].add(-repair.sign * solution.price[functional_row_[repair.functional]]);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double y = solution.price[lp_row_[r]];
    const Row& row = rows_[r];
    if (y == 0 || (y > 0 && row.high == kInfinity) || (y < 0 && row.low == -kInfinity)) continue;
    total.add(worse_end(y, row.low, row.high));
    for (const Coefficient& c : row.entries)
      if (c.value != 0) left[c.index].add(-y * c.value);
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& v = variables_[i];
    total.add(worse_end(left[i].value, v.low, v.high));
    error += left[i].error() * std::max(std::abs(v.low), std::abs(v.high));
  }
  // Twice, as the errors are summed with errors.
  return total.value + 2 * (total.error() + error);
}

Relaxation::Outcome Relaxation::optimise(std::span<const Coefficient> objective, double precision, double enough,
                                         const Deadline& deadline, double hopeless) {
  for (const Coefficient& c : objective) lp_->set_objective(lp_variable_[c.index], c.value);
  lp_->stop_when(deadline.over_now());
  Outcome outcome;
  double meanwhile = kInfinity;
  bool in_time = true;
  try {
    generate(objective, precision, enough, deadline, hopeless, outcome, meanwhile);
  } catch (const OutOfTime&) {
    in_time = false;
  }
  if (!in_time || last_.status == LpStatus::stopped) outcome.bound = std::min(outcome.bound, meanwhile);
  lp_->stop_when({});
  for (const Coefficient& c : objective) lp_->set_objective(lp_variable_[c.index], 0);
  return outcome;
}

void Relaxation::generate(std::span<const Coefficient> objective, double precision, double enough,
                          const Deadline& deadline, double hopeless, Outcome& outcome, double& meanwhile) {
  std::vector<double> price(program_.functionals);
  give_each_block_a_column();
  std::vector<double> best(program_.blocks.size()), remembering(program_.blocks.size());
  std::vector<std::vector<double>> starts(program_.blocks.size());
  while (true) {
    ++outcome.rounds;
    last_ = lp_->solve();
    deadline.spend(kLpEffort + last_.iterations * (lp_->rows() + lp_->variables()) / kLpSize);
    if (last_.status != LpStatus::optimal) break;
    outcome.master = last_.objective;
    if (outcome.master >= hopeless) break;
    if (outcome.rounds < kRounds && !deadline.passed() && add_tangents(last_, precision)) continue;
    for (std::size_t j = 0; j < program_.functionals; ++j) price[j] = -last_.price[functional_row_[j]];
    const double value_weight = -last_.price[value_row_];
    pricing_.set_prices(price, value_weight);
    double gain = 0;
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      // columns in use are good places to start from
      std::vector<std::vector<double>> from;
      for (const Column& column : columns_)
        if (column.block == b && use(column) > 1e-9) from.push_back(column.accept);
      std::vector<Priced> found = pricing_.search(b, boxes_[b], from, &remembering[b]);
      deadline.spend(1 + from.size());
      for (const Priced& one : found) {
        const double reduced = one.value - last_.price[convexity_[b]];
        if (reduced <= 0.1 * precision / static_cast<double>(program_.blocks.size())) continue;
        add_column(b, one.accept);
        gain += reduced;
      }
      starts[b] = std::move(found.front().accept);
    }
    meanwhile = std::min(meanwhile, lagrangian(objective, last_, remembering));
    const bool late = deadline.passed() || outcome.rounds >= kRounds;
    if (gain > 0 && !late) continue;
    // No better column by ascent: prove it, or learn of one that ascent missed.
    bool again = false;
    const auto blocks = static_cast<double>(program_.blocks.size());
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      // As precise as asked for, or just enough to get below what is enough; roughly, where that is out of reach.
      const double away = std::isfinite(enough) ? enough - outcome.master : 0;
      const double share = std::max({0.5 * precision, 0.9 * away, -0.1 * away}) / blocks;
      const Priced proof = pricing_.prove(b, boxes_[b], starts[b],
                                          {.tolerance = share,
                                           .enough = last_.price[convexity_[b]] + share,
                                           .max_effort = late ? kLateEffort : deadline.left(kProofEffort)});
      outcome.nodes += proof.nodes;
      deadline.spend(proof.effort);
      best[b] = std::isfinite(proof.bound) ? proof.bound : remembering[b];
      if (!late && proof.value - last_.price[convexity_[b]] > share) {
        add_column(b, proof.accept);
        again = true;
      }
    }
    outcome.bound = std::min(outcome.bound, lagrangian(objective, last_, best));
    if (!again || late || outcome.bound < enough) break;
  }
}

Relaxation::Outcome Relaxation::maximise(double precision, double enough, const Deadline& deadline) {
  std::vector<Coefficient> objective{{value_, 1.0}};
  objective.insert(objective.end(), taken_.begin(), taken_.end());
  for (const std::size_t slack : elastic_) objective.push_back({slack, -elastic_price_});
  for (const Repair& repair : repairs_) objective.push_back({repair.slack, -elastic_price_});
  return optimise(objective, precision, enough, deadline);
}

double Relaxation::tighten(double cutoff, Tightening depth, const Deadline& deadline) {
  // A policy as good as the one that sets the cutoff must not be cut off by rounding.
  cutoff -= 1e-12 * std::max(std::abs(cutoff), variables_[value_].high);
  rows_[cutoff_row_].low = cutoff;
  lp_->set_row_bounds(lp_row_[cutoff_row_], cutoff, kInfinity);
  std::vector<std::size_t> targets;
  const auto want = [&](std::size_t variable) {
    if (std::find(targets.begin(), targets.end(), variable) == targets.end()) targets.push_back(variable);
  };
  for (const Product& product : products_) {
    if (depth != Tightening::differences) want(product.a);
    if (depth == Tightening::everything || (depth != Tightening::rates && product.of_difference)) want(product.b);
  }
  const double precision = depth == Tightening::differences ? kRoughRange : kRangePrecision;
  double most = 0;
  for (const std::size_t variable : targets) {
    const double width = variables_[variable].high - variables_[variable].low;
    if (width < kNarrow || empty_) continue;
    for (const int sign : {1, -1}) {
      if (deadline.passed()) break;
      std::vector<Coefficient> objective{{variable, static_cast<double>(sign)}};
      for (const std::size_t slack : elastic_) objective.push_back({slack, -kElasticRangePrice});
      for (const Repair& repair : repairs_) objective.push_back({repair.slack, -kElasticRangePrice});
      // The master only grows: once it is this near the range's end, the end will not move.
      const double end = sign == 1 ? variables_[variable].high : -variables_[variable].low;
      const double bound = optimise(objective, precision * width, -kInfinity, deadline, end - precision * width).bound;
      if (sign == 1)
        set_range(variable, variables_[variable].low, std::min(variables_[variable].high, bound));
      else
        set_range(variable, std::max(variables_[variable].low, -bound), variables_[variable].high);
    }
    most = std::max(most, 1 - (variables_[variable].high - variables_[variable].low) / width);
  }
  rows_[cutoff_row_].low = -kInfinity;
  lp_->set_row_bounds(lp_row_[cutoff_row_], -kInfinity, kInfinity);
  return most;
}

double Relaxation::least_excess(double precision, const Deadline& deadline) {
  std::vector<Coefficient> objective{{excess_, -1.0}};
  for (const Repair& repair : repairs_) objective.push_back({repair.slack, -kElasticRangePrice});
  return -optimise(objective, precision, -kInfinity, deadline).bound;
}

}  // namespace fairstep
