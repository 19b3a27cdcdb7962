// The rows that limits and penalties become.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/optimise/bound/formulation.hpp>
#include <fairstep/optimise/bound/mean_range.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

std::size_t Formulation::add_difference(std::size_t i, std::size_t j, double per_i, double per_j) {
  const Range a = product_range(master_.range(i), {per_i, per_i});
  const Range b = product_range(master_.range(j), {per_j, per_j});
  const std::size_t d = master_.add_variable(rounded_down(a.low - b.high), rounded_up(a.high - b.low));
  master_.add_row(0, 0, {{d, 1.0}, {i, -per_i}, {j, per_j}});
  return d;
}

std::size_t Formulation::add_product(std::size_t a, std::size_t b, bool of_difference) {
  const std::size_t w = envelopes_.add(a, b, of_difference);
  watch(a);
  watch(b);
  return w;
}

void Formulation::require_product(std::size_t a, std::size_t b, std::size_t w, bool of_difference) {
  envelopes_.require(a, b, w, of_difference);
  watch(a);
  watch(b);
}

double Formulation::per_usual(std::size_t functional) const {
  const double usual = usual_[functional];
  return usual > 1e-3 ? 1 / usual : 1;
}

/// The variable that stands for a mean: the numerator itself, or mu with numerator = mu * denominator.
std::size_t Formulation::mean_variable(const Mean& mean) {
  if (!mean.denominator) return functional(mean.numerator);
  auto& known = mean_of_[mean.numerator];
  if (!known) {
    // A mean of nobody may be called whatever suits the others: then it could be anything that a mean can be.
    const bool somebody = master_.range(functional(*mean.denominator)).low > 0;
    const Range range = somebody ? range_of(program_, program_.boxes, {&mean, 1}) : Range{0, 1};
    known = master_.add_variable(rounded_down(range.low), rounded_up(range.high));
    require_product(*known, functional(*mean.denominator), functional(mean.numerator));
    if (somebody) narrow_with_boxes(Among{*known, {mean}, 0});
  }
  return *known;
}

/// Lets the limit of a row be exceeded at a price above any gain: the master is then feasible whatever its columns, and
/// what it bounds is a relaxation all the same. `scale` is what a unit of limit moves the row by, at the most.
void Formulation::make_elastic(std::size_t row, double scale) {
  if (scale <= 0) return;  // about nobody
  const double low = master_.rows()[row].low, high = master_.rows()[row].high;
  const Range reached = master_.range_of(master_.rows()[row].entries);
  for (const int sign : {1, -1}) {
    if (sign == 1 ? low == -kInfinity : high == kInfinity) continue;
    const double off = sign == 1 ? low - reached.low : reached.high - high;
    const double reach = std::max(off / scale, 0.0) * (1 + 1e-6);
    const std::size_t slack = master_.add_variable(0, reach);
    master_.add_entry(row, {slack, sign * scale});
    elastic_.push_back(slack);
    if (reach > master_.range(excess_).high) set_range(excess_, 0, reach);
    master_.add_row(0, kInfinity, {{excess_, 1.0}, {slack, -1.0}});
  }
}

