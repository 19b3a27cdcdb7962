// Ranges and objectives; rows are in formulation_rows.cpp.
#include <fairstep/optimise/bound/formulation.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairstep/optimise/bound/mean_range.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {
namespace {

/// While a range is narrowed, violating a limit costs this much per unit.
constexpr double kElasticRangePrice = 100;

/// Denominators of anything, and numerators of means that have a variable of their own or are multiplied out.
struct Named {
  std::vector<bool> denominator{}, in_product{};
};

Named named_functionals(const Program& program) {
  Named named{std::vector<bool>(program.functionals, false), {}};
  const auto note = [&](const Mean& mean) {
    if (mean.denominator) named.denominator[*mean.denominator] = true;
  };
  for (const Parity& parity : program.parities) std::for_each(parity.means.begin(), parity.means.end(), note);
  for (const MeanRow& row : program.rows) std::for_each(row.means.begin(), row.means.end(), note);
  for (const PenaltyTerm& penalty : program.penalties) {
    note(penalty.first);
    note(penalty.second);
  }
  for (const Toll& toll : program.tolls) note(toll.mean);

  named.in_product = named.denominator;
  const auto note_numerator = [&](const Mean& mean) {
    if (mean.denominator) named.in_product[mean.numerator] = true;
  };
  for (const MeanRow& row : program.rows)
    if (row.means.size() > 1 && !row.ratio) std::for_each(row.means.begin(), row.means.end(), note_numerator);
  for (const PenaltyTerm& penalty : program.penalties) {
    note_numerator(penalty.first);
    note_numerator(penalty.second);
  }
  for (const Toll& toll : program.tolls) note_numerator(toll.mean);
  return named;
}

}  // namespace

Formulation::Formulation(const Program& program, Pricing& pricing, Master& master, double tolerance,
                         const Tables& usual, const Deadline& deadline)
    : program_(program),
      pricing_(pricing),
      master_(master),
      tolerance_(tolerance),
      envelopes_(master),
      tangents_(master),
      mean_of_(program.functionals),
      usual_(program.functionals, 0.0) {
  Workspace work(program.shape());
  for (std::size_t b = 0; b < usual.size(); ++b) {
    const Effect effect = effect_of(program, b, usual[b], work);
    for (std::size_t j = 0; j < program.functionals; ++j) usual_[j] += effect.functional[j];
  }
  cutoff_row_ = master_.add_row(-kInfinity, kInfinity, {{Master::kValue, 1.0}});
  names_.row[cutoff_row_] = "cutoff";
  excess_ = master_.add_variable(0, 0);

  const Named named = named_functionals(program);
  std::vector<double> width;
  for (std::size_t j = 0; j < program.functionals; ++j)
    width.push_back(master_.range(functional(j)).high - master_.range(functional(j)).low);
  bound_denominators(named.denominator, deadline);
  for (std::size_t j = 0; j < program.functionals; ++j)
    if (named.in_product[j]) master_.add_repair(j, width[j]);

  for (const Parity& parity : program.parities) add_parity(parity);
  for (const Ratio& ratio : program.ratios)
    if (!ratio.is_plain()) add_ratio(ratio);
  for (const MeanRow& row : program.rows)
    if (!row.ratio || program.ratios[*row.ratio].is_plain()) add_mean_row(row);
  for (const PenaltyTerm& penalty : program.penalties) add_penalty(penalty);
  for (const Toll& toll : program.tolls) add_toll(toll);
  // The first tangents touch where the usual tables are: near the optimum they are all that is needed.
  for (std::size_t i = 0; i < tangents_.squares(); ++i) {
    const double z = gap_of(program.penalties[i], usual_);
    if (std::isfinite(z) && z != 0) tangents_.add(i, z);
  }
}

