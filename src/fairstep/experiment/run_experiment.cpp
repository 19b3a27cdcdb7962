#include <fairstep/experiment/run_experiment.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <fairstep/experiment/internal/experiment_folder.hpp>
#include <fairstep/experiment/internal/frontier.hpp>
#include <fairstep/experiment/internal/oracles.hpp>
#include <fairstep/experiment/internal/parallel.hpp>
#include <fairstep/experiment/internal/time_left.hpp>
#include <fairstep/experiment/plan.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/records.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/learn/run.hpp>

namespace fairstep {
namespace {

using Clock = std::chrono::steady_clock;
using internal::ExperimentFolder;
using internal::OracleOf;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// What is known of a run once it has been done or taken up.
struct Done {
  std::size_t updates = 0, made = 0;
  std::uint64_t certified = 0, cut = 0;
  double worst_gap = 0;
  double value = 0, violation = 0;  ///< at the last update
  bool finished = false;
  double seconds = 0;
};

Done digest(const Run& run) {
  Done done;
  done.updates = run.record.updates.size();
  done.made = run.updates.size();
  done.finished = run.record.finished;
  for (const UpdateRecord& update : run.record.updates) {
    done.certified += update.outcome == name_of(Outcome::optimal) ? 1 : 0;
    done.cut += update.stopped_by == name_of(StopReason::time) ? 1 : 0;
    const bool proven = !std::isnan(update.gap_to_bound);
    done.worst_gap = std::max(done.worst_gap, proven ? update.gap_to_bound : std::numeric_limits<double>::infinity());
    done.value = update.value;
    done.violation = update.violation;
  }
  return done;
}

/// Whether `part` is one of `paths` or lies below one. Both are paths below the experiment's folder.
bool lies_below(const std::filesystem::path& part, const std::vector<std::string>& paths) {
  return std::any_of(paths.begin(), paths.end(), [&](const std::filesystem::path& path) {
    const auto [rest, _] = std::mismatch(path.begin(), path.end(), part.begin(), part.end());
    return rest == path.end() || rest->empty();  // a slash at the end makes an empty last name
  });
}

/// An Error if a path names nothing: a part that is misspelt must not count as done.
Expected<void> check_names(const std::vector<std::string>& only, const Experiment& experiment) {
  const auto runs = plan(experiment);
  const auto sweeps = planned_sweeps(experiment);
  for (const std::string& path : only) {
    const bool named =
        lies_below("oracles.json", {path}) ||
        std::any_of(runs.begin(), runs.end(), [&](const auto& run) { return lies_below(run.folder, {path}); }) ||
        std::any_of(sweeps.begin(), sweeps.end(), [&](const auto& sweep) { return lies_below(sweep.file, {path}); });
    if (named && !path.empty()) continue;
    return about("only",
                 fail(fmt::format(
                     "the experiment has no part \"{}\", expected a path below its folder, such as {} or oracles.json",
                     path, runs.front().folder.generic_string())));
  }
  return {};
}

/// One experiment being run: the threads share it, and each fills in the places of its own runs.
class Execution {
 public:
  Execution(const Experiment& experiment, ExperimentFolder folder, const ExperimentOptions& options)
      : experiment_(experiment),
        folder_(std::move(folder)),
        options_(options),
        runs_(plan(experiment)),
        sweeps_(planned_sweeps(experiment)),
        forward_(options.stop, [this] { stop_.request_stop(); }) {
    if (!options.only.empty()) {
      std::erase_if(runs_, [&](const PlannedRun& run) { return !lies_below(run.folder, options.only); });
      std::erase_if(sweeps_, [&](const PlannedSweep& sweep) { return !lies_below(sweep.file, options.only); });
    }
    done_.resize(runs_.size());
    expect();
  }

  Expected<ExperimentSummary> run() {
    prepare_oracles();
    if (!stopped()) run_grid();
    if (error_) return tl::unexpected(std::move(*error_));
    ExperimentSummary summary = summarise();
    summary.seconds = seconds_since(begin_);
    if (summary.finished && options_.only.empty() && (summary.solves_made > 0 || !exists(folder_.timing())))
      if (auto ok = write_file(folder_.timing(), to_text(timing_of(summary))); !ok) return tl::unexpected(ok.error());
    return summary;
  }

