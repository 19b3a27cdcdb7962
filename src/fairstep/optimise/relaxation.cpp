#include <fairstep/optimise/internal/relaxation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairstep/evaluate/passes.hpp>

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
/// A range narrower than this is not worth narrowing.
constexpr double kNarrow = 1e-7;
/// How precisely a range's end is worth knowing, relative to its width: roughly at first, better where that is enough.
constexpr double kRoughRange = 0.1;
constexpr double kRangePrecision = 0.02;
/// While a range is narrowed, violating a limit costs this much per unit.
constexpr double kElasticRangePrice = 100;
/// A result of one operation is off by at most this share of itself.
constexpr double kRounding = 0.5 * std::numeric_limits<double>::epsilon();

double rounded_down(double x) { return x - 4 * kRounding * std::abs(x); }
double rounded_up(double x) { return x + 4 * kRounding * std::abs(x); }

struct Span {
  double low, high;
};

Span product_range(Span a, Span b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {rounded_down(low), rounded_up(high)};
}

double worse_end(double coefficient, double low, double high) {
  if (coefficient == 0) return 0;
  return coefficient * (coefficient > 0 ? high : low);
}

}  // namespace

Relaxation::Relaxation(const Program& program, Pricing& pricing, double tolerance, const Tables& usual)
    : program_(program), pricing_(pricing), tolerance_(tolerance), boxes_(program.boxes), work_(program.shape()) {
  const Model& model = *program.model;
  const Range rewards = model.reward_range();
  const double scale =
      std::max(std::abs(rewards.low), std::abs(rewards.high)) * static_cast<double>(program.shape().horizon);
  elastic_price_ = 1000 * std::max(scale, 1e-12);

  for (std::size_t b = 0; b < program.blocks.size(); ++b) convexity_.push_back(lp_.add_row(1, 1));
  value_row_ = lp_.add_row(0, 0);
  for (std::size_t j = 0; j < program.functionals; ++j) functional_row_.push_back(lp_.add_row(0, 0));

  value_ = add_variable(-2 * scale, 2 * scale);
  lp_.set_coefficient(value_row_, lp_variable_[value_], -1);

  // What a functional can be, over all tables: its weights' extremes bound it.
  std::vector<Span> range(program.functionals, {0, 0});
  weight_.assign(program.functionals, 0.0);
  for (const auto& terms : program.terms) {
    std::vector<std::size_t> at_step(program.shape().horizon, 0);
    for (const Term& term : terms) {
      most_terms_ = std::max(most_terms_, ++at_step[term.step]);
      const auto [low, high] = std::minmax_element(term.weight.begin(), term.weight.end());
      // mass of a group at a step is 1 up to the tolerance of the kernel's rows
      range[term.functional].low += std::min(*low, 0.0) * (1 + 1e-6);
      range[term.functional].high += std::max(*high, 0.0) * (1 + 1e-6);
      weight_[term.functional] += std::max(std::abs(*low), std::abs(*high)) * (1 + 1e-6);
    }
  }
  for (std::size_t j = 0; j < program.functionals; ++j) {
    functional_.push_back(add_variable(range[j].low, range[j].high));
    lp_.set_coefficient(functional_row_[j], lp_variable_[functional_[j]], -1);
  }
  mean_of_.resize(program.functionals);
  usual_.assign(program.functionals, 0.0);
  for (std::size_t b = 0; b < usual.size(); ++b) {
    const Effect effect = effect_of(program, b, usual[b], work_);
    for (std::size_t j = 0; j < program.functionals; ++j) usual_[j] += effect.functional[j];
  }
  cutoff_row_ = add_row(-kInfinity, kInfinity, {{value_, 1.0}});
  excess_ = add_variable(0, 0);

  // Denominators first: their range is a pricing problem of its own and every envelope needs it.
  std::vector<bool> is_denominator(program.functionals, false);
  const auto note = [&](const Mean& mean) {
    if (mean.denominator) is_denominator[*mean.denominator] = true;
  };
  for (const Parity& parity : program.parities) std::for_each(parity.means.begin(), parity.means.end(), note);
  for (const MeanRow& row : program.rows) std::for_each(row.means.begin(), row.means.end(), note);
  for (const PenaltyTerm& penalty : program.penalties) {
    note(penalty.first);
    note(penalty.second);
  }
  std::vector<double> price(program.functionals, 0.0);
  for (std::size_t j = 0; j < program.functionals; ++j) {
    if (!is_denominator[j]) continue;
    double ends[2] = {0, 0};
    for (const int sign : {1, -1}) {
      price[j] = sign;
      pricing_.set_prices(price, 0);
      for (std::size_t b = 0; b < program.blocks.size(); ++b)
        ends[sign == 1] += pricing_.remembering_bound(b, boxes_[b]);
    }
    price[j] = 0;
    set_range(functional_[j], std::max(variables_[functional_[j]].low, -ends[0]),
              std::min(variables_[functional_[j]].high, ends[1]));
    sums_.push_back({functional_[j], {{j, 1.0}}});
  }

  // Numerators that enter products as well: those of means that have a variable of their own, or are multiplied out.
  std::vector<bool> in_product = is_denominator;
  const auto note_numerator = [&](const Mean& mean) {
    if (mean.denominator) in_product[mean.numerator] = true;
  };
  for (const MeanRow& row : program.rows)
    if (row.means.size() > 1) std::for_each(row.means.begin(), row.means.end(), note_numerator);
  for (const PenaltyTerm& penalty : program.penalties) {
    note_numerator(penalty.first);
    note_numerator(penalty.second);
  }
  for (std::size_t j = 0; j < program.functionals; ++j)
    if (in_product[j]) add_repair(j, range[j].high - range[j].low);

  for (const Parity& parity : program.parities) add_parity(parity);
  for (const MeanRow& row : program.rows) add_mean_row(row);
  for (const PenaltyTerm& penalty : program.penalties) add_penalty(penalty);
  // The first tangents touch where the usual tables are: near the optimum they are all that is needed.
  for (std::size_t i = 0; i < squares_.size(); ++i) {
    const double z = gap_of(program.penalties[i], usual_);
    if (std::isfinite(z) && z != 0) add_tangent(i, z);
  }
}