void Formulation::add_parity(const Parity& parity) {
  const double half = 0.5 * (parity.limit + tolerance_);
  const std::size_t number = names_.scale.size();
  names_.scale.emplace_back(parity.means.size(), 1.0);
  const auto of_mean = [&](const char* what, std::size_t i) { return fmt::format("{} {} {}", what, number, i); };
  for (std::size_t i = 0; i < parity.means.size(); ++i)
    names_.variable[functional(parity.means[i].numerator)] = of_mean("N", i);
  const bool fixed =
      std::none_of(parity.means.begin(), parity.means.end(), [](const Mean& m) { return m.denominator.has_value(); });
  if (fixed && parity.means.size() == 2 && !parity.two_sided()) {
    names_.row[master_.rows().size()] = fmt::format("pair {} 0 1", number);
    make_elastic(
        master_.add_row(-2 * half, 2 * half,
                        {{functional(parity.means[0].numerator), 1.0}, {functional(parity.means[1].numerator), -1.0}}),
        1);
    return;
  }
  // All pairs are within the limit iff all means are within half of it from a common t.
  // Means are at least 0 and `lower` at most 1, up to the tolerance of the kernel's rows; so t need not leave [0,1] if
  // the means lie below `lower`, as they do unless the parity is cautious, and otherwise not by more than half.
  const double beyond = (parity.two_sided() ? half : 0) + 1e-6;
  const Range range = parity.two_sided() ? Range{0, 1} : range_of(program_, program_.boxes, parity.means);
  const std::size_t t = master_.add_variable(range.low - beyond, range.high + beyond);
  names_.variable[t] = fmt::format("t {}", number);
  if (!parity.two_sided()) narrow_with_boxes(Among{t, parity.means, beyond});
  std::vector<std::size_t> products, denominators, named;
  for (std::size_t i = 0; i < parity.means.size(); ++i) {
    const Mean& mean = parity.means[i];
    const std::size_t top = functional(mean.numerator), low = functional(parity.lower_of(i).numerator);
    const auto add_sides = [&](double scale, std::size_t middle, const std::vector<Coefficient>& allowed, double rhs) {
      for (const bool above : {true, false}) {
        std::vector<Coefficient> entries{{above ? top : low, 1.0}, {middle, -1.0}};
        for (const Coefficient& c : allowed) entries.push_back({c.index, above ? -c.value : c.value});
        names_.row[master_.rows().size()] = of_mean(above ? "up" : "low", i);
        make_elastic(above ? master_.add_row(-kInfinity, rhs, std::move(entries))
                           : master_.add_row(-rhs, kInfinity, std::move(entries)),
                     scale);
      }
    };
    if (!mean.denominator) {
      add_sides(0.5, t, {}, half);
      continue;
    }
    const std::size_t bottom = functional(*mean.denominator);
    // A mean of nobody keeps its limits, but what its numerator may be off by would break its rows.
    if (parity.cautious && master_.range(bottom).low <= 0) continue;
    const std::size_t w = add_product(t, bottom);
    names_.variable[bottom] = of_mean("D", i);
    name_envelope(of_mean("w", i), w);
    products.push_back(w);
    denominators.push_back(*mean.denominator);
    named.push_back(i);
    add_sides(0.5 * master_.range(bottom).high, w, {{bottom, half}}, 0);
  }
  relate_products(t, products, denominators, named);
}

/// The four rows that were written last.
void Formulation::name_envelope(const std::string& product, std::size_t w) {
  names_.variable[w] = product;
  for (std::size_t side = 0; side < 4; ++side)
    names_.row[master_.rows().size() - 4 + side] = fmt::format("{} {}", product, side);
}

void Formulation::relate_products(std::size_t t, const std::vector<std::size_t>& products,
                                  const std::vector<std::size_t>& denominators, const std::vector<std::size_t>& named) {
  for (std::size_t i = 0; i < products.size(); ++i)
    for (std::size_t j = i + 1; j < products.size(); ++j) {
      const double per_i = per_usual(denominators[i]), per_j = per_usual(denominators[j]);
      const std::size_t difference =
          add_difference(functional(denominators[i]), functional(denominators[j]), per_i, per_j);
      narrow_with_boxes(Combination{difference, {{denominators[i], per_i}, {denominators[j], -per_j}}});
      const std::size_t product = add_difference(products[i], products[j], per_i, per_j);
      require_product(t, difference, product, true);
      if (named.empty()) continue;
      const std::size_t number = names_.scale.size() - 1;
      names_.scale[number][named[i]] = per_i;
      names_.scale[number][named[j]] = per_j;
      names_.variable[difference] = fmt::format("d {} {} {}", number, named[i], named[j]);
      name_envelope(fmt::format("e {} {} {}", number, named[i], named[j]), product);
    }
}

