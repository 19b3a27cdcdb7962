#include <fairstep/optimise/local/table_program.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fairstep/evaluate/passes.hpp>
#include <fairstep/optimise/backends/linear_program.hpp>
#include <fairstep/optimise/program/tables.hpp>

namespace fairstep {
namespace {

/// Denominators are kept away from zero while the solver is on its way.
constexpr double kTiny = 1e-9;
/// A difference that does not matter.
constexpr double kForgotten = 1e-12;

}  // namespace

TableProgram::TableProgram(const Program& program, const Tables& start, double margin, Goal goal, Deadline deadline)
    : program_(program),
      deadline_(std::move(deadline)),
      goal_(goal),
      small_(program.table_size() <= kSmallTable),
      block_of_(program.shape().groups),
      terms_of_(program.functionals),
      reach_(program.functionals, std::vector<std::size_t>(program.blocks.size(), 0)),
      work_(program.shape()) {
  const Shape& n = program.shape();
  mass_.assign(n.groups, std::vector<double>(n.horizon * n.states()));
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    for (const std::size_t g : program.blocks[b].groups) block_of_[g] = b;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (const Term& term : program.terms[g]) {
      terms_of_[term.functional].emplace_back(g, &term);
      std::size_t& steps = reach_[term.functional][block_of_[g]];
      steps = std::max(steps, term.step + 1);
    }
  first_f_ = program.blocks.size() * program.table_size();
  first_common_ = first_f_ + program.functionals;
  write_rows(margin);
  if (program.rules.any()) rules_ = program.rules.rows();
  const auto note = [&](const Mean& mean) {
    if (mean.denominator) denominators_.push_back(*mean.denominator);
  };
  for (const Row& row : rows_)
    for (const auto& [mean, coefficient] : row.means) note(mean);
  for (const PenaltyTerm& p : program.penalties) {
    note(p.first);
    note(p.second);
  }
  for (const auto& table : start) start_.insert(start_.end(), table.begin(), table.end());
}

void TableProgram::write_rows(double margin) {
  const bool elastic = goal_ == Goal::least_violation;
  std::size_t common = 0;
  // An excess bends each side apart: c - excess <= high and -c - excess <= -low.
  const auto add = [&](Row row) {
    if (!elastic) {
      rows_.push_back(std::move(row));
      return;
    }
    Row negative = row;
    for (auto& [mean, coefficient] : negative.means) coefficient = -coefficient;
    negative.high = -row.low;
    if (row.high < kInfinity) rows_.push_back({row.means, {}, -kInfinity, row.high});
    if (negative.high < kInfinity) rows_.push_back({negative.means, {}, -kInfinity, negative.high});
  };
  for (const Parity& parity : program_.parities) {
    const double limit = parity.limit > 4 * margin && !elastic ? parity.limit - margin : parity.limit;
    if (parity.two_sided() && elastic) {
      for (const Mean& mean : parity.means)
        for (const Mean& other : parity.lower) add({{{mean, 1.0}, {other, -1.0}}, {}, -kInfinity, limit});
    } else if (parity.two_sided()) {
      for (std::size_t i = 0; i < parity.means.size(); ++i) {
        add({{{parity.means[i], 1.0}}, common, -kInfinity, limit / 2});
        add({{{parity.lower[i], 1.0}}, common, -limit / 2, kInfinity});
      }
      ++common;
    } else if (parity.means.size() == 2 || elastic) {
      for (std::size_t i = 0; i < parity.means.size(); ++i)
        for (std::size_t j = i + 1; j < parity.means.size(); ++j)
          add({{{parity.means[i], 1.0}, {parity.means[j], -1.0}}, {}, -limit, limit});
    } else {
      for (const Mean& mean : parity.means) add({{{mean, 1.0}}, common, -limit / 2, limit / 2});
      ++common;
    }
  }
  for (const MeanRow& row : program_.rows) {
    Row c{{}, {}, -kInfinity, row.upper - (elastic ? 0 : margin)};
    for (std::size_t i = 0; i < row.means.size(); ++i) c.means.emplace_back(row.means[i], row.coefficient[i]);
    add(std::move(c));
  }
  excess_ = first_common_ + common;
  variables_ = excess_ + (elastic ? 1 : 0);
}

NonlinearProgram::Bounds TableProgram::variable_bounds() const {
  Bounds bounds;
  for (const Box& box : program_.boxes) {
    bounds.low.insert(bounds.low.end(), box.lo.begin(), box.lo.end());
    bounds.high.insert(bounds.high.end(), box.hi.begin(), box.hi.end());
  }
  bounds.low.resize(variables_, -kInfinity);
  bounds.high.resize(variables_, kInfinity);
  for (const std::size_t j : denominators_) bounds.low[f(j)] = kTiny;
  if (goal_ == Goal::least_violation) bounds.low[excess_] = 0;
  return bounds;
}

NonlinearProgram::Bounds TableProgram::constraint_bounds() const {
  Bounds bounds{std::vector<double>(program_.functionals, 0.0), std::vector<double>(program_.functionals, 0.0)};
  for (const Row& row : rows_) {
    bounds.low.push_back(row.low);
    bounds.high.push_back(row.high);
  }
  for (std::size_t b = 0; b < program_.blocks.size(); ++b)
    for (const TableRules::Row& rule : rules_) {
      bounds.low.push_back(0);
      bounds.high.push_back(rule.equal ? 0 : kInfinity);
    }
  return bounds;
}

/// visit(functional, variable) for F_j - f_j, in a fixed order: blocks, then f_j.
template <class Visit>
void TableProgram::each_functional_entry(const Visit& visit) const {
  for (std::size_t j = 0; j < program_.functionals; ++j) {
    for (std::size_t b = 0; b < program_.blocks.size(); ++b)
      for (std::size_t i = 0; i < reach_[j][b] * program_.shape().features; ++i)
        visit(j, b * program_.table_size() + i);
    visit(j, f(j));
  }
}

template <class Visit>
void TableProgram::each_row_entry(std::size_t k, const Visit& visit) const {
  for (const auto& [mean, coefficient] : rows_[k].means) {
    visit(f(mean.numerator));
    if (mean.denominator) visit(f(*mean.denominator));
  }
  if (rows_[k].common) visit(first_common_ + *rows_[k].common);
  if (goal_ == Goal::least_violation) visit(excess_);
}

NonlinearProgram::Sparsity TableProgram::jacobian_sparsity() const {
  Sparsity sparsity;
  const auto put = [&](std::size_t row, std::size_t column) {
    sparsity.row.push_back(static_cast<int>(row));
    sparsity.column.push_back(static_cast<int>(column));
  };
  each_functional_entry(put);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    each_row_entry(k, [&](std::size_t column) { put(program_.functionals + k, column); });
  std::size_t row = program_.functionals + rows_.size();
  for (std::size_t b = 0; b < program_.blocks.size(); ++b)
    for (const TableRules::Row& rule : rules_) {
      put(row, b * program_.table_size() + rule.lower);
      put(row++, b * program_.table_size() + rule.higher);
    }
  return sparsity;
}

std::vector<double> TableProgram::start() const { return point(start_); }

std::vector<double> TableProgram::point(std::span<const double> tables, std::span<const double> others) const {
  std::vector<double> x(tables.begin(), tables.end());
  x.resize(first_common_, 0.0);
  Workspace work(program_.shape());
  for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
    const Effect effect = effect_of(program_, b, tables.subspan(b * program_.table_size(), program_.table_size()), work,
                                    deadline_.at_work());
    for (std::size_t j = 0; j < program_.functionals; ++j) x[f(j)] += effect.functional[j];
  }
  for (const std::size_t j : denominators_) x[f(j)] = std::max(x[f(j)], kTiny);
  x.insert(x.end(), others.begin(), others.end());
  x.resize(variables_, 0.5);
  return x;
}

