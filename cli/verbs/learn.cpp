// fairstep learn MODEL --fairness ...: the paper's algorithm on simulated people, update by update.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/learn/run.hpp>
#include <fairstep/learn/schedule.hpp>

#include "answers/evaluation_json.hpp"
#include "answers/grounds_summary.hpp"
#include "answers/nested.hpp"
#include "answers/table.hpp"
#include "options/constraint_options.hpp"
#include "options/search_options.hpp"
#include "shell/interrupt.hpp"
#include "shell/progress.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct LearnArguments {
  std::string model{};
  LearnOptions learning{};  ///< `options_of` adds what is below
  std::optional<std::string> fairness{name_of(Notion::dp)};
  std::optional<std::string> reference{};
  std::optional<double> limit{};
  std::vector<double> limit_per_step{};
  SearchOptions search{};
  std::optional<double> lambda{};
  std::optional<PenaltyForm> penalty_form{};
  std::optional<std::uint64_t> people{}, people_per_episode{};
  std::optional<std::string> schedule{"2^3..2^18"};
  std::optional<std::string> by{"counts"};
  std::optional<std::string> folder{};
  bool restart = false;
};

Result<LearnOptions> options_of(const LearnArguments& chosen) {
  LearnOptions options = chosen.learning;
  if (chosen.limit && !chosen.limit_per_step.empty())
    return usage("--limit and --limit-per-step are both given, expected one of them");
  const auto ratio = named<RatioNotion>(*chosen.fairness);
  const std::vector<double> limits = chosen.limit_per_step.empty()
                                         ? std::vector{chosen.limit.value_or(ratio ? kFourFifths : 0)}
                                         : chosen.limit_per_step;
  if (ratio)
    options.ratio = StepwiseRatio{*ratio, limits, {}};
  else
    options.fairness = {*named<Notion>(*chosen.fairness), limits, {}};
  if (chosen.reference && !ratio)
    return usage("--reference is given, but no ratio that it would be for", "--fairness dp-ratio or eqopt-ratio");
  for (const double limit : limits)
    if (!(limit >= 0 && limit <= 1)) return usage(fmt::format("--limit is {}, expected between 0 and 1", limit));
  const SolveOptions search = chosen.search.solve_options();
  options.method = search.method;
  if (options.method == Method::penalty && !chosen.lambda)
    return usage("--method penalty needs --lambda", "such as --lambda 1");
  if (options.method != Method::penalty && (chosen.lambda || chosen.penalty_form))
    return usage("--lambda and --penalty-form are for --method penalty");
  options.penalty = chosen.lambda.value_or(0);
  options.penalty_form = chosen.penalty_form.value_or(PenaltyForm::rate);
  const auto schedule = parse_schedule(*chosen.schedule);
  if (!schedule)
    return usage(
        fmt::format("--schedule is \"{}\", expected doublings such as 2^3..2^18, or rising episode numbers such "
                    "as 8,100,1000",
                    *chosen.schedule));
  options.schedule = *schedule;
  if (chosen.people && chosen.people_per_episode)
    return usage("--people and --people-per-episode are both given, expected one of them",
                 "--people 100 draws an episode's people by the groups' shares, --people-per-episode 100 takes as many "
                 "of each group");
  options.people_by_share = chosen.people.has_value();
  options.people_per_episode = chosen.people ? *chosen.people : chosen.people_per_episode.value_or(1);
  if (options.relaxation == RelaxationMode::literal && (options.bonus_scale || options.relaxation_scale))
    return usage("--bonus-scale and --relaxation-scale leave nothing literal", "use --relaxation scaled");
  if (options.safe && chosen.limit_per_step.empty() && !chosen.limit)
    return usage("--safe needs --limit", "no finite log shows that a gap is exactly 0; such as --limit 0.1");
  if (chosen.restart && !chosen.folder) return usage("--restart needs the run's folder", "such as -o run");
  options.proof = search.proof;
  return options;
}

std::string episode(std::uint64_t k) {
  if (k >= 8 && (k & (k - 1)) == 0) return fmt::format("2^{}", std::countr_zero(k));
  return with_thousands(k);
}

/// NaN if there is none.
double largest(const std::vector<double>& numbers) {
  double most = std::nan("");
  for (const double number : numbers) most = std::fmax(most, number);
  return most;
}

std::string gap_or_none(double gap) { return std::isnan(gap) ? std::string("of nobody") : fmt::format("{:.4f}", gap); }

