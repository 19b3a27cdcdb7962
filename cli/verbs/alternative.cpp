// fairstep alternative MODEL POLICY: whether a policy that is worth as much treats the groups more alike.
#include <fairstep/optimise/alternative.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/core/suggest.hpp>
#include <fairstep/io/files.hpp>

#include "answers/describe.hpp"
#include "answers/grounds_summary.hpp"
#include "answers/json_text.hpp"
#include "answers/table.hpp"
#include "options/policy_file.hpp"
#include "shell/guarded_file.hpp"
#include "shell/interrupt.hpp"
#include "shell/progress.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct AlternativeArguments {
  std::string model{};
  std::string policy{};
  std::optional<std::string> at_least{};
  std::string fairness = name_of(Notion::dp);
  std::vector<std::string> traits{};
  PolicyClass policies{};
  std::optional<double> capacity{};
  double precision = AlternativeOptions{}.precision;
  double time_limit = AlternativeOptions{}.time_limit;
  std::optional<std::uint64_t> effort{};
  std::optional<std::string> progress{"auto"};
  std::optional<std::string> file{};
};

/// `group-independent`, as it is spelled on the command line.
std::string spelled(std::string_view trait) {
  std::string word(trait);
  std::replace(word.begin(), word.end(), '_', '-');
  return word;
}

std::vector<std::string> known_traits() {
  std::vector<std::string> words;
  for (const PolicyTrait& trait : kPolicyTraits) words.push_back(spelled(trait.name));
  return words;
}

std::vector<std::string> disparities() {
  std::vector<std::string> words;
  for (const std::string_view word : all_names<Notion>()) words.emplace_back(word);
  for (const std::string_view word : all_names<RatioNotion>()) words.emplace_back(word);
  return words;
}

Disparity disparity_called(const std::string& word) {
  if (const auto ratio = named<RatioNotion>(word)) return *ratio;
  return named<Notion>(word).value_or(Notion::dp);
}

/// What an alternative has to be worth: a number, or a share of what the policy is worth.
Result<double> worth(const AlternativeArguments& chosen, double value) {
  if (!chosen.at_least) return value;
  const std::string& text = *chosen.at_least;
  const bool share = text.ends_with('%');
  const auto number = parse_number(share ? text.substr(0, text.size() - 1) : text);
  if (!number || !std::isfinite(*number) || (share && !(*number > 0)))
    return usage(fmt::format("--at-least is \"{}\", expected a value such as 0.55, or a share such as 95%", text));
  if (share && !(value > 0))
    return usage(fmt::format("--at-least is a share, but the policy is worth {}, which is not more than 0", value),
                 "give the value itself");
  return share ? *number / 100 * value : *number;
}

Result<PolicyClass> class_of(const AlternativeArguments& chosen) {
  PolicyClass policies = chosen.policies;
  for (const std::string& word : chosen.traits) {
    const auto* const trait = std::find_if(kPolicyTraits.begin(), kPolicyTraits.end(),
                                           [&](const PolicyTrait& known) { return spelled(known.name) == word; });
    if (trait == kPolicyTraits.end()) {
      const std::vector<std::string> words = known_traits();
      const std::vector<std::string_view> views(words.begin(), words.end());
      return usage(fmt::format("--class has \"{}\", expected {}", word, alternatives(views)),
                   did_you_mean(word, views));
    }
    policies.*(trait->chosen) = true;
  }
  return policies;
}

/// A disparity as it is asked for: a gap, or the ratio that lacks so much to 1.
double as_asked(const Disparity& disparity, double amount) {
  return std::holds_alternative<RatioNotion>(disparity) ? 1 - amount : amount;
}

std::string at_most_text(const Disparity& disparity, double amount) {
  return std::holds_alternative<RatioNotion>(disparity) ? round_down_text(1 - amount, 4) : round_up_text(amount, 4);
}
std::string at_least_text(const Disparity& disparity, double amount) {
  return std::holds_alternative<RatioNotion>(disparity) ? round_up_text(1 - amount, 4) : round_down_text(amount, 4);
}