std::span<const double> TableProgram::table(std::size_t g) const {
  return std::span(x_).subspan(block_of_[g] * program_.table_size(), program_.table_size());
}

double TableProgram::rate(const Mean& mean, std::span<const double> x) const {
  return x[f(mean.numerator)] / (mean.denominator ? x[f(*mean.denominator)] : 1.0);
}

double TableProgram::evaluate(std::span<const double> x, std::span<double> constraints) {
  const Shape& n = program_.shape();
  const Model& model = *program_.model;
  x_.assign(x.begin(), x.end());
  double value = 0;
  for (std::size_t j = 0; j < program_.functionals; ++j) constraints[j] = -x[f(j)];
  for (std::size_t g = 0; g < n.groups; ++g) {
    const auto accept = table(g);
    forward(model.kernels(g), model.initial(g), accept, mass_[g], deadline_.at_work());
    add_payoffs(program_, g, accept, mass_[g], value, constraints.first(program_.functionals));
  }
  const bool elastic = goal_ == Goal::least_violation;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    double sum = elastic ? -x[excess_] : 0;
    for (const auto& [mean, coefficient] : rows_[k].means) sum += coefficient * rate(mean, x);
    if (rows_[k].common) sum -= x[first_common_ + *rows_[k].common];
    constraints[program_.functionals + k] = sum;
  }
  std::size_t at = program_.functionals + rows_.size();
  for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
    const auto accept = x.subspan(b * program_.table_size(), program_.table_size());
    for (const TableRules::Row& rule : rules_) constraints[at++] = accept[rule.higher] - accept[rule.lower];
  }
  if (elastic) return x[excess_];
  double objective = -value;
  for (const PenaltyTerm& p : program_.penalties) {
    const double z = p.multiplied_out ? x[f(p.first.numerator)] * x[f(*p.second.denominator)] -
                                            x[f(p.second.numerator)] * x[f(*p.first.denominator)]
                                      : rate(p.first, x) - rate(p.second, x);
    objective += p.weight * z * z;
  }
  return objective;
}

