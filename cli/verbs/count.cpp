// fairstep count LOG...: the counts of a log, and everything in it that was not as it should be.
#include <fairstep/ingest/count.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/estimate/coverage.hpp>
#include <fairstep/ingest/guess.hpp>
#include <fairstep/io/files.hpp>

#include "answers/describe.hpp"
#include "answers/log_summary.hpp"
#include "answers/table.hpp"
#include "options/log_options.hpp"
#include "options/split_options.hpp"
#include "options/time_limit.hpp"
#include "shell/failure.hpp"
#include "shell/guarded_file.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct CountArguments {
  std::vector<std::string> logs{};
  LogOptions log{};
  std::uint64_t thin = 30;
  bool strict = false;
  TimeLimit time_limit{};
  std::optional<std::string> file{};
  SplitOptions split{};
  std::optional<std::uint64_t> seed{};
};

std::string table(const Counts& counts, std::int64_t lost_rows, std::size_t width) {
  Column name{"group", {}, true};
  Block seen{{}, {{"people", {}}, {"decisions", {}}, {"successors", {}}}};
  for (std::size_t g = 0; g < counts.names().groups.size(); ++g) {
    name.cells.push_back(counts.names().groups[g]);
    seen.columns[0].cells.push_back(with_thousands(counts.people(g)));
    seen.columns[1].cells.push_back(with_thousands(total(counts.visits().block(g))));
    seen.columns[2].cells.push_back(with_thousands(total(counts.transitions().block(g))));
  }
  if (lost_rows == 0) return lay_out(name, {seen}, width);
  Block lost{"missing at most", {{"first states", {}}, {"decisions", {}}, {"successors", {}}}};
  for (std::size_t g = 0; g < counts.names().groups.size(); ++g) {
    const Missing missing = missing_of(*counts.log()->lost, g, lost_rows);
    lost.columns[0].cells.push_back(with_thousands(missing.first));
    lost.columns[1].cells.push_back(with_thousands(missing.decisions));
    lost.columns[2].cells.push_back(with_thousands(missing.successors));
  }
  return lay_out(name, {seen, lost}, width);
}

std::string steps_in_words(const Counts& counts) {
  const std::int64_t first = counts.log()->first_step;
  const std::string range =
      counts.horizon() == 1
          ? fmt::format("step {}", first)
          : fmt::format("steps {} to {}", first, first + static_cast<std::int64_t>(counts.horizon()) - 1);
  return first == 0 ? range : fmt::format("{} of the log, counted from 0", range);
}

Json json_of(const CountedLog& counted, const std::optional<std::string>& file, const Coverage& covered) {
  const Counts& counts = counted.counts;
  const LogRecord& record = *counts.log();
  std::vector<std::int64_t> people, decisions, successors;
  Json excluded = Json::array();
  for (const Excluded& group : record.excluded) excluded.push_back({{"group", group.group}, {"rows", group.rows}});
  for (std::size_t g = 0; g < counts.names().groups.size(); ++g) {
    people.push_back(counts.people(g));
    decisions.push_back(total(counts.visits().block(g)));
    successors.push_back(total(counts.transitions().block(g)));
  }
  Json columns = Json::object();
  for (const auto& [role, column] : record.columns) columns[role] = column;
  Json body = {{"files", record.files},
               {"file", file ? Json(*file) : Json()},
               {"columns", columns},
               {"groups", counts.names().groups},
               {"features", counts.names().features},
               {"horizon", counts.horizon()},
               {"first_step", record.first_step},
               {"rows", record.rows},
               {"persons", counted.people},
               {"people", people},
               {"decisions", decisions},
               {"successors", successors},
               {"sorted", counted.sorted},
               {"findings", to_json(counted.causes)},
               {"lost", losses_json(record, counted.lost_rows)},
               {"excluded", excluded},
               {"censored", std::string(fairstep::name_of(record.censoring))},
               {"unlabelled", total(record.unlabelled.flat())},
               {"imputed", record.imputed},
               {"coverage", to_json(covered)}};
  if (!counts.periods().pooled()) body["periods"] = to_json(counts.periods());
  return body;
}

Result<void> check_strict(const CountedLog& counted) {
  if (counted.causes.empty()) return {};
  std::vector<std::string> found;
  for (const Cause& cause : counted.causes) found.push_back(in_words(cause));
  return input({fmt::format("--strict: {}", fmt::join(found, "; ")),
                {},
                counted.causes.front().found.file,
                "mend the log, or leave --strict out to have these treated as said"});
}

std::string files_of(const LogRecord& record) {
  return record.files.size() == 1 ? record.files.front() : fmt::format("{} files", record.files.size());
}

