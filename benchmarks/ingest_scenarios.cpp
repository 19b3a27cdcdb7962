// How long a log takes to count, beside what DuckDB takes for a bare GROUP BY over the same file: a line of JSON for
// each kind of log.
//
//   ingest_scenarios [--rows N] [--folder FOLDER] [--threads N] [--first N] [--only TEXT] [--keep 1]
//
// The log (10^7 rows unless told) is made by DuckDB in FOLDER and removed at the end, unless it is to be kept for
// others to count; --first leaves out all but the first N kinds of log, --only those whose name has not TEXT. Times are
// the least of several runs, by the clock and in CPU time of all threads: where the machine has other work, the second
// ratio is the one to look at. Memory is the peak of this program; logs are made by another process.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <duckdb.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fairstep/core/split.hpp>
#include <fairstep/ingest/count.hpp>

#include "scenario.hpp"

namespace {

constexpr std::uint64_t kMemory = 600'000'000;

struct Options {
  std::uint64_t rows = 10'000'000;
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "fairstep-ingest-bench";
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  int first = 9;
  std::string only{};
  bool keep = false;
};

struct Times {
  double wall = 1e9, cpu = 1e9;
};

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Work>
Times least(int times, const Work& work) {
  Times best;
  for (int i = 0; i < times; ++i) {
    const double wall = wall_seconds();
    const double cpu = fairstep::bench::cpu_seconds();
    work();
    best.wall = std::min(best.wall, wall_seconds() - wall);
    best.cpu = std::min(best.cpu, fairstep::bench::cpu_seconds() - cpu);
  }
  return best;
}

void run_sql(const Options& options, const std::string& sql) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  duckdb_result result{};
  if (duckdb_open(nullptr, &database) == DuckDBError || duckdb_connect(database, &connection) == DuckDBError)
    std::exit(1);
  const std::string set = fmt::format("SET threads={}; SET memory_limit='{}B'; SET temp_directory='{}'; ",
                                      options.threads, kMemory, (options.folder / "spill").string());
  if (duckdb_query(connection, (set + sql).c_str(), &result) == DuckDBError) {
    fmt::print(stderr, "{}\n", duckdb_result_error(&result));
    std::exit(1);
  }
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
}

/// In a process of its own, so that its memory is not ours. The refused have no label if they are `censored`.
void make_log(const Options& options, const std::string& file, const std::string& order, const std::string& format,
              bool censored) {
  const pid_t child = ::fork();
  if (child == 0) {
    // A person has 8 rows; what a row says is drawn by a hash of its number.
    run_sql(
        options,
        fmt::format("COPY (SELECT i // 8 AS person, CASE WHEN hash(i // 8) % 8 < 7 THEN 'white' ELSE 'black' END AS "
                    "\"group\", (i % 8)::INTEGER AS step, ((hash(i) % 5) * 25)::INTEGER AS x, {} AS y, (hash(i + 2) % "
                    "2)::INTEGER AS a, ((hash(i + 3) % 3)::DOUBLE - 1) * 0.45 AS reward FROM "
                    "range({}) t(i) {}) TO '{}' ({})",
                    censored ? "CASE WHEN hash(i + 2) % 2 = 1 THEN (hash(i + 1) % 2)::INTEGER END"
                             : "(hash(i + 1) % 2)::INTEGER",
                    options.rows, order, file, format));
    std::_Exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) std::exit(1);
}