/// The numbers of each update for people.
std::string to_table(const std::vector<UpdateRecord>& updates, bool proven, std::size_t width) {
  Column k{"k", {}};
  std::vector<Column> columns;
  const auto add = [&](const char* head, const auto& cell) {
    Column column{head, {}};
    for (const UpdateRecord& update : updates) column.cells.push_back(cell(update));
    columns.push_back(std::move(column));
  };
  const auto fixed = [](double UpdateRecord::* number) {
    return [number](const UpdateRecord& update) { return fmt::format("{:.4f}", update.*number); };
  };
  for (const UpdateRecord& update : updates) k.cells.push_back(episode(update.k));
  add("return", fixed(&UpdateRecord::value));
  add("violation", fixed(&UpdateRecord::violation));
  add("regret", fixed(&UpdateRecord::regret));
  if (!updates.empty() && updates.front().safety) {
    add("at most", [](const UpdateRecord& update) { return at_most(largest(update.safety->worst_gap)); });
    add("of it", [](const UpdateRecord& update) {
      return update.safety->fallback ? std::string("fallback") : fmt::format("{:.0f} %", 100 * update.safety->mixed);
    });
  } else {
    add("relaxation", [](const UpdateRecord& update) {
      return round_up_short(largest(update.relaxation), 3) + (update.vacuous.empty() ? "" : " vacuous");
    });
  }
  add("floor", fixed(&UpdateRecord::floor));
  add("unvisited", [](const UpdateRecord& update) { return fmt::format("{}", update.unvisited); });
  if (proven)
    add("within", [](const UpdateRecord& update) {
      return std::isnan(update.gap_to_bound) ? std::string("-") : percent_at_most(update.gap_to_bound);
    });
  return lay_out(k, {{"", columns}}, width);
}

/// NaN if there is none.
double smallest(const std::vector<double>& numbers) {
  double least = std::nan("");
  for (const double number : numbers) least = std::fmin(least, number);
  return least;
}

std::string headline(const RunRecord& run, const LearnOptions& options) {
  if (run.updates.empty()) return "learn: no update was made.";
  const UpdateRecord& last = run.updates.back();
  const Notion fairness = options.fairness.notion;
  const std::string how_fair =
      options.ratio
          ? fmt::format("(what the ratio lacks to its limit, on average), least {} {}", name_of(options.ratio->notion),
                        gap_or_none(smallest(last.ratio)))
          : fmt::format("(average gap), worst {} gap {}", name_of(fairness), gap_or_none(largest(last.gap(fairness))));
  const std::string rules = rules_in_words(options.rules);
  return fmt::format(
      "learn: {} updates, {}. Last one: return {:.4f}, violation {:.4f} {}. The best fair {}policy returns {} or more.",
      run.updates.size(), run.safe ? "safe" : "relaxation " + run.relaxation, last.value, last.violation, how_fair,
      rules.empty() ? "" : rules + " ", at_least(run.oracle_lower));
}

/// What the factors give up (docs/guarantees.md).
void warn_of_scales(const LearnOptions& options, std::vector<std::string>& warnings) {
  if (options.relaxation != RelaxationMode::tight || options.safe || options.method != Method::constrained) return;
  if (options.relaxation_scale.value_or(1) < 1)
    warnings.emplace_back("a tight relaxation times less than 1 is no theorem: the best fair policy may be shut out");
  else if (options.bonus_scale.value_or(1) < 1)
    warnings.emplace_back("with less than the tight bonus values may be underestimated; the limits are not concerned");
}