/// Ranges are narrowed for all tables, columns are only some of them: at a price, F_j may differ from what the columns
/// in a box can do, so that the master has a solution all the same.
void Relaxation::add_repair(std::size_t j, double most) {
  for (const double sign : {1.0, -1.0}) {
    const std::size_t slack = add_variable(0, most);
    lp_.set_coefficient(functional_row_[j], lp_variable_[slack], sign);
    repairs_.push_back({j, slack, sign});
  }
}

std::size_t Relaxation::add_variable(double low, double high) {
  variables_.push_back({low, high});
  lp_variable_.push_back(lp_.add_variable(low, high, 0));
  return variables_.size() - 1;
}

std::size_t Relaxation::add_row(double low, double high, std::vector<Coefficient> entries) {
  std::vector<Coefficient> in_lp = entries;
  for (Coefficient& c : in_lp) c.index = lp_variable_[c.index];
  lp_row_.push_back(lp_.add_row(low, high, in_lp));
  rows_.push_back({low, high, std::move(entries)});
  return rows_.size() - 1;
}

void Relaxation::set_range(std::size_t variable, double low, double high) {
  Variable& v = variables_[variable];
  if (low > high) {  // nothing better than the cutoff is left
    empty_ = true;
    return;
  }
  v.low = low;
  v.high = high;
  lp_.set_variable_bounds(lp_variable_[variable], low, high);
  for (const Product& product : products_)
    if (product.a == variable || product.b == variable) write_product(product);
  for (const Tangent& tangent : tangents_)
    if (squares_[tangent.square].scale == variable) write_tangent(tangent);
}

std::size_t Relaxation::add_difference(std::size_t i, std::size_t j, double per_i, double per_j) {
  const Span a = product_range({variables_[i].low, variables_[i].high}, {per_i, per_i});
  const Span b = product_range({variables_[j].low, variables_[j].high}, {per_j, per_j});
  const std::size_t d = add_variable(rounded_down(a.low - b.high), rounded_up(a.high - b.low));
  add_row(0, 0, {{d, 1.0}, {i, -per_i}, {j, per_j}});
  return d;
}

std::size_t Relaxation::add_product(std::size_t a, std::size_t b) {
  const Span range = product_range({variables_[a].low, variables_[a].high}, {variables_[b].low, variables_[b].high});
  const std::size_t w = add_variable(range.low, range.high);
  require_product(a, b, w);
  return w;
}

void Relaxation::require_product(std::size_t a, std::size_t b, std::size_t w, bool of_difference) {
  const Product product{a, b, w, rows_.size(), of_difference};
  for (int i = 0; i < 4; ++i) add_row(-kInfinity, kInfinity, {{w, 1.0}, {a, 0.0}, {b, 0.0}});
  products_.push_back(product);
  write_product(product);
  watch(a);
  watch(b);
}

