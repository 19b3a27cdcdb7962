#include <fairstep/ingest/count.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/ingest/frame.hpp>
#include <fairstep/ingest/internal/arrow.hpp>
#include <fairstep/ingest/internal/history.hpp>
#include <fairstep/ingest/internal/labels.hpp>
#include <fairstep/ingest/internal/scan.hpp>
#include <fairstep/ingest/internal/spill_folder.hpp>
#include <fairstep/ingest/internal/wire.hpp>
#include <fairstep/ingest/parts.hpp>

namespace fairstep {
namespace {

using internal::Database;
using internal::Labels;
using internal::LogFiles;
using internal::OpenLog;
using internal::Places;
using internal::Plan;
using internal::Role;
using internal::Scanned;
using internal::SpillFolder;
using internal::Tables;
using internal::Tally;

Expected<void> check_options(const CountOptions& options) {
  for (const auto& [role, column] : options.columns)
    if (std::find(internal::kRoleNames.begin(), internal::kRoleNames.end() - 1, role) == internal::kRoleNames.end() - 1)
      return fail(fmt::format("columns has \"{}\", expected one of {}", role,
                              fmt::join(internal::kRoleNames.begin(), internal::kRoleNames.end() - 1, ", ")));
  for (std::size_t i = 0; i < options.bins.size(); ++i)
    if (!std::isfinite(options.bins[i]) || (i > 0 && options.bins[i] <= options.bins[i - 1]))
      return fail(fmt::format("bins are {}, expected numbers that rise", fmt::join(options.bins, ",")));
  if (!options.bins.empty() && !options.features.empty() && options.features.size() != options.bins.size())
    return fail(fmt::format("there are {} bins and {} features, expected a name for each bin", options.bins.size(),
                            options.features.size()));
  for (const std::string& group : options.excluded_groups)
    if (std::find(options.groups.begin(), options.groups.end(), group) != options.groups.end())
      return fail(fmt::format("group {} is both among the groups and excluded", group));
  if (options.labels.size() != 2 || options.actions.size() != 2)
    return fail("labels and actions are two names each: of 0 and of 1");
  if (options.window && options.window->kind == CalendarUnit::Kind::days && options.window->days < 1)
    return fail(fmt::format("windows are {} days long, expected at least 1", options.window->days));
  return {};
}

/// `[0,12.5)`, and `[87.5,inf)` for the last.
std::vector<std::string> bin_names(const std::vector<double>& bins) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bins.size(); ++i)
    names.push_back(i + 1 < bins.size() ? fmt::format("[{},{})", bins[i], bins[i + 1])
                                        : fmt::format("[{},inf)", bins[i]));
  return names;
}

Plan plan_for(const LogFiles& log, const CountOptions& options) {
  Plan plan;
  plan.type = log.type;
  plan.bins = options.bins;
  plan.groups = options.groups;
  plan.excluded = options.excluded_groups;
  plan.features = !options.bins.empty() && options.features.empty() ? bin_names(options.bins) : options.features;
  std::copy_n(options.labels.begin(), 2, plan.labels.begin());
  std::copy_n(options.actions.begin(), 2, plan.actions.begin());
  plan.first_step = options.first_step;
  if (options.first_step && options.horizon) plan.horizon = static_cast<std::int64_t>(*options.horizon);
  plan.window = options.window;
  return plan;
}

/// Without a folder that was asked for there is no count; without the system's there is one as long as memory lasts.
Expected<SpillFolder> spill_folder_for(const CountOptions& options) {
  if (!options.temporary_directory.empty()) return SpillFolder::make(options.temporary_directory);
  std::error_code error;
  const std::filesystem::path usual = std::filesystem::temp_directory_path(error);
  if (error) return SpillFolder();
  auto made = SpillFolder::make(usual);
  return made ? std::move(made) : SpillFolder();
}

Database::Settings settings_for(const CountOptions& options, const SpillFolder& spills) {
  constexpr std::uint64_t for_a_thread = 40'000'000;  // with less for each, a sort runs out of memory
  const std::uint64_t threads = std::min<std::uint64_t>(options.threads, options.memory_bytes / for_a_thread);
  return {options.memory_bytes, static_cast<unsigned>(std::max<std::uint64_t>(1, threads)), spills.path()};
}

struct Pass {
  Scanned scanned;
  bool sorted = false;
};

