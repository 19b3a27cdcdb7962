#include "lossy_log.hpp"

#include <span>

#include <fairstep/core/rng.hpp>
#include <fairstep/core/shape.hpp>

#include "support/counts.hpp"

namespace fairstep::testing {
namespace {

std::size_t draw(std::span<const double> row, double chance) {
  std::size_t s = 0;
  for (; s + 1 < row.size() && chance >= row[s]; ++s) chance -= row[s];
  return s;
}

/// Calls `charge(g, x, y, a)` for every cell that a lost row may be of.
template <class Charge>
void each_cell(const LogRow& row, Loss loss, const Shape& n, const Charge& charge) {
  for (std::size_t g = 0; g < n.groups; ++g) {
    if (loss == Loss::label && g != row.g) continue;
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          if (loss != Loss::row && (x != row.x || a != row.a)) continue;
          if (loss == Loss::group && y != row.y) continue;
          charge(g, x, y, a);
        }
  }
}

}  // namespace

std::vector<Person> draw_people(const Model& model, const Policy& policy, std::size_t people, std::uint64_t seed) {
  Rng rng(seed, 77);
  const Shape& n = model.shape();
  std::vector<Person> crowd;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t i = 0; i < people; ++i) {
      Person person;
      std::size_t s = draw(model.initial(g), rng.uniform());
      for (std::size_t h = 0; h < n.horizon; ++h) {
        const std::size_t x = s / kLabels, y = s % kLabels;
        const std::size_t a = rng.uniform() < policy.accept(g, h, x) ? 1 : 0;
        person.push_back({g, h, x, y, a, model.spec().reward(g, x, y, a)});
        s = draw(model.spec().transition.block(g, x, y, a), rng.uniform());
      }
      crowd.push_back(std::move(person));
    }
  return crowd;
}

Counts count(const Model& model, const std::vector<Person>& people, Loss (*adversary)(const LogRow&, double),
             std::uint64_t seed) {
  Rng rng(seed, 78);
  const Shape& n = model.shape();
  CountsSpec counts = CountsSpec::zeros(n.horizon, model.names(), model.periods());
  LogRecord& log = counts.log.emplace();
  log.columns = {{"reward", "reward"}};
  Lost& lost = log.lost.emplace(Lost::none(n));
  for (const Person& person : people) {
    std::vector<Loss> losses;
    for (const LogRow& row : person) losses.push_back(adversary(row, rng.uniform()));
    for (std::size_t i = 0; i < person.size(); ++i) {
      const auto& [g, h, x, y, a, reward] = person[i];
      const bool more = i + 1 < person.size();
      if (losses[i] == Loss::none) {
        ++counts.visits(g, h, x, y, a);
        counts.reward_sum(g, x, y, a) += reward;
        counts.reward_squares(g, x, y, a) += reward * reward;
        if (i == 0) ++counts.first(g, x, y);
        if (!more) continue;
        if (losses[i + 1] == Loss::none) {
          const std::size_t next = state_of(person[i + 1].x, person[i + 1].y);
          ++counts.kernel(g, counts.periods.of(h))[cell_of(x, y, a) * n.states() + next];
        } else {
          ++lost.transitions(g, x, y, a);
        }
        continue;
      }
      const auto of_group = [&](std::size_t other) { return losses[i] != Loss::label || other == g; };
      for (std::size_t other = 0; other < n.groups; ++other) {
        if (!of_group(other)) continue;
        ++lost.decisions(other, h);
        if (i == 0) ++lost.first(other);
      }
      each_cell(person[i], losses[i], n, [&](auto... cell) {
        ++lost.cells(cell...);
        if (more) ++lost.transitions(cell...);
      });
    }
  }
  counts.sum_over_periods();
  return made(std::move(counts));
}

}  // namespace fairstep::testing