void Formulation::add_mean_row(const MeanRow& row) {
  const double upper = row.upper + tolerance_;
  if (row.means.size() == 1 && row.means[0].denominator) {
    // coefficient N <= upper D: no quotient needed, and a mean of nobody (N = D = 0) satisfies it.
    const std::size_t bottom = functional(*row.means[0].denominator);
    make_elastic(
        master_.add_row(-kInfinity, 0, {{functional(row.means[0].numerator), row.coefficient[0]}, {bottom, -upper}}),
        master_.range(bottom).high);
    return;
  }
  // Where a policy can make one of the means a mean of nobody, it escapes the row: nothing linear is left to say.
  for (const Mean& mean : row.means)
    if (mean.denominator && master_.range(functional(*mean.denominator)).low <= 0) return;
  if (row.name == "capacity") {
    names_.variable[functional(row.means[0].numerator)] = fmt::format("A {}", row.step);
    names_.row[master_.rows().size()] = fmt::format("capacity {}", row.step);
  }
  std::vector<Coefficient> entries;
  for (std::size_t i = 0; i < row.means.size(); ++i)
    entries.push_back({mean_variable(row.means[i]), row.coefficient[i]});
  make_elastic(master_.add_row(-kInfinity, upper, std::move(entries)), 1);
}

/// What two means differ by, without their quotients. With D* about what each denominator D is (1 where there is none):
///   N_1 / D_1* - N_2 / D_2* = mean_1 (D_1 / D_1* - D_2 / D_2*) + (mean_1 - mean_2) D_2 / D_2*
/// The first product on the right is small, since the bracket is nearly 0, and so is what its envelope adds.
Formulation::Difference Formulation::difference_of(const Mean& first, const Mean& second) {
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
  const std::size_t one = second.denominator ? *result.scale : master_.add_variable(1, 1);
  const std::size_t difference = add_difference(d1, one, per1, result.per_scale);
  if (second.denominator)
    narrow_with_boxes(Combination{difference, {{*first.denominator, per1}, {*second.denominator, -result.per_scale}}});
  const std::size_t w = add_product(mean, difference, true);
  result.entries = {{functional(first.numerator), per1}, {functional(second.numerator), -result.per_scale}, {w, -1.0}};
  return result;
}

void Formulation::add_penalty(const PenaltyTerm& penalty) {
  Difference z;
  if (penalty.multiplied_out)
    z.entries = {{add_product(functional(penalty.first.numerator), functional(*penalty.second.denominator)), 1.0},
                 {add_product(functional(penalty.second.numerator), functional(*penalty.first.denominator)), -1.0}};
  else
    z = difference_of(penalty.first, penalty.second);
  // q = z S, for what the penalty squares, z, and a positive S
  const auto [low, high] = master_.range_of(z.entries);
  const std::size_t q = master_.add_variable(rounded_down(low), rounded_up(high));
  z.entries.push_back({q, -1.0});
  master_.add_row(0, 0, z.entries);
  double most = std::max(std::abs(low), std::abs(high));
  if (z.scale) {
    const Range first = range_of(program_, program_.boxes, {&penalty.first, 1});
    const Range second = range_of(program_, program_.boxes, {&penalty.second, 1});
    most = std::max(first.high - second.low, second.high - first.low);
  }
  if (z.scale) watch(*z.scale);
  const std::size_t e = master_.add_variable(0, penalty.weight * most * most * (1 + 1e-9));
  tangents_.add_square({q, e, z.scale, z.per_scale, penalty.weight});
  take_away(e, 1);
}

/// From the objective, and so from what has to reach the cutoff.
void Formulation::take_away(std::size_t variable, double price) {
  taken_.push_back({variable, -price});
  master_.add_entry(cutoff_row_, taken_.back());
}

}  // namespace fairstep