/// d F_j / d table, for the blocks it depends on: one backward pass per group, from its last step.
void TableProgram::functional_gradient(std::size_t j, std::span<double> out) {
  const std::size_t features = program_.shape().features;
  std::fill(out.begin(), out.end(), 0.0);
  std::size_t offset = 0;
  for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
    const std::size_t length = reach_[j][b] * features;
    for (const std::size_t g : program_.blocks[b].groups) add_functional_gradient(j, g, out.subspan(offset, length));
    offset += length;
  }
}

/// A decision matters to a later step by where it sends people, and in time chains forget where they came from: once
/// it makes no difference where one is, no earlier decision makes any.
void TableProgram::add_functional_gradient(std::size_t j, std::size_t g, std::span<double> out) {
  const Shape& n = program_.shape();
  const Kernels kernels = program_.model->kernels(g);
  const auto accept = table(g);
  std::size_t left = 0;  // terms at this step or before
  std::size_t last = 0;
  for (const auto& [group, term] : terms_of_[j])
    if (group == g) {
      ++left;
      last = std::max(last, term->step);
    }
  if (left == 0) return;
  const std::span<double> q = std::span(work_.q).first(n.cells());
  const std::span<double> next = std::span(work_.v).first(n.states());  // what a state is worth at the step after
  for (std::size_t h = last + 1; h-- > 0;) {
    if (h == last)
      std::fill(q.begin(), q.end(), 0.0);
    else {
      deadline_.work(n.cells() * n.states());
      const KernelView kernel = kernels.at(h);
      for (std::size_t cell = 0; cell < n.cells(); ++cell) q[cell] = kernel.expect(cell, next.data());
    }
    for (const auto& [group, term] : terms_of_[j])
      if (group == g && term->step == h) {
        --left;
        std::transform(q.begin(), q.end(), term->weight.begin(), q.begin(), std::plus<>{});
      }
    double least = kInfinity, most = -kInfinity;
    for (std::size_t s = 0; s < n.states(); ++s) {
      const std::size_t at = h * n.features + s / kLabels;
      const double gain = q[2 * s + 1] - q[2 * s];
      out[at] += mass_[g][h * n.states() + s] * gain;
      next[s] = q[2 * s] + accept[at] * gain;
      least = std::min(least, next[s]);
      most = std::max(most, next[s]);
    }
    if (left == 0 && most - least <= kForgotten) return;
  }
}

