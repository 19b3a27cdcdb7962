#include <fairstep/ingest/internal/scan.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/ingest/internal/arrow.hpp>

namespace fairstep::internal {
namespace {

/// A name that DuckDB takes for itself and not for a pattern.
std::string literal_pattern(const std::string& file) {
  std::string pattern;
  for (const char c : file) {
    if (c == '*' || c == '?' || c == '[')
      pattern += {'[', c, ']'};
    else
      pattern += c;
  }
  return pattern;
}

std::string csv_options(const LogFiles& log) {
  return fmt::format(R"(auto_detect=false, delim={}, quote='"', escape='"')", sql_text(std::string(1, log.delimiter)));
}

constexpr const char* kFrame = "frame";

/// What the column of a role is called in the view of a frame.
std::string frame_name(std::size_t role) { return fmt::format("c{}", role); }

std::optional<std::size_t> place_in(const Batches& frame, const std::string& column) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(frame.schema().n_children); ++i)
    if (column == frame.schema().children[i]->name) return i;
  return std::nullopt;
}

/// The rows of one CSV file, everything as text. Lines that are no rows go to the table of rejects.
std::string csv_source(const LogFiles& log, std::size_t file) {
  std::vector<std::string> columns;
  for (const std::string& name : log.header) columns.push_back(sql_text(name) + ": 'VARCHAR'");
  return fmt::format("read_csv({}, {}, header=true, columns={{{}}}, store_rejects=true, rejects_limit=0)",
                     sql_text(literal_pattern(log.files[file])), csv_options(log), fmt::join(columns, ", "));
}

/// The rows of one file that know nothing of their place, or of the frame.
std::string source(const LogFiles& log, std::size_t file) {
  return log.frame != nullptr ? kFrame : csv_source(log, file);
}

std::string parquet_source(const LogFiles& log) {
  std::vector<std::string> names;
  for (const std::string& file : log.files) names.push_back(sql_text(literal_pattern(file)));
  return fmt::format("read_parquet([{}])", fmt::join(names, ", "));
}

/// The expressions of the roles that are there, with a name each if asked for.
std::string selection(const LogFiles& log, bool named) {
  std::vector<std::string> parts;
  for (std::size_t role = 0; role < kRoles; ++role)
    if (log.type[role] != ValueType::absent)
      parts.push_back(named ? fmt::format("{} AS r{}", log.expression[role], role) : log.expression[role]);
  return fmt::format("{}", fmt::join(parts, ", "));
}

ValueType type_for(const std::string& sql_type) {
  static const std::vector<std::string> integers{"TINYINT",  "SMALLINT",  "INTEGER", "BIGINT",
                                                 "UTINYINT", "USMALLINT", "UINTEGER"};
  if (std::find(integers.begin(), integers.end(), sql_type) != integers.end()) return ValueType::integer;
  if (sql_type == "DOUBLE" || sql_type == "FLOAT") return ValueType::real;
  return ValueType::text;
}

/// A column as one of the types that a tally reads.
void choose_type(LogFiles& log, Role role, const std::string& sql_type) {
  const auto i = static_cast<std::size_t>(role);
  const std::string name = log.frame != nullptr ? frame_name(i) : sql_name(log.column[i]);
  const bool number_wanted = role == Role::reward || role == Role::step;
  if (role == Role::time) {
    log.type[i] = ValueType::integer;
    log.expression[i] = fmt::format(
        "CASE WHEN {0} IS NULL THEN {1}::INTEGER ELSE coalesce(date_diff('day', DATE '1970-01-01', "
        "CAST(TRY_CAST({0} AS TIMESTAMP) AS DATE)), {2})::INTEGER END",
        name, kNoDay, kBadDay);
    return;
  }
  ValueType type = type_for(sql_type);
  if (number_wanted && sql_type.starts_with("DECIMAL")) type = ValueType::real;
  // Persons are told apart, not reckoned with.
  if (role == Role::person && type == ValueType::real) type = ValueType::text;
  log.type[i] = type;
  const std::string cast = [&] {
    const char* wanted = type == ValueType::integer ? "BIGINT" : type == ValueType::real ? "DOUBLE" : "VARCHAR";
    return sql_type == wanted ? name : fmt::format("CAST({} AS {})", name, wanted);
  }();
  log.expression[i] = cast;
  // Parquet mostly keeps few different values as a dictionary with a null in it, and handing that over as plain values
  // means copying a bit for each row. A function that makes a value of null is done on the dictionary alone.
  if (!log.parquet || role == Role::person) return;
  if (type == ValueType::integer) log.expression[i] = fmt::format("greatest({}, ({})::BIGINT)", cast, kNoInteger);
  if (type == ValueType::text) log.expression[i] = fmt::format("greatest({}, '')", cast);
}