void Relaxation::watch(std::size_t variable) {
  if (std::find(watched_.begin(), watched_.end(), variable) == watched_.end()) watched_.push_back(variable);
}

/// McCormick's envelope of w = a b over the ranges of a and b:
/// (a - a0)(b - b0) >= 0, (a - a1)(b - b1) >= 0, (a - a0)(b - b1) <= 0, (a - a1)(b - b0) <= 0, each multiplied out.
void Relaxation::write_product(const Product& product) {
  const Variable& a = variables_[product.a];
  const Variable& b = variables_[product.b];
  struct Side {
    double at_a, at_b;
    bool above;
  };
  std::size_t r = product.first_row;
  for (const Side& side :
       {Side{a.low, b.low, true}, Side{a.high, b.high, true}, Side{a.low, b.high, false}, Side{a.high, b.low, false}}) {
    Row& row = rows_[r];
    row.entries[1].value = -side.at_b;
    row.entries[2].value = -side.at_a;
    const double rhs = -side.at_a * side.at_b;
    row.low = side.above ? rounded_down(rhs) : -kInfinity;
    row.high = side.above ? kInfinity : rounded_up(rhs);
    lp_.set_coefficient(lp_row_[r], lp_variable_[product.a], row.entries[1].value);
    lp_.set_coefficient(lp_row_[r], lp_variable_[product.b], row.entries[2].value);
    lp_.set_row_bounds(lp_row_[r], row.low, row.high);
    ++r;
  }
}

/// Where means may lie. A mean is an average of what the policy does in each cell, and there it does something between
/// the ends of its box.
Range Relaxation::range_of(std::span<const Mean> means) const {
  Range range{kInfinity, -kInfinity};
  const std::size_t features = program_.shape().features;
  const auto add = [&](const Term& top, const Term* bottom, const Box& box) {
    for (std::size_t x = 0; x < features; ++x)
      for (const double p : {box.lo[top.step * features + x], box.hi[top.step * features + x]})
        for (std::size_t y = 0; y < kLabels; ++y) {
          const auto of = [&](const std::vector<double>& weight) {
            return (1 - p) * weight[cell_of(x, y, 0)] + p * weight[cell_of(x, y, 1)];
          };
          const double whole = bottom != nullptr ? of(bottom->weight) : 1;
          if (whole <= 0) continue;
          range.low = std::min(range.low, of(top.weight) / whole);
          range.high = std::max(range.high, of(top.weight) / whole);
        }
  };
  for (const Mean& mean : means)
    for (std::size_t b = 0; b < program_.blocks.size(); ++b)
      for (const std::size_t g : program_.blocks[b].groups)
        for (const Term& top : program_.terms[g]) {
          if (top.functional != mean.numerator) continue;
          const Term* bottom = nullptr;
          for (const Term& term : program_.terms[g])
            if (mean.denominator && term.functional == *mean.denominator && term.step == top.step) bottom = &term;
          add(top, bottom, boxes_[b]);
        }
  return range;
}

double Relaxation::per_usual(std::size_t functional) const {
  const double usual = usual_[functional];
  return usual > 1e-3 ? 1 / usual : 1;
}

/// The variable that stands for a mean: the numerator itself, or mu with numerator = mu * denominator.
std::size_t Relaxation::mean_variable(const Mean& mean) {
  if (!mean.denominator) return functional_[mean.numerator];
  auto& known = mean_of_[mean.numerator];
  if (!known) {
    // A mean of nobody may be called whatever suits the others: then it could be anything that a mean can be.
    const bool somebody = variables_[functional(*mean.denominator)].low > 0;
    const Range range = somebody ? range_of({&mean, 1}) : Range{0, 1};
    known = add_variable(rounded_down(range.low), rounded_up(range.high));
    require_product(*known, functional_[*mean.denominator], functional_[mean.numerator]);
    if (somebody) among_.push_back({*known, {mean}, 0});
  }
  return *known;
}