Result<Answer> run(const LearnArguments& chosen, const Context& context) {
  auto options = options_of(chosen);
  if (!options) return tl::unexpected(options.error());
  const auto model = read_model(chosen.model);
  if (!model) return input(model.error(), chosen.model);
  if (chosen.reference) {
    const auto group = group_called("--reference", *chosen.reference, *model);
    if (!group) return tl::unexpected(group.error());
    options->ratio->reference = *group;
  }

  RunOptions wanted;
  wanted.by_person = chosen.by == "person";
  wanted.restart = chosen.restart;
  wanted.version = FAIRSTEP_VERSION;
  const auto begin = std::chrono::steady_clock::now();
  std::optional<Run> learned;
  int signal = 0;
  {
    if (chosen.folder) something_is_kept();
    const StopOnInterrupt interrupt;
    options->stop = interrupt.token();
    // Updates cost about the same, however many episodes lie between them.
    Progress progress(progress_mode(*chosen.search.progress, context.quiet), "learn", options->schedule.size(),
                      "updates");
    wanted.on_update = [&](const Update& update) {
      const auto done = std::find(options->schedule.begin(), options->schedule.end(), update.k);
      progress.at(
          static_cast<std::uint64_t>(done - options->schedule.begin()) + 1,
          fmt::format("k = {} of {}, return {:.3f}, violation {:.3f}", episode(update.k),
                      episode(options->schedule.back()), update.truth->evaluation.value, update.truth->violation));
    };
    auto made = chosen.folder ? run_in_folder(*chosen.folder, *model, *options, wanted)
                              : run_in_memory(*model, *options, wanted);
    if (!made) {
      if (made.error().file.empty())
        return input(renamed(renamed(made.error(), "penalty", "lambda"), "limit", "limit_per_step"));
      return made.error().hint.empty() ? io_failure(made.error()) : input(made.error());
    }
    learned = std::move(*made);
    signal = StopOnInterrupt::signal();
  }

  Answer answer;
  answer.schema = "fairstep/learning/1";
  answer.body = {{"model", chosen.model},
                 {"folder", chosen.folder ? Json(*chosen.folder) : Json()},
                 {"fairness", notion_in_force(*options)},
                 {"method", name_of(options->method)},
                 {"seed", options->seed},
                 {"resumed", learned->resumed}};
  const RunRecord& record = learned->record;
  const std::vector<UpdateRecord>& updates = record.updates;
  Json document = Json::parse(to_text(record));
  document.erase("schema");
  answer.body.update(document);
  if (options->ratio) options->fairness.notion = notion_of(options->ratio->notion);
  answer.body["worst_gap"] =
      number_or_null(updates.empty() ? std::nan("") : largest(updates.back().gap(options->fairness.notion)));
  if (options->ratio)
    answer.body["least_ratio"] = number_or_null(updates.empty() ? std::nan("") : smallest(updates.back().ratio));
  answer.body["time_s"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  answer.body["rests_on"] = grounds_json(*model, std::nullopt);
  answer.warnings = grounds_warnings(*model);
  if (const auto& grounds = model->spec().rests_on)
    answer.warnings.push_back(fmt::format(
        "the people are drawn from an estimate, and what is learned is about that: {}", grounds_in_short(*grounds)));
  warn_of_scales(*options, answer.warnings);
  answer.text =
      wrap(headline(record, *options), context.width) + "\n" + to_table(updates, options->proof.wanted, context.width);
  const auto vacuous =
      std::count_if(updates.begin(), updates.end(), [](const UpdateRecord& update) { return !update.vacuous.empty(); });
  if (vacuous > 0)
    answer.warnings.push_back(fmt::format("the relaxation is {} or more, so that no limit binds, at {} of {} updates",
                                          options->ratio ? "the limit" : "1", vacuous, updates.size()));
  if (!updates.empty() && !options->ratio) {
    std::vector<std::size_t> of_nobody;
    const std::vector<double>& gaps = updates.back().gap(options->fairness.notion);
    for (std::size_t h = 0; h < gaps.size(); ++h)
      if (std::isnan(gaps[h])) of_nobody.push_back(h);
    if (!of_nobody.empty())
      answer.warnings.push_back(
          fmt::format("under the last policy there is no {} gap at {}: fewer than two groups have the rate there",
                      name_of(options->fairness.notion), in_words(of_nobody)));
  }
  const auto cut = std::count_if(updates.begin(), updates.end(), [](const UpdateRecord& update) {
    return update.stopped_by == name_of(StopReason::time);
  });
  if (cut > 0)
    answer.warnings.push_back(fmt::format(
        "the solve ran out of time at {} of {} updates, so that the run depends on the clock; see --time-limit", cut,
        updates.size()));
  if (learned->resumed > 0)
    answer.notes.push_back(fmt::format("{} updates were in {} already", learned->resumed, *chosen.folder));
  if (record.finished && chosen.folder) answer.notes.push_back(fmt::format("wrote {}/result.json", *chosen.folder));
  if (!record.finished) {
    answer.code = signal != 0 ? static_cast<ExitCode>(128 + signal) : ExitCode::undecided;
    answer.notes.emplace_back(chosen.folder ? "stopped; the same command goes on from here"
                                            : "stopped; with -o FOLDER a run can be taken up again");
  }
  return answer;
}

}  // namespace

