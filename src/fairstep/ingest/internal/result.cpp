#include <fairstep/ingest/internal/result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/split.hpp>
#include <fairstep/ingest/internal/calendar.hpp>
#include <fairstep/ingest/internal/causes.hpp>
#include <fairstep/ingest/internal/history.hpp>

namespace fairstep::internal {
namespace {

/// The steps of the counts, in the numbers of the log.
struct Steps {
  std::int64_t first = 0;
  std::size_t horizon = 0;
};

/// What the axes of the counts are, and where on them each number of the tally is.
struct Layout {
  Names names{};
  Steps steps{};
  Places places{};
  Periods periods{};
};

Expected<Steps> steps_of(const Tally& tally, const CountOptions& options, const std::string& file) {
  const auto [low, high] = std::minmax_element(tally.steps().begin(), tally.steps().end());
  Steps steps;
  steps.first = options.first_step ? *options.first_step : *low;
  const std::int64_t seen = *high - steps.first + 1;
  if (options.horizon) {
    steps.horizon = *options.horizon;
    if (seen > static_cast<std::int64_t>(steps.horizon))
      return tl::unexpected(Error{fmt::format("the steps go from {} to {}, which is more than the horizon of {}",
                                              steps.first, *high, steps.horizon),
                                  {},
                                  file,
                                  "say which step is the first: " + option("first_step", steps.first)});
    return steps;
  }
  constexpr std::int64_t most = 100'000;
  if (seen > most)
    return tl::unexpected(
        Error{fmt::format("the steps go from {} to {}, expected at most {} of them", steps.first, *high, most),
              {},
              file,
              fmt::format("is the column of steps the right one? {} and {} bound it", option("first_step"),
                          option("horizon"))});
  steps.horizon = static_cast<std::size_t>(seen);
  return steps;
}

/// The place of each name: as it came if the names were `given`, and sorted otherwise.
std::vector<std::size_t> place_names(const std::vector<std::string>& seen, bool given, bool in_parts,
                                     std::vector<std::string>& in_order) {
  std::vector<std::size_t> places(seen.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (!given) places = in_parts ? places_in_order_of_parts(seen) : places_in_order(seen);
  in_order.resize(seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) in_order[places[i]] = seen[i];
  return places;
}

Layout layout_of(const Tally& tally, const Steps& steps, const LogFiles& log, const CountOptions& options) {
  const auto in_parts = [&](Role role) {
    return !options.shape.bins.empty() || log.column[static_cast<std::size_t>(role)].find('+') != std::string::npos;
  };
  Layout layout;
  layout.steps = steps;
  layout.names.labels = options.labels;
  layout.names.actions = options.actions;
  layout.places.group =
      place_names(tally.groups(), !options.groups.empty(), in_parts(Role::group), layout.names.groups);
  layout.places.feature = place_names(tally.features(), !options.features.empty() || !options.bins.empty(),
                                      in_parts(Role::x), layout.names.features);
  for (const std::int64_t step : tally.steps())
    layout.places.step.push_back(static_cast<std::size_t>(step - steps.first));
  return layout;
}

/// Those by step of one of the tally's cells, each in its period.
void add_by_period(Tally& tally, std::size_t cell, std::size_t to_g, std::size_t to_cell, const Places& places,
                   CountsSpec& counts) {
  const std::size_t states = counts.shape().states();
  for (std::size_t h = 0; h < places.step.size(); ++h) {
    const auto row = counts.kernel(to_g, counts.periods.of(places.step[h])).subspan(to_cell * states, states);
    for (std::size_t x1 = 0; x1 < tally.features().size(); ++x1)
      for (std::size_t y1 = 0; y1 < kLabels; ++y1)
        row[state_of(places.feature[x1], y1)] += tally.tables().move_at(cell, h, x1, y1);
  }
}

CountsSpec counts_from(Tally& tally, const Layout& layout) {
  const Places& places = layout.places;
  CountsSpec counts = CountsSpec::zeros(layout.steps.horizon, layout.names, layout.periods);
  Tables& tables = tally.tables();
  for (std::size_t g = 0; g < tally.groups().size(); ++g)
    for (std::size_t x = 0; x < tally.features().size(); ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        const std::size_t to_g = places.group[g];
        const std::size_t to_x = places.feature[x];
        counts.first(to_g, to_x, y) = tables.first(g, x, y);
        for (std::size_t a = 0; a < kActions; ++a) {
          const std::size_t cell = tables.cell(g, x, y, a);
          for (std::size_t h = 0; h < places.step.size(); ++h)
            counts.visits(to_g, places.step[h], to_x, y, a) = tables.visits(cell, h);
          for (std::size_t x1 = 0; x1 < tally.features().size(); ++x1)
            for (std::size_t y1 = 0; y1 < kLabels; ++y1)
              counts.transitions(to_g, to_x, y, a, places.feature[x1], y1) = tables.transitions(cell, x1, y1);
          if (!counts.periods.pooled()) add_by_period(tally, cell, to_g, cell_of(to_x, y, a), places, counts);
          counts.reward_sum(to_g, to_x, y, a) = tables.reward(cell).sum();
          counts.reward_squares(to_g, to_x, y, a) = tables.reward(cell).squares();
        }
      }
  return counts;
}

Tensor<std::int64_t, 4> unlabelled_of(Tally& tally, const Shape& shape, const Places& places) {
  Tensor<std::int64_t, 4> table({shape.groups, shape.horizon, shape.features, kActions});
  for (std::size_t g = 0; g < tally.groups().size(); ++g)
    for (std::size_t x = 0; x < tally.features().size(); ++x)
      for (std::size_t a = 0; a < kActions; ++a)
        for (std::size_t h = 0; h < places.step.size(); ++h)
          table(places.group[g], places.step[h], places.feature[x], a) = tally.tables().unlabelled(g, x, a, h);
  const auto entries = table.flat();
  return std::all_of(entries.begin(), entries.end(), [](std::int64_t n) { return n == 0; }) ? Tensor<std::int64_t, 4>{}
                                                                                            : table;
}

/// Lost are rows that lack more than a label.
UnlabelledRows unlabelled_rows_of(Tally& tally, const CountsSpec& counts, const Places& places) {
  const Shape n = counts.shape();
  UnlabelledRows rows = UnlabelledRows::zeros(n);
  for (std::size_t g = 0; g < tally.groups().size(); ++g)
    for (std::size_t x = 0; x < tally.features().size(); ++x) {
      const std::size_t to_g = places.group[g];
      const std::size_t to_x = places.feature[x];
      rows.first(to_g, to_x) = tally.tables().unlabelled_first(g, x);
      for (std::size_t a = 0; a < kActions; ++a)
        for (std::size_t x1 = 0; x1 < tally.features().size(); ++x1)
          rows.transitions(to_g, to_x, a, places.feature[x1]) = tally.tables().unlabelled_moves(g, x, a, x1);
    }
  FeatureLost& lost = rows.lost.emplace(tally.ledger().charge_features(n, places));
  for (std::size_t g = 0; g < n.groups; ++g) {
    const auto first = rows.first.block(g);
    const std::int64_t people = std::accumulate(first.begin(), first.end(), counts.people(g));
    lost.first_in_doubt(g) = std::min(lost.first_in_doubt(g), people);
  }
  return rows;
}

std::vector<Window> windows_of(Tally& tally, const Places& places) {
  std::vector<Window> windows;
  const std::size_t groups = places.group.size();
  for (const auto& [day, entries] : tally.tables().windows()) {
    Window window;
    window.from = date_text(day);
    window.decisions = Tensor<std::int64_t, 3>({groups, kLabels, kActions});
    window.unlabelled = Tensor<std::int64_t, 2>({groups, kActions});
    for (std::size_t g = 0; g < std::min(tally.groups().size(), entries.size() / 6); ++g)
      for (std::size_t a = 0; a < kActions; ++a) {
        for (std::size_t y = 0; y < kLabels; ++y)
          window.decisions(places.group[g], y, a) = entries[(g * 3 + y) * kActions + a];
        window.unlabelled(places.group[g], a) = entries[(g * 3 + Tables::kUnlabelled) * kActions + a];
      }
    windows.push_back(std::move(window));
  }
  return windows;
}

std::vector<Excluded> excluded_of(const Tally& tally, const CountOptions& options) {
  std::vector<Excluded> excluded;
  for (std::size_t i = 0; i < options.excluded_groups.size(); ++i)
    if (tally.excluded()[i] > 0) excluded.push_back({options.excluded_groups[i], tally.excluded()[i]});
  std::sort(excluded.begin(), excluded.end(), [](const Excluded& a, const Excluded& b) { return a.group < b.group; });
  return excluded;
}

Lost lost_of(const Tally& tally, const CountsSpec& counts, const Places& places) {
  Lost lost = tally.ledger().charge(counts.shape(), places);
  // Nobody can be in doubt who is not counted.
  for (std::size_t g = 0; g < counts.names.groups.size(); ++g)
    lost.first_in_doubt(g) = std::min(lost.first_in_doubt(g), counts.people(g));
  return lost;
}

LogRecord record_of(Scanned& scanned, const CountsSpec& counts, const Layout& layout, const LogFiles& log,
                    const CountOptions& options) {
  Tally& tally = scanned.tally;
  LogRecord record;
  record.files = log.files;
  for (std::size_t role = 0; role < kRoles; ++role)
    if (!log.column[role].empty()) record.columns.emplace_back(kRoleNames[role], log.column[role]);
  std::sort(record.columns.begin(), record.columns.end());
  record.bins = options.bins;
  record.shape = options.shape;
  record.first_step = layout.steps.first;
  record.rows = tally.rows();
  record.findings = findings_of(scanned, log);
  record.imputed = tally.imputed();
  record.lost = lost_of(tally, counts, layout.places);
  record.excluded = excluded_of(tally, options);
  record.unlabelled = unlabelled_of(tally, counts.shape(), layout.places);
  if (!record.unlabelled.empty()) record.unlabelled_rows = unlabelled_rows_of(tally, counts, layout.places);
  if (options.window) {
    record.window = options.window->name();
    record.windows = windows_of(tally, layout.places);
  }
  return record;
}

Error about_log(Error error, const LogFiles& log) {
  error.file = log.files.front();
  return error;
}

Error nothing_to_count(std::int64_t rows, const std::vector<Cause>& causes, const LogFiles& log) {
  if (rows == 0) return {"the log has no rows", {}, log.files.front(), {}};
  if (causes.empty()) return {fmt::format("none of the {} rows can be counted", rows), {}, log.files.front(), {}};
  std::vector<std::string> why;
  for (const Cause& cause : causes)
    if (is_loss(cause.found) || why.empty()) why.push_back(in_words(cause));
  const Finding& first = causes.front().found;
  const std::string place =
      fmt::format("the first is in {} {}", first.anomaly == Anomaly::malformed ? "line" : "row", first.row);
  return {fmt::format("none of the {} rows can be counted: {}", rows, fmt::join(why, "; ")),
          {},
          log.files.front(),
          causes.front().mend.empty() ? place : causes.front().mend};
}

}  // namespace

namespace {

Expected<CountedLog> result_of(Scanned& scanned, Censoring censoring, std::vector<Cause> causes, const LogFiles& log,
                               const CountOptions& options) {
  Tally& tally = scanned.tally;
  if (options.stop.stop_requested()) return stopped_after(tally.taken());
  if (tally.steps().empty() || tally.people() == 0) return tl::unexpected(nothing_to_count(tally.taken(), causes, log));
  const auto steps = steps_of(tally, options, log.files.front());
  if (!steps) return tl::unexpected(steps.error());
  Layout layout = layout_of(tally, *steps, log, options);
  auto periods = options.kernel.of({layout.names.groups.size(), layout.steps.horizon, layout.names.features.size()});
  if (!periods) return tl::unexpected(periods.error());
  layout.periods = std::move(*periods);

  CountsSpec spec = counts_from(tally, layout);
  spec.history = history_of(tally, spec, steps->first, layout.places);
  spec.log = record_of(scanned, spec, layout, log, options);
  spec.log->censoring = censoring;
  auto counts = Counts::make(std::move(spec));
  if (!counts) return tl::unexpected(about_log(counts.error(), log));
  return CountedLog{std::move(*counts), tally.people(), tally.lost_rows(), log.delimiter,
                    log.encoding,       scanned.sorted, std::move(causes), lost_groups_of(tally)};
}

}  // namespace

Expected<std::vector<CountedLog>> results_of(std::vector<Scanned>& parts, const std::vector<Censoring>& censoring,
                                             const LogFiles& log, const CountOptions& options,
                                             const std::optional<Split>& split) {
  const auto is_empty = [](const Scanned& part) { return part.tally.people() == 0; };
  const bool nobody = std::all_of(parts.begin(), parts.end(), is_empty);
  std::vector<CountedLog> results;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (split && !nobody && is_empty(parts[i]))
      return tl::unexpected(about_log(nobody_in_part(all_of<PartRole>()[i]).value(), log));
    auto result = result_of(parts[i], censoring[i], causes_of(parts, i, log, options), log, options);
    if (!result) return tl::unexpected(result.error());
    results.push_back(std::move(*result));
  }
  if (split)
    if (auto ok = mark_parts(*split, results[0].counts, results[1].counts); !ok)
      return tl::unexpected(about_log(ok.error(), log));
  return results;
}

}  // namespace fairstep::internal