 private:
  /// Repeats of a cell are alike, and penalties under a notion more alike than other methods.
  void expect() {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const PlannedRun& run = runs_[i];
      const auto cell_of = [](const PlannedRun& it) { return std::tuple(it.environment, it.notion, it.method); };
      std::size_t repeats = 1;
      while (i + repeats < runs_.size() && cell_of(runs_[i + repeats]) == cell_of(run)) ++repeats;
      const std::size_t cell = time_left_.add(fmt::format("{} {}", name_of(experiment_.methods[run.method].method),
                                                          name_of(experiment_.notions[run.notion])),
                                              run.work, repeats);
      cells_.insert(cells_.end(), repeats, cell);
      i += repeats - 1;
    }
    for (const PlannedSweep& sweep : sweeps_) sweep_cells_.push_back(time_left_.add("sweep", {sweep.work}, 1));
  }

  static bool exists(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::exists(file, ignored);
  }

  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }

  /// The first error ends everything.
  void keep(const Expected<void>& result) {
    if (result) return;
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = result.error();
    stop_.request_stop();
  }

  void prepare_oracles() {
    oracles_ = internal::oracles_wanted(experiment_);
    if (exists(folder_.oracles())) {
      const auto text = read_text_file(folder_.oracles());
      auto read = text ? internal::read_into(oracles_, experiment_, *text) : tl::unexpected(text.error());
      if (!read && read.error().file.empty()) read.error().file = folder_.oracles().string();
      return keep(read);
    }
    internal::for_each_index(oracles_.size(), options_.threads, stop_.get_token(), [&](std::size_t i) {
      keep(internal::solve_for(oracles_[i], experiment_, stop_.get_token()));
    });
    if (!stopped()) keep(write_file(folder_.oracles(), internal::to_text(oracles_, experiment_)));
  }

  /// Sweeps first and long runs before short ones, so that no thread is left with a long one in the end.
  void run_grid() {
    const std::vector<std::size_t> order = longest_first(runs_);
    internal::for_each_index(sweeps_.size() + runs_.size(), options_.threads, stop_.get_token(), [&](std::size_t i) {
      keep(i < sweeps_.size() ? sweep(i) : run_one(order[i - sweeps_.size()]));
    });
  }

  Expected<void> sweep(std::size_t number) {
    const auto begin = Clock::now();
    const PlannedSweep& planned = sweeps_[number];
    const auto file = folder_.path() / planned.file;
    if (exists(file)) {
      const std::scoped_lock lock(mutex_);
      time_left_.found(sweep_cells_[number], 0);
      return {};
    }
    const auto text =
        internal::frontier_text(experiment_.environments[planned.environment], experiment_.notions[planned.notion],
                                experiment_.frontier, stop_.get_token());
    if (!text) return tl::unexpected(text.error());
    if (text->empty()) return {};
    {
      const std::scoped_lock lock(mutex_);
      time_left_.done(sweep_cells_[number], 0, seconds_since(begin));
    }
    return write_file(file, sealed(*text));
  }

  Expected<void> run_one(std::size_t number) {
    const auto begin = Clock::now();
    const PlannedRun& planned = runs_[number];
    const ExperimentMethod& method = experiment_.methods[planned.method];
    LearnOptions learning = learn_options(experiment_, experiment_.notions[planned.notion], method, planned.seed);
    learning.oracle = internal::find(oracles_, planned.environment, planned.notion, method.limit);
    learning.stop = stop_.get_token();
    RunOptions keeping;
    keeping.version = options_.version;
    auto since = begin;
    const std::vector<std::uint64_t>& schedule = learning.schedule;
    keeping.on_update = [&](const Update& update) {
      const auto l = static_cast<std::size_t>(std::find(schedule.begin(), schedule.end(), update.k) - schedule.begin());
      const double seconds = seconds_since(since);
      since = Clock::now();
      tell(planned, false, [&] {
        time_left_.done(cells_[number], l, seconds);
        ++updates_made_;
      });
    };
    const auto run = run_in_folder(folder_.path() / planned.folder, experiment_.environments[planned.environment].model,
                                   learning, keeping);
    if (!run) return tl::unexpected(run.error());
    done_[number] = digest(*run);
    done_[number].seconds = seconds_since(begin);
    tell(planned, run->record.finished, [&] {
      for (std::size_t l = 0; l < run->resumed; ++l) time_left_.found(cells_[number], l);
    });
    return {};
  }