void count(const Options& options, const std::string& file, fairstep::CountOptions how,
           const std::optional<fairstep::Split>& split) {
  how.threads = options.threads;
  how.memory_bytes = kMemory;
  how.temporary_directory = options.folder / "spill";
  if (split) {
    const auto parts = fairstep::split_log({file}, *split, how);
    if (parts &&
        parts->design.counts.log()->rows + parts->audit.counts.log()->rows == static_cast<std::int64_t>(options.rows))
      return;
    fmt::print(stderr, "{}\n", parts ? "wrong number of rows" : parts.error().message);
    std::exit(1);
  }
  const auto counted = fairstep::count_log({file}, how);
  if (counted && counted->counts.log()->rows == static_cast<std::int64_t>(options.rows)) return;
  fmt::print(stderr, "{}\n", counted ? "wrong number of rows" : counted.error().message);
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--rows") options.rows = static_cast<std::uint64_t>(std::atof(argv[i + 1]));
    if (std::string_view(argv[i]) == "--first") options.first = std::atoi(argv[i + 1]);
    if (std::string_view(argv[i]) == "--only") options.only = argv[i + 1];
    if (std::string_view(argv[i]) == "--keep") options.keep = std::atoi(argv[i + 1]) != 0;
    if (std::string_view(argv[i]) == "--folder") options.folder = argv[i + 1];
    if (std::string_view(argv[i]) == "--threads") options.threads = static_cast<unsigned>(std::atoi(argv[i + 1]));
  }
  std::filesystem::create_directories(options.folder);
  const int times = options.rows > 20'000'000 ? 2 : 5;
  int number = 0;
  const auto compare = [&](const std::string& name, const std::string& file, const std::string& order,
                           const std::string& format, const std::string& asked = "FROM log",
                           const fairstep::CountOptions& how = {}, const std::optional<fairstep::Split>& split = {}) {
    if (number++ >= options.first || name.find(options.only) == std::string::npos) return;
    const std::string path = (options.folder / file).string();
    make_log(options, path, order, format, how.censoring.has_value());
    const std::string bare = fmt::format(
        "CREATE VIEW log AS FROM '{}'; SELECT \"group\", step, x, y, a, count(*), sum(reward), sum(reward * reward) "
        "FROM "
        "({}) GROUP BY ALL",
        path, asked);
    const Times group_by = least(times, [&] { run_sql(options, bare); });
    const Times counted = least(times, [&] { count(options, path, how, split); });
    fairstep::bench::row("log", name, "rows", options.rows, "threads", options.threads, "duckdb",
                         duckdb_library_version(), "group_by", group_by.wall, "group_by_cpu", group_by.cpu, "count",
                         counted.wall, "count_cpu", counted.cpu, "megabytes", fairstep::bench::peak_megabytes());
    if (!options.keep) std::filesystem::remove(path);
  };
  compare("Parquet, person by person", "sorted.parquet", "", "FORMAT parquet");
  compare("Parquet, step by step", "steps.parquet", "ORDER BY i % 8, i", "FORMAT parquet");
  compare("CSV, person by person", "sorted.csv", "", "FORMAT csv, HEADER");
  compare("CSV, gzip", "sorted.csv.gz", "", "FORMAT csv, HEADER, COMPRESSION gzip");
  // The same that is made of the table, asked of DuckDB alone.
  fairstep::CountOptions recoded;
  recoded.shape.recodes = {{"x", {{"0", "none"}, {"25", "low"}}, "some"}};
  const std::string cases = "CASE x WHEN '0' THEN 'none' WHEN '25' THEN 'low' ELSE 'some' END";
  compare("CSV, recoded", "recoded.csv", "", "FORMAT csv, HEADER",
          fmt::format("SELECT * REPLACE ({} AS x) FROM log", cases), recoded);
  fairstep::CountOptions asked;
  asked.shape.query = "SELECT person, step, \"group\", x::INT // 50 AS x, y, a, reward::DOUBLE AS reward FROM log";
  compare("CSV, by a query", "asked.csv", "", "FORMAT csv, HEADER", asked.shape.query, asked);
  compare("Parquet, by a query", "asked.parquet", "", "FORMAT parquet", asked.shape.query, asked);
  compare("Parquet, split in two", "split.parquet", "", "FORMAT parquet", "FROM log", {}, fairstep::Split{0.3, 7});
  fairstep::CountOptions censored;  // where people without a label went is counted by features
  censored.censoring = fairstep::Censoring::drop;
  compare("Parquet, labels of the accepted only", "censored.parquet", "", "FORMAT parquet", "FROM log", censored);
  if (!options.keep) std::filesystem::remove_all(options.folder);
}