/// Lets the limit of a row be exceeded at a price above any gain: the master is then feasible whatever its columns, and
/// what it bounds is a relaxation all the same. `scale` is what a unit of limit moves the row by, at the most.
void Relaxation::make_elastic(std::size_t row, double scale) {
  if (scale <= 0) return;  // about nobody
  // How far the row can be off, over the ranges of all that is in it.
  double least = 0, most = 0;
  for (const Coefficient& c : rows_[row].entries) {
    least -= worse_end(-c.value, variables_[c.index].low, variables_[c.index].high);
    most += worse_end(c.value, variables_[c.index].low, variables_[c.index].high);
  }
  for (const int sign : {1, -1}) {
    if (sign == 1 ? rows_[row].low == -kInfinity : rows_[row].high == kInfinity) continue;
    const double off = sign == 1 ? rows_[row].low - least : most - rows_[row].high;
    const double reach = std::max(off / scale, 0.0) * (1 + 1e-6);
    const std::size_t slack = add_variable(0, reach);
    rows_[row].entries.push_back({slack, sign * scale});
    lp_.set_coefficient(lp_row_[row], lp_variable_[slack], sign * scale);
    elastic_.push_back(slack);
    if (reach > variables_[excess_].high) set_range(excess_, 0, reach);
    add_row(0, kInfinity, {{excess_, 1.0}, {slack, -1.0}});
  }
}

void Relaxation::add_parity(const Parity& parity) {
  const double half = 0.5 * (parity.limit + tolerance_);
  const bool fixed =
      std::none_of(parity.means.begin(), parity.means.end(), [](const Mean& m) { return m.denominator.has_value(); });
  if (fixed && parity.means.size() == 2 && !parity.two_sided()) {
    make_elastic(add_row(-2 * half, 2 * half,
                         {{functional(parity.means[0].numerator), 1.0}, {functional(parity.means[1].numerator), -1.0}}),
                 1);
    return;
  }
  // All pairs are within the limit iff all means are within half of it from a common t.
  // Means are at least 0 and `lower` at most 1, up to the tolerance of the kernel's rows; so t need not leave [0,1] if
  // the means lie below `lower`, as they do unless the parity is cautious, and otherwise not by more than half.
  const double beyond = (parity.two_sided() ? half : 0) + 1e-6;
  const Range range = parity.two_sided() ? Range{0, 1} : range_of(parity.means);
  const std::size_t t = add_variable(range.low - beyond, range.high + beyond);
  if (!parity.two_sided()) among_.push_back({t, parity.means, beyond});
  std::vector<std::size_t> products, denominators;
  std::vector<double> per;
  for (std::size_t i = 0; i < parity.means.size(); ++i) {
    const Mean& mean = parity.means[i];
    const std::size_t top = functional(mean.numerator), low = functional(parity.lower_of(i).numerator);
    if (!mean.denominator) {
      make_elastic(add_row(-kInfinity, half, {{top, 1.0}, {t, -1.0}}), 0.5);
      make_elastic(add_row(-half, kInfinity, {{low, 1.0}, {t, -1.0}}), 0.5);
      continue;
    }
    const std::size_t bottom = functional(*mean.denominator);
    const std::size_t w = add_product(t, bottom);
    products.push_back(w);
    denominators.push_back(*mean.denominator);
    per.push_back(per_usual(*mean.denominator));
    const double scale = 0.5 * variables_[bottom].high;
    make_elastic(add_row(-kInfinity, 0, {{top, 1.0}, {w, -1.0}, {bottom, -half}}), scale);
    make_elastic(add_row(0, kInfinity, {{low, 1.0}, {w, -1.0}, {bottom, half}}), scale);
  }
  // t * (D_i - D_j) as well: where the groups are alike the difference is small, and so is its envelope's error.
  for (std::size_t i = 0; i < products.size(); ++i)
    for (std::size_t j = i + 1; j < products.size(); ++j) {
      const std::size_t difference =
          add_difference(functional(denominators[i]), functional(denominators[j]), per[i], per[j]);
      sums_.push_back({difference, {{denominators[i], per[i]}, {denominators[j], -per[j]}}});
      require_product(t, difference, add_difference(products[i], products[j], per[i], per[j]), true);
    }
}

void Relaxation::add_mean_row(const MeanRow& row) {
  const double upper = row.upper + tolerance_;
  if (row.means.size() == 1 && row.means[0].denominator) {
    // coefficient N <= upper D: no quotient needed, and a mean of nobody (N = D = 0) satisfies it.
    const std::size_t bottom = functional(*row.means[0].denominator);
    make_elastic(add_row(-kInfinity, 0, {{functional(row.means[0].numerator), row.coefficient[0]}, {bottom, -upper}}),
                 variables_[bottom].high);
    return;
  }
  // Where a policy can make one of the means a mean of nobody, it escapes the row: nothing linear is left to say.
  for (const Mean& mean : row.means)
    if (mean.denominator && variables_[functional(*mean.denominator)].low <= 0) return;
  std::vector<Coefficient> entries;
  for (std::size_t i = 0; i < row.means.size(); ++i)
    entries.push_back({mean_variable(row.means[i]), row.coefficient[i]});
  make_elastic(add_row(-kInfinity, upper, std::move(entries)), 1);
}

