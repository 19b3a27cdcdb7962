#include <fairstep/ingest/count.hpp>

#include <fairstep/ingest/frame.hpp>
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

/// Through all rows once, and once more if labels are to be drawn by the shares of those that were seen.
Expected<CountedLog> count(const LogFiles& log, const CountOptions& options, const Engine& engine) {
  Plan plan = internal::plan_for(log.type, options);
  auto scanned = internal::scan(log, plan, engine.settings(), false);
  if (!scanned) return tl::unexpected(scanned.error());
  const auto censoring = internal::what_to_assume(scanned->tally, log, options);
  if (!censoring) return tl::unexpected(censoring.error());
  if (*censoring == Censoring::ignorable) {
    if (auto ok = internal::draw_labels(plan, scanned->tally, log); !ok) return tl::unexpected(ok.error());
    scanned = internal::scan(log, plan, engine.settings(), scanned->sorted);
    if (!scanned) return tl::unexpected(scanned.error());
  }
  return internal::result_of(*scanned, *censoring, log, options);
}

void name_as(const Names& names, std::size_t horizon, CountOptions& options) {
  options.groups = names.groups;
  if (options.bins.empty()) options.features = names.features;
  options.labels = names.labels;
  options.actions = names.actions;
  options.horizon = horizon;
  options.first_step = 0;
}

}  // namespace

void take_names(const Model& like, CountOptions& options) { name_as(like.names(), like.shape().horizon, options); }

void take_names(const Counts& like, CountOptions& options) {
  name_as(like.names(), like.horizon(), options);
  if (!like.log()) return;
  options.first_step = like.log()->first_step;
  if (options.bins.empty()) options.bins = like.log()->bins;
}

Expected<CountedLog> count_log(const std::vector<std::string>& files, const CountOptions& options) {
  const auto engine = Engine::make(options);
  if (!engine) return tl::unexpected(engine.error());
  if (files.empty()) return fail("there is no log to count");
  const auto log = [&]() -> Expected<LogFiles> {
    const auto database = Database::open(engine->settings());
    if (!database) return tl::unexpected(database.error());
    return internal::look_at(*database, files, options);
  }();
  if (!log) return tl::unexpected(log.error());
  return count(*log, options, *engine);
}

Expected<CountedLog> count_frame(const Frame& frame, const CountOptions& options) {
  const auto engine = Engine::make(options);
  if (!engine) return tl::unexpected(engine.error());
  const auto log = internal::look_at(frame.batches(), engine->settings(), options);
  if (!log) return tl::unexpected(log.error());
  return count(*log, options, *engine);
}

}  // namespace fairstep
