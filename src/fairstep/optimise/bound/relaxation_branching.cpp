// Where to branch, and what the last solution of the master says about tables.
#include <algorithm>
#include <cmath>

#include <fairstep/evaluate/passes.hpp>
#include <fairstep/optimise/bound/relaxation.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

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

Candidate Relaxation::best_combination(double tolerance, const Deadline& deadline) const {
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
        deadline.work(column.accept.size() + program_.functionals);
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
    deadline.work(8 * f.size() * program_.blocks.size());
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