void TableProgram::differentiate(std::span<double> gradient, std::span<double> jacobian) {
  const Shape& n = program_.shape();
  std::fill(gradient.begin(), gradient.end(), 0.0);
  if (goal_ == Goal::least_violation) {
    gradient[excess_] = 1;
  } else {
    const std::vector<double> none(program_.functionals, 0.0);
    for (std::size_t g = 0; g < n.groups; ++g) {
      price_rewards(program_, g, none, -1, work_.reward);
      add_gradient(program_, g, table(g), work_.reward, mass_[g], work_,
                   gradient.subspan(block_of_[g] * program_.table_size(), program_.table_size()), deadline_.at_work());
    }
    for (const PenaltyTerm& p : program_.penalties) {
      if (p.multiplied_out) {
        const double a = x_[f(p.first.numerator)], b = x_[f(*p.second.denominator)];
        const double c = x_[f(p.second.numerator)], d = x_[f(*p.first.denominator)];
        const double slope = 2 * p.weight * (a * b - c * d);
        gradient[f(p.first.numerator)] += slope * b;
        gradient[f(*p.second.denominator)] += slope * a;
        gradient[f(p.second.numerator)] -= slope * d;
        gradient[f(*p.first.denominator)] -= slope * c;
        continue;
      }
      const double slope = 2 * p.weight * (rate(p.first, x_) - rate(p.second, x_));
      for (const auto& [mean, sign] : {std::pair{&p.first, 1.0}, {&p.second, -1.0}}) {
        const double bottom = mean->denominator ? x_[f(*mean->denominator)] : 1.0;
        gradient[f(mean->numerator)] += sign * slope / bottom;
        if (mean->denominator) gradient[f(*mean->denominator)] -= sign * slope * rate(*mean, x_) / bottom;
      }
    }
  }
  std::size_t at = 0;
  for (std::size_t j = 0; j < program_.functionals; ++j) {
    std::size_t length = 0;
    for (const std::size_t steps : reach_[j]) length += steps * n.features;
    functional_gradient(j, jacobian.subspan(at, length));
    at += length;
    jacobian[at++] = -1;
  }
  for (const Row& row : rows_) {
    for (const auto& [mean, coefficient] : row.means) {
      const double bottom = mean.denominator ? x_[f(*mean.denominator)] : 1.0;
      jacobian[at++] = coefficient / bottom;
      if (mean.denominator) jacobian[at++] = -coefficient * rate(mean, x_) / bottom;
    }
    if (row.common) jacobian[at++] = -1;
    if (goal_ == Goal::least_violation) jacobian[at++] = -1;
  }
  for (std::size_t k = 0; k < program_.blocks.size() * rules_.size(); ++k) {
    jacobian[at++] = -1;
    jacobian[at++] = 1;
  }
}

Tables TableProgram::tables(std::span<const double> x) const {
  Tables result;
  for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
    const auto part = x.subspan(b * program_.table_size(), program_.table_size());
    result.emplace_back(part.begin(), part.end());
    for (std::size_t i = 0; i < part.size(); ++i)
      result[b][i] = std::clamp(part[i], program_.boxes[b].lo[i], program_.boxes[b].hi[i]);
    settle(program_, b, result[b]);
  }
  return result;
}

}  // namespace fairstep
