// A log whose people are split: each part says what the log would have said without the people of the other.
#include <fairstep/core/split.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/frame.hpp>
#include <fairstep/ingest/parts.hpp>

#include "lender.hpp"
#include "run_sql.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::Lender;
using testing::run_sql;
using testing::unwrap;

constexpr Split kSplit{0.4, 12};

struct Line {
  std::optional<std::string> person{};
  std::string text{};
};

std::string pick(Rng& draw, const std::vector<std::string>& choices) { return choices[draw() % choices.size()]; }

/// Lines of a CSV file, of which every sixth or so is not as it should be.
std::vector<Line> dirty_lines(Rng& draw, std::size_t people) {
  std::vector<Line> lines;
  const auto spoil = [&](const std::string& value, const std::vector<std::string>& others) {
    return draw.uniform() < 0.03 ? pick(draw, others) : value;
  };
  for (std::size_t person = 0; person < people; ++person) {
    const std::string name = fmt::format("p{}", person);
    const std::string group = pick(draw, {"a", "b", "c"});
    for (int step = 0; step < 5; ++step) {
      if (draw.uniform() < 0.1) continue;
      const bool nobody = draw.uniform() < 0.02;
      const std::string row = fmt::format(
          "{},{},{},{},{},{},{}", spoil(group, {"", "a", "b", "z"}), spoil(fmt::format("{}", step), {"", "x", "7"}),
          spoil(pick(draw, {"low", "high"}), {""}), spoil(pick(draw, {"0", "1"}), {"", "2"}),
          spoil(pick(draw, {"0", "1"}), {"", "5"}), spoil(pick(draw, {"1", "-0.1", "0.3"}), {"", "inf"}),
          spoil(pick(draw, {"2024-01-05", "2024-02-05"}), {"", "soon"}));
      lines.push_back({nobody ? std::nullopt : std::optional(name), (nobody ? "" : name) + "," + row});
      if (!nobody && draw.uniform() < 0.02) lines.push_back(lines.back());
      if (draw.uniform() < 0.01) lines.push_back({std::nullopt, "too,few"});
    }
  }
  return lines;
}

std::string file_of(const testing::TemporaryFolder& folder, const std::string& name, const std::vector<Line>& lines) {
  const std::filesystem::path path = folder / name;
  std::ofstream out(path);
  out << "person,group,step,x,y,a,reward,date\n";
  for (const Line& line : lines) out << line.text << "\n";
  return path.string();
}

CountOptions dirty_options() {
  CountOptions options;
  options.columns = {{"time", "date"}};
  options.groups = {"b", "a", "c"};
  options.features = {"low", "high"};
  options.first_step = 0;
  options.horizon = 5;
  options.window = CalendarUnit{};
  options.excluded_groups = {"z"};
  options.censoring = Censoring::drop;
  options.allow_loss = options.groups_may_be_empty = true;
  return options;
}

/// Without what is about the file and the split.
CountsSpec what_it_says(const Counts& counted) {
  CountsSpec counts = counted.spec();
  counts.part.reset();
  counts.log->files.clear();
  for (Finding& finding : counts.log->findings) {
    finding.file.clear();
    finding.row = 0;
  }
  return counts;
}

void expect_same(const CountedLog& part, const CountedLog& alone) {
  EXPECT_EQ(part.people, alone.people);
  EXPECT_EQ(part.lost_rows, alone.lost_rows);
  EXPECT_EQ(what_it_says(part.counts), what_it_says(alone.counts));
}

TEST(SplitLog, EachPartIsTheCountOfALogWithoutThePeopleOfTheOther) {
  const testing::TemporaryFolder folder;
  const Splitter splitter(kSplit);
  for (const Censoring censoring : {Censoring::drop, Censoring::ignorable})
    for (std::uint64_t repeat = 0; repeat < 6; ++repeat) {
      Rng draw(repeat);
      const std::vector<Line> lines = dirty_lines(draw, 120);
      // Rows that nobody knows to be whose are in both.
      std::vector<Line> design, audit;
      for (const Line& line : lines) {
        if (!line.person || splitter.role_of(std::string_view(*line.person)) == PartRole::design)
          design.push_back(line);
        if (!line.person || splitter.role_of(std::string_view(*line.person)) == PartRole::audit) audit.push_back(line);
      }
      CountOptions options = dirty_options();
      options.censoring = censoring;
      const SplitLog split = unwrap(split_log({file_of(folder, "log.csv", lines)}, kSplit, options));
      expect_same(split.design, unwrap(count_log({file_of(folder, "design.csv", design)}, options)));
      expect_same(split.audit, unwrap(count_log({file_of(folder, "audit.csv", audit)}, options)));
      EXPECT_TRUE(check_counterparts(split.design.counts, split.audit.counts));
    }
}

