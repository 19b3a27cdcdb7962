#include <fairstep/core/history.hpp>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/shared/add.hpp>
#include <fairstep/core/shared/checks.hpp>

namespace fairstep {
namespace {

using internal::Field;

template <std::size_t Rank>
Expected<void> check_history_table(const Field& field, const Tensor<std::int64_t, Rank>& tensor,
                                   const Layout<Rank>& axes, const Shape& shape) {
  if (auto ok = internal::check_extents(field, tensor, axes, shape); !ok) return ok;
  return internal::check_entries(field, tensor, axes, std::int64_t{0}, std::numeric_limits<std::int64_t>::max(),
                                 "a count of 0 or more");
}

/// Sums that wrap are as good as any other to be compared: equal sums are equal.
std::uint64_t total(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0},
                         [](std::uint64_t sum, std::int64_t n) { return sum + static_cast<std::uint64_t>(n); });
}

tl::unexpected<Error> does_not_add_up(const std::string& key, const std::string& found, std::uint64_t is,
                                      const std::string& expected, std::uint64_t should_be) {
  return fail(fmt::format("history.{} adds up to {}{}, expected {} ({})", key, is, found, should_be, expected),
              "/history/" + key);
}

std::string in_cell(const CountsSpec& counts, std::size_t g, std::size_t cell) {
  return fmt::format(" in group {}, x={},y={},a={}", counts.names.groups[g], cell / (kLabels * kActions),
                     cell / kActions % kLabels, cell % kActions);
}

/// What left each cell and what came to each state, as the transitions have it.
Expected<void> check_flow(const CountsSpec& counts, const std::string& key, std::size_t g,
                          const std::vector<std::uint64_t>& left, const std::vector<std::uint64_t>& came) {
  const Shape n = counts.shape();
  for (std::size_t cell = 0; cell < n.cells(); ++cell) {
    const std::uint64_t seen = total(counts.transitions.block(g).subspan(cell * n.states(), n.states()));
    if (left[cell] != seen) return does_not_add_up(key, in_cell(counts, g, cell), left[cell], "its transitions", seen);
  }
  for (std::size_t s = 0; s < n.states(); ++s) {
    std::uint64_t seen = 0;
    for (std::size_t cell = 0; cell < n.cells(); ++cell)
      seen += static_cast<std::uint64_t>(counts.transitions.block(g)[cell * n.states() + s]);
    if (came[s] != seen)
      return does_not_add_up(
          key, fmt::format(" next states x={},y={} of group {}", s / kLabels, s % kLabels, counts.names.groups[g]),
          came[s], "its transitions", seen);
  }
  return {};
}

void add_block(std::vector<std::uint64_t>& to, std::span<const std::int64_t> from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += static_cast<std::uint64_t>(from[i]);
}

Expected<void> check_steps(const History& history, const CountsSpec& counts) {
  const Shape n = counts.shape();
  const std::vector<std::string>& groups = counts.names.groups;
  if (auto ok = check_history_table({"history", "departures", groups}, history.departures, kVisitsAxes, n); !ok)
    return ok;
  if (auto ok = check_history_table({"history", "arrivals", groups}, history.arrivals, kArrivalAxes, n); !ok) return ok;
  for (std::size_t g = 0; g < n.groups; ++g) {
    std::vector<std::uint64_t> left(n.cells());
    std::vector<std::uint64_t> came(n.states());
    for (std::size_t h = 0; h < n.horizon; ++h) {
      const auto departed = history.departures.block(g, h);
      for (std::size_t cell = 0; cell < n.cells(); ++cell)
        if (departed[cell] > counts.visits.block(g, h)[cell])
          return fail(fmt::format("history.departures of step {}{} are {}, expected at most the {} visits", h,
                                  in_cell(counts, g, cell), departed[cell], counts.visits.block(g, h)[cell]),
                      fmt::format("/history/departures/{}/{}", g, h));
      add_block(left, departed);
      add_block(came, history.arrivals.block(g, h));
      // Whoever departs arrives one step later, and nobody departs from the last step or arrives at the first.
      const std::uint64_t arrived = h + 1 < n.horizon ? total(history.arrivals.block(g, h + 1)) : 0;
      if (total(departed) != arrived || (h == 0 && total(history.arrivals.block(g, h)) != 0))
        return does_not_add_up("departures", fmt::format(" at step {} in group {}", h, groups[g]), total(departed),
                               "the arrivals one step later; none arrives at step 0", arrived);
    }
    if (auto ok = check_flow(counts, "departures", g, left, came); !ok) return ok;
  }
  return {};
}