Expected<std::vector<std::string>> csv_header(const Database& database, const LogFiles& log, const std::string& file) {
  constexpr std::size_t most = 256;
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < most; ++i) columns.push_back(fmt::format("'c{}': 'VARCHAR'", i));
  auto rows = database.rows(
      fmt::format("SELECT * FROM read_csv({}, {}, header=false, null_padding=true, ignore_errors=true, columns={{{}}}) "
                  "LIMIT 1",
                  sql_text(literal_pattern(file)), csv_options(log), fmt::join(columns, ", ")));
  if (!rows) {
    Error error = rows.error();
    error.file = file;
    return tl::unexpected(std::move(error));
  }
  if (rows->empty()) {
    Error error{"the file is empty, expected a line with the names of the columns", {}, file, {}};
    return tl::unexpected(std::move(error));
  }
  std::vector<std::string> header = std::move(rows->front());
  while (!header.empty() && header.back().empty()) header.pop_back();
  return header;
}

/// Name and type of each column.
using Columns = std::vector<std::pair<std::string, std::string>>;

Expected<Columns> columns_of_file(const Database& database, const LogFiles& log, const std::string& file) {
  Columns columns;
  if (!log.parquet) {
    auto header = csv_header(database, log, file);
    if (!header) return tl::unexpected(header.error());
    for (std::string& name : *header) columns.emplace_back(std::move(name), "VARCHAR");
    return columns;
  }
  auto rows =
      database.rows(fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet({}))",
                                sql_text(literal_pattern(file))));
  if (!rows) {
    Error error = rows.error();
    error.file = file;
    return tl::unexpected(std::move(error));
  }
  for (std::vector<std::string>& row : *rows) columns.emplace_back(std::move(row[0]), std::move(row[1]));
  return columns;
}

Expected<bool> is_parquet(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return tl::unexpected(Error{"the file cannot be read", {}, file, {}});
  std::array<char, 4> start{};
  in.read(start.data(), start.size());
  return in.gcount() == 4 && std::string_view(start.data(), start.size()) == "PAR1";
}

Expected<void> find_columns(LogFiles& log, const Columns& columns, const CountOptions& options) {
  std::vector<std::string_view> names;
  for (const auto& [name, type] : columns) names.push_back(name);
  for (std::size_t role = 0; role + 1 < kRoles; ++role) {
    const auto mapped = std::find_if(options.columns.begin(), options.columns.end(),
                                     [&](const auto& entry) { return entry.first == kRoleNames[role]; });
    const bool given = mapped != options.columns.end();
    const std::string wanted = given ? mapped->second : kRoleNames[role];
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.first == wanted; });
    if (found == columns.end()) {
      const bool optional =
          role == static_cast<std::size_t>(Role::reward) || role == static_cast<std::size_t>(Role::time);
      if (optional && !given) continue;
      std::string hint = did_you_mean(wanted, names);
      if (hint.empty())
        hint = given ? fmt::format("the columns are {}", fmt::join(names, ", "))
                     : fmt::format("name its column: --map {}=...; the columns are {}", wanted, fmt::join(names, ", "));
      return tl::unexpected(Error{fmt::format("there is no column \"{}\" for {}", wanted, kRoleNames[role]),
                                  {},
                                  log.files.front(),
                                  std::move(hint)});
    }
    // Without windows nobody asks for the time.
    if (role == static_cast<std::size_t>(Role::time) && !options.window) continue;
    log.column[role] = wanted;
    choose_type(log, static_cast<Role>(role), found->second);
  }
  return {};
}

}  // namespace