/// One pass if the persons come in order, and otherwise another one in which the engine sorts.
Expected<Pass> scan(const LogFiles& log, const Plan& plan, const Database::Settings& settings, bool sorted) {
  if (!sorted) {
    const auto open = OpenLog::open(settings, log);
    if (!open) return tl::unexpected(open.error());
    auto scanned = internal::scan_in_order(open->database(), log, plan);
    if (!scanned) return tl::unexpected(scanned.error());
    if (!scanned->tally.disordered()) return Pass{std::move(*scanned), false};
  }
  const auto open = OpenLog::open(settings, log);
  if (!open) return tl::unexpected(open.error());
  auto scanned = internal::scan_sorted(open->database(), log, plan);
  if (!scanned) return tl::unexpected(scanned.error());
  return Pass{std::move(*scanned), true};
}

struct Steps {
  std::int64_t first = 0;
  std::size_t horizon = 0;
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
                                  fmt::format("say which step is the first: --first-step {}", steps.first)});
    return steps;
  }
  constexpr std::int64_t most = 100'000;
  if (seen > most)
    return tl::unexpected(
        Error{fmt::format("the steps go from {} to {}, expected at most {} of them", steps.first, *high, most),
              {},
              file,
              "is the column of steps the right one? --first-step and --horizon bound it"});
  steps.horizon = static_cast<std::size_t>(seen);
  return steps;
}

Counts counts_from(Tally& tally, const Names& names, const Steps& steps, const Places& places) {
  Counts counts = Counts::zeros(steps.horizon, names);
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

std::vector<Window> windows_of(const Tally& tally, Tables& tables, const Places& places) {
  std::vector<Window> windows;
  const std::size_t groups = places.group.size();
  for (const auto& [day, entries] : tables.windows()) {
    Window window;
    window.from = internal::date_text(day);
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

std::vector<Finding> findings_of(const Scanned& scanned, const LogFiles& log) {
  std::vector<Finding> findings;
  if (scanned.malformed.lines > 0)
    findings.push_back(
        {Anomaly::malformed, {}, scanned.malformed.lines, log.files[scanned.malformed.file], scanned.malformed.line});
  for (std::size_t anomaly = 0; anomaly < kAnomalies; ++anomaly)
    for (std::size_t role = 0; role < internal::kRoles; ++role) {
      const Tally::Found& found = scanned.tally.found(static_cast<Anomaly>(anomaly), static_cast<Role>(role));
      if (found.rows == 0) continue;
      findings.push_back({static_cast<Anomaly>(anomaly), internal::kRoleNames[role], found.rows,
                          log.files[internal::file_of(found.first)],
                          static_cast<std::int64_t>(internal::row_of(found.first)) + 1});
    }
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.anomaly, a.role) < std::pair(b.anomaly, b.role);
  });
  return findings;
}

/// An error if labels are missing and nobody said what to do.
Expected<Censoring> what_to_assume(Tally& tally, const LogFiles& log, const CountOptions& options) {
  const Labels labels = internal::labels_of(tally);
  if (!labels.missing()) return Censoring::none;
  if (!options.censoring || *options.censoring == Censoring::none)
    return tl::unexpected(
        internal::missing_labels(labels, log.column[static_cast<std::size_t>(Role::y)], log.files.front()));
  return *options.censoring;
}

/// Labels are to be drawn, by the shares of those that were seen.
Expected<void> draw_labels(Plan& plan, Tally& seen, const LogFiles& log) {
  auto shares = internal::label_shares(seen, log.files.front());
  if (!shares) return tl::unexpected(shares.error());
  plan.groups = seen.groups();
  plan.features = seen.features();
  plan.impute = std::move(*shares);
  return {};
}

