#include <fairstep/ingest/parts.hpp>

#include <algorithm>
#include <utility>

#include <fairstep/ingest/internal/engine.hpp>
#include <fairstep/ingest/internal/labels.hpp>
#include <fairstep/ingest/internal/look.hpp>
#include <fairstep/ingest/internal/plan.hpp>
#include <fairstep/ingest/internal/result.hpp>
#include <fairstep/ingest/internal/scan.hpp>
#include <fairstep/ingest/internal/wire.hpp>

namespace fairstep {
namespace {

using internal::LogFiles;
using internal::Plan;
using internal::Scanned;
using internal::Tally;

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
Expected<Scanned> joined(const std::vector<std::string>& parts, const PartedLog& parted, const CountOptions& options) {
  if (auto ok = internal::check_options(options); !ok) return tl::unexpected(ok.error());
  if (parted.files.empty()) return fail("there is no log to count");
  const Plan plan = internal::plan_for({}, options);
  Scanned scanned{Tally(plan), {}, true};
  Tally& all = scanned.tally;
  for (const std::string& bytes : parts) {
    internal::WireReader wire(bytes);
    std::string begin;
    Tally part(plan);
    wire(begin);
    if (begin == kPartsBegin) part.travel(wire);
    if (begin != kPartsBegin || !wire.complete()) return fail("this is no part of a log that this version has counted");
    all.absorb(part);
    if (!all.failure().empty()) return tl::unexpected(Error{all.failure(), {}, parted.files.front(), {}});
  }
  all.finish();
  scanned.malformed = {parted.malformed.lines, parted.malformed.file, parted.malformed.line, false};
  all.lose_lines(parted.malformed.lines);
  return scanned;
}

std::string bytes_of_shares(Plan& plan) {
  std::vector<double> chances(plan.impute.flat().begin(), plan.impute.flat().end());
  internal::WireWriter wire;
  wire(plan.groups, plan.features, chances);
  return std::move(wire).bytes();
}

Expected<void> take_shares(std::string_view bytes, Plan& plan) {
  internal::WireReader wire(bytes);
  std::vector<double> chances;
  wire(plan.groups, plan.features, chances);
  plan.impute = Tensor<double, 2>({plan.groups.size(), plan.features.size()});
  if (!wire.complete() || chances.size() != plan.impute.size()) return fail("these are no shares of labels");
  std::copy(chances.begin(), chances.end(), plan.impute.flat().begin());
  return {};
}

}  // namespace

Expected<std::string> count_part(const Frame& part, const CountOptions& options, const std::string& place,
                                 std::string_view shares) {
  const auto engine = internal::Engine::make(options);
  if (!engine) return tl::unexpected(engine.error());
  auto log = internal::look_at(part.batches(), engine->settings(), options);
  if (!log) return tl::unexpected(log.error());
  log->place = place;
  Plan plan = internal::plan_for(log->type, options);
  if (!shares.empty())
    if (auto ok = take_shares(shares, plan); !ok) return tl::unexpected(ok.error());
  auto scanned = internal::scan(*log, plan, engine->settings(), true);
  if (!scanned) return tl::unexpected(scanned.error());
  internal::WireWriter wire;
  std::string begin(kPartsBegin);
  wire(begin);
  scanned->tally.travel(wire);
  return std::move(wire).bytes();
}

Expected<std::string> label_shares(const std::vector<std::string>& parts, const PartedLog& log,
                                   const CountOptions& options) {
  auto scanned = joined(parts, log, options);
  if (!scanned) return tl::unexpected(scanned.error());
  const auto censoring = internal::what_to_assume(scanned->tally, log_of(log), options);
  if (!censoring) return tl::unexpected(censoring.error());
  if (*censoring != Censoring::ignorable) return std::string{};
  Plan plan;
  if (auto ok = internal::draw_labels(plan, scanned->tally, log_of(log)); !ok) return tl::unexpected(ok.error());
  return bytes_of_shares(plan);
}

Expected<CountedLog> join_parts(const std::vector<std::string>& parts, const PartedLog& log,
                                const CountOptions& options) {
  auto scanned = joined(parts, log, options);
  if (!scanned) return tl::unexpected(scanned.error());
  // Labels that were drawn are no longer missing.
  const auto censoring = scanned->tally.imputed() > 0 ? Expected<Censoring>(Censoring::ignorable)
                                                      : internal::what_to_assume(scanned->tally, log_of(log), options);
  if (!censoring) return tl::unexpected(censoring.error());
  return internal::result_of(*scanned, *censoring, log_of(log), options);
}

}  // namespace fairstep
