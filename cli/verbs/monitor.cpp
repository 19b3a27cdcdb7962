// fairstep monitor STATE [LOG ...]: every day's log is added to a state, and an alarm says what the days refute.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/check/check.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/io/file_digest.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/monitor/state.hpp>

#include "answers/log_summary.hpp"
#include "answers/monitor_summary.hpp"
#include "options/log_options.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct MonitorArguments {
  std::string folder{};
  std::vector<std::string> logs{};
  std::vector<Notion> fairness{};
  std::optional<double> limit{}, delta{};
  std::optional<std::string> certificate{}, date{};
  LogOptions log{};
};

using Reading = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Calls `take(option, values)` for everything that says how a log is read, be it given or not.
template <class Log, class Lists, class Texts, class Numbers>
void for_each_of_reading(Log& log, const Lists& lists, const Texts& texts, const Numbers& numbers) {
  lists("map", log.map), lists("bins", log.bins), lists("wide", log.wide), lists("recode", log.recode);
  lists("groups", log.groups), lists("exclude-groups", log.exclude_groups), lists("features", log.features);
  lists("labels", log.labels), lists("actions", log.actions);
  texts("query", log.query), texts("step-from", log.step_from), texts("every", log.every);
  texts("missing", log.missing), texts("window", log.window);
  texts("delimiter", log.delimiter);
  numbers("first-step", log.first_step), numbers("horizon", log.horizon);
}

/// What was said about it, by option. Names and steps of --like are kept as what they are.
Reading reading_of(const LogOptions& log) {
  Reading reading;
  for_each_of_reading(
      log,
      [&](const char* name, const std::vector<std::string>& values) {
        if (!values.empty()) reading.emplace_back(name, values);
      },
      [&](const char* name, const std::optional<std::string>& value) {
        if (value) reading.emplace_back(name, std::vector{*value});
      },
      [&](const char* name, const std::optional<std::uint64_t>& value) {
        if (value) reading.emplace_back(name, std::vector{std::to_string(*value)});
      });
  if (log.censored) reading.emplace_back("censored", std::vector{std::string(fairstep::name_of(*log.censored))});
  if (log.encoding != Encoding::utf8)
    reading.emplace_back("encoding", std::vector{std::string(fairstep::name_of(log.encoding))});
  std::sort(reading.begin(), reading.end());
  return reading;
}

/// Bins that came with --like or a certificate: a later day has neither.
void keep_bins(const LogRecord& log, Reading& reading) {
  const auto is_bins = [](const auto& entry) { return entry.first == "bins"; };
  if (log.bins.empty() || std::any_of(reading.begin(), reading.end(), is_bins)) return;
  const auto x = std::find_if(log.columns.begin(), log.columns.end(), [](const auto& c) { return c.first == "x"; });
  reading.emplace_back("bins", std::vector{fmt::format("{}={}", x->second, fmt::join(log.bins, ","))});
}

/// The options of a state, but for names and steps, which it knows itself.
void take_reading(const Reading& reading, LogOptions& log) {
  const auto given = [&](const char* name) -> const std::vector<std::string>* {
    const auto found = std::find_if(reading.begin(), reading.end(), [&](const auto& r) { return r.first == name; });
    return found == reading.end() ? nullptr : &found->second;
  };
  for_each_of_reading(
      log,
      [&](const char* name, std::vector<std::string>& values) {
        if (const auto* kept = given(name)) values = *kept;
      },
      [&](const char* name, std::optional<std::string>& value) {
        if (const auto* kept = given(name)) value = kept->front();
      },
      [](const char*, const std::optional<std::uint64_t>&) {});
  log.groups.clear(), log.labels.clear(), log.actions.clear(), log.like.reset();
  if (const auto* kept = given("censored")) log.censored = named<Censoring>(kept->front());
  if (const auto* kept = given("encoding")) log.encoding = named<Encoding>(kept->front()).value_or(Encoding::utf8);
}

