// What the master is made of: variables, and the rows that limits and penalties become.
#include <algorithm>
#include <cmath>

#include <fairstep/optimise/bound/relaxation.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

Relaxation::Relaxation(const Program& program, Pricing& pricing, double tolerance, const Tables& usual,
                       const Deadline& deadline)
    : program_(program),
      pricing_(pricing),
      deadline_(deadline),
      tolerance_(tolerance),
      boxes_(program.boxes),
      lp_(program.backends->linear()),
      work_(program.shape()) {
  const Model& model = *program.model;
  const Range rewards = model.reward_range();
  const double scale =
      std::max(std::abs(rewards.low), std::abs(rewards.high)) * static_cast<double>(program.shape().horizon);
  elastic_price_ = 1000 * std::max(scale, 1e-12);

  for (std::size_t b = 0; b < program.blocks.size(); ++b) convexity_.push_back(lp_->add_row(1, 1));
  value_row_ = lp_->add_row(0, 0);
  for (std::size_t j = 0; j < program.functionals; ++j) functional_row_.push_back(lp_->add_row(0, 0));

  value_ = add_variable(-2 * scale, 2 * scale);
  lp_->set_coefficient(value_row_, lp_variable_[value_], -1);

  // What a functional can be, over all tables: its weights' extremes bound it.
  std::vector<Range> range(program.functionals);
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
    lp_->set_coefficient(functional_row_[j], lp_variable_[functional_[j]], -1);
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
  for (const Toll& toll : program.tolls) note(toll.mean);
  std::vector<double> price(program.functionals, 0.0);
  for (std::size_t j = 0; j < program.functionals; ++j) {
    if (!is_denominator[j]) continue;
    sums_.push_back({functional_[j], {{j, 1.0}}});
    if (deadline.passed()) continue;  // a range that is too wide does no harm
    double ends[2] = {0, 0};
    try {
      for (const int sign : {1, -1}) {
        price[j] = sign;
        pricing_.set_prices(price, 0);
        for (std::size_t b = 0; b < program.blocks.size(); ++b)
          ends[sign == 1] += pricing_.remembering_bound(b, boxes_[b]);
      }
    } catch (const OutOfTime&) {
      continue;
    }
    price[j] = 0;
    set_range(functional_[j], std::max(variables_[functional_[j]].low, -ends[0]),
              std::min(variables_[functional_[j]].high, ends[1]));
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
  for (const Toll& toll : program.tolls) note_numerator(toll.mean);
  for (std::size_t j = 0; j < program.functionals; ++j)
    if (in_product[j]) add_repair(j, range[j].high - range[j].low);

  for (const Parity& parity : program.parities) add_parity(parity);
  for (const MeanRow& row : program.rows) add_mean_row(row);
  for (const PenaltyTerm& penalty : program.penalties) add_penalty(penalty);
  for (const Toll& toll : program.tolls) add_toll(toll);
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
    lp_->set_coefficient(functional_row_[j], lp_variable_[slack], sign);
    repairs_.push_back({j, slack, sign});
  }
}

std::size_t Relaxation::add_variable(double low, double high) {
  variables_.push_back({low, high});
  lp_variable_.push_back(lp_->add_variable(low, high, 0));
  return variables_.size() - 1;
}

std::size_t Relaxation::add_row(double low, double high, std::vector<Coefficient> entries) {
  std::vector<Coefficient> in_lp = entries;
  for (Coefficient& c : in_lp) c.index = lp_variable_[c.index];
  lp_row_.push_back(lp_->add_row(low, high, in_lp));
  rows_.push_back({low, high, std::move(entries)});
  return rows_.size() - 1;
}

std::size_t Relaxation::add_difference(std::size_t i, std::size_t j, double per_i, double per_j) {
  const Range a = product_range({variables_[i].low, variables_[i].high}, {per_i, per_i});
  const Range b = product_range({variables_[j].low, variables_[j].high}, {per_j, per_j});
  const std::size_t d = add_variable(rounded_down(a.low - b.high), rounded_up(a.high - b.low));
  add_row(0, 0, {{d, 1.0}, {i, -per_i}, {j, per_j}});
  return d;
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
    lp_->set_coefficient(lp_row_[row], lp_variable_[slack], sign * scale);
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
  take_away(e, 1);
}

void Relaxation::add_toll(const Toll& toll) { take_away(mean_variable(toll.mean), toll.price); }

/// From the objective, and so from what has to reach the cutoff.
void Relaxation::take_away(std::size_t variable, double price) {
  taken_.push_back({variable, -price});
  rows_[cutoff_row_].entries.push_back(taken_.back());
  lp_->set_coefficient(lp_row_[cutoff_row_], lp_variable_[variable], -price);
}

}  // namespace fairstep
