#include <fairstep/ingest/count.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/ingest/frame.hpp>
#include <fairstep/ingest/internal/causes.hpp>
#include <fairstep/ingest/internal/engine.hpp>
#include <fairstep/ingest/internal/labels.hpp>
#include <fairstep/ingest/internal/look.hpp>
#include <fairstep/ingest/internal/plan.hpp>
#include <fairstep/ingest/internal/result.hpp>
#include <fairstep/ingest/internal/scan.hpp>

namespace fairstep {
namespace {

using internal::Database;
using internal::Engine;
using internal::LogFiles;
using internal::Plan;
using internal::Scanned;

/// Through all rows once, and once more if labels are to be drawn by the shares of those that were seen. One result for
/// each part of the people.
Expected<std::vector<CountedLog>> count(const LogFiles& log, const CountOptions& options, const Engine& engine,
                                        const std::optional<Split>& split = {}) {
  if (split)
    if (auto ok = check(*split); !ok) return tl::unexpected(ok.error());
  Plan plan = internal::plan_for(log.type, options, split);
  auto scanned = internal::scan(log, plan, engine.settings(), false);
  if (!scanned) return tl::unexpected(scanned.error());
  if (auto ok = internal::check_order(*scanned, log, options); !ok) return tl::unexpected(ok.error());
  const bool sorted = scanned->sorted;
  std::vector<Scanned> parts = internal::by_part(std::move(*scanned));
  if (auto ok = internal::check_usable(parts, log, options); !ok) return tl::unexpected(ok.error());
  const auto censoring = internal::what_to_assume(parts, log, options);
  if (!censoring) return tl::unexpected(censoring.error());
  const auto drawn = internal::draw_labels(plan, parts, *censoring, log);
  if (!drawn) return tl::unexpected(drawn.error());
  if (*drawn) {
    scanned = internal::scan(log, plan, engine.settings(), sorted);
    if (!scanned) return tl::unexpected(scanned.error());
    parts = internal::by_part(std::move(*scanned));
  }
  return internal::results_of(parts, *censoring, log, options, split);
}

void name_as(const Names& names, std::size_t horizon, CountOptions& options) {
  options.groups = names.groups;
  if (options.bins.empty()) options.features = names.features;
  options.labels = names.labels;
  options.actions = names.actions;
  options.horizon = horizon;
  options.first_step = 0;
  options.groups_may_be_empty = true;
}

Expected<CountedLog> all_of_it(Expected<std::vector<CountedLog>> counted) {
  if (!counted) return tl::unexpected(counted.error());
  return std::move(counted->front());
}

Expected<SplitLog> both_parts(Expected<std::vector<CountedLog>> counted) {
  if (!counted) return tl::unexpected(counted.error());
  return SplitLog{std::move(counted->front()), std::move(counted->back())};
}

Expected<std::vector<CountedLog>> count_files(const std::vector<std::string>& files, const CountOptions& options,
                                              const std::optional<Split>& split = {}) {
  const auto engine = Engine::make(options);
  if (!engine) return tl::unexpected(engine.error());
  if (files.empty()) return fail("there is no log to count");
  const auto log = [&]() -> Expected<LogFiles> {
    const auto database = Database::open(engine->settings());
    if (!database) return tl::unexpected(database.error());
    return internal::look_at(*database, files, options);
  }();
  if (!log) return tl::unexpected(log.error());
  return count(*log, options, *engine, split);
}

Expected<std::vector<CountedLog>> count_batches(const Frame& frame, const CountOptions& options,
                                                const std::optional<Split>& split = {}) {
  const auto engine = Engine::make(options);
  if (!engine) return tl::unexpected(engine.error());
  const auto log = internal::look_at(frame.batches(), engine->settings(), options);
  if (!log) return tl::unexpected(log.error());
  return count(*log, options, *engine, split);
}

}  // namespace

void take_names(const Model& like, CountOptions& options) { name_as(like.names(), like.shape().horizon, options); }

void take_names(const Counts& like, CountOptions& options) {
  name_as(like.names(), like.horizon(), options);
  if (!like.log()) return;
  options.first_step = like.log()->first_step;
  if (options.bins.empty()) options.bins = like.log()->bins;
}

Expected<void> add_bins(ColumnBins bins, CountOptions& options) {
  const std::string column = bins.column;
  const auto x = std::find_if(options.columns.begin(), options.columns.end(),
                              [](const auto& entry) { return entry.first == "x"; });
  const bool x_mapped = x != options.columns.end();
  const auto is_part_of = [&](const std::string& mapped) {
    return fmt::format("+{}+", mapped).find(fmt::format("+{}+", column)) != std::string::npos;
  };
  const bool named = column == "group" || std::any_of(options.columns.begin(), options.columns.end(),
                                                      [&](const auto& entry) { return is_part_of(entry.second); });
  const bool of_x =
      x_mapped ? x->second == column || (column == "x" && !is_part_of(x->second)) : column == "x" || !named;
  if (!of_x && !named)
    return fail_option("bins",
                       fmt::format(" is about the column {}, of which nothing is made: x is {}", column, x->second));
  if (!of_x) {
    options.shape.bins.push_back(std::move(bins));
    return {};
  }
  if (!options.bins.empty()) return fail_option("bins", " cuts x twice");
  options.bins = std::move(bins.edges);
  if (!x_mapped && column != "x") options.columns.emplace_back("x", column);
  return {};
}

Expected<CountedLog> count_log(const std::vector<std::string>& files, const CountOptions& options) {
  return all_of_it(count_files(files, options));
}

Expected<CountedLog> count_frame(const Frame& frame, const CountOptions& options) {
  return all_of_it(count_batches(frame, options));
}

Expected<SplitLog> split_log(const std::vector<std::string>& files, const Split& split, const CountOptions& options) {
  return both_parts(count_files(files, options, split));
}

Expected<SplitLog> split_frame(const Frame& frame, const Split& split, const CountOptions& options) {
  return both_parts(count_batches(frame, options, split));
}

}  // namespace fairstep