/// What two means differ by, without their quotients. With D* about what each denominator D is (1 where there is none):
///   N_1 / D_1* - N_2 / D_2* = mean_1 (D_1 / D_1* - D_2 / D_2*) + (mean_1 - mean_2) D_2 / D_2*
/// The first product on the right is small, since the bracket is nearly 0, and so is what its envelope adds.
Relaxation::Difference Relaxation::difference_of(const Mean& first, const Mean& second) {
  if (!first.denominator && second.denominator) return difference_of(second, first);  // their order does not matter
  Difference result;
  if (!first.denominator) {
    result.entries = {{functional(first.numerator), 1.0}, {functional(second.numerator), -1.0}};
    return result;
  }
  const double per1 = per_usual(*first.denominator);
  const std::size_t d1 = functional(*first.denominator);
  const std::size_t mean = mean_variable(first);
  if (second.denominator) {
    result.scale = functional(*second.denominator);
    result.per_scale = per_usual(*second.denominator);
  }
  const std::size_t one = second.denominator ? *result.scale : add_variable(1, 1);
  const std::size_t difference = add_difference(d1, one, per1, result.per_scale);
  if (second.denominator)
    sums_.push_back({difference, {{*first.denominator, per1}, {*second.denominator, -result.per_scale}}});
  const std::size_t w = add_product(mean, difference);
  products_.back().of_difference = true;
  result.entries = {{functional(first.numerator), per1}, {functional(second.numerator), -result.per_scale}, {w, -1.0}};
  return result;
}

void Relaxation::add_penalty(const PenaltyTerm& penalty) {
  Difference z;
  if (penalty.multiplied_out)
    z.entries = {{add_product(functional(penalty.first.numerator), functional(*penalty.second.denominator)), 1.0},
                 {add_product(functional(penalty.second.numerator), functional(*penalty.first.denominator)), -1.0}};
  else
    z = difference_of(penalty.first, penalty.second);
  // q = z S, for what the penalty squares, z, and a positive S
  double low = 0, high = 0;
  for (const Coefficient& c : z.entries) {
    low -= worse_end(-c.value, variables_[c.index].low, variables_[c.index].high);
    high += worse_end(c.value, variables_[c.index].low, variables_[c.index].high);
  }
  const std::size_t q = add_variable(rounded_down(low), rounded_up(high));
  z.entries.push_back({q, -1.0});
  add_row(0, 0, z.entries);
  double most = std::max(std::abs(low), std::abs(high));
  if (z.scale) {
    const Range first = range_of({&penalty.first, 1}), second = range_of({&penalty.second, 1});
    most = std::max(first.high - second.low, second.high - first.low);
  }
  if (z.scale) watch(*z.scale);
  const std::size_t e = add_variable(0, penalty.weight * most * most * (1 + 1e-9));
  squares_.push_back({q, e, z.scale, z.per_scale, penalty.weight});
  rows_[cutoff_row_].entries.push_back({e, -1.0});
  lp_.set_coefficient(lp_row_[cutoff_row_], lp_variable_[e], -1);
}

bool Relaxation::inside(std::size_t block, std::span<const double> accept) const {
  const Box& box = boxes_[block];
  for (std::size_t i = 0; i < accept.size(); ++i)
    if (accept[i] < box.lo[i] || accept[i] > box.hi[i]) return false;
  return true;
}

void Relaxation::add_column(std::size_t block, std::span<const double> accept) {
  if (!inside(block, accept)) return;
  Column column{block, 0, {accept.begin(), accept.end()}, effect_of(program_, block, accept, work_)};
  std::vector<Coefficient> entries{{convexity_[block], 1.0}, {value_row_, column.effect.value}};
  for (std::size_t j = 0; j < program_.functionals; ++j)
    if (column.effect.functional[j] != 0) entries.push_back({functional_row_[j], column.effect.functional[j]});
  column.variable = lp_.add_variable(0, kInfinity, 0, entries);
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
    lp_.set_variable_bounds(column.variable, 0, inside(column.block, column.accept) ? kInfinity : 0);
}

