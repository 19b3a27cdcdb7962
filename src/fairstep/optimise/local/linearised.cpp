#include <fairstep/optimise/local/linearised.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairstep/optimise/program/tables.hpp>

namespace fairstep {
namespace {

/// Coefficients this much smaller than a row's largest are left out: a decision hardly matters to rates long after it.
constexpr double kNegligible = 1e-5;

}  // namespace

Linearised::Linearised(const Program& program, const Tables& tables, double margin, Goal goal, Deadline deadline)
    : program_(program),
      deadline_(std::move(deadline)),
      smooth_(program, tables, margin, goal, deadline_),
      box_(smooth_.variable_bounds()),
      sparsity_(smooth_.jacobian_sparsity()),
      lp_(program.backends->linear(Simplex::dual)) {
  lp_->stop_when(deadline_.over_now());
  const auto bounds = smooth_.constraint_bounds();
  const auto first = static_cast<std::ptrdiff_t>(program.functionals);
  const auto end = first + static_cast<std::ptrdiff_t>(smooth_.limits());
  limits_.low.assign(bounds.low.begin() + first, bounds.low.begin() + end);
  limits_.high.assign(bounds.high.begin() + first, bounds.high.begin() + end);
  if (program.rules.any()) rules_ = program.rules.rows();
  c_.resize(bounds.low.size());
  gradient_.resize(box_.low.size());
  jacobian_.resize(sparsity_.row.size());
  for (std::size_t i = 0; i < sparsity_.row.size(); ++i)
    while (start_.size() <= static_cast<std::size_t>(sparsity_.row[i])) start_.push_back(i);
  start_.resize(c_.size() + 1, sparsity_.row.size());
  const std::vector<double> x = smooth_.start();
  touch(at(std::span(x).first(entries()), std::span(x).last(smooth_.others())));
}

Linearised::Point Linearised::at(std::span<const double> tables, std::span<const double> others) {
  Point point;
  point.x = smooth_.point(tables, others);
  point.objective = -smooth_.evaluate(point.x, c_);
  const auto first = c_.begin() + static_cast<std::ptrdiff_t>(program_.functionals);
  point.left.assign(first, first + static_cast<std::ptrdiff_t>(smooth_.limits()));
  for (std::size_t k = 0; k < point.left.size(); ++k)
    point.violation += std::max({0.0, point.left[k] - limits_.high[k], limits_.low[k] - point.left[k]});
  return point;
}

void Linearised::touch(const Point& point) {
  here_ = point;
  written_ = false;
  smooth_.evaluate(here_.x, c_);
  smooth_.differentiate(gradient_, jacobian_);
  const std::size_t first_other = entries() + program_.functionals;

  // What a functional counts for is spread over the tables it depends on.
  const auto spread = [&](std::size_t j, double weight, std::span<double> out) {
    if (weight == 0) return;
    for (std::size_t i = start_[j]; i + 1 < start_[j + 1]; ++i)  // the last entry is f_j itself
      out[static_cast<std::size_t>(sparsity_.column[i])] += weight * jacobian_[i];
  };
  matrix_.objective.assign(changes() + 2 * here_.left.size(), 0.0);
  for (std::size_t i = 0; i < entries(); ++i) matrix_.objective[i] = -gradient_[i];
  for (std::size_t j = 0; j < program_.functionals; ++j) spread(j, -gradient_[entries() + j], matrix_.objective);
  for (std::size_t i = entries(); i < changes(); ++i) matrix_.objective[i] = -gradient_[i + program_.functionals];

  matrix_.entries.clear();
  matrix_.row_start.assign(1, 0);
  for (std::size_t k = 0; k < here_.left.size(); ++k) {
    deadline_.work(8 * changes());
    row_.assign(changes(), 0.0);
    const std::size_t row = program_.functionals + k;
    for (std::size_t i = start_[row]; i < start_[row + 1]; ++i) {
      const auto column = static_cast<std::size_t>(sparsity_.column[i]);
      if (column < first_other)
        spread(column - entries(), jacobian_[i], row_);
      else
        row_[column - program_.functionals] += jacobian_[i];
    }
    double largest = 0;
    for (std::size_t i = 0; i < entries(); ++i) largest = std::max(largest, std::abs(row_[i]));
    for (std::size_t i = 0; i < row_.size(); ++i)
      if (std::abs(row_[i]) > kNegligible * largest) matrix_.entries.push_back({i, row_[i]});
    // what the row exceeds its upper side by, and its lower one
    matrix_.entries.push_back({changes() + 2 * k, -1.0});
    matrix_.entries.push_back({changes() + 2 * k + 1, 1.0});
    matrix_.row_start.push_back(matrix_.entries.size());
  }
  for (std::size_t b = 0; b < program_.blocks.size(); ++b)
    for (const TableRules::Row& rule : rules_) {
      matrix_.entries.push_back({b * program_.table_size() + rule.lower, -1.0});
      matrix_.entries.push_back({b * program_.table_size() + rule.higher, 1.0});
      matrix_.row_start.push_back(matrix_.entries.size());
    }
}

Linearised::Step Linearised::solve(const Options& options) { return solve(here_.left, options); }

Linearised::Step Linearised::solve_through(const Point& tried, const Options& options) {
  std::vector<double> left = tried.left;
  const auto change = [&](std::size_t i) {
    const std::size_t at = i < entries() ? i : i + program_.functionals;
    return tried.x[at] - here_.x[at];
  };
  for (std::size_t k = 0; k < left.size(); ++k)
    for (std::size_t i = matrix_.row_start[k]; i + 2 < matrix_.row_start[k + 1]; ++i)
      left[k] -= matrix_.entries[i].value * change(matrix_.entries[i].index);
  return solve(left, options);
}

void Linearised::write(std::span<const double> left, const Options& options) {
  const bool elastic = options.price < kInfinity;
  bounds_ = {};
  for (std::size_t i = 0; i < entries(); ++i) {
    bounds_.low.push_back(std::max(box_.low[i] - here_.x[i], -options.radius));
    bounds_.high.push_back(std::min(box_.high[i] - here_.x[i], options.radius));
  }
  for (std::size_t i = entries(); i < changes(); ++i) {
    const std::size_t at = i + program_.functionals;
    bounds_.low.push_back(box_.low[at] - here_.x[at]);
    bounds_.high.push_back(box_.high[at] - here_.x[at]);
  }
  bounds_.low.resize(changes() + 2 * left.size(), 0.0);
  bounds_.high.resize(changes() + 2 * left.size(), elastic ? kInfinity : 0.0);
  for (std::size_t k = 0; k < left.size(); ++k) {
    bounds_.row_low.push_back(limits_.low[k] - left[k] - options.slack);
    bounds_.row_high.push_back(limits_.high[k] - left[k] + options.slack);
  }
  for (std::size_t b = 0; b < program_.blocks.size(); ++b)
    for (const TableRules::Row& rule : rules_) {
      const double* table = here_.x.data() + b * program_.table_size();
      bounds_.row_low.push_back(table[rule.lower] - table[rule.higher]);
      bounds_.row_high.push_back(rule.equal ? bounds_.row_low.back() : kInfinity);
    }
  const double price = elastic ? options.price : 0;
  if (written_ && price == price_) {
    lp_->set_bounds(bounds_);
    return;
  }
  std::fill(matrix_.objective.begin() + static_cast<std::ptrdiff_t>(changes()), matrix_.objective.end(), -price);
  lp_->replace(matrix_, bounds_);
  written_ = true;
  price_ = price;
}

Linearised::Step Linearised::solve(std::span<const double> left, const Options& options) {
  write(left, options);
  LpSolution solution = lp_->solve();
  Step step;
  step.status = solution.status;
  if (step.status != LpStatus::optimal) return step;
  step.price = std::move(solution.price);
  for (std::size_t i = 0; i < entries(); ++i)
    step.tables.push_back(std::clamp(here_.x[i] + solution.x[i], box_.low[i], box_.high[i]));
  for (std::size_t b = 0; b < program_.blocks.size(); ++b)
    settle(program_, b, std::span(step.tables).subspan(b * program_.table_size(), program_.table_size()));
  for (std::size_t i = entries(); i < changes(); ++i)
    step.others.push_back(here_.x[i + program_.functionals] + solution.x[i]);
  for (std::size_t i = 0; i < changes(); ++i) step.gain += matrix_.objective[i] * solution.x[i];
  for (std::size_t i = changes(); i < solution.x.size(); ++i) step.violation += solution.x[i];
  return step;
}

}  // namespace fairstep
