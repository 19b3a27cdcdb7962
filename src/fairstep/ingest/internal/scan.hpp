// The log as DuckDB sees it: which files there are and what columns they have, and the ways through all of its rows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/tally.hpp>

namespace fairstep::internal {

class Batches;
class Replay;

struct LogFiles {
  bool parquet = false;
  const Batches* frame = nullptr;  ///< in memory instead of in files; then `files` is what it is called
  std::vector<std::string> files{};
  std::vector<std::string> header{};             ///< all columns, of CSV files
  std::array<std::string, kRoles> column{};      ///< by role; empty: there is none
  std::array<std::string, kRoles> expression{};  ///< what a query asks for, by role
  std::array<ValueType, kRoles> type{};
  char delimiter = ',';
};

/// Looks at the files: all of one kind, with the same columns.
[[nodiscard]] Expected<LogFiles> look_at(const Database& database, const std::vector<std::string>& files,
                                         const CountOptions& options);

/// The same for a log in memory.
[[nodiscard]] Expected<LogFiles> look_at(const Batches& frame, const Database::Settings& settings,
                                         const CountOptions& options);

/// A new database; if the log is a frame, its columns are a view in it.
class OpenLog {
 public:
  [[nodiscard]] static Expected<OpenLog> open(const Database::Settings& settings, const LogFiles& log);
  [[nodiscard]] const Database& database() const { return database_; }

  OpenLog(OpenLog&&) noexcept;
  OpenLog& operator=(OpenLog&&) = delete;
  OpenLog(const OpenLog&) = delete;
  OpenLog& operator=(const OpenLog&) = delete;
  ~OpenLog();

 private:
  explicit OpenLog(Database database);

  std::unique_ptr<Replay> replay_;  ///< outlives the database
  Database database_;
};

/// Lines of CSV files that are no rows.
struct Malformed {
  std::int64_t lines = 0;
  std::size_t file = 0;   ///< where the first is
  std::int64_t line = 0;  ///< its number in the file, from 1
};

struct Scanned {
  Tally tally;
  Malformed malformed{};
};

/// Every row of the log into a tally, in one pass and in the order of the log. It may turn out to be disordered. The
/// database must be a new one.
[[nodiscard]] Expected<Scanned> scan_in_order(const Database& database, const LogFiles& log, const Plan& plan);

/// The same with the engine bringing persons together first.
[[nodiscard]] Expected<Scanned> scan_sorted(const Database& database, const LogFiles& log, Plan plan);

}  // namespace fairstep::internal