/// Before anything else: their ranges are pricing problems of their own, and every envelope needs them.
void Formulation::bound_denominators(const std::vector<bool>& is_denominator, const Deadline& deadline) {
  for (std::size_t j = 0; j < program_.functionals; ++j) {
    if (!is_denominator[j]) continue;
    narrow_with_boxes(Combination{functional(j), {{j, 1.0}}});
    if (deadline.passed()) continue;  // a range that is too wide does no harm
    try {
      const Range can_be = remembering_range(sums_.back().functionals, program_.boxes);
      const Range known = master_.range(functional(j));
      set_range(functional(j), std::max(known.low, can_be.low), std::min(known.high, can_be.high));
    } catch (const OutOfTime&) {
      continue;
    }
  }
}

Range Formulation::remembering_range(std::span<const Coefficient> functionals, std::span<const Box> boxes) {
  std::vector<double> price(program_.functionals, 0.0);
  double ends[2] = {0, 0};
  for (const int sign : {1, -1}) {
    for (const Coefficient& c : functionals) price[c.index] = sign * c.value;
    pricing_.set_prices(price, 0);
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) ends[sign == 1] += pricing_.remembering_bound(b, boxes[b]);
  }
  return {-ends[0], ends[1]};
}

void Formulation::narrow_to(std::span<const Box> boxes) {
  for (const Combination& sum : sums_) {
    const Range can_be = remembering_range(sum.functionals, boxes);
    const Range known = master_.range(sum.variable);
    if (can_be.low > known.low || can_be.high < known.high)
      set_range(sum.variable, std::max(known.low, can_be.low), std::min(known.high, can_be.high));
  }
  for (const Among& mean : among_) {
    const Range range = range_of(program_, boxes, mean.means);
    const Range known = master_.range(mean.variable);
    const double low = std::max(known.low, rounded_down(range.low - mean.beyond));
    const double high = std::min(known.high, rounded_up(range.high + mean.beyond));
    if (low > known.low || high < known.high) set_range(mean.variable, low, high);
  }
}

void Formulation::set_range(std::size_t variable, double low, double high) {
  if (low > high) {  // nothing better than the cutoff is left
    empty_ = true;
    return;
  }
  master_.set_range(variable, low, high);
  envelopes_.rewrite(variable);
  tangents_.rewrite(variable);
}

std::vector<Range> Formulation::ranges() const {
  std::vector<Range> ranges;
  for (const std::size_t variable : watched_) ranges.push_back(master_.range(variable));
  return ranges;
}

void Formulation::set_ranges(std::span<const Range> ranges) {
  empty_ = false;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Range& known = master_.range(watched_[i]);
    if (known.low != ranges[i].low || known.high != ranges[i].high)
      set_range(watched_[i], ranges[i].low, ranges[i].high);
  }
}

std::size_t Formulation::place_of(std::size_t variable) const {
  return static_cast<std::size_t>(std::find(watched_.begin(), watched_.end(), variable) - watched_.begin());
}

void Formulation::watch(std::size_t variable) {
  if (place_of(variable) == watched_.size()) watched_.push_back(variable);
}

void Formulation::narrow_with_boxes(Combination sum) {
  watch(sum.variable);
  sums_.push_back(std::move(sum));
}

void Formulation::narrow_with_boxes(Among mean) {
  watch(mean.variable);
  among_.push_back(std::move(mean));
}

std::vector<Coefficient> Formulation::objective(double price) const {
  std::vector<Coefficient> objective{{Master::kValue, 1.0}};
  objective.insert(objective.end(), taken_.begin(), taken_.end());
  for (const std::size_t slack : elastic_) objective.push_back({slack, -price});
  for (const Master::Repair& repair : master_.repairs()) objective.push_back({repair.slack, -price});
  return objective;
}

std::vector<Coefficient> Formulation::end_of_range(std::size_t variable, int sign) const {
  std::vector<Coefficient> objective{{variable, static_cast<double>(sign)}};
  for (const std::size_t slack : elastic_) objective.push_back({slack, -kElasticRangePrice});
  for (const Master::Repair& repair : master_.repairs()) objective.push_back({repair.slack, -kElasticRangePrice});
  return objective;
}

std::vector<Coefficient> Formulation::least_excess() const {
  std::vector<Coefficient> objective{{excess_, -1.0}};
  for (const Master::Repair& repair : master_.repairs()) objective.push_back({repair.slack, -kElasticRangePrice});
  return objective;
}

}  // namespace fairstep
