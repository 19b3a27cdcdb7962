// Tables step by step: what has been settled up to a step either cannot earn enough any more, or goes on.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fairstep/prove/derive.hpp>

namespace fairstep::prove {

using rigorous::up;

std::optional<bool> Derivation::settle(std::size_t block, const Left& left, const Bounds& box, Real enough,
                                       std::size_t beginnings) const {
  const Shape& n = model_.shape();
  const std::vector<std::size_t>& groups = blocks_[block];
  std::vector<Beliefs::Values> values;
  static_cast<void>(remembering(block, left, box, values));
  /// Up to a step all is settled: where people are then, and what was earned.
  struct Beginning {
    std::vector<std::vector<Interval>> mass{};  // [group of the block][x,y]
    Real earned = 0;
  };
  std::vector<Beginning> now(1), next;
  for (const std::size_t g : groups) {
    now[0].mass.emplace_back();
    for (const double m : model_.initial(g)) now[0].mass.back().emplace_back(m);
  }
  for (std::size_t h = 0; h < n.horizon; ++h) {
    const bool last = h + 1 == n.horizon;
    next.clear();
    for (const Beginning& from : now) {
      // What either end of an entry earns and leads to, and what it promises: that and all that memory makes of it.
      struct Choice {
        std::vector<std::vector<Interval>> mass{};
        Real earned = 0, promised = 0;
      };
      std::vector<std::vector<Choice>> choices(n.features);
      std::vector<Real> open(n.features + 1, 0);  // what the entries from there on promise at the most
      for (std::size_t x = 0; x < n.features; ++x) {
        const double ends[2] = {box.lo[h * n.features + x], box.hi[h * n.features + x]};
        for (std::size_t end = 0; end < (ends[0] == ends[1] ? 1U : 2U); ++end) {
          Choice choice;
          for (std::size_t k = 0; k < groups.size(); ++k) {
            std::vector<Interval> moved(last ? 0 : n.states());
            for (std::size_t y = 0; y < kLabels; ++y)
              for (std::size_t a = 0; a < kActions; ++a) {
                const std::size_t cell = cell_of(x, y, a);
                const Interval p(ends[end]);
                const Interval mass = from.mass[k][state_of(x, y)] * (a == 1 ? p : Interval(1) - p);
                if (mass.high <= 0) continue;
                choice.earned = up(choice.earned + (mass * left.pay[groups[k]][h * n.cells() + cell]).high);
                if (last) continue;
                const double* row = model_.kernel(groups[k], h).row(cell);
                for (std::size_t s = 0; s < n.states(); ++s)
                  if (row[s] != 0) moved[s] = moved[s] + mass * Interval(row[s]);
              }
            for (std::size_t x1 = 0; x1 < n.features && !last; ++x1)
              choice.promised =
                  up(choice.promised +
                     beliefs_[groups[k]].worth(values[k], h + 1, x1, moved[state_of(x1, 0)], moved[state_of(x1, 1)]));
            choice.mass.push_back(std::move(moved));
          }
          choice.promised = up(choice.promised + choice.earned);
          choices[x].push_back(std::move(choice));
        }
      }
      for (std::size_t x = n.features; x-- > 0;) {
        Real most = choices[x][0].promised;
        if (choices[x].size() > 1) most = std::max(most, choices[x][1].promised);
        open[x] = up(open[x + 1] + most);
      }
      bool too_many = false, more = false;
      const auto choose = [&](const auto& self, std::size_t x, Real promised, Beginning so_far) -> void {
        if (too_many || more || up(promised + open[x]) <= enough) return;
        if (x < n.features) {
          for (const Choice& choice : choices[x]) {
            Beginning longer = so_far;
            longer.earned = up(longer.earned + choice.earned);
            for (std::size_t k = 0; k < groups.size(); ++k)
              for (std::size_t s = 0; s < longer.mass[k].size(); ++s)
                longer.mass[k][s] = longer.mass[k][s] + choice.mass[k][s];
            self(self, x + 1, up(promised + choice.promised), std::move(longer));
          }
          return;
        }
        if (beginnings-- == 0) {
          too_many = true;
          return;
        }
        if (last) {
          more = !(so_far.earned <= enough);
          return;
        }
        Real bound = so_far.earned;
        for (std::size_t k = 0; k < groups.size(); ++k)
          for (std::size_t x1 = 0; x1 < n.features; ++x1)
            bound = up(bound + beliefs_[groups[k]].worth(values[k], h + 1, x1, so_far.mass[k][state_of(x1, 0)],
                                                         so_far.mass[k][state_of(x1, 1)]));
        if (!(bound <= enough)) next.push_back(std::move(so_far));
      };
      Beginning none{{}, from.earned};
      for (std::size_t k = 0; k < groups.size(); ++k) none.mass.emplace_back(last ? 0 : n.states());
      choose(choose, 0, from.earned, std::move(none));
      if (more) return false;
      if (too_many) return std::nullopt;
    }
    std::swap(now, next);
  }
  return true;
}

}  // namespace fairstep::prove