Expected<LogFiles> look_at(const Database& database, const std::vector<std::string>& files,
                           const CountOptions& options) {
  LogFiles log;
  log.files = files;
  log.delimiter = options.delimiter;
  Columns first;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto parquet = is_parquet(files[i]);
    if (!parquet) return tl::unexpected(parquet.error());
    if (i == 0) log.parquet = *parquet;
    if (*parquet != log.parquet)
      return tl::unexpected(Error{fmt::format("this is {} and {} is {}, expected files of one kind",
                                              *parquet ? "Parquet" : "CSV", files[0], log.parquet ? "Parquet" : "CSV"),
                                  {},
                                  files[i],
                                  "count them apart and add the counts: fairstep merge"});
    auto columns = columns_of_file(database, log, files[i]);
    if (!columns) return tl::unexpected(columns.error());
    if (i == 0) {
      first = std::move(*columns);
    } else if (*columns != first) {
      return tl::unexpected(Error{fmt::format("the columns are not those of {}", files[0]),
                                  {},
                                  files[i],
                                  "count them apart and add the counts: fairstep merge"});
    }
  }
  if (!log.parquet)
    for (const auto& [name, type] : first) log.header.push_back(name);
  if (auto ok = find_columns(log, first, options); !ok) return tl::unexpected(ok.error());
  return log;
}

// --- frames

OpenLog::OpenLog(Database database) : database_(std::move(database)) {}
OpenLog::OpenLog(OpenLog&&) noexcept = default;
OpenLog::~OpenLog() = default;

/// The view has the columns of the roles alone, in their order, so that every query asks for all of them: DuckDB takes
/// an Arrow stream for one that leaves out what is not asked for, which ours could not know of.
Expected<OpenLog> OpenLog::open(const Database::Settings& settings, const LogFiles& log) {
  auto database = Database::open(settings);
  if (!database) return tl::unexpected(database.error());
  OpenLog opened(std::move(*database));
  if (log.frame == nullptr) return opened;
  std::vector<Replay::Column> columns;
  for (std::size_t role = 0; role < kRoles; ++role)
    if (!log.column[role].empty()) columns.push_back({*place_in(*log.frame, log.column[role]), frame_name(role)});
  opened.replay_ = std::make_unique<Replay>(*log.frame, std::move(columns));
  if (auto ok = opened.database_.view(kFrame, opened.replay_->stream()); !ok) return tl::unexpected(ok.error());
  return opened;
}

Expected<LogFiles> look_at(const Batches& frame, const Database::Settings& settings, const CountOptions& options) {
  LogFiles log;
  log.frame = &frame;
  log.files = {kFrame};
  auto database = Database::open(settings);
  if (!database) return tl::unexpected(database.error());
  std::vector<Replay::Column> all;
  for (std::size_t i = 0; i < static_cast<std::size_t>(frame.schema().n_children); ++i)
    all.push_back({i, fmt::format("c{}", i)});
  Replay replay(frame, std::move(all));
  Columns columns;
  {
    const Database described = std::move(*database);  // gone before what it looks at
    if (auto ok = described.view(kFrame, replay.stream()); !ok) return tl::unexpected(ok.error());
    auto rows = described.rows(fmt::format("SELECT column_type FROM (DESCRIBE SELECT * FROM {})", kFrame));
    if (!rows) return tl::unexpected(Error{rows.error().message, {}, kFrame, {}});
    for (std::size_t i = 0; i < rows->size(); ++i)
      columns.emplace_back(frame.schema().children[i]->name, std::move((*rows)[i][0]));
  }
  if (auto ok = find_columns(log, columns, options); !ok) return tl::unexpected(ok.error());
  return log;
}

// --- Parquet: rows know their place, so several threads may tally at once
// ---------------------------------------------

namespace {

/// What the threads of one query share.
struct Shared {
  const Plan& plan;
  std::unique_ptr<Tally> result{};
  std::atomic<bool> disordered = false;
  std::mutex mutex{};
  std::string failure{};