/// How the files were read, if nobody would take it for granted.
std::string how_read(const CountedLog& counted) {
  std::string how;
  if (counted.delimiter != ',')
    how += fmt::format(", columns separated by {}",
                       counted.delimiter == '\t' ? "tabs" : fmt::format("'{}'", counted.delimiter));
  if (counted.encoding == Encoding::latin1) how += ", read as Latin-1";
  return how;
}

/// What of a log, or of one part of it, was counted and was not; `name` goes before.
void add_summary(Answer& answer, const CountedLog& counted, const Coverage& covered, const std::string& name,
                 std::size_t width) {
  const Counts& counts = counted.counts;
  const LogRecord& record = *counts.log();
  const std::string part = counts.part() ? fmt::format("{}: ", fairstep::name_of(*counts.part())) : "";
  for (const Cause& cause : counted.causes) answer.warnings.push_back(part + in_words(cause));
  if (const std::string lost = losses_in_words(record, counted.lost_rows); !lost.empty())
    answer.warnings.push_back(part + lost);
  for (const std::string& group : counted.lost_groups)
    answer.warnings.push_back(part + fmt::format("no row of group {} could be used: nobody is counted in it", group));
  if (const std::string assumed = assumption(record); !assumed.empty()) answer.warnings.push_back(part + assumed);
  const std::string kernel = counts.periods().pooled() ? "" : "; next states by period";
  answer.text += fmt::format("{}: {} rows, {} people, {}{}{}\n\n{}\n{}", name, with_thousands(record.rows),
                             with_thousands(counted.people), steps_in_words(counts), how_read(counted), kernel,
                             table(counts, counted.lost_rows, width), in_words(covered, counts.names(), width));
}

Result<Answer> count_all(const CountArguments& chosen, const Context& context) {
  const auto counted = read_log(chosen.logs, chosen.log, chosen.time_limit.seconds);
  if (!counted) return tl::unexpected(counted.error());
  const Counts& counts = counted->counts;
  const LogRecord& record = *counts.log();
  if (chosen.strict)
    if (auto ok = check_strict(*counted); !ok) return tl::unexpected(ok.error());

  Answer answer;
  if (chosen.file) {
    if (auto ok = write_guarded(*chosen.file, fairstep::to_text(counts)); !ok) return io_failure(ok.error());
    answer.notes.push_back(
        fmt::format("wrote {}: counts of {} decisions", *chosen.file, with_thousands(total(counts.visits().flat()))));
    answer.notes.push_back(fmt::format("next: fairstep fit {} -o model.json", *chosen.file));
  }
  const Coverage covered = coverage(counts, static_cast<std::int64_t>(chosen.thin));
  answer.schema = "fairstep/count/1";
  answer.body = json_of(*counted, chosen.file, covered);
  add_summary(answer, *counted, covered, files_of(record), context.width);
  return answer;
}

Result<Answer> count_parts(const CountArguments& chosen, const Split& split, const Context& context) {
  const auto counted = read_parts(chosen.logs, chosen.log, split, chosen.time_limit.seconds);
  if (!counted) return tl::unexpected(counted.error());
  const auto& [design, audit] = *counted;
  if (chosen.strict)
    for (const CountedLog* part : {&design, &audit})
      if (auto ok = check_strict(*part); !ok) return tl::unexpected(ok.error());

  Answer answer;
  const std::string& audit_file = *chosen.split.audit_file;
  if (auto ok = write_parts(design.counts, *chosen.file, audit.counts, audit_file, answer.notes); !ok)
    return tl::unexpected(ok.error());
  answer.schema = "fairstep/split/1";
  answer.body = {{"share", split.share}, {"seed", split.seed}, {"logs", design.counts.part()->logs}};
  answer.text = fmt::format("{}: people split by a hash, share {}, seed {}\n", files_of(*design.counts.log()),
                            split.share, split.seed);
  for (const CountedLog* part : {&design, &audit}) {
    const Coverage covered = coverage(part->counts, static_cast<std::int64_t>(chosen.thin));
    const bool is_design = part == &design;
    answer.body[fairstep::name_of(part->counts.part()->role)] =
        json_of(*part, is_design ? *chosen.file : audit_file, covered);
    answer.text += '\n';
    add_summary(answer, *part, covered, fairstep::name_of(*part->counts.part()), context.width);
  }
  return answer;
}

