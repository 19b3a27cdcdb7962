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
    const auto known = kinds_.find(cell.kind);
    const Seen of_kind = known == kinds_.end() ? Seen{} : known->second;
    const double machine = all_.multiple(1, run);
    // However many runs of a kind there were: those of another population count no more than all that was seen.
    const double kind = of_kind.multiple(machine, run + of_kind.expected);
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