/// What was asked at the start stands.
Result<void> check_asked(const MonitorArguments& chosen, const MonitorQuestion& question) {
  const auto differs = [&](const char* name, const std::string& now, const std::string& then) -> Result<void> {
    return usage(fmt::format("{} is {}, and the state was begun with {}", name, now, then),
                 "what is asked stands at the start; leave it out, or begin a state in another folder");
  };
  const auto shown = [](const auto& number) { return number ? fmt::format("{}", *number) : std::string("none"); };
  if (chosen.limit && chosen.limit != question.limit)
    return differs("--limit", shown(chosen.limit), shown(question.limit));
  if (chosen.delta && *chosen.delta != question.delta)
    return differs("--delta", shown(chosen.delta), fmt::format("{}", question.delta));
  if (!chosen.fairness.empty() && chosen.fairness != question.notions) {
    const auto words = [](const std::vector<Notion>& notions) {
      std::vector<std::string> names;
      for (const Notion notion : notions) names.emplace_back(fairstep::name_of(notion));
      return fmt::format("{}", fmt::join(names, ","));
    };
    return differs("--fairness", words(chosen.fairness), words(question.notions));
  }
  if (chosen.certificate) {
    const auto digest = digest_of_file(*chosen.certificate);
    if (!digest) return input(digest.error());
    if (!question.certificate || question.certificate->sha256 != *digest)
      return differs("--certificate", *chosen.certificate,
                     question.certificate ? question.certificate->file + ", which is another" : "none");
  }
  const auto in_words = [](const Reading& reading) {
    std::string text;
    for (const auto& [name, values] : reading) text += fmt::format(" --{} {}", name, fmt::join(values, ","));
    return text.empty() ? std::string("none") : text.substr(1);
  };
  const Reading reading = reading_of(chosen.log);
  if (!reading.empty() && reading != question.reading)
    return differs("how logs are read", in_words(reading), in_words(question.reading));
  return {};
}

