#include <fairstep/ingest/internal/duckdb.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairstep::internal {
namespace {

/// DuckDB's own words, first line only: what follows is advice about its options.
std::string first_line(const char* message) {
  const std::string_view text = message == nullptr ? "unknown trouble" : message;
  return std::string(text.substr(0, text.find('\n')));
}

struct ResultGuard {
  duckdb_result result{};
  ResultGuard() = default;
  ResultGuard(const ResultGuard&) = delete;
  ResultGuard& operator=(const ResultGuard&) = delete;
  ~ResultGuard() { duckdb_destroy_result(&result); }
};

struct StatementGuard {
  duckdb_prepared_statement statement = nullptr;
  StatementGuard() = default;
  StatementGuard(const StatementGuard&) = delete;
  StatementGuard& operator=(const StatementGuard&) = delete;
  ~StatementGuard() { duckdb_destroy_prepare(&statement); }
};

struct ExtractedGuard {
  duckdb_extracted_statements statements = nullptr;
  ExtractedGuard() = default;
  ExtractedGuard(const ExtractedGuard&) = delete;
  ExtractedGuard& operator=(const ExtractedGuard&) = delete;
  ~ExtractedGuard() { duckdb_destroy_extracted(&statements); }
};

bool all_there(const std::uint64_t* validity, std::size_t rows) {
  if (validity == nullptr) return true;
  for (std::size_t i = 0; i < rows / 64; ++i)
    if (~validity[i] != 0) return false;
  const std::uint64_t rest = (std::uint64_t{1} << (rows % 64)) - 1;
  return rows % 64 == 0 || (validity[rows / 64] & rest) == rest;
}

std::string quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    result += c;
    if (c == quote) result += c;
  }
  return result + quote;
}

}  // namespace

/// Ends what a connection is doing once somebody wants to stop; again and again, since a query that is just beginning
/// forgets that it was asked.
class Database::Interrupter {
 public:
  Interrupter(duckdb_connection connection, const std::stop_token& stop)
      : asked_(stop, [this, connection] {
          asking_ = std::jthread([connection](const std::stop_token& over) {
            while (!over.stop_requested()) {
              duckdb_interrupt(connection);
              std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
          });
        }) {}

 private:
  std::jthread asking_{};  ///< ended after no more can begin
  std::stop_callback<std::function<void()>> asked_;
};

Database::Database() = default;

tl::unexpected<Error> stopped_after(std::int64_t rows) {
  constexpr const char* nothing = "nothing was written: counts of a part of a log would pass for those of the whole";
  return fail(rows == 0 ? "stopped before the first row of the log was counted"
                        : fmt::format("stopped after {} rows, before the end of the log", rows),
              {}, nothing);
}

std::string_view view_of(const duckdb_string_t& text) {
  const std::uint32_t length = text.value.inlined.length;
  return {length <= sizeof(text.value.inlined.inlined) ? text.value.inlined.inlined : text.value.pointer.ptr, length};
}

std::vector<RawColumn> columns_of(duckdb_data_chunk chunk) {
  std::vector<RawColumn> columns(duckdb_data_chunk_get_column_count(chunk));
  const std::size_t rows = duckdb_data_chunk_get_size(chunk);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, i);
    columns[i] = {duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector)};
    if (all_there(columns[i].validity, rows)) columns[i].validity = nullptr;
  }
  return columns;
}

Expected<Database> Database::open(const Settings& settings) {
  Database database;
  database.settings_ = settings;
  duckdb_config config = nullptr;
  if (duckdb_create_config(&config) == DuckDBError) return fail("DuckDB could not be configured");
  const std::pair<const char*, std::string> flags[] = {
      {"memory_limit", fmt::format("{}B", settings.memory_bytes)},
      {"threads", std::to_string(settings.threads)},
      {"temp_directory", settings.temporary},
      {"preserve_insertion_order", "true"},
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
  };
  for (const auto& [name, value] : flags)
    if (duckdb_set_config(config, name, value.c_str()) == DuckDBError) {
      duckdb_destroy_config(&config);
      return fail(fmt::format("DuckDB does not take the setting {} = {}", name, value));
    }
  char* message = nullptr;
  const duckdb_state opened = duckdb_open_ext(nullptr, &database.database_, config, &message);
  duckdb_destroy_config(&config);
  if (opened == DuckDBError) {
    const std::string reason = first_line(message);
    duckdb_free(message);
    return fail("DuckDB does not start: " + reason);
  }
  if (duckdb_connect(database.database_, &database.connection_) == DuckDBError)
    return fail("DuckDB does not start: no connection");
  if (settings.stop.stop_possible())
    database.interrupter_ = std::make_unique<Interrupter>(database.connection_, settings.stop);
  return database;
}

Database::Database(Database&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)),
      connection_(std::exchange(other.connection_, nullptr)),
      settings_(std::move(other.settings_)),
      interrupter_(std::move(other.interrupter_)) {}

Database::~Database() {
  interrupter_.reset();
  if (connection_ != nullptr) duckdb_disconnect(&connection_);
  if (database_ != nullptr) duckdb_close(&database_);
}

