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
#include "options/search_options.hpp"
#include "shell/interrupt.hpp"
#include "shell/progress.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct LearnArguments {
  std::string model{};
  Notion fairness = Notion::dp;
  std::optional<double> limit{};
  std::vector<double> limit_per_step{};
  SearchOptions search{};
  std::optional<double> lambda{};
  std::optional<PenaltyForm> penalty_form{};
  std::optional<std::string> schedule{"2^3..2^18"};
  std::uint64_t people_per_episode = 1;
  std::optional<std::string> by{"counts"};
  RelaxationMode relaxation = RelaxationMode::scaled;
  std::optional<double> bonus_scale{}, relaxation_scale{}, floor{}, epsilon{};
  FloorKind floor_kind = FloorKind::two_sided;
  Unvisited unvisited = Unvisited::uniform;
  double delta = 0.1;
  bool safe = false;
  std::uint64_t evaluation_episodes = 8000;
  std::uint64_t seed = 1;
  std::optional<std::string> folder{};
  bool restart = false;
};

Result<LearnOptions> options_of(const LearnArguments& chosen) {
  LearnOptions options;
  if (chosen.limit && !chosen.limit_per_step.empty())
    return usage("--limit and --limit-per-step are both given, expected one of them");
  options.fairness.notion = chosen.fairness;
  options.fairness.limit =
      chosen.limit_per_step.empty() ? std::vector{chosen.limit.value_or(0)} : chosen.limit_per_step;
  for (const double limit : options.fairness.limit)
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
  options.people_per_episode = chosen.people_per_episode;
  options.relaxation = chosen.relaxation;
  if (options.relaxation == RelaxationMode::literal && (chosen.bonus_scale || chosen.relaxation_scale))
    return usage("--bonus-scale and --relaxation-scale leave nothing literal", "use --relaxation scaled");
  options.bonus_scale = chosen.bonus_scale;
  options.relaxation_scale = chosen.relaxation_scale;
  options.delta = chosen.delta;
  options.floor = chosen.floor;
  options.epsilon = chosen.epsilon;
  options.floor_kind = chosen.floor_kind;
  options.unvisited = chosen.unvisited;
  options.safe = chosen.safe;
  if (chosen.safe && chosen.limit_per_step.empty() && !chosen.limit)
    return usage("--safe needs --limit", "no finite log shows that a gap is exactly 0; such as --limit 0.1");
  if (chosen.restart && !chosen.folder) return usage("--restart needs the run's folder", "such as -o run");
  options.prove = search.prove;
  options.gap = search.gap;
  options.time_limit = search.time_limit;
  options.effort = search.effort;
  options.trial_episodes = chosen.evaluation_episodes;
  options.seed = chosen.seed;
  return options;
}

/// The library speaks of fields; here they are options.
Error by_option(Error error) {
  for (const auto& [field, option] :
       {std::pair{"bonus_scale", "--bonus-scale"}, std::pair{"relaxation_scale", "--relaxation-scale"},
        std::pair{"delta", "--delta"}, std::pair{"floor", "--floor"}, std::pair{"epsilon", "--epsilon"},
        std::pair{"gap", "--gap"}, std::pair{"limit", "--limit-per-step"}, std::pair{"time limit", "--time-limit"}})
    if (error.message.starts_with(field)) {
      error.message = option + error.message.substr(std::string(field).size());
      error.pointer.clear();
      break;
    }
  return error;
}

std::string episode(std::uint64_t k) {
  if (k >= 8 && (k & (k - 1)) == 0) return fmt::format("2^{}", std::countr_zero(k));
  return with_thousands(k);
}

/// NaN if there is none.
double largest(const Json& numbers) {
  double most = std::nan("");
  for (const Json& number : numbers)
    if (!number.is_null()) most = std::fmax(most, number.get<double>());
  return most;
}

std::string gap_or_none(double gap) { return std::isnan(gap) ? std::string("of nobody") : fmt::format("{:.4f}", gap); }

