// The log as DuckDB sees it: which files there are, what columns they have, and how a query asks for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/blocks.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/roles.hpp>
#include <fairstep/ingest/parts.hpp>

namespace fairstep::internal {

class Batches;
class Replay;

struct LogFiles {
  bool parquet = false;
  const Batches* frame = nullptr;  ///< in memory instead of in files; then `files` is what it is called
  std::string place{};             ///< column of a frame that has the rows' places; empty: they are in their order
  std::vector<std::string> files{};
  std::vector<FileKind> kinds{};             ///< of files
  std::vector<std::string> header{};         ///< all columns, of CSV files, no two alike
  std::vector<std::size_t> from_frame{};     ///< of a frame, the columns that are asked for
  std::string query{};                       ///< the rows are what it makes of the table `log`; empty: of the log
  std::string unfolding{};                   ///< what a query selects to make several rows of one; empty: it does not
  std::size_t rows_of_one = 1;               ///< so many
  bool by_order = false;                     ///< the steps are the order of each person's moments
  std::array<std::string, kRoles> column{};  ///< by role; empty: there is none
  std::array<std::string, kRoles> expression{};  ///< what a query asks for, by role
  std::array<ValueType, kRoles> type{};
  char delimiter = ',';
  Encoding encoding{};
  std::uint64_t buffer = 0;  ///< bytes that DuckDB reads of a CSV file at a time
};

/// Looks at the files: all of one kind, with the same columns.
[[nodiscard]] Expected<LogFiles> look_at(const Database& database, const std::vector<std::string>& files,
                                         const CountOptions& options);

/// The first rows of a table, before anything is made of them.
struct TableSample {
  std::vector<std::string> columns{};
  std::vector<std::vector<std::string>> rows{};  ///< texts, empty where there is no value
};
[[nodiscard]] Expected<TableSample> sample_of(const Database::Settings& settings, const std::vector<std::string>& files,
                                              const CountOptions& options);

/// The same for a log in memory.
[[nodiscard]] Expected<LogFiles> look_at(const Batches& frame, const Database::Settings& settings,
                                         const CountOptions& options);

/// What counting asks of a table with these columns.
[[nodiscard]] Expected<AskedColumns> asked_of(const std::vector<std::string>& columns, const std::string& file,
                                              const CountOptions& options);

/// A new database; if the log is a frame, its columns are a view in it. If there is a query so is what it asks for, and
/// nothing in the database can reach any other file.
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

/// How many sources there are one after the other: the files, or one if a query or a frame has all rows.
[[nodiscard]] std::size_t sources(const LogFiles& log);
/// What comes after FROM: the rows of one source, which know nothing of their place.
[[nodiscard]] std::string source(const LogFiles& log, std::size_t file);
/// The rows of the log before anything is made of them, a count as a text.
[[nodiscard]] std::string count_of_log(const LogFiles& log);
/// The lines of a CSV file, each a text, the header included. Those that cannot be read go to the table line_errors.
[[nodiscard]] std::string lines_source(const LogFiles& log, std::size_t file);
/// Where in the log each of these rows is.
[[nodiscard]] std::string place_expression(const LogFiles& log, std::size_t file);
/// The rows of all files, which know their place.
[[nodiscard]] std::string parquet_source(const LogFiles& log);
[[nodiscard]] std::string parquet_place(const LogFiles& log);
/// Whether rows know their place in the files, so that they may come in any order.
[[nodiscard]] bool knows_places(const LogFiles& log);
/// What comes after SELECT: the roles that are there, with a name each if they are to be sorted.
[[nodiscard]] std::string selection(const LogFiles& log, bool named);

}  // namespace fairstep::internal