TEST(SplitLog, WhereNothingIsLostThePartsAddUpToTheWhole) {
  const testing::TemporaryFolder folder;
  run_sql(
      "COPY (SELECT i // 5 AS person, CASE WHEN hash(i // 5) % 2 = 0 THEN 'a' ELSE 'b' END AS \"group\", i % 5 AS "
      "step, (hash(i) % "
      "3)::INTEGER AS x, hash(i + 1) % 2 AS y, hash(i + 2) % 2 AS a, 0.25 AS reward FROM range(5000) t(i)) TO '" +
      (folder / "log.parquet").string() + "' (FORMAT parquet)");
  const std::vector<std::string> files{(folder / "log.parquet").string()};
  const CountedLog whole = unwrap(count_log(files));
  SplitLog split = unwrap(split_log(files, kSplit));
  EXPECT_EQ(split.design.people + split.audit.people, whole.people);
  EXPECT_EQ(split.design.counts.log()->rows + split.audit.counts.log()->rows, 5000);
  for (Counts* part : {&split.design.counts, &split.audit.counts}) ASSERT_TRUE(part->mark(std::nullopt));
  ASSERT_TRUE(split.design.counts.add(split.audit.counts));
  CountsSpec sum = split.design.counts.spec();
  sum.log = whole.counts.log();
  EXPECT_EQ(sum, whole.counts.spec());  // quarters add up without rounding
}

// The row is lost for both parts, and so is the line: a claim about either rests on whatever they may have said.
TEST(SplitLog, WhatMayBeAnybodysIsMissingInBothParts) {
  const testing::TemporaryFolder folder;
  std::vector<Line> lines;
  for (int person = 0; person < 20; ++person)
    for (const int step : {0, 1}) {
      const std::string name = fmt::format("p{}", person);
      lines.push_back({name, fmt::format("{},a,{},low,1,1,0,2024-01-05", name, step)});
    }
  lines.push_back({std::nullopt, ",b,1,low,1,1,0,2024-01-05"});
  lines.push_back({std::nullopt, "too,few"});
  const SplitLog split = unwrap(split_log({file_of(folder, "log.csv", lines)}, kSplit, dirty_options()));
  for (const CountedLog* part : {&split.design, &split.audit}) {
    const Lost& lost = *part->counts.log()->lost;
    EXPECT_EQ(part->lost_rows, 2);
    EXPECT_EQ(lost.first(0), 2);  // of group b: the row, and the line, which may be of any group
    EXPECT_EQ(lost.first(1), 1);  // of group a: the line
    EXPECT_EQ(lost.decisions(0, 1), 2);
    EXPECT_EQ(lost.transitions(0, 0, 1, 1), 4);  // out of the row and to it, and the same of the line
    EXPECT_EQ(lost.first_in_doubt(1), 1);
    EXPECT_EQ(part->counts.log()->findings.size(), 2U);
    EXPECT_EQ(part->counts.log()->rows, 2 * part->people + 1);
  }
}