/// What all rows together say.
Expected<CountedLog> counted(Pass& pass, Censoring censoring, const LogFiles& log, const CountOptions& options) {
  const std::vector<std::string>& files = log.files;
  Tally& tally = pass.scanned.tally;
  if (tally.steps().empty() || tally.people() == 0) {
    const std::vector<Finding> findings = findings_of(pass.scanned, log);
    return tl::unexpected(Error{
        tally.rows() == 0 ? "the log has no rows" : fmt::format("none of the {} rows can be counted", tally.rows()),
        {},
        files.front(),
        findings.empty()
            ? ""
            : fmt::format("the first trouble: {}{}{} in row {}", name_of(findings.front().anomaly),
                          findings.front().role.empty() ? "" : " ", findings.front().role, findings.front().row)});
  }
  const auto steps = steps_of(tally, options, files.front());
  if (!steps) return tl::unexpected(steps.error());

  Places places;
  Names names;
  names.labels = options.labels;
  names.actions = options.actions;
  const auto place = [](const std::vector<std::string>& seen, bool given, std::vector<std::string>& sorted) {
    std::vector<std::size_t> to(seen.size());
    std::iota(to.begin(), to.end(), std::size_t{0});
    if (!given) to = internal::places_in_order(seen);
    sorted.resize(seen.size());
    for (std::size_t i = 0; i < seen.size(); ++i) sorted[to[i]] = seen[i];
    return to;
  };
  places.group = place(tally.groups(), !options.groups.empty(), names.groups);
  places.feature = place(tally.features(), !options.features.empty() || !options.bins.empty(), names.features);
  for (const std::int64_t step : tally.steps()) places.step.push_back(static_cast<std::size_t>(step - steps->first));

  CountedLog result;
  result.people = tally.people();
  result.sorted = pass.sorted;
  result.lost_rows = tally.lost_rows();
  result.counts = counts_from(tally, names, *steps, places);
  result.counts.history = internal::history_of(tally, result.counts, steps->first, places);
  LogRecord record;
  record.files = files;
  for (std::size_t role = 0; role < internal::kRoles; ++role)
    if (!log.column[role].empty()) record.columns.emplace_back(internal::kRoleNames[role], log.column[role]);
  std::sort(record.columns.begin(), record.columns.end());
  record.bins = options.bins;
  record.first_step = steps->first;
  record.rows = tally.rows();
  record.findings = findings_of(pass.scanned, log);
  record.censoring = censoring;
  record.imputed = tally.imputed();
  record.lost = tally.ledger().charge(result.counts.shape(), places);
  // Nobody can be in doubt who is not counted.
  for (std::size_t g = 0; g < names.groups.size(); ++g)
    record.lost->first_in_doubt(g) = std::min(record.lost->first_in_doubt(g), result.counts.people(g));
  for (std::size_t i = 0; i < options.excluded_groups.size(); ++i)
    if (tally.excluded()[i] > 0) record.excluded.push_back({options.excluded_groups[i], tally.excluded()[i]});
  std::sort(record.excluded.begin(), record.excluded.end(),
            [](const Excluded& a, const Excluded& b) { return a.group < b.group; });
  record.unlabelled = unlabelled_of(tally, result.counts.shape(), places);
  if (options.window) {
    record.window = options.window->name();
    record.windows = windows_of(tally, tally.tables(), places);
  }
  result.counts.log = std::move(record);
  if (auto ok = check(result.counts); !ok) {
    Error error = ok.error();
    error.file = files.front();
    return tl::unexpected(std::move(error));
  }
  return result;
}

Expected<CountedLog> count(const LogFiles& log, const CountOptions& options, const Database::Settings& settings) {
  Plan plan = plan_for(log, options);
  auto pass = scan(log, plan, settings, false);
  if (!pass) return tl::unexpected(pass.error());
  const auto censoring = what_to_assume(pass->scanned.tally, log, options);
  if (!censoring) return tl::unexpected(censoring.error());
  if (*censoring == Censoring::ignorable) {
    if (auto ok = draw_labels(plan, pass->scanned.tally, log); !ok) return tl::unexpected(ok.error());
    auto again = scan(log, plan, settings, pass->sorted);
    if (!again) return tl::unexpected(again.error());
    pass = std::move(again);
  }
  return counted(*pass, *censoring, log, options);
}

// --- in parts --------------------------------------------------------------------------------------------------------

constexpr std::string_view kPartsBegin = "fairstep part 1";

LogFiles log_of(const PartedLog& parted) {
  LogFiles log;
  log.files = parted.files;
  for (const auto& [role, column] : parted.columns)
    for (std::size_t i = 0; i < internal::kRoles; ++i)
      if (role == internal::kRoleNames[i]) log.column[i] = column;
  return log;
}

/// All parts in one tally.
Expected<Pass> joined(const std::vector<std::string>& parts, const PartedLog& parted, const CountOptions& options) {
  if (auto ok = check_options(options); !ok) return tl::unexpected(ok.error());
  if (parted.files.empty()) return fail("there is no log to count");
  const LogFiles log = log_of(parted);
  Pass pass{Scanned{Tally(plan_for(log, options)), {}}, true};
  Tally& all = pass.scanned.tally;
  for (const std::string& bytes : parts) {
    internal::WireReader wire(bytes);
    std::string begin;
    Tally part(plan_for(log, options));
    wire(begin);
    if (begin == kPartsBegin) part.travel(wire);
    if (begin != kPartsBegin || !wire.complete()) return fail("this is no part of a log that this version has counted");
    all.absorb(part);
    if (!all.failure().empty()) return tl::unexpected(Error{all.failure(), {}, parted.files.front(), {}});
  }
  all.finish();
  pass.scanned.malformed = {parted.malformed.lines, parted.malformed.file, parted.malformed.line, false};
  all.lose_lines(parted.malformed.lines);
  return pass;
}

}  // namespace