  void stop_for(const Tally& tally) {
    disordered = disordered || tally.disordered();
    const std::scoped_lock lock(mutex);
    if (failure.empty()) failure = tally.failure();
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
    if (role == static_cast<std::size_t>(Role::time))
      parameter(DUCKDB_TYPE_INTEGER);
    else if (log.type[role] == ValueType::integer)
      parameter(DUCKDB_TYPE_BIGINT);
    else
      parameter(log.type[role] == ValueType::real ? DUCKDB_TYPE_DOUBLE : DUCKDB_TYPE_VARCHAR);
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

Error in_log(Error error, const LogFiles& log) {
  error.file = log.files.front();
  return error;
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
  return malformed;
}

std::string parquet_place(const LogFiles& log) {
  return log.files.size() == 1 ? "file_row_number"
                               : fmt::format("file_index::BIGINT * {} + file_row_number", place_of(1, 0));
}

Expected<Scanned> scan_parquet(const Database& database, const LogFiles& log, const Plan& plan) {
  Shared shared{plan};
  if (auto ok = register_tally(database, log, shared); !ok) return tl::unexpected(ok.error());
  const auto done = database.execute(fmt::format("SELECT fairstep_tally({}, {}) FROM {}", parquet_place(log),
                                                 selection(log, false), parquet_source(log)));
  if (!shared.failure.empty()) return tl::unexpected(in_log({shared.failure}, log));
  if (!done && !shared.disordered) return tl::unexpected(in_log(done.error(), log));
  Scanned scanned{shared.result ? std::move(*shared.result) : Tally(plan), {}};
  if (shared.disordered) scanned.tally.give_up();
  scanned.tally.finish();
  return scanned;
}

Expected<Scanned> scan_one_by_one(const Database& database, const LogFiles& log, const Plan& plan) {
  Scanned scanned{Tally(plan), {}};
  for (std::size_t file = 0; file < log.files.size(); ++file) {
    std::uint64_t place = place_of(file, 0);
    bool more = true;
    const auto done = database.stream(fmt::format("SELECT {} FROM {}", selection(log, false), source(log, file)),
                                      [&](const std::vector<RawColumn>& columns, std::size_t rows) {
                                        more = scanned.tally.take(columns, rows, place);
                                        place += rows;
                                        return more;
                                      });
    if (!done) return tl::unexpected(Error{done.error().message, {}, log.files[file], {}});
    if (!more) break;
  }
  scanned.tally.finish();
  if (scanned.tally.disordered() || log.frame != nullptr) return scanned;
  auto malformed = malformed_lines(database, log);
  if (!malformed) return tl::unexpected(in_log(malformed.error(), log));
  scanned.malformed = *malformed;
  return scanned;
}

}  // namespace

Expected<Scanned> scan_in_order(const Database& database, const LogFiles& log, const Plan& plan) {
  auto scanned = log.parquet ? scan_parquet(database, log, plan) : scan_one_by_one(database, log, plan);
  if (scanned && !scanned->tally.failure().empty()) return tl::unexpected(in_log({scanned->tally.failure()}, log));
  return scanned;
}

Expected<Scanned> scan_sorted(const Database& database, const LogFiles& log, Plan plan) {
  plan.people_together = true;
  std::string rows;
  if (log.parquet) {
    rows = fmt::format("SELECT {} AS place, {} FROM {}", parquet_place(log), selection(log, true), parquet_source(log));
  } else {
    for (std::size_t file = 0; file < log.files.size(); ++file)
      rows += fmt::format("{}SELECT {} + row_number() OVER () - 1 AS place, {} FROM {}", file == 0 ? "" : " UNION ALL ",
                          place_of(file, 0), selection(log, true), source(log, file));
  }
  Scanned scanned{Tally(plan), {}};
  const auto done = database.stream(fmt::format("SELECT * FROM ({}) ORDER BY r0, place", rows),
                                    [&](std::vector<RawColumn> columns, std::size_t count) {
                                      const auto* places = columns.front().as<std::int64_t>();
                                      columns.erase(columns.begin());
                                      return scanned.tally.take_sorted(columns, count, places);
                                    });
  if (!done) return tl::unexpected(in_log(done.error(), log));
  scanned.tally.finish();
  if (!scanned.tally.failure().empty()) return tl::unexpected(in_log({scanned.tally.failure()}, log));
  if (!log.parquet && log.frame == nullptr) {
    auto malformed = malformed_lines(database, log);
    if (!malformed) return tl::unexpected(in_log(malformed.error(), log));
    scanned.malformed = *malformed;
  }
  return scanned;
}

}  // namespace fairstep::internal
