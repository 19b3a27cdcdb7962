#include <fairstep/ingest/internal/scan.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <fairstep/ingest/internal/shaping.hpp>

namespace fairstep::internal {
namespace {

// Rows of Parquet know their place, so several threads may tally at once.

/// What the threads of one query share.
struct Shared {
  const Plan& plan;
  std::unique_ptr<Tally> result{};
  std::atomic<bool> disordered = false;
  std::atomic<std::int64_t> rows = 0;
  std::mutex mutex{};
  std::string failure{};
  std::optional<std::uint64_t> failed_at{};

  void stop_for(const Tally& tally) {
    disordered = disordered || tally.disordered();
    const std::scoped_lock lock(mutex);
    if (!failure.empty()) return;
    failure = tally.failure();
    failed_at = tally.failed_at();
  }
};

/// DuckDB keeps the states of an aggregate in memory of its own; ours hold a tally each.
struct State {
  Tally* tally;
};

Shared& shared_of(duckdb_function_info info) {
  return *static_cast<Shared*>(duckdb_aggregate_function_get_extra_info(info));
}

idx_t state_size(duckdb_function_info /*info*/) { return sizeof(State); }

void state_init(duckdb_function_info /*info*/, duckdb_aggregate_state state) {
  reinterpret_cast<State*>(state)->tally = nullptr;
}

void state_update(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_aggregate_state* states) try {
  const std::size_t rows = duckdb_data_chunk_get_size(chunk);
  if (rows == 0) return;
  Shared& shared = shared_of(info);
  if (shared.disordered) return duckdb_aggregate_function_set_error(info, "stopped");
  State& state = *reinterpret_cast<State*>(states[0]);  // no GROUP BY: one state for all
  if (state.tally == nullptr) state.tally = std::make_unique<Tally>(shared.plan).release();
  std::vector<RawColumn> columns = columns_of(chunk);
  const auto* places = columns.front().as<std::int64_t>();
  const auto place = static_cast<std::uint64_t>(places[0]);
  columns.erase(columns.begin());
  if (static_cast<std::uint64_t>(places[rows - 1]) != place + rows - 1) {
    shared.disordered = true;
    return duckdb_aggregate_function_set_error(info, "stopped");
  }
  shared.rows += static_cast<std::int64_t>(rows);
  if (state.tally->take(columns, rows, place)) return;
  shared.stop_for(*state.tally);
  duckdb_aggregate_function_set_error(info, "stopped");
} catch (const std::exception& exception) {
  duckdb_aggregate_function_set_error(info, exception.what());
}

void state_combine(duckdb_function_info info, duckdb_aggregate_state* sources, duckdb_aggregate_state* targets,
                   idx_t count) try {
  for (idx_t i = 0; i < count; ++i) {
    State& from = *reinterpret_cast<State*>(sources[i]);
    State& to = *reinterpret_cast<State*>(targets[i]);
    if (from.tally == nullptr) continue;
    if (to.tally == nullptr)
      std::swap(from.tally, to.tally);
    else
      to.tally->absorb(*from.tally);
    if (!to.tally->failure().empty()) shared_of(info).stop_for(*to.tally);
  }
} catch (const std::exception& exception) {
  duckdb_aggregate_function_set_error(info, exception.what());
}

void state_finalize(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result, idx_t count,
                    idx_t offset) {
  auto* values = static_cast<std::int64_t*>(duckdb_vector_get_data(result));
  for (idx_t i = 0; i < count; ++i) {
    State& state = *reinterpret_cast<State*>(states[i]);
    values[offset + i] = 0;
    if (state.tally == nullptr) continue;
    shared_of(info).result.reset(std::exchange(state.tally, nullptr));
  }
}

void state_destroy(duckdb_aggregate_state* states, idx_t count) {
  for (idx_t i = 0; i < count; ++i) {
    State& state = *reinterpret_cast<State*>(states[i]);
    delete state.tally;
    state.tally = nullptr;
  }
}

duckdb_type parameter_type(ValueType type) {
  switch (type) {
    case ValueType::integer32:
      return DUCKDB_TYPE_INTEGER;
    case ValueType::integer:
      return DUCKDB_TYPE_BIGINT;
    case ValueType::real:
      return DUCKDB_TYPE_DOUBLE;
    default:
      return DUCKDB_TYPE_VARCHAR;
  }
}

Expected<void> register_tally(const Database& database, const LogFiles& log, Shared& shared) {
  duckdb_aggregate_function function = duckdb_create_aggregate_function();
  duckdb_aggregate_function_set_name(function, "fairstep_tally");
  const auto parameter = [&](duckdb_type type) {
    duckdb_logical_type logical = duckdb_create_logical_type(type);
    duckdb_aggregate_function_add_parameter(function, logical);
    duckdb_destroy_logical_type(&logical);
  };
  parameter(DUCKDB_TYPE_BIGINT);
  for (std::size_t role = 0; role < kRoles; ++role) {
    if (log.type[role] == ValueType::absent) continue;
    parameter(parameter_type(log.type[role]));
  }
  duckdb_logical_type result = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
  duckdb_aggregate_function_set_return_type(function, result);
  duckdb_destroy_logical_type(&result);
  duckdb_aggregate_function_set_functions(function, state_size, state_init, state_update, state_combine,
                                          state_finalize);
  duckdb_aggregate_function_set_destructor(function, state_destroy);
  duckdb_aggregate_function_set_special_handling(function);  // rows with nulls come too
  duckdb_aggregate_function_set_extra_info(function, &shared, nullptr);
  const duckdb_state registered = duckdb_register_aggregate_function(database.connection(), function);
  duckdb_destroy_aggregate_function(&function);
  if (registered == DuckDBError) return fail("DuckDB does not take the function that counts");
  return {};
}

Error in_log(Error error, const LogFiles& log, std::size_t file = 0) {
  if (error.file.empty()) error.file = log.files[file];
  return error;
}

/// Why reading had to end, of a row or of them all.
Error failed(const std::string& why, std::optional<std::uint64_t> at, const LogFiles& log) {
  if (!at) return in_log({why}, log);
  const std::string row = fmt::format("row {} {}", row_number(log, *at), why);
  return in_log({log.query.empty() ? row : "of the query's result " + row}, log, log.query.empty() ? file_of(*at) : 0);
}
Error failed(const Tally& tally, const LogFiles& log) { return failed(tally.failure(), tally.failed_at(), log); }

/// Why the query through all rows ended early, `rows` of them being taken.
Error ended_early(const Error& error, const Database& database, const LogFiles& log, std::size_t file,
                  std::int64_t rows) {
  return in_log(database.stop().stop_requested() ? stopped_after(rows).value() : error, log, file);
}

Expected<Malformed> malformed_lines(const Database& database, const LogFiles& log) {
  Malformed malformed;
  const auto rows = database.rows(
      "SELECT DISTINCT s.file_path, e.line::VARCHAR FROM reject_errors e JOIN reject_scans s USING (scan_id, file_id)");
  if (!rows) return tl::unexpected(rows.error());
  malformed.lines = static_cast<std::int64_t>(rows->size());
  std::optional<std::pair<std::size_t, std::int64_t>> first;
  for (const auto& row : *rows) {
    const auto file = std::find(log.files.begin(), log.files.end(), row[0]) - log.files.begin();
    const std::pair<std::size_t, std::int64_t> place(file, std::stoll(row[1]));
    if (!first || place < *first) first = place;
  }
  if (first) std::tie(malformed.file, malformed.line) = *first;
  const auto encoded = database.rows(
      "SELECT count(DISTINCT (s.file_path, e.line))::VARCHAR FROM reject_errors e JOIN reject_scans s USING (scan_id, "
      "file_id) WHERE error_type LIKE 'INVALID%'");
  if (!encoded) return tl::unexpected(encoded.error());
  malformed.not_utf8 = std::stoll(encoded->front().front());
  const auto quotes = database.rows("SELECT 1 FROM reject_errors WHERE error_type = 'UNQUOTED VALUE' LIMIT 1");
  if (!quotes) return tl::unexpected(quotes.error());
  malformed.open_quote = !quotes->empty();
  return malformed;
}

/// An open quote swallows the lines after it, and the engine names the first alone. Every row takes a line at least, so
/// that no more rows are lost than there are lines without one.
Expected<std::int64_t> lines_without_a_row(const Database& database, const LogFiles& log, std::int64_t rows) {
  std::int64_t lines = 0;
  for (std::size_t file = 0; file < log.files.size(); ++file) {
    const auto counted = database.rows(fmt::format("SELECT count(*)::VARCHAR FROM {}", lines_source(log, file)));
    if (!counted) return tl::unexpected(counted.error());
    lines += std::stoll(counted->front().front()) - 1;  // the header
  }
  const auto refused = database.rows("SELECT count(DISTINCT (file_id, line))::VARCHAR FROM line_errors");
  if (!refused) return tl::unexpected(refused.error());
  return lines + std::stoll(refused->front().front()) - rows;
}

/// Lines that may be no rows.
bool has_lines(const LogFiles& log) { return !log.parquet && log.frame == nullptr; }

Expected<Scanned> with_malformed_lines(Scanned scanned, const Database& database, const LogFiles& log) {
  // A query that asks for no row of the log has not read its lines.
  const auto rejects = database.rows("SELECT table_name FROM duckdb_tables() WHERE table_name = 'reject_errors'");
  if (!rejects) return tl::unexpected(in_log(rejects.error(), log));
  if (rejects->empty())
    if (const auto lines = database.rows(count_of_log(log)); !lines) return tl::unexpected(in_log(lines.error(), log));
  auto malformed = malformed_lines(database, log);
  if (!malformed) return tl::unexpected(in_log(malformed.error(), log));
  scanned.malformed = *malformed;
  if (malformed->open_quote) {
    std::int64_t rows = scanned.tally.taken();
    if (!log.query.empty() || log.rows_of_one > 1) {
      const auto read = database.rows(count_of_log(log));
      if (!read) return tl::unexpected(in_log(read.error(), log));
      rows = std::stoll(read->front().front());
    }
    const auto lines = lines_without_a_row(database, log, rows);
    if (!lines) return tl::unexpected(in_log(lines.error(), log));
    scanned.malformed.lines = std::max(malformed->lines, *lines);
  }
  scanned.tally.lose_lines(scanned.malformed.lines);
  return scanned;
}

Expected<Scanned> scan_parquet(const Database& database, const LogFiles& log, const Plan& plan) {
  Shared shared{plan};
  if (auto ok = register_tally(database, log, shared); !ok) return tl::unexpected(ok.error());
  const auto done = database.execute(fmt::format("SELECT fairstep_tally({}, {}) FROM {}", parquet_place(log),
                                                 selection(log, false), parquet_source(log)));
  if (!shared.failure.empty()) return tl::unexpected(failed(shared.failure, shared.failed_at, log));
  if (!done && (!shared.disordered || database.stop().stop_requested()))
    return tl::unexpected(ended_early(done.error(), database, log, 0, shared.rows));
  Scanned scanned{shared.result ? std::move(*shared.result) : Tally(plan)};
  if (shared.disordered) scanned.tally.give_up();
  scanned.tally.finish();
  return scanned;
}

Expected<Scanned> scan_one_by_one(const Database& database, const LogFiles& log, const Plan& plan) {
  Scanned scanned{Tally(plan)};
  for (std::size_t file = 0; file < sources(log); ++file) {
    std::uint64_t place = place_of(file, 0);
    bool more = true;
    const auto done = database.stream(fmt::format("SELECT {} FROM {}", selection(log, false), source(log, file)),
                                      [&](const std::vector<RawColumn>& columns, std::size_t rows) {
                                        more = scanned.tally.take(columns, rows, place);
                                        place += rows;
                                        return more;
                                      });
    if (!done) return tl::unexpected(ended_early(done.error(), database, log, file, scanned.tally.taken()));
    if (!more) break;
  }
  scanned.tally.finish();
  // What is given up has no table of malformed lines.
  if (scanned.tally.disordered() || !scanned.tally.failure().empty() || !has_lines(log)) return scanned;
  return with_malformed_lines(std::move(scanned), database, log);
}

/// In the order of the log. It may turn out to be disordered. The database must be a new one.
Expected<Scanned> scan_in_order(const Database& database, const LogFiles& log, const Plan& plan) {
  auto scanned = knows_places(log) ? scan_parquet(database, log, plan) : scan_one_by_one(database, log, plan);
  if (scanned && !scanned->tally.failure().empty()) return tl::unexpected(failed(scanned->tally, log));
  return scanned;
}

/// The same with the engine bringing persons together first.
Expected<Scanned> scan_sorted(const Database& database, const LogFiles& log, Plan plan) {
  plan.people_together = true;
  std::string rows;
  if (knows_places(log)) {
    rows = fmt::format("SELECT {} AS place, {} FROM {}", parquet_place(log), selection(log, true), parquet_source(log));
  } else {
    for (std::size_t file = 0; file < sources(log); ++file)
      rows += fmt::format("{}SELECT {} AS place, {} FROM {}", file == 0 ? "" : " UNION ALL ",
                          place_expression(log, file), selection(log, true), source(log, file));
  }
  if (log.by_order) rows = steps_by_order(rows);
  Scanned scanned{Tally(plan), {}, true};
  const auto done = database.stream(fmt::format("SELECT * FROM ({}) ORDER BY r0, place", rows),
                                    [&](std::vector<RawColumn> columns, std::size_t count) {
                                      const auto* places = columns.front().as<std::int64_t>();
                                      columns.erase(columns.begin());
                                      return scanned.tally.take_sorted(columns, count, places);
                                    });
  if (!done) return tl::unexpected(ended_early(done.error(), database, log, 0, scanned.tally.taken()));
  scanned.tally.finish();
  if (!scanned.tally.failure().empty()) return tl::unexpected(failed(scanned.tally, log));
  if (!has_lines(log)) return scanned;
  return with_malformed_lines(std::move(scanned), database, log);
}

}  // namespace

std::vector<Scanned> by_part(Scanned scanned) {
  std::vector<Scanned> parts;
  for (Tally& tally : Tally::by_part(std::move(scanned.tally)))
    parts.push_back({std::move(tally), scanned.malformed, scanned.sorted});
  return parts;
}

Expected<void> check_order(const Scanned& scanned, const LogFiles& log, const CountOptions& options) {
  if (!options.shape.step || options.shape.step->every != StepRule::Every::order) return {};
  const std::int64_t nobody = scanned.tally.findings()(Anomaly::missing, Role::person).rows;
  if (scanned.malformed.lines + nobody == 0) return {};
  const auto failed = about(
      "every", fail(fmt::format("{} rows name nobody and {} lines are no rows: whoever they belong to, they "
                                "would change the order of that person's rows, and so the steps",
                                nobody, scanned.malformed.lines),
                    {}, fmt::format("mend the log, or number the steps otherwise: {}", option("every", "month"))));
  return tl::unexpected(in_log(failed.value(), log));
}

Expected<Scanned> scan(const LogFiles& log, const Plan& plan, const Database::Settings& settings, bool sort) {
  if (!sort && !log.by_order) {
    const auto open = OpenLog::open(settings, log);
    if (!open) return tl::unexpected(open.error());
    auto scanned = scan_in_order(open->database(), log, plan);
    if (!scanned || !scanned->tally.disordered()) return scanned;
  }
  const auto open = OpenLog::open(settings, log);
  if (!open) return tl::unexpected(open.error());
  return scan_sorted(open->database(), log, plan);
}

}  // namespace fairstep::internal