void Relaxation::forget_tangents() {
  if (last_.price.empty()) return;
  std::vector<bool> out(lp_.rows(), false);
  std::vector<Tangent> kept;
  std::vector<double> price = last_.price;
  std::size_t gone = 0;
  const std::size_t first = rows_.size() - tangents_.size();  // nothing but tangents comes after them
  for (const Tangent& tangent : tangents_) {
    const std::size_t row = lp_row_[tangent.row];
    out[row] = row < price.size() && price[row] == 0;
    if (out[row]) {
      ++gone;
      continue;
    }
    const std::size_t to = first + kept.size();
    if (row < price.size()) price[row - gone] = price[row];
    rows_[to] = rows_[tangent.row];
    lp_row_[to] = row - gone;
    kept.push_back({tangent.square, to, tangent.c});
  }
  if (gone == 0) return;
  lp_.remove_rows(out);
  rows_.resize(first + kept.size());
  lp_row_.resize(rows_.size());
  price.resize(price.size() - gone);
  last_.price = std::move(price);
  tangents_ = std::move(kept);
}

void Relaxation::forget_columns(double worth) {
  if (last_.x.empty()) return;
  std::vector<bool> out(lp_.variables(), false);
  std::vector<Column> kept;
  const std::size_t first = lp_.variables() - columns_.size();
  for (Column& column : columns_) {
    double reduced = last_.price[value_row_] * column.effect.value + last_.price[convexity_[column.block]];
    for (std::size_t j = 0; j < program_.functionals; ++j)
      reduced += last_.price[functional_row_[j]] * column.effect.functional[j];
    out[column.variable] = reduced > worth && use(column) <= 0;
    if (out[column.variable]) continue;
    kept.push_back(std::move(column));
  }
  if (kept.size() < columns_.size()) {
    lp_.remove_variables(out);
    std::vector<double> x(last_.x.begin(), last_.x.begin() + static_cast<std::ptrdiff_t>(first));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      x.push_back(use(kept[i]));
      kept[i].variable = first + i;
    }
    last_.x = std::move(x);
  }
  columns_ = std::move(kept);
}

/// e >= weight z^2 >= weight (2 c z S - c^2 S^2) for any c, as weight (z - c S)^2 >= 0; and S^2 lies below its chord.
void Relaxation::add_tangent(std::size_t square, double c) {
  std::vector<Coefficient> entries{{squares_[square].e, 1.0}, {squares_[square].q, -2 * squares_[square].weight * c}};
  if (squares_[square].scale) entries.push_back({*squares_[square].scale, 0.0});
  tangents_.push_back({square, add_row(-kInfinity, kInfinity, std::move(entries)), c});
  write_tangent(tangents_.back());
}

void Relaxation::write_tangent(const Tangent& tangent) {
  const Square& square = squares_[tangent.square];
  const auto [low, high] = scale_of(square);
  const double weight = square.weight * tangent.c * tangent.c;
  Row& row = rows_[tangent.row];
  row.low = square.scale ? weight * low * high : -weight;
  row.low -= 1e-14 * square.weight * std::abs(tangent.c) * (1 + std::abs(tangent.c)) * (1 + high * high);
  if (square.scale) {
    row.entries[2].value = square.per_scale * weight * (low + high);
    lp_.set_coefficient(lp_row_[tangent.row], lp_variable_[*square.scale], row.entries[2].value);
  }
  lp_.set_row_bounds(lp_row_[tangent.row], row.low, kInfinity);
}

/// Where S may lie.
Range Relaxation::scale_of(const Square& square) const {
  if (!square.scale) return {1, 1};
  return {square.per_scale * variables_[*square.scale].low, square.per_scale * variables_[*square.scale].high};
}