bool is_date(const std::string& text) {
  const auto digits = [&](std::size_t from, std::size_t to) {
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(from), text.begin() + static_cast<std::ptrdiff_t>(to),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  if (text.size() != 10 || !digits(0, 4) || text[4] != '-' || !digits(5, 7) || text[7] != '-' || !digits(8, 10))
    return false;
  const auto number = [&](std::size_t from, std::size_t length) { return std::stoi(text.substr(from, length)); };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

Result<std::vector<FileDigest>> digests_of(const std::vector<std::string>& files) {
  std::vector<FileDigest> digests;
  for (const std::string& file : files) {
    auto digest = digest_of_file(file);
    if (!digest) return input(digest.error());
    digests.push_back({file, std::move(*digest)});
  }
  return digests;
}

/// The day that has this file already.
std::optional<std::size_t> day_with(const MonitorState& state, const FileDigest& log) {
  for (const MonitorDay& day : state.days())
    if (std::any_of(day.logs.begin(), day.logs.end(), [&](const auto& kept) { return kept.sha256 == log.sha256; }))
      return day.number;
  return std::nullopt;
}

struct Counted {
  CountedLog log;
  std::vector<FileDigest> logs;
};

/// The log, and the files that it came from: the same before and after it was counted.
Result<Counted> count(const MonitorArguments& chosen, const LogOptions& options, std::vector<FileDigest> logs,
                      const std::function<void(CountOptions&)>& take) {
  auto counted = read_log_like(chosen.logs, options, [&](CountOptions& counting) {
    take(counting);
    // That nothing is assumed of labels that were not seen need not be said: what they may have been is missing.
    if (!counting.censoring) counting.censoring = Censoring::drop;
  });
  if (!counted) return tl::unexpected(counted.error());
  for (const FileDigest& log : logs) {
    const auto after = digest_of_file(log.file);
    if (!after) return input(after.error());
    if (*after != log.sha256)
      return input(Error{
          "it changed while it was read, and nothing was added", {}, log.file, "add a day's log once it is complete"});
  }
  return Counted{std::move(*counted), std::move(logs)};
}

Result<void> add_day(MonitorState& state, const MonitorArguments& chosen, Counted counted, Answer& answer) {
  auto day = day_of(counted.log.counts, counted.log.lost_rows, state.question(), state.claims(), state.certified());
  if (!day) return input(day.error(), chosen.logs.front());
  day->date = chosen.date.value_or("");
  day->logs = std::move(counted.logs);
  if (auto ok = state.add(chosen.folder, std::move(*day)); !ok) return io_failure(ok.error());
  for (const Cause& cause : counted.log.causes) answer.warnings.push_back(in_words(cause));
  const LogRecord& record = *counted.log.counts.log();
  if (counted.log.lost_rows > 0)
    answer.warnings.push_back(fmt::format(
        "{} of {} rows cannot be used, or lack a label: evidence is what remains whatever they would have said",
        with_thousands(counted.log.lost_rows), with_thousands(record.rows)));
  for (const std::string& group : counted.log.lost_groups)
    answer.warnings.push_back(fmt::format("no row of group {} could be used: nobody is counted in it", group));
  if (record.censoring == Censoring::ignorable) answer.warnings.push_back(assumption(record));
  answer.notes.push_back(fmt::format("added day {}: {}, {} rows", state.days().size(), fmt::join(chosen.logs, " "),
                                     with_thousands(record.rows)));
  answer.body["added"] = state.days().size();
  return {};
}

Result<Answer> finish(const MonitorState& state, const MonitorArguments& chosen, const Context& context,
                      Answer answer) {
  answer.schema = "fairstep/monitor-standing/1";
  if (!answer.body.contains("added")) answer.body["added"] = nullptr;
  Json body = {{"state", chosen.folder}};
  body.update(answer.body);
  body.update(to_json(state));
  answer.body = std::move(body);
  answer.text = to_text(state, chosen.folder, context.width);
  if (has_alarm(state)) answer.code = ExitCode::no;
  return answer;
}

Result<void> check_holds(const std::string& certificate, const std::string& file) {
  const auto report = check_certificate(certificate, file);
  if (!report) return input(report.error(), file);
  if (report->mismatches.empty()) return {};
  return input(Error{"the certificate does not hold",
                     report->mismatches.front().pointer,
                     {},
                     fmt::format("fairstep check {} says more", file)},
               file);
}

/// The text of a certificate that holds.
Result<std::optional<std::string>> certificate_of(const MonitorArguments& chosen) {
  if (!chosen.certificate) return std::nullopt;
  auto text = read_text_file(*chosen.certificate);
  if (!text) return input(text.error(), *chosen.certificate);
  if (auto ok = check_holds(*text, *chosen.certificate); !ok) return tl::unexpected(ok.error());
  return std::move(*text);
}

/// The certificate that it keeps is checked again: whoever could write there could write another that fits.
Result<MonitorState> read_state(const std::string& folder) {
  auto state = MonitorState::read(folder);
  if (!state) return input(state.error());
  if (state->certificate())
    if (auto ok = check_holds(*state->certificate(), certificate_file(folder).string()); !ok)
      return tl::unexpected(ok.error());
  return std::move(*state);
}

/// A state that is there: the day is counted by its names and steps.
Result<Answer> go_on(const MonitorArguments& chosen, const Context& context) {
  const auto lock = open_state(chosen.folder);
  if (!lock) return input(lock.error());
  auto state = read_state(chosen.folder);
  if (!state) return tl::unexpected(state.error());
  const MonitorQuestion& question = state->question();
  if (auto ok = check_asked(chosen, question); !ok) return tl::unexpected(ok.error());
  const auto files = find_logs(chosen.logs);
  if (!files) return input(files.error());
  auto logs = digests_of(*files);
  if (!logs) return tl::unexpected(logs.error());
  Answer answer;
  std::vector<std::optional<std::size_t>> known;
  for (const FileDigest& log : *logs) known.push_back(day_with(*state, log));
  if (known.front() && std::all_of(known.begin(), known.end(), [&](const auto& day) { return day == known.front(); }) &&
      state->days()[*known.front() - 1].logs.size() == known.size()) {
    answer.warnings.push_back(fmt::format("{} was added before, as day {}: nothing was added now",
                                          fmt::join(chosen.logs, " "), *known.front()));
    return finish(*state, chosen, context, std::move(answer));
  }
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i])
      return input(Error{fmt::format("it was added before, as part of day {}, and people would count twice", *known[i]),
                         {},
                         (*logs)[i].file,
                         "nothing was added; add the files that are new"});
  LogOptions options = chosen.log;
  take_reading(question.reading, options);
  auto counted = count(chosen, options, std::move(*logs), [&](CountOptions& counting) {
    if (state->certified() != nullptr) take_names(state->certified()->counts, counting);
    counting.groups = question.groups;
    counting.groups_may_be_empty = true;
    counting.labels = question.labels;
    counting.actions = question.actions;
    counting.first_step = question.first_step;
    counting.horizon = question.horizon;
  });
  if (!counted) return tl::unexpected(counted.error());
  if (!question.steps_given)
    for (const Finding& finding : counted->log.counts.log()->findings)
      if (finding.anomaly == Anomaly::out_of_range)
        return input(Error{
            fmt::format("row {} has a step that is none of the first day's, {} to {}", finding.row, question.first_step,
                        question.first_step + static_cast<std::int64_t>(question.horizon) - 1),
            {},
            finding.file,
            "begin a state in another folder, with --first-step and --horizon"});
  if (auto ok = add_day(*state, chosen, std::move(*counted), answer); !ok) return tl::unexpected(ok.error());
  return finish(*state, chosen, context, std::move(answer));
}

