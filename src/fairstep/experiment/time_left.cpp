#include <fairstep/experiment/internal/time_left.hpp>

#include <numeric>
#include <utility>

namespace fairstep::internal {

std::size_t TimeLeft::add(std::string kind, std::vector<double> expected, std::size_t repeats) {
  Cell cell;
  cell.kind = std::move(kind);
  cell.left.assign(expected.size(), repeats);
  cell.old.assign(expected.size(), 0);
  cell.seen.resize(expected.size());
  cell.expected = std::move(expected);
  cells_.push_back(std::move(cell));
  return cells_.size() - 1;
}

void TimeLeft::done(std::size_t cell, std::size_t update, double seconds) {
  Cell& of = cells_[cell];
  if (of.left[update] == 0) return;
  --of.left[update];
  for (Seen* seen : {&all_, &kinds_[of.kind], &of.all, &of.seen[update]}) {
    seen->seconds += seconds;
    seen->expected += of.expected[update];
  }
}

void TimeLeft::found(std::size_t cell, std::size_t update) {
  Cell& of = cells_[cell];
  if (of.left[update] == 0) return;
  --of.left[update];
  ++of.old[update];
}

double TimeLeft::cost_of(const std::vector<std::size_t> Cell::* count) const {
  double sum = 0;
  for (const Cell& cell : cells_) {
    const double run = std::accumulate(cell.expected.begin(), cell.expected.end(), 0.0);
    if (run <= 0) continue;
    const double each = run / static_cast<double>(cell.expected.size());
    const auto known = kinds_.find(cell.kind);
    // Machines differ by more than kinds, kinds by more than cells: a piece tells of the machine, a run of its kind.
    const double machine = all_.multiple(1, each);
    const double kind = known == kinds_.end() ? machine : known->second.multiple(machine, run);
    const double own = cell.all.multiple(kind, run / 2);
    for (std::size_t l = 0; l < cell.expected.size(); ++l)
      if (const std::size_t pieces = (cell.*count)[l]; pieces > 0)
        sum += static_cast<double>(pieces) * cell.expected[l] * cell.seen[l].multiple(own, cell.expected[l]);
  }
  return sum;
}

double TimeLeft::seconds() const { return cost_of(&Cell::left); }

double TimeLeft::share() const {
  const double before = all_.seconds + cost_of(&Cell::old), whole = before + seconds();
  return whole > 0 ? before / whole : 0;
}

}  // namespace fairstep::internal