bool Relaxation::add_tangents(const LpSolution& solution, double precision) {
  bool added = false;
  for (std::size_t i = 0; i < squares_.size(); ++i) {
    const Square& square = squares_[i];
    const double q = solution.x[lp_variable_[square.q]];
    const double e = solution.x[lp_variable_[square.e]];
    const auto [low, high] = scale_of(square);
    const double s = square.scale ? square.per_scale * solution.x[lp_variable_[*square.scale]] : 1;
    const double chord = (low + high) * s - low * high;  // of S^2
    if (chord <= 0) continue;
    const double c = q / chord;
    if (square.weight * (2 * c * q - c * c * chord) - e <= precision / static_cast<double>(squares_.size())) continue;
    add_tangent(i, c);
    added = true;
  }
  return added;
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
/// rounding does: a sum of n terms is off by at most n roundings of the sum of their sizes.
double Relaxation::lagrangian(std::span<const Coefficient> objective, const LpSolution& solution,
                              std::span<const double> best) {
  struct Sum {
    double value = 0, size = 0;
    double terms = 0;
    void add(double term) {
      value += term;
      size += std::abs(term);
      ++terms;
    }
    /// One more for each term, which is a product itself.
    [[nodiscard]] double error() const { return (terms + 1) * kRounding * size; }
  };
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
  for (const Coefficient& c : objective) lp_.set_objective(lp_variable_[c.index], c.value);
  Outcome outcome;
  std::vector<double> price(program_.functionals);
  give_each_block_a_column();
  std::vector<double> best(program_.blocks.size());
  std::vector<std::vector<double>> starts(program_.blocks.size());
  while (true) {
    ++outcome.rounds;
    last_ = numbers_only(lp_.solve());
    deadline.spend(kLpEffort + last_.iterations * (lp_.rows() + lp_.variables()) / kLpSize);
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
      std::vector<Priced> found = pricing_.search(b, boxes_[b], from);
      deadline.spend(1 + from.size());
      for (const Priced& one : found) {
        const double reduced = one.value - last_.price[convexity_[b]];
        if (reduced <= 0.1 * precision / static_cast<double>(program_.blocks.size())) continue;
        add_column(b, one.accept);
        gain += reduced;
      }
      starts[b] = std::move(found.front().accept);
    }
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
      best[b] = proof.bound;
      if (!late && proof.value - last_.price[convexity_[b]] > share) {
        add_column(b, proof.accept);
        again = true;
      }
    }
    outcome.bound = std::min(outcome.bound, lagrangian(objective, last_, best));
    if (!again || late || outcome.bound < enough) break;
  }
  for (const Coefficient& c : objective) lp_.set_objective(lp_variable_[c.index], 0);
  return outcome;
}

Relaxation::Outcome Relaxation::maximise(double precision, double enough, const Deadline& deadline) {
  std::vector<Coefficient> objective{{value_, 1.0}};
  for (const Square& square : squares_) objective.push_back({square.e, -1.0});
  for (const std::size_t slack : elastic_) objective.push_back({slack, -elastic_price_});
  for (const Repair& repair : repairs_) objective.push_back({repair.slack, -elastic_price_});
  return optimise(objective, precision, enough, deadline);
}

double Relaxation::tighten(double cutoff, Tightening depth, const Deadline& deadline) {
  // A policy as good as the one that sets the cutoff must not be cut off by rounding.
  cutoff -= 1e-12 * std::max(std::abs(cutoff), variables_[value_].high);
  rows_[cutoff_row_].low = cutoff;
  lp_.set_row_bounds(lp_row_[cutoff_row_], cutoff, kInfinity);
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
  lp_.set_row_bounds(lp_row_[cutoff_row_], -kInfinity, kInfinity);
  return most;
}

double Relaxation::least_excess(double precision, const Deadline& deadline) {
  std::vector<Coefficient> objective{{excess_, -1.0}};
  for (const Repair& repair : repairs_) objective.push_back({repair.slack, -kElasticRangePrice});
  return -optimise(objective, precision, -kInfinity, deadline).bound;
}

std::vector<Range> Relaxation::ranges() const {
  std::vector<Range> ranges;
  for (const std::size_t variable : watched_) ranges.push_back({variables_[variable].low, variables_[variable].high});
  return ranges;
}

void Relaxation::set_ranges(std::span<const Range> ranges) {
  empty_ = false;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Variable& v = variables_[watched_[i]];
    if (v.low != ranges[i].low || v.high != ranges[i].high) set_range(watched_[i], ranges[i].low, ranges[i].high);
  }
}

Range Relaxation::split_of(std::span<const Range> ranges, std::size_t product) const {
  const auto at = std::find(watched_.begin(), watched_.end(), products_[product].a);
  return ranges[static_cast<std::size_t>(at - watched_.begin())];
}

std::optional<Relaxation::Split> Relaxation::worst_product() const {
  std::optional<Split> worst;
  if (last_.x.empty()) return worst;
  double total = 0;
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const Product& product = products_[i];
    const double a = last_.x[lp_variable_[product.a]], b = last_.x[lp_variable_[product.b]];
    const double w = last_.x[lp_variable_[product.w]];
    double price = 0;
    for (std::size_t r = 0; r < 4; ++r) price = std::max(price, std::abs(last_.price[lp_row_[product.first_row + r]]));
    const double gain = price * std::abs(w - a * b);
    total += gain;
    const Variable& range = variables_[product.a];
    if (range.high - range.low < kNarrow) continue;
    if (!worst || gain > worst->gain) worst = Split{i, a, gain, 0};
  }
  if (worst) worst->total = total;
  return worst;
}

std::vector<Range> Relaxation::split_range(std::vector<Range> ranges, std::size_t product, double at,
                                           bool lower) const {
  for (std::size_t i = 0; i < watched_.size(); ++i)
    if (watched_[i] == products_[product].a) (lower ? ranges[i].high : ranges[i].low) = at;
  return ranges;
}