  /// Notes what was done, and tells whoever wants to know.
  void tell(const PlannedRun& run, bool finished, const std::function<void()>& note) {
    const std::scoped_lock lock(mutex_);
    note();
    runs_done_ += finished ? 1 : 0;
    if (!options_.progress) return;
    share_ = std::max(share_, time_left_.share());
    options_.progress(
        {runs_done_, runs_.size(), share_, updates_made_,
         updates_made_ > 0 ? time_left_.seconds() / std::max(options_.threads, 1U) : 0,
         fmt::format("{}, {}, {}, repeat {}", experiment_.environments[run.environment].name,
                     name_of(experiment_.notions[run.notion]), experiment_.methods[run.method].id, run.repeat)});
  }

  [[nodiscard]] ExperimentSummary summarise() const {
    ExperimentSummary summary;
    summary.runs = runs_.size();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const PlannedRun& run = runs_[i];
      const Done& done = done_[i];
      const auto cell_of = [](const auto& it) { return std::tuple(it.environment, it.notion, it.method); };
      if (summary.cells.empty() || cell_of(summary.cells.back()) != cell_of(run))
        summary.cells.push_back({run.environment, run.notion, run.method, {}, {}, 0});
      CellSummary& cell = summary.cells.back();
      if (done.finished) {
        cell.value.push_back(done.value);
        cell.violation.push_back(done.violation);
        ++summary.runs_finished;
        summary.runs_resumed += done.made == 0 ? 1 : 0;
      }
      cell.seconds += done.seconds;
      summary.solves += done.updates;
      summary.solves_made += done.made;
      summary.certified += done.certified;
      summary.cut += done.cut;
      summary.worst_gap = std::max(summary.worst_gap, done.worst_gap);
    }
    summary.finished = summary.runs_finished == summary.runs;
    for (const PlannedSweep& sweep : sweeps_)
      summary.finished = summary.finished && exists(folder_.path() / sweep.file);
    return summary;
  }

  [[nodiscard]] TimingRecord timing_of(const ExperimentSummary& summary) const {
    TimingRecord timing;
    timing.seconds = summary.seconds;
    timing.threads = options_.threads;
    timing.runs = summary.runs;
    timing.solves = summary.solves;
    timing.solves_made = summary.solves_made;
    timing.certified = summary.certified;
    timing.cut = summary.cut;
    timing.worst_gap = summary.worst_gap;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      timing.seconds_of_runs.emplace_back(runs_[i].folder.generic_string(), done_[i].seconds);
    return timing;
  }

  const Experiment& experiment_;
  ExperimentFolder folder_;
  const ExperimentOptions& options_;
  Clock::time_point begin_ = Clock::now();
  std::vector<PlannedRun> runs_;
  std::vector<PlannedSweep> sweeps_;
  std::vector<Done> done_{};  ///< [run], each written by the one thread that has the run
  std::vector<OracleOf> oracles_{};
  std::stop_source stop_{};
  std::stop_callback<std::function<void()>> forward_;  ///< the caller's wish to stop is ours

  std::mutex mutex_{};  ///< for what follows
  std::optional<Error> error_{};
  internal::TimeLeft time_left_{};
  std::vector<std::size_t> cells_{}, sweep_cells_{};  ///< [run], [sweep] in `time_left_`
  double share_ = 0;
  std::size_t runs_done_ = 0, updates_made_ = 0;
};

}  // namespace

Expected<ExperimentSummary> run_experiment(const Experiment& experiment, const std::filesystem::path& folder,
                                           const ExperimentOptions& options) {
  if (auto ok = check_names(options.only, experiment); !ok) return tl::unexpected(ok.error());
  auto opened = ExperimentFolder::open(folder, experiment, options.version, options.restart);
  if (!opened) return tl::unexpected(opened.error());
  Execution execution(experiment, std::move(*opened), options);
  return execution.run();
}

}  // namespace fairstep