/// `narrow`: not every policy was allowed, and what is said of none is said of those that were.
std::string to_text(const Disparity& disparity, const Alternative& result, bool narrow, std::size_t width) {
  const char* const of_class = narrow ? " of the class" : "";
  const auto* const ratio = std::get_if<RatioNotion>(&disparity);
  const std::string what = ratio != nullptr ? fairstep::in_words(*ratio) : fairstep::in_words(disparity);
  const char* const better = ratio != nullptr ? "greater" : "less";
  const char* const end = ratio != nullptr ? "greatest" : "least";
  std::string text;
  switch (result.found) {
    case Found::found:
      text = fmt::format(
          "alternative: found. A policy worth {:.5g} has a worst-step {} of {}, where the one given has {:.4f}",
          result.best->evaluation.value, what, at_most_text(disparity, result.least.upper),
          as_asked(disparity, result.disparity));
      break;
    case Found::none:
      text = result.none_worth
                 ? fmt::format("alternative: none. No policy{} is worth {:.6g}", of_class, result.at_least)
                 : fmt::format(
                       "alternative: none. No policy{} that is worth {:.6g} has a worst-step {} {} than {}, and the "
                       "one given has {:.4f}",
                       of_class, result.at_least, what, better, at_least_text(disparity, result.least.lower),
                       as_asked(disparity, result.disparity));
      break;
    case Found::undecided:
      text = result.least.upper < result.disparity
                 ? fmt::format(
                       "alternative: undecided. A policy worth {:.5g} has a worst-step {} of {}, where the one "
                       "given has {:.4f}; whether there is a better one was not settled",
                       result.best->evaluation.value, what, at_most_text(disparity, result.least.upper),
                       as_asked(disparity, result.disparity))
                 : fmt::format(
                       "alternative: undecided. The policy given has a worst-step {} of {:.4f}, and no better "
                       "one was met or ruled out",
                       what, as_asked(disparity, result.disparity));
      break;
  }
  text += fmt::format(". {:.2f} s, {} solve{}", result.seconds, result.solves, result.solves == 1 ? "" : "s");
  std::string all = wrap(text, width);
  if (result.none_worth) return all;
  const bool known = std::isfinite(result.least.upper);
  all += wrap(fmt::format("the {} that a policy{} worth {:.6g} can have: {}", end, of_class, result.at_least,
                          known ? fmt::format("between {} and {}, proven",
                                              ratio != nullptr ? at_most_text(disparity, result.least.upper)
                                                               : at_least_text(disparity, result.least.lower),
                                              ratio != nullptr ? at_least_text(disparity, result.least.lower)
                                                               : at_most_text(disparity, result.least.upper))
                                : std::string("not known; no such policy was met")),
              width);
  if (!result.in_class) all += wrap("the policy given is not itself of the class, or breaks the other limits", width);
  return all;
}

Json json_of(const AlternativeArguments& chosen, const Disparity& disparity, const Model& model,
             const Alternative& result) {
  const bool known = result.best.has_value();
  return {{"model", chosen.model},
          {"given",
           {{"file", chosen.policy},
            {"value", result.value},
            {"disparity", result.disparity},
            {"in_class", result.in_class}}},
          {"file", chosen.file && known ? Json(*chosen.file) : Json()},
          {"fairness", name_of(disparity)},
          {"class", chosen.traits},
          {"floor", chosen.policies.floor},
          {"floor_kind", name_of(chosen.policies.floor_kind)},
          {"capacity", chosen.capacity ? Json(*chosen.capacity) : Json()},
          {"outcome", name_of(result.found)},
          {"stopped_by", name_of(result.stopped_by)},
          {"at_least", result.at_least},
          {"precision", chosen.precision},
          {"none_worth", result.none_worth},
          {"least", {{"lower", result.least.lower}, {"upper", known ? Json(result.least.upper) : Json()}}},
          {"value", known ? Json(result.best->evaluation.value) : Json()},
          {"rests_on", grounds_json(model, known ? result.best->evaluation.unseen : std::nullopt)},
          {"solves", result.solves},
          {"time_s", result.seconds},
          {"policy", known ? Json::parse(fairstep::to_text(result.best->policy)) : Json()}};
}

ExitCode code_for(const Alternative& result) {
  return result.found == Found::found  ? ExitCode::done
         : result.found == Found::none ? ExitCode::no
                                       : ExitCode::undecided;
}