/// A column that came after the last solution is not in use.
double Relaxation::use(const Column& column) const {
  return column.variable < last_.x.size() ? last_.x[column.variable] : 0.0;
}

Tables Relaxation::average_tables() const {
  if (last_.x.empty()) {
    Tables middle;
    for (const Box& box : boxes_) {
      middle.emplace_back(box.lo);
      for (std::size_t i = 0; i < box.lo.size(); ++i) middle.back()[i] = 0.5 * (box.lo[i] + box.hi[i]);
    }
    return middle;
  }
  std::vector<std::vector<double>> tables(program_.blocks.size(), std::vector<double>(program_.table_size(), 0.0));
  for (const Column& column : columns_)
    for (std::size_t i = 0; i < column.accept.size(); ++i) tables[column.block][i] += use(column) * column.accept[i];
  return tables;
}

Relaxation::Dispute Relaxation::most_disputed() {
  const Tables tables = average_tables();
  Tables spread(tables.size(), std::vector<double>(program_.table_size(), 0.0));
  for (const Column& column : columns_)
    for (std::size_t i = 0; i < column.accept.size(); ++i)
      spread[column.block][i] += use(column) * std::abs(column.accept[i] - tables[column.block][i]);
  Dispute worst;
  double score = -1;
  const auto consider = [&](std::size_t b, std::size_t i, double here) {
    if (boxes_[b].hi[i] - boxes_[b].lo[i] <= kNarrow || here <= score) return;
    score = here;
    worst = {b, i, tables[b][i]};
  };
  for (std::size_t b = 0; b < tables.size(); ++b) {
    std::vector<double> people(program_.table_size(), 0.0);
    for (const std::size_t g : program_.blocks[b].groups) {
      forward(program_.model->kernel(g), program_.model->initial(g), tables[b], work_.mass);
      for (std::size_t i = 0; i < work_.mass.size(); ++i) people[i / kLabels] += work_.mass[i];
    }
    // Columns that agree leave only the widths to go by.
    for (std::size_t i = 0; i < people.size(); ++i)
      consider(b, i, people[i] * (spread[b][i] + 1e-6 * (boxes_[b].hi[i] - boxes_[b].lo[i])));
  }
  return worst;
}

Candidate Relaxation::best_combination(double tolerance) const {
  // Blocks are combined one after the other, keeping the best few partial choices by reduced worth: value at the last
  // prices says which columns go well together.
  constexpr std::size_t kKeep = 400;
  struct Partial {
    std::vector<const Column*> choice{};
    double worth = 0;
  };
  std::vector<Partial> partial{{}};
  for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
    std::vector<Partial> next;
    for (const Partial& begun : partial)
      for (const Column& column : columns_) {
        if (column.block != b || !at_ends(b, column.accept)) continue;
        double worth = column.effect.value;
        for (std::size_t j = 0; j < program_.functionals && !last_.price.empty(); ++j)
          worth -= last_.price[functional_row_[j]] * column.effect.functional[j];
        Partial more = begun;
        more.choice.push_back(&column);
        more.worth += worth;
        next.push_back(std::move(more));
      }
    const auto better = [](const Partial& a, const Partial& c) { return a.worth > c.worth; };
    const std::size_t keep = b + 1 < program_.blocks.size() ? kKeep : next.size();
    if (next.size() > keep) {
      std::nth_element(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(keep), next.end(), better);
      next.resize(keep);
    }
    partial = std::move(next);
  }
  Candidate best;
  std::vector<double> f(program_.functionals);
  for (const Partial& whole : partial) {
    std::fill(f.begin(), f.end(), 0.0);
    double objective = 0;
    for (const Column* column : whole.choice) {
      objective += column->effect.value;
      for (std::size_t j = 0; j < f.size(); ++j) f[j] += column->effect.functional[j];
    }
    const Candidate here{{}, objective - penalty_of(program_, f), excess_of(program_, f)};
    if (!is_better(here, best, tolerance)) continue;
    best = here;
    for (const Column* column : whole.choice) best.tables.push_back(column->accept);
  }
  return best;
}

bool Relaxation::at_ends(std::size_t block, std::span<const double> accept) const {
  const Box& box = program_.boxes[block];
  for (std::size_t i = 0; i < accept.size(); ++i)
    if (accept[i] != box.lo[i] && accept[i] != box.hi[i]) return false;
  return true;
}

}  // namespace fairstep