/// The numbers of each update for people, from its record.
std::string to_table(const Json& updates, bool proven, std::size_t width) {
  Column k{"k", {}};
  std::vector<Column> columns;
  const auto add = [&](const char* head, const auto& cell) {
    Column column{head, {}};
    for (const Json& update : updates) column.cells.push_back(cell(update));
    columns.push_back(std::move(column));
  };
  const auto fixed = [](const char* key) {
    return [key](const Json& update) { return fmt::format("{:.4f}", update[key].get<double>()); };
  };
  for (const Json& update : updates) k.cells.push_back(episode(update["k"].get<std::uint64_t>()));
  add("return", fixed("value"));
  add("violation", fixed("violation"));
  add("regret", fixed("reward_regret"));
  if (!updates.empty() && updates.front().contains("safe")) {
    add("at most", [](const Json& update) { return at_most(largest(update["safe"]["worst_gap"])); });
    add("of it", [](const Json& update) {
      return update["safe"]["fallback"].get<bool>()
                 ? std::string("fallback")
                 : fmt::format("{:.0f} %", 100 * update["safe"]["mixed"].get<double>());
    });
  } else {
    add("relaxation", [](const Json& update) {
      return round_up_short(largest(update["relaxation"]), 3) + (update["vacuous"].empty() ? "" : " vacuous");
    });
  }
  add("floor", fixed("floor"));
  add("unvisited", [](const Json& update) { return fmt::format("{}", update["unvisited"].get<std::uint64_t>()); });
  if (proven)
    add("within", [](const Json& update) {
      const Json& gap = update["gap_to_bound"];
      return gap.is_null() ? std::string("-") : percent_at_most(gap.get<double>());
    });
  return lay_out(k, {{"", columns}}, width);
}

