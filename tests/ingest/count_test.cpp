// The library's own face: what a log says in counts. Every kind of anomaly, against an independent count, is in
// tests/python/test_cli_count.py.
#include <fairstep/ingest/count.hpp>

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "run_sql.hpp"
#include "support/counts.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::run_sql;
using testing::unwrap;

void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

constexpr const char* kLog =
    "person,group,step,x,y,a,reward\n"
    "1,a,0,low,0,1,-0.5\n"
    "1,a,1,high,1,1,1\n"
    "2,b,0,low,1,0,0\n"
    "2,b,2,low,1,1,0.25\n";

TEST(CountLog, CountsByHand) {
  const testing::TemporaryFolder folder;
  write(folder / "log.csv", kLog);
  const CountedLog counted = unwrap(count_log({(folder / "log.csv").string()}));
  const Counts& counts = counted.counts;
  EXPECT_EQ(counts.names().groups, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(counts.names().features, (std::vector<std::string>{"high", "low"}));
  EXPECT_EQ(counts.horizon(), 3U);
  EXPECT_EQ(counted.people, 2);
  EXPECT_EQ(counts.first()(0, 1, 0), 1);
  EXPECT_EQ(counts.first()(1, 1, 1), 1);
  EXPECT_EQ(counts.visits()(0, 1, 0, 1, 1), 1);
  EXPECT_EQ(counts.transitions()(0, 1, 0, 1, 0, 1), 1);  // person 1: (low,0), accepted, then (high,1)
  EXPECT_EQ(counts.successors_of(1, 1, 1, 0), 0);        // person 2 misses a step: no transition
  EXPECT_EQ(counts.reward_sum()(0, 0, 1, 1), 1.0);
  EXPECT_EQ(counts.reward_squares()(1, 1, 1, 1), 0.0625);
  ASSERT_EQ(counts.log()->findings.size(), 1U);
  EXPECT_EQ(counts.log()->findings[0].anomaly, Anomaly::gap);
  EXPECT_EQ(counts.log()->findings[0].row, 4);
}

TEST(CountLog, ParquetInSeveralFilesAndThreadsSaysTheSameAsCsv) {
  const testing::TemporaryFolder folder;
  // 300,000 rows are three row groups of a file, and more than one thread reads them. Persons are 7 rows long, so that
  // some sit across the borders of row groups and of files.
  const std::string rows =
      "SELECT i // 7 AS person, CASE WHEN (i // 7) % 3 = 0 THEN 'a' ELSE 'b' END AS \"group\", i % 7 AS step, "
      "(hash(i) % 4)::INTEGER AS x, hash(i + 1) % 2 = 1 AS y, (hash(i + 2) % 2)::INTEGER AS a, "
      "((hash(i + 3) % 1000)::DOUBLE / 997) AS reward FROM range(300000) t(i)";
  const auto path = [&](const char* name) { return (folder / name).string(); };
  run_sql("COPY (" + rows + ") TO '" + path("log.csv") + "' (FORMAT csv, HEADER)");
  run_sql("COPY (" + rows + ") TO '" + path("log.parquet") + "' (FORMAT parquet)");
  run_sql("COPY (SELECT * FROM (" + rows + ") WHERE person < 20001) TO '" + path("a.parquet") + "' (FORMAT parquet)");
  run_sql("COPY (SELECT * FROM (" + rows + ") WHERE person >= 20001) TO '" + path("b.parquet") + "' (FORMAT parquet)");
  run_sql("COPY (SELECT * FROM (" + rows + ") ORDER BY hash(person + step * 1000003)) TO '" + path("shuffled.parquet") +
          "' (FORMAT parquet)");
  CountOptions options;
  options.threads = 3;
  const Counts csv = unwrap(count_log({path("log.csv")}, options)).counts;
  EXPECT_TRUE(csv.log()->findings.empty());
  const auto same = [&](const std::vector<std::string>& files, bool sorted) {
    const CountedLog counted = unwrap(count_log(files, options));
    EXPECT_EQ(counted.sorted, sorted);
    EXPECT_EQ(counted.people, 42858);
    EXPECT_EQ(counted.counts.history(), csv.history());
    EXPECT_EQ(counted.counts.tables(), csv.tables());  // sums of rewards too, to the last bit
  };
  same({path("log.parquet")}, false);
  same({path("a.parquet"), path("b.parquet")}, false);
  same({path("b.parquet"), path("a.parquet")}, true);
  same({path("shuffled.parquet")}, true);
}

// Each thread numbers groups, features and steps as it meets them, so that what is lost has to be renumbered as well.
TEST(CountLog, WhatIsLostDoesNotDependOnThreadsOrOnTheOrderOfRows) {
  const testing::TemporaryFolder folder;
  const auto spoiled = [](const char* name, const std::string& value, int every) {
    return fmt::format("CASE WHEN hash({0}, i) % {1} = 0 THEN NULL ELSE {0} END AS \"{2}\"", value, every, name);
  };
  const std::string rows = "SELECT " + spoiled("person", "(i // 7)", 211) + ", " +
                           spoiled("group", "(CASE WHEN (i // 7) % (i // 40009 + 3) = 0 THEN 'a' ELSE 'b' END)", 97) +
                           ", " + spoiled("step", "((i + 3 * (i // 36000)) % 7)", 101) + ", " +
                           spoiled("x", "((hash(i) + i // 36000) % 4)", 89) + ", " +
                           spoiled("y", "(hash(i + 1) % 2)", 11) + ", " + spoiled("a", "(hash(i + 2) % 2)", 83) +
                           " FROM range(120000) t(i)";
  const auto path = [&](const char* name) { return (folder / name).string(); };
  run_sql("CREATE TABLE log AS " + rows + "; COPY log TO '" + path("log.parquet") +
          "' (FORMAT parquet, ROW_GROUP_SIZE 12288); COPY log TO '" + path("log.csv") +
          "' (FORMAT csv, HEADER); COPY (SELECT * FROM log ORDER BY hash(person, step, x, y)) TO '" +
          path("shuffled.parquet") + "' (FORMAT parquet)");
  CountOptions options;
  options.censoring = Censoring::drop;
  const CountedLog one = unwrap(count_log({path("log.csv")}, options));
  EXPECT_FALSE(one.counts.log()->lost->nothing());
  EXPECT_GT(one.lost_rows, 12000);
  for (const unsigned threads : {1U, 3U})
    for (const char* file : {"log.csv", "log.parquet", "shuffled.parquet"}) {
      options.threads = threads;
      const CountedLog counted = unwrap(count_log({path(file)}, options));
      EXPECT_EQ(counted.counts.log()->lost, one.counts.log()->lost) << file << " by " << threads;
      EXPECT_EQ(counted.counts.visits(), one.counts.visits()) << file << " by " << threads;
      EXPECT_EQ(counted.counts.transitions(), one.counts.transitions()) << file << " by " << threads;
      EXPECT_EQ(counted.counts.first(), one.counts.first()) << file << " by " << threads;
      EXPECT_EQ(counted.lost_rows, one.lost_rows) << file << " by " << threads;
    }
}

TEST(CountLog, NumbersOfEveryTypeSayTheSameAsTheirText) {
  const testing::TemporaryFolder folder;
  // Steps are left out here and there, and values are missing: of the step in row 100, of x in 200, ... Some labels are
  // missing too, of accepted and refused alike. 10,000 rows are several chunks, with and without anything wrong in
  // them.
  const auto rows = [](const std::string& type, const std::string& none) {
    const auto column = [&](const char* name, const char* value, const char* missing) {
      return std::string("CASE WHEN ") + missing + " THEN " + none + "::" + type + " ELSE (" + value + ")::" + type +
             " END AS " + name;
    };
    return "SELECT i // 7 AS person, CASE WHEN (i // 7) % 3 = 0 THEN 'a' ELSE 'b' END AS \"group\", " +
           column("step", "i % 7", "i = 100 OR i = 6001") + ", " + column("x", "hash(i) % 4", "i = 200 OR i = 9000") +
           ", " + column("y", "hash(i + 1) % 2", "i > 9500 AND i % 3 = 0") + ", " +
           column("a", "hash(i + 2) % 2", "i = 400") + ", " +
           column("reward", "hash(i + 3) % 3", "i = 500 OR i = 8500") +
           " FROM range(10000) t(i) WHERE hash(i + 4) % 50 > 0";
  };
  const auto path = [&](const char* name) { return (folder / name).string(); };
  run_sql("COPY (" + rows("BIGINT", "NULL") + ") TO '" + path("log.csv") + "' (FORMAT csv, HEADER)");
  CountOptions options;
  options.censoring = Censoring::drop;
  const Counts csv = unwrap(count_log({path("log.csv")}, options)).counts;
  EXPECT_FALSE(csv.log()->lost->nothing());
  EXPECT_EQ(csv.log()->findings.size(), 6U);  // gaps, and one of each column with missing values
  const auto same = [&](const std::string& type, const std::string& none) {
    run_sql("COPY (" + rows(type, none) + ") TO '" + path("log.parquet") + "' (FORMAT parquet)");
    const CountedLog counted = unwrap(count_log({path("log.parquet")}, options));
    EXPECT_FALSE(counted.sorted);
    const Counts of_csv = changed(counted.counts, [&](CountsSpec& spec) {
      spec.log->files = csv.log()->files;
      for (Finding& finding : spec.log->findings) finding.file = csv.log()->files[0];
    });
    EXPECT_EQ(of_csv, csv) << type << " without a value: " << none;
  };
  for (const char* type : {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "HUGEINT",
                           "FLOAT", "DOUBLE", "VARCHAR"})
    same(type, "NULL");
  same("DOUBLE", "'nan'");
  same("FLOAT", "'nan'");
  same("VARCHAR", "''");
}

// Bins that are asked for make features of their own; those of a log that was counted before are taken up.
TEST(CountOptions, TakeTheNamesOfAModelOrOfCounts) {
  const Model model = testing::hand_model();
  CountOptions options;
  take_names(model, options);
  EXPECT_EQ(options.groups, model.names().groups);
  EXPECT_EQ(options.features, model.names().features);
  EXPECT_EQ(options.horizon, 2U);
  EXPECT_EQ(options.first_step, 0);
  EXPECT_TRUE(options.bins.empty());

  CountsSpec spec = CountsSpec::zeros(2, model.names());
  LogRecord& log = spec.log.emplace();
  log.first_step = 7;
  log.bins = {0, 12.5};
  const auto counts = Counts::make(spec);
  ASSERT_TRUE(counts);
  CountOptions again;
  take_names(*counts, again);
  EXPECT_EQ(again.first_step, 7);
  EXPECT_EQ(again.bins, log.bins);
  CountOptions own;
  own.bins = {1, 2, 3};
  take_names(*counts, own);
  EXPECT_EQ(own.bins, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(own.features.empty());
}

TEST(CountLog, AnEngineWithLittleMemorySortsOnDisk) {
  const testing::TemporaryFolder folder;
  const std::string file = (folder / "log.parquet").string();
  run_sql(
      "COPY (SELECT 'person number ' || (i % 50000) AS person, CASE WHEN (i % 50000) % 3 = 0 THEN 'a' ELSE 'b' END AS "
      "\"group\", i // 50000 AS step, (hash(i) % 4)::INTEGER AS x, 1 AS y, 1 AS a FROM range(400000) t(i)) TO '" +
      file + "' (FORMAT parquet)");
  CountOptions options;
  options.memory_bytes = 64'000'000;
  options.temporary_directory = folder / "spill";
  const CountedLog counted = unwrap(count_log({file}, options));
  EXPECT_TRUE(counted.sorted);
  EXPECT_EQ(counted.people, 50000);
  EXPECT_EQ(counted.counts.log()->rows, 400000);
  EXPECT_TRUE(counted.counts.log()->findings.empty());
}

TEST(CountLog, DecisionsFallIntoCalendarWindows) {
  const testing::TemporaryFolder folder;
  write(folder / "log.csv",
        "person,group,step,x,y,a,day\n"
        "1,a,0,s,0,1,2024-01-31\n"
        "1,a,1,s,1,1,2024-02-01 23:59:59\n"
        "2,b,0,s,1,0,2024-03-31\n"
        "3,b,0,s,1,0,1969-12-31\n"
        "4,b,0,s,1,0,yesterday\n");
  CountOptions options;
  options.allow_loss = true;
  options.columns = {{"time", "day"}};
  const auto windows = [&](CalendarUnit unit) {
    options.window = unit;
    std::vector<std::string> from;
    const LogRecord record = *unwrap(count_log({(folder / "log.csv").string()}, options)).counts.log();
    EXPECT_EQ(record.findings.size(), 1U);  // yesterday is no date
    for (const Window& window : record.windows) from.push_back(window.from);
    return from;
  };
  using Kind = CalendarUnit::Kind;
  using Days = std::vector<std::string>;
  EXPECT_EQ(windows({Kind::month, 0}), (Days{"1969-12-01", "2024-01-01", "2024-02-01", "2024-03-01"}));
  EXPECT_EQ(windows({Kind::quarter, 0}), (Days{"1969-10-01", "2024-01-01"}));
  EXPECT_EQ(windows({Kind::year, 0}), (Days{"1969-01-01", "2024-01-01"}));
  // 2024-01-31 is day 19753 = 10 * 1975 + 3: its ten days began on 2024-01-28. 1969-12-31 is day -1: from day -10.
  EXPECT_EQ(windows({Kind::days, 10}), (Days{"1969-12-22", "2024-01-28", "2024-03-28"}));
}

// The number that stands for no day was read as minus a number that is too large, and the engine refused the whole log.
TEST(CountLog, ARowWithoutATimeIsLostAndNamed) {
  const testing::TemporaryFolder folder;
  write(folder / "log.csv",
        "person,group,step,x,y,a,day\n"
        "1,a,0,s,0,1,2024-01-31\n"
        "2,b,0,s,1,0,\n"
        "3,b,0,s,1,1,2024-02-01\n");
  CountOptions options;
  options.allow_loss = true;
  options.columns = {{"time", "day"}};
  options.window = CalendarUnit{};
  const CountedLog counted = unwrap(count_log({(folder / "log.csv").string()}, options));
  ASSERT_EQ(counted.counts.log()->findings.size(), 1U);
  EXPECT_EQ(counted.counts.log()->findings[0].anomaly, Anomaly::missing);
  EXPECT_EQ(counted.counts.log()->findings[0].role, "time");
  EXPECT_EQ(counted.counts.log()->findings[0].row, 2);
  EXPECT_EQ(counted.lost_rows, 1);
  EXPECT_EQ(counted.counts.log()->windows.size(), 2U);
}

}  // namespace
}  // namespace fairstep