Expected<void> check_pairs(const History& history, const CountsSpec& counts) {
  const Shape n = counts.shape();
  const std::vector<std::string>& groups = counts.names.groups;
  if (auto ok = check_history_table({"history", "pairs", groups}, history.pairs, kPairAxes, n); !ok) return ok;
  if (auto ok = check_history_table({"history", "after_pairs", groups}, history.after_pairs, kAfterPairAxes, n); !ok)
    return ok;
  if (auto ok = check_history_table({"history", "unseen", groups}, history.unseen, kUnseenAxes, n); !ok) return ok;
  for (std::size_t g = 0; g < n.groups; ++g) {
    std::vector<std::uint64_t> departed(n.cells());
    for (std::size_t c0 = 0; c0 < n.cells(); ++c0) {
      const auto pairs = history.pairs.block(g).subspan(c0 * n.cells(), n.cells());
      const std::uint64_t after = total(history.after_pairs.block(g).subspan(c0 * n.states(), n.states()));
      add_block(departed, pairs);
      if (total(pairs) != after)
        return does_not_add_up("pairs", in_cell(counts, g, c0), total(pairs), "history.after_pairs", after);
    }
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      const std::uint64_t seen = total(counts.transitions.block(g).subspan(cell * n.states(), n.states()));
      if (departed[cell] > seen)
        return does_not_add_up("pairs", fmt::format(" decisions{}", in_cell(counts, g, cell)), departed[cell],
                               "at most its transitions", seen);
      std::uint64_t decided = 0;
      std::uint64_t unseen = 0;
      for (std::size_t h = 0; h + 1 < n.horizon; ++h)
        decided += static_cast<std::uint64_t>(counts.visits.block(g, h)[cell]);
      for (std::size_t k = 0; k < kClassesBefore; ++k)
        unseen += static_cast<std::uint64_t>(history.unseen.block(g, k)[cell]);
      if (unseen != decided - seen)
        return does_not_add_up("unseen", in_cell(counts, g, cell), unseen,
                               "visits before the last step, less transitions", decided - seen);
    }
  }
  return {};
}

Expected<void> check_windows(const History& history, const CountsSpec& counts) {
  const Shape n = counts.shape();
  const std::vector<std::string>& groups = counts.names.groups;
  for (std::size_t w = 0; w < history.windows.size(); ++w) {
    const History::Window& window = history.windows[w];
    const std::string name = fmt::format("windows/{}", w);
    if (w > 0 && window.from <= history.windows[w - 1].from)
      return fail(fmt::format("history.windows[{}] is from {}, expected a day after {}", w, window.from,
                              history.windows[w - 1].from),
                  "/history/" + name);
    if (auto ok = check_history_table({"history", name, groups}, window.departures, kCellAxes, n); !ok) return ok;
    if (auto ok = check_history_table({"history", name, groups}, window.arrivals, kWindowArrivalAxes, n); !ok)
      return ok;
    for (std::size_t g = 0; g < n.groups; ++g)
      if (total(window.departures.block(g)) != total(window.arrivals.block(g)))
        return does_not_add_up(name, fmt::format(" departures of group {}", groups[g]),
                               total(window.departures.block(g)), "as many arrivals", total(window.arrivals.block(g)));
  }
  for (std::size_t g = 0; g < n.groups; ++g) {
    std::vector<std::uint64_t> left(n.cells());
    std::vector<std::uint64_t> came(n.states());
    for (const History::Window& window : history.windows) {
      add_block(left, window.departures.block(g));
      add_block(came, window.arrivals.block(g));
    }
    if (auto ok = check_flow(counts, "windows", g, left, came); !ok) return ok;
  }
  return {};
}