Expected<std::string> count_part(const Frame& part, const CountOptions& options, const std::string& place,
                                 std::string_view shares) {
  if (auto ok = check_options(options); !ok) return tl::unexpected(ok.error());
  const auto spills = spill_folder_for(options);
  if (!spills) return tl::unexpected(spills.error());
  const Database::Settings settings = settings_for(options, *spills);
  auto log = internal::look_at(part.batches(), settings, options);
  if (!log) return tl::unexpected(log.error());
  log->place = place;
  Plan plan = plan_for(*log, options);
  if (!shares.empty()) {
    internal::WireReader wire(shares);
    std::vector<double> chances;
    wire(plan.groups, plan.features, chances);
    plan.impute = Tensor<double, 2>({plan.groups.size(), plan.features.size()});
    if (!wire.complete() || chances.size() != plan.impute.size()) return fail("these are no shares of labels");
    std::copy(chances.begin(), chances.end(), plan.impute.flat().begin());
  }
  auto pass = scan(*log, plan, settings, true);
  if (!pass) return tl::unexpected(pass.error());
  internal::WireWriter wire;
  std::string begin(kPartsBegin);
  wire(begin);
  pass->scanned.tally.travel(wire);
  return std::move(wire).bytes();
}

Expected<std::string> label_shares(const std::vector<std::string>& parts, const PartedLog& log,
                                   const CountOptions& options) {
  auto pass = joined(parts, log, options);
  if (!pass) return tl::unexpected(pass.error());
  const auto censoring = what_to_assume(pass->scanned.tally, log_of(log), options);
  if (!censoring) return tl::unexpected(censoring.error());
  if (*censoring != Censoring::ignorable) return std::string{};
  Plan plan;
  if (auto ok = draw_labels(plan, pass->scanned.tally, log_of(log)); !ok) return tl::unexpected(ok.error());
  std::vector<double> chances(plan.impute.flat().begin(), plan.impute.flat().end());
  internal::WireWriter wire;
  wire(plan.groups, plan.features, chances);
  return std::move(wire).bytes();
}

Expected<CountedLog> join_parts(const std::vector<std::string>& parts, const PartedLog& log,
                                const CountOptions& options) {
  auto pass = joined(parts, log, options);
  if (!pass) return tl::unexpected(pass.error());
  // Labels that were drawn are no longer missing.
  auto censoring = pass->scanned.tally.imputed() > 0 ? Expected<Censoring>(Censoring::ignorable)
                                                     : what_to_assume(pass->scanned.tally, log_of(log), options);
  if (!censoring) return tl::unexpected(censoring.error());
  return counted(*pass, *censoring, log_of(log), options);
}

Expected<CountedLog> count_log(const std::vector<std::string>& files, const CountOptions& options) {
  if (auto ok = check_options(options); !ok) return tl::unexpected(ok.error());
  if (files.empty()) return fail("there is no log to count");
  const auto spills = spill_folder_for(options);
  if (!spills) return tl::unexpected(spills.error());
  const Database::Settings settings = settings_for(options, *spills);
  const auto log = [&]() -> Expected<LogFiles> {
    const auto database = Database::open(settings);
    if (!database) return tl::unexpected(database.error());
    return internal::look_at(*database, files, options);
  }();
  if (!log) return tl::unexpected(log.error());
  return count(*log, options, settings);
}

Expected<Frame> Frame::take(ArrowArrayStream& stream) {
  auto batches = internal::Batches::take(stream);
  if (!batches) return tl::unexpected(batches.error());
  return Frame(std::move(*batches));
}

std::int64_t Frame::rows() const {
  std::int64_t rows = 0;
  for (const ArrowArray& array : batches_->arrays()) rows += array.length;
  return rows;
}

Expected<CountedLog> count_frame(const Frame& frame, const CountOptions& options) {
  if (auto ok = check_options(options); !ok) return tl::unexpected(ok.error());
  const auto spills = spill_folder_for(options);
  if (!spills) return tl::unexpected(spills.error());
  const Database::Settings settings = settings_for(options, *spills);
  const auto log = internal::look_at(frame.batches(), settings, options);
  if (!log) return tl::unexpected(log.error());
  return count(*log, options, settings);
}

}  // namespace fairstep