Result<Answer> begin(const MonitorArguments& chosen, const Context& context) {
  if (!chosen.limit && !chosen.certificate)
    return usage("a new state needs --limit, --certificate or both: what its days are held against");
  if (!chosen.fairness.empty() && !chosen.limit)
    return usage("--fairness is given without --limit, and a certificate has notions of its own");
  if (chosen.certificate && chosen.log.like)
    return usage("--like and --certificate: names and steps are those of the certificate");
  auto certificate = certificate_of(chosen);
  if (!certificate) return tl::unexpected(certificate.error());
  MonitorQuestion question;
  if (!chosen.fairness.empty()) question.notions = chosen.fairness;
  question.limit = chosen.limit;
  question.delta = chosen.delta.value_or(question.delta);
  question.reading = reading_of(chosen.log);
  question.steps_given = chosen.log.first_step || chosen.log.horizon || chosen.log.like || chosen.certificate;
  std::optional<Certified> certified;
  if (*certificate) {
    auto read = read_certified(**certificate);
    if (!read) return input(read.error(), *chosen.certificate);
    certified = std::move(*read);
    question.certificate = FileDigest{*chosen.certificate, sha256(**certificate)};
  }
  const auto files = find_logs(chosen.logs);
  if (!files) return input(files.error());
  auto logs = digests_of(*files);
  if (!logs) return tl::unexpected(logs.error());
  auto counted = count(chosen, chosen.log, std::move(*logs), [&](CountOptions& counting) {
    if (certified) take_names(certified->counts, counting);
  });
  if (!counted) return tl::unexpected(counted.error());
  const Counts& counts = counted->log.counts;
  question.groups = counts.names().groups;
  question.labels = counts.names().labels;
  question.actions = counts.names().actions;
  question.horizon = counts.horizon();
  question.first_step = counts.log()->first_step;
  keep_bins(*counts.log(), question.reading);
  auto state = MonitorState::begin(std::move(question), std::move(*certificate));
  if (!state) return input(state.error());

  const auto lock = open_state(chosen.folder);
  if (!lock) return input(lock.error());
  if (MonitorState::exists(chosen.folder))
    return input(Error{"somebody else began a state there in the meantime", {}, chosen.folder, "add the log to it"});
  Answer answer;
  if (auto ok = add_day(*state, chosen, std::move(*counted), answer); !ok) return tl::unexpected(ok.error());
  return finish(*state, chosen, context, std::move(answer));
}

Result<Answer> run(const MonitorArguments& chosen, const Context& context) {
  if (chosen.date && !is_date(*chosen.date))
    return usage(fmt::format("--date is \"{}\", expected a day such as 2026-11-19", *chosen.date));
  if (auto ok = check_no_file(chosen.folder); !ok) return input(ok.error());
  const bool exists = MonitorState::exists(chosen.folder);
  if (!chosen.logs.empty()) return exists ? go_on(chosen, context) : begin(chosen, context);
  if (!exists)
    return input(Error{"there is no state in it",
                       {},
                       chosen.folder,
                       fmt::format("fairstep monitor {} LOG --limit 0.05 begins one", chosen.folder)});
  const auto state = read_state(chosen.folder);
  if (!state) return tl::unexpected(state.error());
  if (auto ok = check_asked(chosen, state->question()); !ok) return tl::unexpected(ok.error());
  return finish(*state, chosen, context, {});
}

}  // namespace

Verb monitor_verb() {
  return {"monitor",
          "day after day, whether a limit or a certificate still holds",
          "Adds a day's log to a state, a folder, and says what all days together refute: an alarm for each step and "
          "pair of "
          "groups whose gap is proven to be beyond the limit, and for whatever of a certificate is proven not to hold. "
          "However often one looks, and however rates change from day to day, the probability of any false alarm is at "
          "most "
          "delta. What is asked, and how logs are read, is said with the first day and stands. The exit code is 1 once "
          "there "
          "is an alarm; without a log, nothing is added. Each look checks the whole state.",
          {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
           "fairstep simulate fico.json half.json --people 2000 --seed 1 -o monday.csv",
           "fairstep simulate fico.json half.json --people 2000 --seed 2 -o tuesday.csv",
           "fairstep monitor state monday.csv --limit 0.05", "fairstep monitor state tuesday.csv",
           "fairstep monitor state", "fairstep simulate fico.json half.json --people-per-group 1e5 -o counts.json",
           "fairstep certify counts.json half.json -o certificate.json",
           "fairstep monitor practice tuesday.csv --certificate certificate.json"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<MonitorArguments>();
            options.positional("STATE", chosen->folder, "folder of the state; made with the first day");
            options.optional_positionals("LOG", chosen->logs, "the day's log files; left out: nothing is added");
            options.number("--limit", chosen->limit, "gaps are to be at most this; said with the first day");
            options.choices("--fairness", chosen->fairness, "whose gaps the limit is on; dp if left out");
            options.text("--certificate", chosen->certificate, "FILE", "certificate that the days are held against");
            options.number("--delta", chosen->delta,
                           "any false alarm, over all days, has probability at most this; 0.05 if left out");
            options.text("--date", chosen->date, "YYYY-MM-DD", "of the day, for the record; no clock is read");
            chosen->log.declare(options);
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