tl::unexpected<Error> Database::trouble(const char* message) const {
  if (stop().stop_requested()) return stopped_after(0);
  const std::string said = first_line(message);
  const auto says = [&](std::string_view words) { return said.find(words) != std::string::npos; };
  const std::string& folder = settings_.temporary;
  const std::string more_memory = option("memory") + " gives the engine more";
  const bool about_folder = !folder.empty() && says(folder);
  if (says("Out of Memory Error") && says("offload") && !folder.empty())
    return tl::unexpected(Error{"the disk is full: there is no room for what does not fit into memory",
                                {},
                                folder,
                                option("temporary") + " names a folder with more room, " + more_memory,
                                true});
  if (about_folder)
    return tl::unexpected(
        Error{fmt::format("what does not fit into memory cannot be written: {}", said.substr(said.rfind(": ") + 2)),
              {},
              folder,
              option("temporary") + " names another folder, " + more_memory,
              true});
  if (says("Out of Memory Error"))
    return tl::unexpected(
        Error{fmt::format("{} MB of memory are too little for this log", settings_.memory_bytes / 1'000'000),
              {},
              {},
              folder.empty()
                  ? fmt::format("{}, {} a folder for what does not fit: it has none", more_memory, option("temporary"))
                  : more_memory});
  return fail(said);
}

Expected<void> Database::stream(const std::string& sql, const Take& take) const {
  StatementGuard prepared;
  if (duckdb_prepare(connection_, sql.c_str(), &prepared.statement) == DuckDBError)
    return trouble(duckdb_prepare_error(prepared.statement));
  ResultGuard guard;
  if (duckdb_execute_prepared_streaming(prepared.statement, &guard.result) == DuckDBError)
    return trouble(duckdb_result_error(&guard.result));
  while (true) {
    duckdb_data_chunk chunk = duckdb_fetch_chunk(guard.result);
    if (chunk == nullptr) break;
    const bool more = take(columns_of(chunk), duckdb_data_chunk_get_size(chunk));
    duckdb_destroy_data_chunk(&chunk);
    if (!more) return {};
    if (stop().stop_requested()) return stopped_after(0);
  }
  if (const char* error = duckdb_result_error(&guard.result); error != nullptr && *error != '\0') return trouble(error);
  return {};
}

Expected<std::vector<std::vector<std::string>>> Database::rows(const std::string& sql) const {
  ResultGuard guard;
  if (duckdb_query(connection_, sql.c_str(), &guard.result) == DuckDBError)
    return trouble(duckdb_result_error(&guard.result));
  std::vector<std::vector<std::string>> rows;
  while (true) {
    duckdb_data_chunk chunk = duckdb_fetch_chunk(guard.result);
    if (chunk == nullptr) break;
    const std::vector<RawColumn> columns = columns_of(chunk);
    for (std::size_t i = 0; i < duckdb_data_chunk_get_size(chunk); ++i) {
      rows.emplace_back();
      for (const RawColumn& column : columns)
        rows.back().emplace_back(column.has(i) ? view_of(column.as<duckdb_string_t>()[i]) : std::string_view{});
    }
    duckdb_destroy_data_chunk(&chunk);
  }
  return rows;
}

Expected<void> Database::execute(const std::string& sql) const {
  ResultGuard guard;
  if (duckdb_query(connection_, sql.c_str(), &guard.result) == DuckDBError)
    return trouble(duckdb_result_error(&guard.result));
  return {};
}

Expected<void> Database::view(const std::string& name, ArrowArrayStream* stream) const {
  if (stop().stop_requested()) return stopped_after(0);
  // It gives no reason, and may have been told to stop meanwhile.
  if (duckdb_arrow_scan(connection_, name.c_str(), reinterpret_cast<duckdb_arrow_stream>(stream)) == DuckDBError)
    return trouble("DuckDB does not take the frame");
  return {};
}

Expected<void> Database::shut(const std::vector<std::string>& files) const {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(sql_text(file));
  for (const std::string& setting :
       {fmt::format("SET allowed_paths = [{}]", fmt::join(names, ", ")),
        std::string("SET enable_external_access = false"), std::string("SET lock_configuration = true")})
    if (auto ok = execute(setting); !ok) return ok;
  return {};
}

Expected<void> Database::check_query(const std::string& query) const {
  ExtractedGuard parsed;
  const idx_t statements = duckdb_extract_statements(connection_, query.c_str(), &parsed.statements);
  if (statements == 0) {
    const char* error = duckdb_extract_statements_error(parsed.statements);
    return fail(error == nullptr ? "it is empty, expected one SELECT" : first_line(error));
  }
  if (statements > 1)
    return fail(fmt::format("it is {} statements, expected one SELECT", statements), {},
                "PIVOT is one only if it names its values: PIVOT ... ON column IN (...)");
  StatementGuard prepared;
  if (duckdb_prepare_extracted_statement(connection_, parsed.statements, 0, &prepared.statement) == DuckDBError)
    return trouble(duckdb_prepare_error(prepared.statement));
  if (duckdb_prepared_statement_type(prepared.statement) != DUCKDB_STATEMENT_TYPE_SELECT)
    return fail("it is no SELECT, expected one");
  return {};
}

std::string sql_text(std::string_view text) { return quoted(text, '\''); }
std::string sql_name(std::string_view name) { return quoted(name, '"'); }

}  // namespace fairstep::internal
