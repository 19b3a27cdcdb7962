#include <fairstep/optimise/bound/master.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairstep/optimise/backends/backends.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

Master::Master(const Program& program) : blocks_(program.blocks.size()), lp_(program.backends->linear()) {
  const Range rewards = program.model->reward_range();
  const double scale =
      std::max(std::abs(rewards.low), std::abs(rewards.high)) * static_cast<double>(program.shape().horizon);

  for (std::size_t b = 0; b < blocks_; ++b) lp_->add_row(1, 1);
  for (std::size_t j = 0; j < 1 + program.functionals; ++j) lp_->add_row(0, 0);
  add_variable(-2 * scale, 2 * scale);
  lp_->set_coefficient(blocks_, kValue, -1);

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
    add_variable(range[j].low, range[j].high);
    lp_->set_coefficient(blocks_ + 1 + j, functional(j), -1);
  }
}

std::size_t Master::add_variable(double low, double high) {
  range_.push_back({low, high});
  return lp_->add_variable(low, high, 0);
}

std::size_t Master::add_row(double low, double high, std::vector<Coefficient> entries) {
  const std::size_t before = lp_->rows();
  lp_->add_row(low, high, entries);
  const bool taken = lp_->rows() > before;
  if (!taken) lp_->add_row(-kInfinity, kInfinity);
  rows_.push_back({low, high, std::move(entries), taken});
  return rows_.size() - 1;
}

void Master::add_entry(std::size_t row, const Coefficient& entry) {
  rows_[row].entries.push_back(entry);
  if (rows_[row].in_lp) lp_->set_coefficient(definitions() + row, entry.index, entry.value);
}

void Master::set_entry(std::size_t row, std::size_t k, double value) {
  Coefficient& entry = rows_[row].entries[k];
  entry.value = value;
  if (rows_[row].in_lp) lp_->set_coefficient(definitions() + row, entry.index, value);
}

void Master::set_row(std::size_t row, double low, double high) {
  rows_[row].low = low;
  rows_[row].high = high;
  if (rows_[row].in_lp) lp_->set_row_bounds(definitions() + row, low, high);
}

void Master::set_range(std::size_t variable, double low, double high) {
  range_[variable] = {low, high};
  lp_->set_variable_bounds(variable, low, high);
}

void Master::add_repair(std::size_t functional, double most) {
  for (const double sign : {1.0, -1.0}) {
    const std::size_t slack = add_variable(0, most);
    lp_->set_coefficient(blocks_ + 1 + functional, slack, sign);
    repairs_.push_back({functional, slack, sign});
  }
}

void Master::remove_rows(const std::vector<bool>& which) {
  std::vector<bool> in_lp(definitions(), false);
  in_lp.insert(in_lp.end(), which.begin(), which.end());
  lp_->remove_rows(in_lp);
  std::size_t kept = 0;
  std::vector<double> price(last_.price.begin(),
                            last_.price.begin() + static_cast<std::ptrdiff_t>(has_prices() ? definitions() : 0));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (which[r]) continue;
    if (knew_row(r)) price.push_back(price_of_row(r));
    if (kept != r) rows_[kept] = std::move(rows_[r]);
    ++kept;
  }
  rows_.resize(kept);
  last_.price = std::move(price);
}

Range Master::range_of(std::span<const Coefficient> entries) const {
  Range range;
  for (const Coefficient& c : entries) {
    range.low -= worse_end(-c.value, range_[c.index].low, range_[c.index].high);
    range.high += worse_end(c.value, range_[c.index].low, range_[c.index].high);
  }
  return range;
}

double Master::rounding_of(std::size_t functional, double price) const {
  return static_cast<double>(most_terms_ + 2) * kRounding * std::abs(price) * weight_[functional];
}

std::size_t Master::add_column(std::size_t block, const Effect& effect) {
  std::vector<Coefficient> entries{{block, 1.0}, {blocks_, effect.value}};
  for (std::size_t j = 0; j < effect.functional.size(); ++j)
    if (effect.functional[j] != 0) entries.push_back({blocks_ + 1 + j, effect.functional[j]});
  const std::size_t before = lp_->variables();
  lp_->add_variable(0, kInfinity, 0, entries);
  if (lp_->variables() == before) lp_->add_variable(0, 0, 0);  // too large for the library: it only keeps its place
  return columns_++;
}

void Master::remove_columns(const std::vector<bool>& which) {
  std::vector<bool> in_lp(variables(), false);
  in_lp.insert(in_lp.end(), which.begin(), which.end());
  lp_->remove_variables(in_lp);
  std::vector<double> x;
  if (has_point()) x.assign(last_.x.begin(), last_.x.begin() + static_cast<std::ptrdiff_t>(variables()));
  for (std::size_t i = 0; i < which.size(); ++i)
    if (!which[i] && has_point()) x.push_back(use_of(i));
  last_.x = std::move(x);
  columns_ -= static_cast<std::size_t>(std::count(which.begin(), which.end(), true));
}

void Master::set_column_open(std::size_t column, bool open) {
  lp_->set_variable_bounds(variables() + column, 0, open ? kInfinity : 0);
}

void Master::set_objective(std::span<const Coefficient> objective) {
  for (const Coefficient& c : objective) lp_->set_objective(c.index, c.value);
}

void Master::clear_objective(std::span<const Coefficient> objective) {
  for (const Coefficient& c : objective) lp_->set_objective(c.index, 0);
}

const LpSolution& Master::solve() {
  last_ = lp_->solve();
  return last_;
}

double Master::use_of(std::size_t column) const {
  const std::size_t variable = variables() + column;
  return variable < last_.x.size() ? last_.x[variable] : 0.0;
}

}  // namespace fairstep
