// fairstep env NAME: a ready-made population as a model file.
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/io/files.hpp>

#include "answers/describe.hpp"
#include "answers/write_document.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

Result<Answer> deliver(const Expected<Model>& model, const std::optional<std::string>& file) {
  if (!model) return input(model.error());
  return write_document(*model, file,
                        fmt::format("next: fairstep policy {} --uniform 0.5 -o policy.json", file.value_or("MODEL")));
}

constexpr const char* kOutputHelp = "write the model there; without it, to stdout";

Verb fico() {
  return {
      "fico",
      "the paper's credit scores: real scores and default rates by group",
      "Five score levels (0, 25, 50, 75, 100) with the distribution and the repayment rates of the TransUnion "
      "scores of 2003, for 2 to 4 groups. An accepted person who repays moves up, one who defaults moves down. "
      "Accepting earns gain * score from the qualified and loses loss * score on the others. With --bands the same "
      "curves at as many levels: a repaid loan moves the score up by 10 points, a default down by 20.",
      {"fairstep env fico -o fico.json", "fairstep env fico --groups white,black,asian --horizon 4 -o three.json",
       "fairstep env fico --bands 50 --horizon 20 -o fifty.json",
       "fairstep env fico --gain 0.5,0.5 --loss 0.2,0.2 -o equal.json"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<FicoOptions>();
        auto file = std::make_shared<std::optional<std::string>>();
        options.words("--groups", chosen->groups, "2 to 4 of them", {"white", "black", "hispanic", "asian"});
        options.count("--bands", chosen->bands, "score levels, 2 to 201; 0: the paper's five");
        options.count("--horizon", chosen->horizon, "steps of an episode");
        options.number("--discount", chosen->discount, "step h counts discount^h");
        options.numbers("--gain", chosen->gain, "per group (default 0.1 white, 0.9 black, 0.5 others; with --bands 1)");
        options.numbers("--loss", chosen->loss, "per group (default 0.9 white, 0.1 black, 0.5 others; with --bands 3)");
        options.numbers("--share", chosen->share, "per group, of the population (default as in the data)");
        options.numbers("--score", chosen->score,
                        "per feature, what it counts for in the reward (default score / 100; with --bands 1)");
        options.output(*file, kOutputHelp);
        options.common();
        return [chosen, file](const Context&) { return deliver(make_fico(*chosen), *file); };
      },
      {}};
}

Verb synthetic() {
  return {"synthetic",
          "the paper's synthetic population: decisions move the label",
          "Five features that drift whatever is decided, and a label that only the decision moves. Rewards as in fico.",
          {"fairstep env synthetic --qualified 0.4,0.6 -o synthetic.json"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<SyntheticOptions>();
            auto file = std::make_shared<std::optional<std::string>>();
            options.words("--groups", chosen->groups, "2 or more names");
            options.count("--horizon", chosen->horizon, "steps of an episode");
            options.number("--discount", chosen->discount, "step h counts discount^h");
            options.numbers("--qualified", chosen->qualified, "per group, P(y=1) at the first step (default 0.5)");
            options.numbers("--gain", chosen->gain, "per group (default 0.1, 0.9, then 0.5)");
            options.numbers("--loss", chosen->loss, "per group (default 0.9, 0.1, then 0.5)");
            options.numbers("--share", chosen->share, "per group, of the population (default equal)");
            options.numbers("--score", chosen->score, "per feature, what it counts for in the reward");
            options.output(*file, kOutputHelp);
            options.common();
            return [chosen, file](const Context&) { return deliver(make_synthetic(*chosen), *file); };
          },
          {}};
}

Verb lending() {
  return {"lending",
          "credit lending with seven scores, as known from ml-fairness-gym",
          "A repaid loan moves the score up by one, a default moves it down, a refusal keeps it. A repaid loan earns "
          "the interest, a default costs the loan.",
          {"fairstep env lending --interest 0.5 -o lending.json"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<LendingOptions>();
            auto file = std::make_shared<std::optional<std::string>>();
            options.words("--groups", chosen->groups, "2 or more names");
            options.count("--horizon", chosen->horizon, "steps of an episode");
            options.number("--discount", chosen->discount, "step h counts discount^h");
            options.number("--interest", chosen->interest, "earned on a repaid loan of 1");
            options.number("--move", chosen->move, "probability that a loan moves the score");
            options.numbers("--share", chosen->share, "per group, of the population (default equal)");
            options.numbers("--repay", chosen->repay, "per score, the probability to repay");
            options.rows("--scores", chosen->scores, "one group's first scores as probabilities; once for each group");
            options.output(*file, kOutputHelp);
            options.common();
            return [chosen, file](const Context&) { return deliver(make_lending(*chosen), *file); };
          },
          {}};
}

Verb random() {
  return {"random",
          "drawn at random, of any size, for tests and benchmarks",
          "Every probability and reward is drawn from the seed, the same on every machine.",
          {"fairstep env random --groups 3 --features 10 --horizon 12 --seed 7 -o random.json"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<RandomOptions>();
            auto file = std::make_shared<std::optional<std::string>>();
            options.count("--groups", chosen->groups, "number of groups, at least 2");
            options.count("--features", chosen->features, "number of features");
            options.count("--horizon", chosen->horizon, "steps of an episode");
            options.number("--discount", chosen->discount, "step h counts discount^h");
            options.count("--successors", chosen->successors, "states that can follow a decision; 0 for all");
            options.number("--reward-noise", chosen->reward_noise, "half-width of the rewards' noise, at most");
            options.flag("--participation", chosen->participation, "people join late and leave early");
            options.seed(chosen->seed);
            options.output(*file, kOutputHelp);
            options.common();
            return [chosen, file](const Context&) { return deliver(make_random(*chosen), *file); };
          },
          {}};
}

Result<Answer> list_environments(const std::vector<Verb>& environments, bool wanted) {
  std::vector<std::string> names;
  Answer answer;
  answer.schema = "fairstep/environments/1";
  answer.body["environments"] = Json::array();
  for (const Verb& environment : environments) {
    names.push_back(environment.name);
    answer.body["environments"].push_back({{"name", environment.name}, {"summary", environment.summary}});
    answer.text += fmt::format("{:<10} {}\n", environment.name, environment.summary);
  }
  if (!wanted)
    return usage(fmt::format("fairstep env needs a name: one of {}", fmt::join(names, ", ")),
                 "see fairstep env --help");
  return answer;
}

}  // namespace

Verb env_verb() {
  std::vector<Verb> environments{fico(), synthetic(), lending(), random()};
  return {"env",
          "make a model file: fico, synthetic, lending or random",
          "Writes a ready-made population as a model file, which the other verbs read. Each has options of its own: "
          "fairstep env NAME --help.",
          {"fairstep env --list", "fairstep env fico -o fico.json",
           "fairstep env random --groups 3 --seed 7 -o random.json"},
          [environments](Options& options) -> Action {
            auto list = std::make_shared<bool>(false);
            options.flag("--list", *list, "name the environments and stop");
            options.common();
            return [list, environments](const Context&) { return list_environments(environments, *list); };
          },
          environments};
}

}  // namespace fairstep::cli