Result<Answer> run(const AlternativeArguments& chosen, const Context& context) {
  const auto policies = class_of(chosen);
  if (!policies) return tl::unexpected(policies.error());
  const auto model = read_model(chosen.model);
  if (!model) return input(model.error(), chosen.model);
  const auto policy = policy_for(model->names().groups, chosen.policy);
  if (!policy) return tl::unexpected(policy.error());
  const auto evaluation = evaluate(*model, *policy);
  if (!evaluation) return input(evaluation.error(), chosen.policy);
  const auto at_least = worth(chosen, evaluation->value);
  if (!at_least) return tl::unexpected(at_least.error());

  AlternativeOptions options{.disparity = disparity_called(chosen.fairness),
                             .policies = *policies,
                             .precision = chosen.precision,
                             .effort = chosen.effort.value_or(0),
                             .time_limit = chosen.time_limit};
  if (chosen.capacity) options.others.capacity = Capacity{{*chosen.capacity}};
  std::optional<Alternative> result;
  int signal = 0;
  {
    const StopOnInterrupt interrupt;
    options.stop = interrupt.token();
    Progress progress(progress_mode(*chosen.progress, context.quiet), "alternative", 0, "solves");
    options.progress = [&](const AlternativeProgress& now) {
      progress.at(now.solves, fmt::format("between {:.4f} and {:.4f}", now.least.lower, now.least.upper));
    };
    auto looked = alternative(*model, *policy, *at_least, options);
    if (!looked) return input(looked.error());
    result = std::move(*looked);
    signal = StopOnInterrupt::signal();
  }
  Answer answer;
  answer.schema = "fairstep/alternative/1";
  answer.code = code_for(*result);
  if (signal != 0 && result->found == Found::undecided) answer.code = static_cast<ExitCode>(128 + signal);
  answer.warnings = grounds_warnings(*model);
  if (chosen.file && result->best) {
    if (auto ok = write_guarded(*chosen.file, fairstep::to_text(result->best->policy)); !ok)
      return io_failure(ok.error());
    answer.notes.push_back(fmt::format("wrote {}: {}", *chosen.file, in_short(result->best->policy)));
  } else if (chosen.file) {
    answer.notes.push_back(fmt::format("{} is not written: no policy was met that is worth enough", *chosen.file));
  }
  answer.body = json_of(chosen, options.disparity, *model, *result);
  const bool narrow = !chosen.traits.empty() || policies->floor > 0 || chosen.capacity.has_value();
  answer.text = to_text(options.disparity, *result, narrow, context.width);
  if (result->best) answer.text += grounds_line(*model, result->best->evaluation.unseen, context.width);
  return answer;
}

}  // namespace

Verb alternative_verb() {
  return {
      "alternative",
      "a less discriminatory alternative: a policy that is worth as much and treats groups more alike",
      "Looks among the policies of a class for the one with the least gap between groups at the worst step (or the "
      "greatest ratio) that is worth as much as the policy given, and proves how small it can be: from above by the "
      "policy it found, from below by a bound that none does better. Exit code 0: found, by more than --precision less "
      "disparate, and the least known to --precision; 1: proven that there is none; 3: not proven in time.",
      {"fairstep env fico --horizon 4 -o fico.json", "fairstep policy fico.json --threshold x=2 -o from50.json",
       "fairstep alternative fico.json from50.json -o better.json",
       "fairstep alternative fico.json from50.json --class group-independent --at-least 95% --json",
       "fairstep alternative fico.json from50.json --fairness dp-ratio"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<AlternativeArguments>();
        options.positional("MODEL", chosen->model, "model file");
        options.positional("POLICY", chosen->policy, "policy file");
        options.text(
            "--at-least", chosen->at_least, "VALUE|SHARE%",
            "what an alternative has to be worth: a value, or with % a share of what the policy is worth; left "
            "out: as much");
        auto word = std::make_shared<std::optional<std::string>>(chosen->fairness);
        options.choice("--fairness", *word, disparities(), "what is to be less disparate: a gap, or a ratio");
        options.words("--class", chosen->traits, "only policies of this kind; several with commas", known_traits());
        options.number("--floor", chosen->policies.floor, "least probability of an action, whoever the person is");
        options.choice("--floor-kind", chosen->policies.floor_kind, "floor on both actions or on accepting");
        options.number("--capacity", chosen->capacity, "at most this share of all people is accepted at each step");
        options.number("--precision", chosen->precision, "how closely the least gap is to be known");
        options.number("--time-limit", chosen->time_limit, "seconds, for all of it");
        options.whole("--effort", chosen->effort,
                      "work on each proof, in steps of some 10 microseconds: a limit that is the same on every machine",
                      {1});
        options.progress(chosen->progress);
        options.output(chosen->file, "write the least disparate policy there");
        options.common();
        return [chosen, word](const Context& context) {
          chosen->fairness = word->value_or(chosen->fairness);
          return run(*chosen, context);
        };
      },
      {}};
}

}  // namespace fairstep::cli