Verb learn_verb() {
  return {"learn",
          "learn a fair policy from the people it decides about, episode by episode",
          "Runs the paper's algorithm on people drawn from MODEL, which the learner does not see: count, add a bonus, "
          "relax the limits, solve, act until the next update. Every update is judged exactly under MODEL and against "
          "the best fair policy. With -o every update is kept in a folder; after an interruption the same command goes "
          "on and ends with the same bytes.",
          {"fairstep env fico -o fico.json",
           "fairstep learn fico.json --fairness dp --schedule 2^3..2^14 --no-proof -o run",
           "fairstep learn fico.json --fairness eqopt --relaxation tight --schedule 2^10..2^16 --no-proof --json",
           "fairstep learn fico.json --fairness dp --safe --limit 0.1 --people-per-episode 100 --schedule 2^6..2^14 "
           "--no-proof"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<LearnArguments>();
            options.positional("MODEL", chosen->model, "model file: the population that is learned about");
            options.choice("--fairness", chosen->fairness, {"dp", "eqopt", "eqodds", "dp-ratio", "eqopt-ratio"},
                           "the rates that are compared, by their differences or by their ratios");
            options.number("--limit", chosen->limit,
                           "how far apart they may be at every step, or for a ratio, the least that any group's may be "
                           "beside the greatest; (default 0, or 0.8)");
            options.text("--reference", chosen->reference, "GROUP",
                         "for a ratio: the group that others are measured by; left out: whichever is treated best");
            options.numbers("--limit-per-step", chosen->limit_per_step, "the same, one for each step");
            options.number("--lambda", chosen->lambda, "weight of the squared gaps, for --method penalty");
            options.choice("--penalty-form", chosen->penalty_form,
                           "gaps of rates, or of rates multiplied out (default rate)");
            options.text("--schedule", chosen->schedule, "EPISODES",
                         "when the policy is updated: doublings A..B, or a list");
            options.whole("--people", chosen->people, "of an episode in all, drawn by the groups' shares", {1});
            options.whole("--people-per-episode", chosen->people_per_episode, "of each group (default 1)", {1});
            options.choice("--by", chosen->by, {"person", "counts"}, "draw people one by one, or whole crowds at once");
            options.choice("--relaxation", chosen->learning.relaxation, "how limits allow for what is not known yet");
            options.number("--bonus-scale", chosen->learning.bonus_scale,
                           "factor of the bonus (default 0.001 if scaled, else 1)");
            options.number("--relaxation-scale", chosen->learning.relaxation_scale,
                           "factor of the relaxation (default 0.001 (eqopt: 0.0001) if scaled, else 1)");
            options.flag("--discounted-limits", chosen->learning.discounted_limits,
                         "limits on gamma^(h+1) times the gap at step h = 0, 1, ..., gamma the model's discount");
            options.number("--delta", chosen->learning.delta, "what is guaranteed may fail with this probability");
            options.flag("--safe", chosen->learning.safe, "deploy only what keeps the limits, to confidence 1 - delta");
            options.number("--floor", chosen->learning.floor, "least probability of an action (default k^(-1/3))");
            options.choice("--floor-kind", chosen->learning.floor_kind, "of both actions, or of accepting alone");
            options.number("--epsilon", chosen->learning.epsilon, "the lemmas' eps_k (default 1/(kHS))");
            options.flag("--group-independent", chosen->learning.group_independent,
                         "policies that do not look at the group");
            options.flag("--monotone", chosen->learning.rules.monotone,
                         "who has a higher feature is never accepted less often");
            options.flag("--threshold", chosen->learning.rules.threshold,
                         "monotone, and at each step tossing coins at one feature at most");
            options.flag("--stationary", chosen->learning.rules.stationary, "the same rule at every step");
            options.texts("--order", chosen->learning.rules.order, "LOWEST,...,HIGHEST",
                          "how the features rise, for --monotone and --threshold; left out: as the model has them");
            options.count("--monotone-in", chosen->learning.rules.monotone_in,
                          "features made of several columns: those are compared that differ in this one alone, counted "
                          "from 1; 0: whole names");
            options.choice("--unvisited", chosen->learning.unvisited,
                           "where a cell leads of which no successor was seen");
            options.whole("--evaluation-episodes", chosen->learning.trial_episodes,
                          "simulated after every update to measure it; 0: none");
            chosen->search.declare(options, {Method::constrained, Method::unconstrained, Method::penalty},
                                   "seconds for each solve");
            options.seed(chosen->learning.seed);
            options.text("-o,--output", chosen->folder, "FOLDER", "keep the run there, and take it up from there");
            options.flag("--restart", chosen->restart, "drop the run that is in the folder and start over");
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