// The accepted with a label say 1 in the one part and 0 in the other: if labels of one part reached the other, some of
// those that are drawn would be of the wrong kind.
TEST(SplitLog, LabelsAreDrawnFromThoseOfTheOwnPart) {
  const testing::TemporaryFolder folder;
  const Splitter splitter(kSplit);
  std::vector<Line> lines;
  for (int person = 0; person < 60; ++person) {
    const std::string name = fmt::format("p{}", person);
    const bool design = splitter.role_of(std::string_view(name)) == PartRole::design;
    lines.push_back(
        {name, fmt::format("{},{},0,low,{},1,0,2024-01-05", name, person % 2 == 0 ? "a" : "b", design ? 1 : 0)});
    lines.push_back({name, fmt::format("{},{},1,low,,0,0,2024-01-05", name, person % 2 == 0 ? "a" : "b")});
  }
  CountOptions options = dirty_options();
  const std::vector<std::string> files{file_of(folder, "log.csv", lines)};
  options.censoring.reset();
  const auto asked = split_log(files, kSplit, options);
  ASSERT_FALSE(asked);
  EXPECT_NE(asked.error().message.find("missing in 60 of 60 refusals"), std::string::npos) << asked.error().message;

  options.censoring = Censoring::ignorable;
  const SplitLog split = unwrap(split_log(files, kSplit, options));
  EXPECT_EQ(split.design.counts.log()->imputed + split.audit.counts.log()->imputed, 60);
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_EQ(split.design.counts.visits_of(g, 0, 0, 0), 0);
    EXPECT_GT(split.design.counts.visits_of(g, 0, 1, 0), 0);
    EXPECT_EQ(split.audit.counts.visits_of(g, 0, 1, 0), 0);
    EXPECT_GT(split.audit.counts.visits_of(g, 0, 0, 0), 0);
  }
}

TEST(SplitLog, NeitherFormatNorThreadsNorTheOrderOfRowsChangeAnything) {
  const testing::TemporaryFolder folder;
  const auto spoiled = [](const char* name, const std::string& value, int every) {
    return fmt::format("CASE WHEN hash({0}, i) % {1} = 0 THEN NULL ELSE {0} END AS \"{2}\"", value, every, name);
  };
  const std::string rows = "SELECT " + spoiled("person", "(i // 7)", 211) + ", " +
                           spoiled("group", "(CASE WHEN (i // 7) % 3 = 0 THEN 'a' ELSE 'b' END)", 97) + ", " +
                           spoiled("step", "(i % 7)", 101) + ", " + spoiled("x", "(hash(i) % 4)", 89) + ", " +
                           spoiled("y", "(hash(i + 1) % 2)", 211) + ", " + spoiled("a", "(hash(i + 2) % 2)", 83) +
                           ", (hash(i + 3) % 1000)::DOUBLE / 997 AS reward FROM range(120000) t(i)";
  const auto path = [&](const char* name) { return (folder / name).string(); };
  run_sql("CREATE TABLE log AS " + rows + "; COPY log TO '" + path("log.parquet") +
          "' (FORMAT parquet, ROW_GROUP_SIZE 12288); COPY log TO '" + path("log.csv") +
          "' (FORMAT csv, HEADER); COPY (SELECT person::VARCHAR AS person, * EXCLUDE (person) FROM log ORDER BY "
          "hash(person, step, x, y)) TO '" +
          path("shuffled.parquet") +
          "' (FORMAT parquet); COPY (SELECT person::DOUBLE AS person, * EXCLUDE (person) "
          "FROM log) TO '" +
          path("real.parquet") + "' (FORMAT parquet)");
  CountOptions options;
  options.censoring = Censoring::drop;
  options.allow_loss = true;
  const SplitLog csv = unwrap(split_log({path("log.csv")}, kSplit, options));
  EXPECT_FALSE(csv.design.counts.log()->lost->nothing());
  options.threads = 3;
  const auto tables = [](const CountedLog& part) {
    CountsSpec spec = part.counts.spec();
    spec.log->files.clear();
    for (Finding& finding : spec.log->findings) finding = {finding.anomaly, finding.role, finding.rows, {}, 0};
    return spec;
  };
  for (const char* name : {"log.parquet", "real.parquet"}) {
    const SplitLog other = unwrap(split_log({path(name)}, kSplit, options));
    EXPECT_EQ(tables(other.design), tables(csv.design)) << name;
    EXPECT_EQ(tables(other.audit), tables(csv.audit)) << name;
  }
  const SplitLog shuffled = unwrap(split_log({path("shuffled.parquet")}, kSplit, options));
  EXPECT_TRUE(shuffled.audit.sorted);
  for (const auto& [other, ours] : {std::pair(&shuffled.design, &csv.design), std::pair(&shuffled.audit, &csv.audit)}) {
    EXPECT_EQ(other->counts.visits(), ours->counts.visits());
    EXPECT_EQ(other->counts.transitions(), ours->counts.transitions());
    EXPECT_EQ(other->counts.reward_sum(), ours->counts.reward_sum());
    EXPECT_EQ(other->counts.log()->lost, ours->counts.log()->lost);
    EXPECT_EQ(other->counts.part(), ours->counts.part());
  }
}