/// A mapping to look at, and to say: nothing is counted by a guess.
Result<Answer> show_guess(const GuessedTable& guessed, const std::vector<std::string>& logs, const Context& context) {
  Column roles{"what", {}, true};
  Block seen{{}, {{"column", {}, true}, {"its values", {}, true}}};
  Json body = Json::array();
  std::string map;
  for (const GuessedRole& role : guessed.roles) {
    roles.cells.push_back(role.role);
    seen.columns[0].cells.push_back(role.column);
    seen.columns[1].cells.push_back(fmt::format("{}", fmt::join(role.values, ", ")));
    if (role.role != role.column) map += fmt::format("{}{}={}", map.empty() ? "" : ",", role.role, role.column);
    body.push_back({{"role", role.role}, {"column", role.column}, {"values", role.values}});
  }
  std::string words = map.empty() ? "" : " " + in_command(option("map", map));
  Json options = Json::array();
  for (const auto& [name, value] : guessed.options) {
    const std::string said = in_command(option(name, value));
    words += " " + said;
    options.push_back(said);
  }
  if (!guessed.not_found.empty()) {
    std::string hint = fmt::format("say which it is: {}", in_command(entry("map", guessed.not_found.front(), "...")));
    if (!words.empty()) hint = fmt::format("by names and values, the rest may be{}; {}", words, hint);
    const auto is_number = [](const std::string& name) {
      return !name.empty() && name.find_first_not_of("0123456789.-") == std::string::npos;
    };
    if (std::any_of(guessed.unused.begin(), guessed.unused.end(), is_number))
      hint = "the first line is to have the names of the columns; " + hint;
    return input(
        Error{fmt::format("no column is called {}, and nothing looks like it; {}", fmt::join(guessed.not_found, ", "),
                          guessed.unused.empty() ? std::string("there are no others")
                                                 : fmt::format("the others are {}", fmt::join(guessed.unused, ", "))),
              {},
              logs.front(),
              hint});
  }
  Answer answer;
  answer.schema = "fairstep/columns/1";
  answer.body = {{"columns", body}, {"options", options}, {"unused", guessed.unused}};
  answer.text = fmt::format(
      "{}: nobody said what its columns are. By names and values they may be these:\n\n{}\n{}", logs.front(),
      lay_out(roles, {seen}, context.width),
      guessed.unused.empty() ? "" : wrap(fmt::format("not used: {}", fmt::join(guessed.unused, ", ")), context.width));
  answer.notes.emplace_back(
      "nothing was counted: look at the table, and say what it is; label 1 is to be what one wishes for, action 1 to "
      "accept");
  answer.notes.push_back(fmt::format("next: fairstep count {}{} -o counts.json", fmt::join(logs, " "), words));
  return answer;
}

Result<Answer> run(const CountArguments& chosen, const Context& context) {
  if (auto ok = chosen.time_limit.check(); !ok) return tl::unexpected(ok.error());
  if (chosen.seed && !chosen.split.share) return usage("--seed is given without --split, and nothing else is drawn");
  const auto split = chosen.split.split(chosen.seed, chosen.file);
  if (!split) return tl::unexpected(split.error());
  if (!*split && !chosen.file) {
    const auto guessed = guess_columns_of(chosen.logs, chosen.log);
    if (!guessed) return tl::unexpected(guessed.error());
    if (*guessed) return show_guess(**guessed, chosen.logs, context);
  }
  return *split ? count_parts(chosen, **split, context) : count_all(chosen, context);
}

}  // namespace

Verb count_verb() {
  return {
      "count",
      "counts of a log of decisions, CSV or Parquet",
      "Reads a log in long format, a row for each decision: person, step, group, x, y, a, and reward if there is "
      "one. Files may be CSV, plain or gzip, or Parquet; a pattern in quotes stands for many. Rows that are not as "
      "they should be are counted and named, the first of each kind with its row; --strict makes them errors. The "
      "log may be larger than memory, and it is read fastest if persons come in a rising order. At the end stands "
      "which cells the log has never or hardly seen: nothing that is said about them rests on data. With --split the "
      "people, never their rows, are split by a hash: what is made from the design part in any way can be proven by "
      "the audit part.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
       "fairstep simulate fico.json half.json --people 1000 -o log.csv", "fairstep count log.csv -o counts.json",
       "fairstep count log.csv --like fico.json --strict -o counts.json",
       "fairstep count 'lo*.csv' --bins x=0,30,60 --features low,middle,high",
       "fairstep count log.csv --split 0.3 --seed 7 -o design.json --audit audit.json",
       "fairstep fit counts.json -o model.json"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<CountArguments>();
        options.positionals("LOG", chosen->logs, "log files, or patterns such as 'logs/*.parquet'");
        options.output(chosen->file, "write the counts there; without it there is only the summary");
        chosen->split.declare(options);
        options.whole("--seed", chosen->seed,
                      "of --split: whoever takes the same seed splits the same people in the same way");
        chosen->log.declare(options);
        chosen->log.kernel.declare(
            options,
            "what next states are counted by: over all steps; by step; or by periods, named with "
            "their first steps, as in before=0,after=3 (default pooled)");
        options.whole("--thin", chosen->thin, "cells with fewer decisions than this are listed as thin");
        options.flag("--strict", chosen->strict, "whatever is not as it should be is an error");
        chosen->time_limit.declare(options, "seconds after which it gives up: exit code 3, and nothing is written");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
