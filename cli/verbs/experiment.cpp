// fairstep experiment FILE -o FOLDER: a whole grid of learning runs, on all cores, kept on disk.
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/experiment/plan.hpp>
#include <fairstep/experiment/run_experiment.hpp>

#include "answers/grounds_summary.hpp"
#include "answers/nested.hpp"
#include "answers/table.hpp"
#include "shell/interrupt.hpp"
#include "shell/progress.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct ExperimentArguments {
  std::string file{};
  std::optional<std::string> folder{};
  std::uint64_t threads = 0;
  std::optional<std::string> progress{"auto"};
  bool restart = false;
  bool dry_run = false;
  std::vector<std::string> only{};
};

/// `0.5431` alone, or with the standard deviation of several.
std::string spread(const std::vector<double>& values) {
  if (values.empty()) return "-";
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() == 1) return fmt::format("{:.4f}", mean);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return fmt::format("{:.4f} +- {:.4f}", mean, std::sqrt(squares / (count - 1)));
}

std::string to_table(const Experiment& experiment, const ExperimentSummary& summary, std::size_t width) {
  Column where{"environment", {}, true};
  Column fairness{"fairness", {}, true}, method{"method", {}, true};
  Column value{"return", {}, true}, violation{"violation", {}, true};
  for (const CellSummary& cell : summary.cells) {
    where.cells.push_back(experiment.environments[cell.environment].name);
    fairness.cells.emplace_back(name_of(experiment.notions[cell.notion]));
    method.cells.push_back(experiment.methods[cell.method].id);
    value.cells.push_back(spread(cell.value));
    violation.cells.push_back(spread(cell.violation));
  }
  return lay_out(where, {{"", {fairness, method, value, violation}}}, width);
}

/// Rounded down: 9,999 of 10,000 are not all of them.
std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "0 %"
                    : round_down_short(100.0 * static_cast<double>(part) / static_cast<double>(whole), 3) + " %";
}

std::string headline(const Experiment& experiment, const ExperimentSummary& summary) {
  std::string text = fmt::format("experiment: {} of {} runs, {} solves", with_thousands(summary.runs_finished),
                                 with_thousands(summary.runs), with_thousands(summary.solves));
  if (experiment.learning.proof.wanted) {
    text += fmt::format(", {} of them proven to {:.12g} %", share_of(summary.certified, summary.solves),
                        100 * experiment.learning.proof.gap);
    if (summary.certified < summary.solves)
      text += std::isfinite(summary.worst_gap) ? fmt::format(" (worst {})", percent_at_most(summary.worst_gap))
                                               : std::string(" (some without a bound)");
  }
  return text + fmt::format(
                    ". Last update of each: return and violation (average gap), mean and standard deviation of "
                    "{} repeats.",
                    experiment.repeats);
}

Json cells_json(const Experiment& experiment, const ExperimentSummary& summary) {
  Json list = Json::array();
  for (const CellSummary& cell : summary.cells)
    list.push_back({{"environment", experiment.environments[cell.environment].name},
                    {"fairness", name_of(experiment.notions[cell.notion])},
                    {"method", experiment.methods[cell.method].id},
                    {"value", cell.value},
                    {"violation", cell.violation}});
  return list;
}

std::string counted(std::uint64_t number, const char* noun) {
  return fmt::format("{} {}{}", with_thousands(number), noun, number == 1 ? "" : "s");
}

/// What would be done, without doing it.
Answer describe_plan(const ExperimentArguments& chosen, const Experiment& experiment) {
  const auto planned = plan(experiment);
  const auto runs = planned.size();
  const auto solves = runs * experiment.learning.schedule.size();
  Json parts = Json::array();
  for (const PlannedSweep& sweep : planned_sweeps(experiment)) parts.push_back(sweep.file.generic_string());
  for (const std::size_t i : longest_first(planned)) parts.push_back(planned[i].folder.generic_string());
  Answer answer;
  answer.schema = "fairstep/experiment-plan/1";
  Json environments = Json::array(), notions = Json::array(), methods = Json::array();
  std::string names;
  for (const auto& environment : experiment.environments) environments.push_back(environment.name);
  for (const Notion notion : experiment.notions) notions.emplace_back(name_of(notion));
  for (const auto& method : experiment.methods) {
    methods.push_back(method.id);
    names += (names.empty() ? "" : ", ") + method.id;
  }
  answer.body = {{"file", chosen.file},
                 {"name", experiment.name},
                 {"environments", environments},
                 {"fairness", notions},
                 {"methods", methods},
                 {"repeats", experiment.repeats},
                 {"updates", experiment.learning.schedule.size()},
                 {"runs", runs},
                 {"solves", solves},
                 {"fingerprint", fingerprint_of(experiment, FAIRSTEP_VERSION)},
                 {"parts", parts}};
  answer.text =
      fmt::format("{}: {} x {} x {} x {} = {}, {}\nmethods: {}\n", chosen.file,
                  counted(experiment.environments.size(), "environment"), counted(experiment.notions.size(), "notion"),
                  counted(experiment.methods.size(), "method"), counted(experiment.repeats, "repeat"),
                  counted(runs, "run"), counted(solves, "solve"), names);
  return answer;
}

