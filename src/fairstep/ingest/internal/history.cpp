#include <fairstep/ingest/internal/history.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fairstep/core/axes.hpp>
#include <fairstep/ingest/internal/calendar.hpp>

namespace fairstep::internal {
namespace {

void fill_steps(Tally& tally, const Places& places, const CountsSpec& counts, History& history) {
  const Shape n = counts.shape();
  Tables& tables = tally.tables();
  history.departures = counts.visits;
  history.arrivals = Tensor<std::int64_t, 4>(extents_of(kArrivalAxes, n));
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t s = 0; s < n.states(); ++s)
        history.arrivals.block(g, h)[s] =
            counts.visits.block(g, h)[kActions * s] + counts.visits.block(g, h)[kActions * s + 1];
  for (std::size_t g = 0; g < tally.groups().size(); ++g)
    for (std::size_t x = 0; x < tally.features().size(); ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t h = 0; h < places.step.size(); ++h) {
          const std::size_t to_g = places.group[g];
          const std::size_t to_x = places.feature[x];
          history.arrivals(to_g, places.step[h], to_x, y) -= tables.entered(g, x, y, h);
          for (std::size_t a = 0; a < kActions; ++a)
            history.departures(to_g, places.step[h], to_x, y, a) -= tables.ended(tables.cell(g, x, y, a), h);
        }
}

void fill_pairs(Tally& tally, const Places& places, const Shape& n, History& history) {
  const Tables& tables = tally.tables();
  history.pairs = Tensor<std::int64_t, 7>(extents_of(kPairAxes, n));
  history.after_pairs = Tensor<std::int64_t, 6>(extents_of(kAfterPairAxes, n));
  history.unseen = Tensor<std::int64_t, 5>(extents_of(kUnseenAxes, n));
  const std::size_t features = tally.features().size();
  for (std::size_t g = 0; g < tally.groups().size(); ++g)
    for (std::size_t cell = 0; cell < features * kLabels * kActions; ++cell) {
      const auto [x, y, a] = std::array{cell / (kLabels * kActions), cell / kActions % kLabels, cell % kActions};
      const std::size_t from = tables.cell(g, x, y, a);
      const std::size_t to_g = places.group[g];
      const std::size_t to_x = places.feature[x];
      for (std::size_t k = 0; k < kClassesBefore; ++k) history.unseen(to_g, k, to_x, y, a) = tables.unseen(from, k);
      for (std::size_t x1 = 0; x1 < features; ++x1)
        for (std::size_t y1 = 0; y1 < kLabels; ++y1) {
          history.after_pairs(to_g, to_x, y, a, places.feature[x1], y1) = tables.after_pairs(from, x1, y1);
          for (std::size_t a1 = 0; a1 < kActions; ++a1)
            history.pairs(to_g, to_x, y, a, places.feature[x1], y1, a1) =
                tables.pairs(from, tables.cell(g, x1, y1, a1));
        }
    }
}

void fill_windows(Tally& tally, const Places& places, const Shape& n, History& history) {
  const Tables& tables = tally.tables();
  for (const auto& [day, moves] : tables.window_moves()) {
    History::Window window;
    window.from = date_text(day);
    window.departures = Tensor<std::int64_t, 4>(extents_of(kCellAxes, n));
    window.arrivals = Tensor<std::int64_t, 3>(extents_of(kWindowArrivalAxes, n));
    for (std::size_t g = 0; g < tally.groups().size(); ++g)
      for (std::size_t x = 0; x < tally.features().size(); ++x)
        for (std::size_t y = 0; y < kLabels; ++y) {
          const std::size_t state = tables.cell(g, x, y, 0) / kActions;
          window.arrivals(places.group[g], places.feature[x], y) = moves.arrivals[state];
          for (std::size_t a = 0; a < kActions; ++a)
            window.departures(places.group[g], places.feature[x], y, a) = moves.departures[kActions * state + a];
        }
    history.windows.push_back(std::move(window));
  }
}

}  // namespace

History history_of(Tally& tally, const CountsSpec& counts, std::int64_t first_step, const Places& places) {
  const Shape n = counts.shape();
  History history;
  // A horizon that was given may end after the highest step that occurs: then those had a next step too.
  tally.tables().raise_top(first_step + static_cast<std::int64_t>(n.horizon) - 1);
  if (History::keeps_steps(n)) fill_steps(tally, places, counts, history);
  if (History::keeps_pairs(n) && tally.tables().pairs_kept()) fill_pairs(tally, places, n, history);
  const std::size_t windows = tally.tables().window_moves().size();
  if (windows <= History::kMostEntries / std::max<std::size_t>(n.groups * n.cells(), 1))
    fill_windows(tally, places, n, history);
  return history;
}

}  // namespace fairstep::internal
