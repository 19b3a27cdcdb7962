#include <fairstep/diagnose/questions.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include <fairstep/core/history.hpp>
#include <fairstep/core/shape.hpp>

namespace fairstep {
namespace {

/// Previous decisions are classes of their own up to so many cells, and above that by label and action only.
constexpr std::size_t kMostCellsBefore = 64;

/// Next states are told apart up to so many, and above that neighbours are taken together.
constexpr std::size_t kMostOutcomes = 32;

/// Which outcome a next state is.
class Outcomes {
 public:
  explicit Outcomes(const Shape& shape) : states_(shape.states()), number_(std::min(states_, kMostOutcomes)) {}

  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] std::size_t of(std::size_t state) const { return state * number_ / states_; }

 private:
  std::size_t states_, number_;
};

std::int64_t sum_of(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

void put(std::vector<Strata::Share>& shares, std::size_t number, std::int64_t people) {
  if (people > 0) shares.emplace_back(number, people);
}

/// Rows are cells, of each period, and outcomes next states; their strata are still to be said.
Strata by_row(const Counts& counts, std::size_t g, std::size_t strata) {
  const Shape n = counts.shape();
  Strata result;
  result.rows.resize(n.periods * n.cells());
  const Outcomes outcomes(n);
  result.outcomes = outcomes.number();
  result.seen.resize(strata * result.outcomes);
  for (std::size_t k = 0; k < n.periods; ++k)
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      std::vector<std::int64_t> people(result.outcomes);
      for (std::size_t s = 0; s < n.states(); ++s) people[outcomes.of(s)] += counts.kernel(g, k)[cell * n.states() + s];
      for (std::size_t o = 0; o < people.size(); ++o) put(result.rows[k * n.cells() + cell].outcomes, o, people[o]);
    }
  return result;
}

/// What tables over all steps cannot tell from a kernel that changes.
Expected<void> need_one_kernel(const Counts& counts) {
  if (counts.periods().pooled()) return {};
  return fail("it takes one kernel for all steps, and these counts have one for each period");
}

Expected<Strata> by_step(const Counts& counts, std::size_t g) {
  const Shape n = counts.shape();
  if (n.horizon < 3) return fail("it takes transitions at two steps, and there are only two steps in all");
  if (!counts.history() || counts.history()->departures.empty())
    return fail("these counts do not say at which step a next state was seen");
  const History& history = *counts.history();
  Strata result = by_row(counts, g, n.horizon - 1);
  for (std::size_t h = 0; h + 1 < n.horizon; ++h) {
    for (std::size_t cell = 0; cell < n.cells(); ++cell)
      put(result.rows[counts.periods().of(h) * n.cells() + cell].strata, h, history.departures.block(g, h)[cell]);
    for (std::size_t s = 0; s < n.states(); ++s)
      result.seen[h * result.outcomes + Outcomes(n).of(s)] += history.arrivals.block(g, h + 1)[s];
  }
  return result;
}

Expected<Strata> by_window(const Counts& counts, std::size_t g) {
  const Shape n = counts.shape();
  if (!counts.history() || counts.history()->windows.empty()) return fail("these counts have no calendar windows");
  if (auto ok = need_one_kernel(counts); !ok) return tl::unexpected(ok.error());
  const std::vector<History::Window>& windows = counts.history()->windows;
  Strata result = by_row(counts, g, windows.size());
  for (std::size_t w = 0; w < windows.size(); ++w) {
    for (std::size_t cell = 0; cell < n.cells(); ++cell)
      put(result.rows[cell].strata, w, windows[w].departures.block(g)[cell]);
    for (std::size_t s = 0; s < n.states(); ++s)
      result.seen[w * result.outcomes + Outcomes(n).of(s)] += windows[w].arrivals.block(g)[s];
  }
  return result;
}

/// Rows are step and feature, strata step and label, outcomes the decisions.
Expected<Strata> by_label(const Counts& counts, std::size_t g) {
  const Shape n = counts.shape();
  Strata result;
  result.rows.resize(n.horizon * n.features);
  result.outcomes = kActions;
  result.seen.resize(n.horizon * kLabels * kActions);
  for (std::size_t h = 0; h < n.horizon; ++h)
    for (std::size_t x = 0; x < n.features; ++x) {
      Strata::Row& row = result.rows[h * n.features + x];
      std::array<std::int64_t, kActions> decided{};
      for (std::size_t y = 0; y < kLabels; ++y) {
        const std::size_t stratum = h * kLabels + y;
        put(row.strata, stratum, counts.visits()(g, h, x, y, 0) + counts.visits()(g, h, x, y, 1));
        for (std::size_t a = 0; a < kActions; ++a) {
          decided[a] += counts.visits()(g, h, x, y, a);
          result.seen[stratum * kActions + a] += counts.visits()(g, h, x, y, a);
        }
      }
      for (std::size_t a = 0; a < kActions; ++a) put(row.outcomes, a, decided[a]);
    }
  return result;
}

Expected<const History*> with_pairs(const Counts& counts) {
  if (counts.horizon() < 3) return fail("it takes three steps in a row, and there are fewer in all");
  if (!counts.history() || counts.history()->pairs.empty())
    return fail("these counts do not say which decision came before which");
  return &*counts.history();
}

/// Rows are cells, strata the classes of the decision before, outcomes whether the next state was seen.
Expected<Strata> by_leaving(const Counts& counts, std::size_t g) {
  const auto history = with_pairs(counts);
  if (!history) return tl::unexpected(history.error());
  const Shape n = counts.shape();
  Strata result;
  result.rows.resize(n.cells());
  result.outcomes = 2;
  result.seen.resize(kClassesBefore * 2);
  for (std::size_t cell = 0; cell < n.cells(); ++cell) {
    std::array<std::int64_t, kClassesBefore> seen{};
    seen[0] = sum_of(counts.transitions().block(g).subspan(cell * n.states(), n.states()));
    for (std::size_t before = 0; before < n.cells(); ++before) {
      const std::int64_t pairs = (*history)->pairs.block(g)[before * n.cells() + cell];
      seen[class_before(before / kActions % kLabels, before % kActions)] += pairs;
      seen[0] -= pairs;
    }
    std::array<std::int64_t, 2> all{};
    for (std::size_t k = 0; k < kClassesBefore; ++k) {
      const std::array<std::int64_t, 2> here{(*history)->unseen.block(g, k)[cell], seen[k]};
      put(result.rows[cell].strata, k, here[0] + here[1]);
      for (std::size_t o = 0; o < 2; ++o) {
        all[o] += here[o];
        result.seen[k * 2 + o] += here[o];
      }
    }
    for (std::size_t o = 0; o < 2; ++o) put(result.rows[cell].outcomes, o, all[o]);
  }
  return result;
}

/// Rows are cells, strata the decisions before (0 if none was seen), outcomes next states.
Expected<Strata> by_decision_before(const Counts& counts, std::size_t g) {
  const auto history = with_pairs(counts);
  if (!history) return tl::unexpected(history.error());
  if (auto ok = need_one_kernel(counts); !ok) return tl::unexpected(ok.error());
  const Shape n = counts.shape();
  const bool each = n.cells() <= kMostCellsBefore;
  const auto stratum_of = [&](std::size_t before) {
    return each ? 1 + before : class_before(before / kActions % kLabels, before % kActions);
  };
  Strata result = by_row(counts, g, each ? 1 + n.cells() : kClassesBefore);
  const std::size_t strata = result.strata();
  for (std::size_t cell = 0; cell < n.cells(); ++cell) {
    std::vector<std::int64_t> people(strata);
    people[0] = sum_of(counts.transitions().block(g).subspan(cell * n.states(), n.states()));
    for (std::size_t before = 0; before < n.cells(); ++before) {
      const std::int64_t pairs = (*history)->pairs.block(g)[before * n.cells() + cell];
      people[stratum_of(before)] += pairs;
      people[0] -= pairs;
    }
    for (std::size_t k = 0; k < strata; ++k) put(result.rows[cell].strata, k, people[k]);
  }
  const Outcomes outcomes(n);
  for (std::size_t s = 0; s < n.states(); ++s) {
    const std::size_t o = outcomes.of(s);
    for (std::size_t cell = 0; cell < n.cells(); ++cell)
      result.seen[o] += counts.transitions().block(g)[cell * n.states() + s];
    for (std::size_t before = 0; before < n.cells(); ++before) {
      const std::int64_t after = (*history)->after_pairs.block(g)[before * n.states() + s];
      result.seen[stratum_of(before) * result.outcomes + o] += after;
      result.seen[o] -= after;
    }
  }
  return result;
}

/// Rows are features of states that were come to, strata the cells they were come from (the last one: first states),
/// outcomes their labels.
Expected<Strata> by_cell_before(const Counts& counts, std::size_t g) {
  const Shape n = counts.shape();
  Strata result;
  result.rows.resize(n.features);
  result.outcomes = kLabels;
  result.seen.resize((n.cells() + 1) * kLabels);
  for (std::size_t x = 0; x < n.features; ++x) {
    std::array<std::int64_t, kLabels> all{};
    for (std::size_t cell = 0; cell <= n.cells(); ++cell) {
      std::int64_t people = 0;
      for (std::size_t y = 0; y < kLabels; ++y) {
        const std::int64_t here = cell < n.cells() ? counts.transitions().block(g)[cell * n.states() + state_of(x, y)]
                                                   : counts.first()(g, x, y);
        people += here;
        all[y] += here;
        result.seen[cell * kLabels + y] += here;
      }
      put(result.rows[x].strata, cell, people);
    }
    for (std::size_t y = 0; y < kLabels; ++y) put(result.rows[x].outcomes, y, all[y]);
  }
  return result;
}

}  // namespace

Expected<Strata> strata_of(Question question, const Counts& counts, std::size_t g) {
  switch (question) {
    case Question::steps:
      return by_step(counts, g);
    case Question::windows:
      return by_window(counts, g);
    case Question::decisions:
      return by_label(counts, g);
    case Question::leaving:
      return by_leaving(counts, g);
    case Question::before:
      return by_decision_before(counts, g);
    case Question::labels:
      break;
  }
  return by_cell_before(counts, g);
}

EffectSize effect_of(Question question, const Counts& counts) {
  if (question == Question::steps) return {EffectSize::Sum::over_strata, 1};
  if (question == Question::decisions || question == Question::labels) return {EffectSize::Sum::mean, 1};
  // A row that is off by so much at each of the steps before the last: Lemma B of docs/guarantees.md.
  return {EffectSize::Sum::mean, static_cast<double>(counts.horizon() - 1)};
}

}  // namespace fairstep