Answer describe(const ExperimentArguments& chosen, const Experiment& experiment, const ExperimentSummary& summary,
                unsigned threads, const Context& context) {
  Answer answer;
  answer.schema = "fairstep/experiment-summary/1";
  const auto solves = static_cast<double>(summary.solves);
  const bool proving = experiment.learning.proof.wanted;
  answer.body = {
      {"file", chosen.file},
      {"folder", *chosen.folder},
      {"name", experiment.name},
      {"finished", summary.finished},
      {"runs", summary.runs},
      {"runs_finished", summary.runs_finished},
      {"runs_resumed", summary.runs_resumed},
      {"solves", summary.solves},
      {"solves_made", summary.solves_made},
      {"gap", proving ? Json(experiment.learning.proof.gap) : Json()},
      {"certified", proving ? Json(summary.certified) : Json()},
      {"certified_share", proving && solves > 0 ? Json(static_cast<double>(summary.certified) / solves) : Json()},
      {"cut_by_time", summary.cut},
      {"worst_gap", number_or_null(summary.worst_gap)},
      {"cells", cells_json(experiment, summary)},
      {"threads", threads},
      {"time_s", summary.seconds},
      {"solves_per_second",
       summary.seconds > 0 ? Json(static_cast<double>(summary.solves_made) / summary.seconds) : Json()}};
  answer.text =
      wrap(headline(experiment, summary), context.width) + "\n" + to_table(experiment, summary, context.width);
  if (summary.solves > summary.solves_made)
    answer.notes.push_back(fmt::format("{} of {} solves were in {} already",
                                       with_thousands(summary.solves - summary.solves_made),
                                       with_thousands(summary.solves), *chosen.folder));
  if (summary.solves_made > 0)
    answer.notes.push_back(fmt::format("{} solves in {:.1f} s on {} threads, {:.0f} a second",
                                       with_thousands(summary.solves_made), summary.seconds, threads,
                                       static_cast<double>(summary.solves_made) / summary.seconds));
  return answer;
}

Result<Answer> run(const ExperimentArguments& chosen, const Context& context) {
  if (!chosen.folder && !chosen.dry_run)
    return usage("fairstep experiment needs -o FOLDER", "such as -o runs/paper; --dry-run only reads the file");
  const auto experiment = read_experiment_file(chosen.file);
  if (!experiment) return input(experiment.error(), chosen.file);
  if (chosen.dry_run) return describe_plan(chosen, *experiment);

  ExperimentOptions options;
  options.threads = threads_or_cores(chosen.threads);
  options.restart = chosen.restart;
  options.only = chosen.only;
  options.version = FAIRSTEP_VERSION;
  std::optional<ExperimentSummary> summary;
  int signal = 0;
  {
    something_is_kept();
    const StopOnInterrupt interrupt;
    options.stop = interrupt.token();
    Progress progress(progress_mode(*chosen.progress, context.quiet), "experiment", plan(*experiment).size(), "runs");
    options.progress = [&](const ExperimentProgress& now) {
      progress.with_left(now.runs_done, now.share, now.seconds_left, now.current);
    };
    auto made = run_experiment(*experiment, *chosen.folder, options);
    // What differs from the folder is a question to be mended; anything else is trouble with the disk or the numbers.
    if (!made && made.error().option == "only") made.error().hint = "--dry-run --json lists its parts";
    if (!made) return made.error().hint.empty() ? io_failure(made.error()) : input(made.error());
    summary = std::move(*made);
    signal = StopOnInterrupt::signal();
  }
  Answer answer = describe(chosen, *experiment, *summary, options.threads, context);
  for (const ExperimentEnvironment& environment : experiment->environments)
    for (const std::string& warning : grounds_warnings(environment.model))
      answer.warnings.push_back(fmt::format("{}: {}", environment.name, warning));
  if (!summary->finished) {
    answer.code = signal != 0 ? static_cast<ExitCode>(128 + signal) : ExitCode::undecided;
    answer.notes.emplace_back("stopped; the same command goes on from here");
  } else {
    answer.notes.push_back(fmt::format("next: fairstep report {} -o report.html", *chosen.folder));
  }
  return answer;
}

}  // namespace

Verb experiment_verb() {
  return {"experiment",
          "run a whole grid of learning runs on all cores: environments, notions, methods, repeats",
          "Runs what FILE describes (TOML, docs/experiments.md): every method on every environment and notion of "
          "fairness, several times, each run kept in FOLDER as `fairstep learn -o` keeps it, with the price of "
          "fairness on the true models. Methods meet the same luck. Neither the number of threads nor an interruption "
          "changes the result: the same command goes on where it was.",
          {"fairstep experiment configs/quick.toml --dry-run", "fairstep experiment configs/quick.toml -o runs/quick",
           "fairstep experiment configs/quick.toml -o runs/quick --json"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<ExperimentArguments>();
            options.positional("FILE", chosen->file, "experiment file");
            options.text("-o,--output", chosen->folder, "FOLDER",
                         "keep the experiment there, and take it up from there");
            options.flag("--dry-run", chosen->dry_run, "check FILE, say how many runs it asks for, and stop");
            options.flag("--restart", chosen->restart, "drop the experiment that is in the folder and start over");
            options.texts("--only", chosen->only, "PATH",
                          "work on this part of FOLDER alone: runs/fico/dp, frontier, oracles.json");
            options.threads(chosen->threads);
            options.progress(chosen->progress);
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
