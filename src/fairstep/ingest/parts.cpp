#include <fairstep/ingest/parts.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <fairstep/ingest/internal/blocks.hpp>
#include <fairstep/ingest/internal/causes.hpp>
#include <fairstep/ingest/internal/csv_shape.hpp>
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

/// What a part's bytes begin with: of which version, and how people are split.
std::string beginning(const std::optional<Split>& split) {
  return split ? fmt::format("fairstep part 5 split {} {}", split->share, split->seed) : "fairstep part 5";
}

LogFiles log_of(const PartedLog& parted, const CountOptions& options) {
  LogFiles log;
  log.files = parted.files;
  log.rows_of_one = options.shape.rows_of_one();
  for (const auto& [role, column] : parted.columns)
    for (std::size_t i = 0; i < internal::kRoles; ++i)
      if (role == internal::kRoleNames[i]) log.column[i] = column;
  return log;
}

/// All parts in one tally.
Expected<Scanned> joined(const std::vector<std::string>& parts, const PartedLog& parted, const CountOptions& options) {
  if (auto ok = internal::check_options(options); !ok) return tl::unexpected(ok.error());
  if (parted.split)
    if (auto ok = check(*parted.split); !ok) return tl::unexpected(ok.error());
  if (parted.files.empty()) return fail("there is no log to count");
  const Plan plan = internal::plan_for({}, options, parted.split);
  const std::string expected = beginning(parted.split);
  Scanned scanned{Tally(plan), {}, true};
  Tally& all = scanned.tally;
  for (const std::string& bytes : parts) {
    internal::WireReader wire(bytes);
    std::string begin;
    Tally part(plan);
    wire(begin);
    if (begin == expected) part.travel(wire);
    if (begin != expected || !wire.complete()) return fail("this is no part of a log that this version has counted");
    all.absorb(part);
    if (!all.failure().empty()) return tl::unexpected(Error{all.failure(), {}, parted.files.front(), {}});
  }
  all.finish();
  scanned.malformed = {parted.malformed.lines, parted.malformed.file, parted.malformed.line};
  all.lose_lines(parted.malformed.lines);
  if (auto ok = internal::check_order(scanned, log_of(parted, options), options); !ok)
    return tl::unexpected(ok.error());
  return scanned;
}

std::string bytes_of_shares(Plan& plan) {
  internal::WireWriter wire;
  wire(plan.groups, plan.features);
  for (const Tensor<double, 2>& impute : plan.impute) {
    std::vector<double> chances(impute.flat().begin(), impute.flat().end());
    wire(chances);
  }
  return std::move(wire).bytes();
}

Expected<void> take_shares(std::string_view bytes, Plan& plan) {
  internal::WireReader wire(bytes);
  wire(plan.groups, plan.features);
  bool fit = true;
  for (Tensor<double, 2>& impute : plan.impute) {
    std::vector<double> chances;
    wire(chances);
    if (chances.empty()) continue;  // nothing is drawn there
    impute = Tensor<double, 2>({plan.groups.size(), plan.features.size()});
    fit = fit && chances.size() == impute.size();
    if (fit) std::copy(chances.begin(), chances.end(), impute.flat().begin());
  }
  if (!wire.complete() || !fit) return fail("these are no shares of labels");
  return {};
}

/// Of each part of the people.
Expected<std::vector<CountedLog>> results(const std::vector<std::string>& parts, const PartedLog& log,
                                          const CountOptions& options) {
  auto scanned = joined(parts, log, options);
  if (!scanned) return tl::unexpected(scanned.error());
  std::vector<Scanned> people = internal::by_part(std::move(*scanned));
  if (auto ok = internal::check_usable(people, log_of(log, options), options); !ok) return tl::unexpected(ok.error());
  // Labels that were drawn are no longer missing.
  const bool drawn =
      std::any_of(people.begin(), people.end(), [](const Scanned& part) { return part.tally.imputed() > 0; });
  auto censoring = drawn ? std::vector<Censoring>() : internal::what_to_assume(people, log_of(log, options), options);
  if (!censoring) return tl::unexpected(censoring.error());
  if (drawn)
    for (const Scanned& part : people)
      censoring->push_back(part.tally.imputed() > 0 ? Censoring::ignorable : Censoring::none);
  return internal::results_of(people, *censoring, log_of(log, options), options, log.split);
}

}  // namespace

Expected<AskedColumns> asked_columns(const std::vector<std::string>& columns, const std::string& file,
                                     const CountOptions& options) {
  if (auto ok = internal::check_options(options); !ok) return tl::unexpected(ok.error());
  return internal::asked_of(columns, file, options);
}

Expected<char> delimiter_of(const std::string& file, Encoding encoding) {
  const auto kind = internal::kind_of(file);
  if (!kind) return tl::unexpected(kind.error());
  return internal::guess_delimiter(file, *kind, encoding);
}

Expected<std::string> count_part(const Frame& part, const CountOptions& options, const std::string& place,
                                 std::string_view shares, const std::optional<Split>& split) {
  if (split)
    if (auto ok = check(*split); !ok) return tl::unexpected(ok.error());
  const auto engine = internal::Engine::make(options);
  if (!engine) return tl::unexpected(engine.error());
  auto log = internal::look_at(part.batches(), engine->settings(), options);
  if (!log) return tl::unexpected(log.error());
  log->place = place;
  Plan plan = internal::plan_for(log->type, options, split);
  if (!shares.empty())
    if (auto ok = take_shares(shares, plan); !ok) return tl::unexpected(ok.error());
  auto scanned = internal::scan(*log, plan, engine->settings(), true);
  if (!scanned) return tl::unexpected(scanned.error());
  internal::WireWriter wire;
  std::string begin = beginning(split);
  wire(begin);
  scanned->tally.travel(wire);
  return std::move(wire).bytes();
}

Expected<std::string> label_shares(const std::vector<std::string>& parts, const PartedLog& log,
                                   const CountOptions& options) {
  auto scanned = joined(parts, log, options);
  if (!scanned) return tl::unexpected(scanned.error());
  std::vector<Scanned> people = internal::by_part(std::move(*scanned));
  if (auto ok = internal::check_usable(people, log_of(log, options), options); !ok) return tl::unexpected(ok.error());
  const auto censoring = internal::what_to_assume(people, log_of(log, options), options);
  if (!censoring) return tl::unexpected(censoring.error());
  Plan plan;
  plan.split = log.split;
  const auto drawn = internal::draw_labels(plan, people, *censoring, log_of(log, options));
  if (!drawn) return tl::unexpected(drawn.error());
  return *drawn ? bytes_of_shares(plan) : std::string{};
}

Expected<CountedLog> join_parts(const std::vector<std::string>& parts, const PartedLog& log,
                                const CountOptions& options) {
  if (log.split) return fail("the people of this log are split: it has two counts");
  auto counted = results(parts, log, options);
  if (!counted) return tl::unexpected(counted.error());
  return std::move(counted->front());
}

Expected<SplitLog> join_split_parts(const std::vector<std::string>& parts, const PartedLog& log,
                                    const CountOptions& options) {
  if (!log.split) return fail("the people of this log are not split: it has one count");
  auto counted = results(parts, log, options);
  if (!counted) return tl::unexpected(counted.error());
  return SplitLog{std::move(counted->front()), std::move(counted->back())};
}

}  // namespace fairstep