TEST(SplitLog, APartWithNobodyInItIsAnError) {
  const testing::TemporaryFolder folder;
  const std::vector<std::string> files{
      file_of(folder, "log.csv", {{"p1", "p1,a,0,low,1,1,0,2024-01-05"}, {"p2", "p2,b,0,low,1,1,0,2024-01-05"}})};
  const CountOptions options = dirty_options();
  const auto refused = [&](const Split& split) { return split_log(files, split, options).error(); };
  EXPECT_EQ(refused({1e-9, 1}).message, "nobody is in the design part of the split");
  EXPECT_EQ(refused({1 - 1e-9, 1}).message, "nobody is in the audit part of the split");
  EXPECT_EQ(refused({0, 1}).option, "split");
  // Where nobody can be counted at all, that is said instead.
  const std::vector<std::string> empty{file_of(folder, "empty.csv", {})};
  EXPECT_EQ(split_log(empty, kSplit, options).error().message, "the log has no rows");
  const std::vector<std::string> bad{file_of(folder, "bad.csv", {{"p1", "p1,a,0,,1,1,0,"}, {"p2", "p2,b,0,,1,1,0,"}})};
  EXPECT_EQ(split_log(bad, kSplit, options).error().message, "none of the 2 rows can be counted: missing x in 2 rows");
}

// Person, step, group, x, y, a, reward, place: 40 people with two rows each, far apart. A label of 2 is none.
std::vector<Lender::Row> rows_of_forty() {
  std::vector<Lender::Row> rows;
  for (std::int64_t step = 0; step < 2; ++step)
    for (std::int64_t person = 0; person < 40; ++person)
      rows.push_back({person, step, person % 2, person % 3, (person / 4 + step) % 3, person / 2 % 2, 1,
                      static_cast<std::int64_t>(rows.size())});
  return rows;
}

const std::vector<std::string> kNames{"person", "step", "group", "x", "y", "a", "reward", "place"};

TEST(SplitParts, TogetherSayWhatTheSplitLogSays) {
  const std::vector<Lender::Row> rows = rows_of_forty();
  const CountOptions options{.allow_loss = true};
  Lender lender(kNames, {rows});
  const SplitLog whole = unwrap(split_frame(unwrap(Frame::take(lender.stream())), kSplit, options));
  const PartedLog log{{"frame"}, whole.design.counts.log()->columns, {}, kSplit};
  std::vector<Lender::Row> odd, even;
  for (const Lender::Row& row : rows) (row[0] % 2 == 1 ? odd : even).push_back(row);
  std::vector<std::string> parts;
  for (const auto& some : {odd, even}) {
    Lender part(kNames, {some});
    parts.push_back(unwrap(count_part(unwrap(Frame::take(part.stream())), options, "place", {}, kSplit)));
  }
  EXPECT_TRUE(unwrap(label_shares(parts, log, options)).empty());
  const SplitLog joined = unwrap(join_split_parts(parts, log, options));
  EXPECT_EQ(joined.design.counts, whole.design.counts);
  EXPECT_EQ(joined.audit.counts, whole.audit.counts);
  EXPECT_EQ(joined.audit.people, whole.audit.people);
  EXPECT_FALSE(join_parts(parts, log, options));
  PartedLog other = log;
  other.split->seed = 13;
  EXPECT_EQ(join_split_parts(parts, other, options).error().message,
            "this is no part of a log that this version has counted");
  other.split.reset();
  EXPECT_FALSE(join_parts(parts, other, options));
  EXPECT_FALSE(join_split_parts(parts, other, options));
}

}  // namespace
}  // namespace fairstep