/// Empty if one of the two is; false if a sum overflows.
template <std::size_t Rank>
bool join(Tensor<std::int64_t, Rank>& to, const Tensor<std::int64_t, Rank>& from) {
  if (to.extents() != from.extents()) {
    to = {};
    return true;
  }
  return internal::add_to(to, from);
}

bool join_windows(std::vector<History::Window>& to, const std::vector<History::Window>& from) {
  if (to.empty() || from.empty()) {
    to.clear();
    return true;
  }
  for (const History::Window& window : from) {
    const auto place =
        std::lower_bound(to.begin(), to.end(), window, [](const auto& a, const auto& b) { return a.from < b.from; });
    if (place == to.end() || place->from != window.from)
      to.insert(place, window);
    else if (!join(place->departures, window.departures) || !join(place->arrivals, window.arrivals))
      return false;
  }
  return true;
}

}  // namespace

bool History::keeps_steps(const Shape& shape) {
  return shape.groups * shape.cells() <= kMostEntries / std::max<std::size_t>(shape.horizon, 1);
}

bool History::keeps_pairs(const Shape& shape) {
  return shape.cells() <= kMostEntries / std::max<std::size_t>(shape.groups * shape.cells(), 1);
}

Expected<void> check(const History& history, const CountsSpec& counts) {
  if (history.departures.empty() != history.arrivals.empty())
    return fail("history has one of departures and arrivals, expected both or neither", "/history");
  if (history.pairs.empty() != history.after_pairs.empty() || history.pairs.empty() != history.unseen.empty())
    return fail("history has some of pairs, after_pairs and unseen, expected all or none", "/history");
  if (!history.departures.empty())
    if (auto ok = check_steps(history, counts); !ok) return ok;
  if (!history.pairs.empty())
    if (auto ok = check_pairs(history, counts); !ok) return ok;
  if (!history.windows.empty()) return check_windows(history, counts);
  return {};
}

std::optional<History> merge(const History& ours, const History& theirs) {
  History both = ours;
  if (join(both.departures, theirs.departures) && join(both.arrivals, theirs.arrivals) &&
      join(both.pairs, theirs.pairs) && join(both.after_pairs, theirs.after_pairs) &&
      join(both.unseen, theirs.unseen) && join_windows(both.windows, theirs.windows))
    return both;
  return std::nullopt;
}

HistoryCounter::HistoryCounter(const Shape& shape) : shape_(shape) {
  if (History::keeps_steps(shape)) {
    history_.departures = Tensor<std::int64_t, 5>(extents_of(kVisitsAxes, shape));
    history_.arrivals = Tensor<std::int64_t, 4>(extents_of(kArrivalAxes, shape));
  }
  if (History::keeps_pairs(shape)) {
    history_.pairs = Tensor<std::int64_t, 7>(extents_of(kPairAxes, shape));
    history_.after_pairs = Tensor<std::int64_t, 6>(extents_of(kAfterPairAxes, shape));
    history_.unseen = Tensor<std::int64_t, 5>(extents_of(kUnseenAxes, shape));
  }
}

void HistoryCounter::end_here() {
  const auto& [now, before] = before_;
  if (known_ == 0 || now.h + 1 == shape_.horizon || history_.unseen.empty()) return;
  ++history_.unseen(now.g, known_ == 2 ? class_before(before.y, before.a) : 0, now.x, now.y, now.a);
}

void HistoryCounter::add(const Decision& decision, bool goes_on) {
  if (goes_on) {
    const auto& [now, before] = before_;
    if (!history_.departures.empty()) {
      ++history_.departures(now.g, now.h, now.x, now.y, now.a);
      ++history_.arrivals(decision.g, decision.h, decision.x, decision.y);
    }
    if (!history_.pairs.empty() && known_ == 2) {
      ++history_.pairs(now.g, before.x, before.y, before.a, now.x, now.y, now.a);
      ++history_.after_pairs(now.g, before.x, before.y, before.a, decision.x, decision.y);
    }
    known_ = 2;
  } else {
    end_here();
    known_ = 1;
  }
  before_ = {decision, before_[0]};
}

History HistoryCounter::finish() {
  end_here();
  known_ = 0;
  return std::move(history_);
}

}  // namespace fairstep
