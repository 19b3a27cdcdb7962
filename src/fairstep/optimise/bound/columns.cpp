#include <fairstep/optimise/bound/columns.hpp>

#include <algorithm>
#include <utility>

namespace fairstep {

Columns::Columns(const Program& program, Master& master, Deadline deadline)
    : program_(program),
      master_(master),
      deadline_(std::move(deadline)),
      boxes_(program.boxes),
      work_(program.shape()) {}

bool Columns::inside(std::size_t block, std::span<const double> accept) const {
  const Box& box = boxes_[block];
  for (std::size_t i = 0; i < accept.size(); ++i)
    if (accept[i] < box.lo[i] || accept[i] > box.hi[i]) return false;
  return true;
}

bool Columns::at_ends(std::size_t block, std::span<const double> accept) const {
  const Box& box = program_.boxes[block];
  for (std::size_t i = 0; i < accept.size(); ++i)
    if (accept[i] != box.lo[i] && accept[i] != box.hi[i]) return false;
  return true;
}

void Columns::add(std::size_t block, std::span<const double> accept) {
  if (!inside(block, accept)) return;
  Column column{block, {accept.begin(), accept.end()}, effect_of(program_, block, accept, work_, deadline_.at_work())};
  master_.add_column(block, column.effect);
  columns_.push_back(std::move(column));
}

bool Columns::has_one_inside(std::size_t block) const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [&](const Column& column) { return column.block == block && inside(block, column.accept); });
}

void Columns::set_boxes(std::vector<Box> boxes) {
  boxes_ = std::move(boxes);
  for (std::size_t i = 0; i < columns_.size(); ++i)
    master_.set_column_open(i, inside(columns_[i].block, columns_[i].accept));
}

void Columns::forget(double worth) {
  if (!master_.has_point()) return;
  std::vector<bool> out(columns_.size(), false);
  std::vector<Column> kept;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    double reduced = master_.price_of_value() * column.effect.value + master_.price_of_block(column.block);
    for (std::size_t j = 0; j < program_.functionals; ++j)
      reduced += master_.price_of_functional(j) * column.effect.functional[j];
    out[i] = reduced > worth && master_.use_of(i) <= 0;
    if (!out[i]) kept.push_back(std::move(column));
  }
  if (kept.size() < columns_.size()) master_.remove_columns(out);
  columns_ = std::move(kept);
}

std::vector<std::vector<double>> Columns::in_use(std::size_t block) const {
  std::vector<std::vector<double>> tables;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].block == block && master_.use_of(i) > 1e-9) tables.push_back(columns_[i].accept);
  return tables;
}

std::vector<Ticket> Columns::lottery() const {
  std::vector<Ticket> tickets;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    tickets.push_back({columns_[i].block, master_.use_of(i), columns_[i].accept});
  return tickets;
}

Tables Columns::average() const {
  if (master_.has_point()) return average_of(program_, lottery());
  Tables middle;
  for (const Box& box : boxes_) {
    middle.emplace_back(box.lo);
    for (std::size_t i = 0; i < box.lo.size(); ++i) middle.back()[i] = 0.5 * (box.lo[i] + box.hi[i]);
  }
  return middle;
}

Dispute Columns::most_disputed() const { return fairstep::most_disputed(program_, boxes_, average(), lottery()); }

Candidate Columns::best_combination(double tolerance, const Deadline& deadline) const {
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
        for (std::size_t j = 0; j < program_.functionals && master_.has_prices(); ++j)
          worth -= master_.price_of_functional(j) * column.effect.functional[j];
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

}  // namespace fairstep