std::string headline(const Json& body) {
  const Json& updates = body["updates"];
  if (updates.empty()) return "learn: no update was made.";
  const Json& last = updates.back();
  const std::string how =
      body["safe"].get<bool>() ? "safe" : "relaxation " + body["relaxation_mode"].get<std::string>();
  return fmt::format(
      "learn: {} updates, {}. Last one: return {:.4f}, violation {:.4f} (average gap), worst {} gap {}. The best "
      "fair policy returns {} or more.",
      updates.size(), how, last["value"].get<double>(), last["violation"].get<double>(),
      body["fairness"].get<std::string>(), gap_or_none(largest(last["gap"][body["fairness"].get<std::string>()])),
      at_least(body["oracle"]["bounds"]["lower"].get<double>()));
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
      if (made.error().file.empty()) return input(by_option(made.error()));
      return made.error().hint.empty() ? io_failure(made.error()) : input(made.error());
    }
    learned = std::move(*made);
    signal = StopOnInterrupt::signal();
  }

  Answer answer;
  answer.schema = "fairstep/learning/1";
  answer.body = {{"model", chosen.model},
                 {"folder", chosen.folder ? Json(*chosen.folder) : Json()},
                 {"fairness", name_of(chosen.fairness)},
                 {"method", name_of(options->method)},
                 {"seed", chosen.seed},
                 {"resumed", learned->resumed}};
  Json document = Json::parse(to_text(*learned, *model, *options));
  document.erase("schema");
  answer.body.update(document);
  answer.body["worst_gap"] = number_or_null(document["updates"].empty()
                                                ? std::nan("")
                                                : largest(document["updates"].back()["gap"][name_of(chosen.fairness)]));
  answer.body["time_s"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Json& updates = answer.body["updates"];

  answer.body["rests_on"] = grounds_json(*model, std::nullopt);
  answer.warnings = grounds_warnings(*model);
  if (const auto& grounds = model->spec().rests_on)
    answer.warnings.push_back(fmt::format(
        "the people are drawn from an estimate, and what is learned is about that: {}", grounds_in_short(*grounds)));
  warn_of_scales(*options, answer.warnings);
  answer.text = wrap(headline(answer.body), context.width) + "\n" + to_table(updates, options->prove, context.width);
  const auto vacuous =
      std::count_if(updates.begin(), updates.end(), [](const Json& update) { return !update["vacuous"].empty(); });
  if (vacuous > 0)
    answer.warnings.push_back(fmt::format("the relaxation is 1 or more, so that no limit binds, at {} of {} updates",
                                          vacuous, updates.size()));
  if (!updates.empty()) {
    std::vector<std::size_t> of_nobody;
    const Json& gaps = updates.back()["gap"][name_of(chosen.fairness)];
    for (std::size_t h = 0; h < gaps.size(); ++h)
      if (gaps[h].is_null()) of_nobody.push_back(h);
    if (!of_nobody.empty())
      answer.warnings.push_back(
          fmt::format("under the last policy there is no {} gap at {}: fewer than two groups have the rate there",
                      name_of(chosen.fairness), in_words(of_nobody)));
  }
  const auto cut =
      std::count_if(updates.begin(), updates.end(), [](const Json& update) { return update["stopped_by"] == "time"; });
  if (cut > 0)
    answer.warnings.push_back(fmt::format(
        "the solve ran out of time at {} of {} updates, so that the run depends on the clock; see --time-limit", cut,
        updates.size()));
  if (learned->resumed > 0)
    answer.notes.push_back(fmt::format("{} updates were in {} already", learned->resumed, *chosen.folder));
  if (learned->finished && chosen.folder) answer.notes.push_back(fmt::format("wrote {}/result.json", *chosen.folder));
  if (!learned->finished) {
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
            options.choice("--fairness", chosen->fairness, "the rates that are compared");
            options.number("--limit", chosen->limit, "how far apart they may be at every step; left out: 0");
            options.numbers("--limit-per-step", chosen->limit_per_step, "the same, one for each step");
            options.number("--lambda", chosen->lambda, "weight of the squared gaps, for --method penalty");
            options.choice("--penalty-form", chosen->penalty_form,
                           "gaps of rates, or of rates multiplied out; left out: rate");
            options.text("--schedule", chosen->schedule, "EPISODES",
                         "when the policy is updated: doublings A..B, or a list");
            options.whole("--people-per-episode", chosen->people_per_episode, "of each group", {1});
            options.choice("--by", chosen->by, {"person", "counts"}, "draw people one by one, or whole crowds at once");
            options.choice("--relaxation", chosen->relaxation, "how limits allow for what is not known yet");
            options.number("--bonus-scale", chosen->bonus_scale,
                           "factor of the bonus; left out: 0.001 for scaled, else 1");
            options.number("--relaxation-scale", chosen->relaxation_scale,
                           "factor of the relaxation; left out: 0.001 (eqopt: 0.0001) for scaled, else 1");
            options.number("--delta", chosen->delta, "what is guaranteed may fail with this probability");
            options.flag("--safe", chosen->safe, "deploy only what keeps the limits, to confidence 1 - delta");
            options.number("--floor", chosen->floor, "least probability of an action; left out: k^(-1/3)");
            options.choice("--floor-kind", chosen->floor_kind, "of both actions, or of accepting alone");
            options.number("--epsilon", chosen->epsilon, "the lemmas' eps_k; left out: 1/(kHS)");
            options.choice("--unvisited", chosen->unvisited, "where a cell leads of which no successor was seen");
            options.whole("--evaluation-episodes", chosen->evaluation_episodes,
                          "simulated after every update to measure it; 0: none");
            chosen->search.declare(options, {Method::constrained, Method::unconstrained, Method::penalty},
                                   "seconds for each solve");
            options.seed(chosen->seed);
            options.text("-o,--output", chosen->folder, "FOLDER", "keep the run there, and take it up from there");
            options.flag("--restart", chosen->restart, "drop the run that is in the folder and start over");
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
