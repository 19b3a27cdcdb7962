// fairstep fit COUNTS: the model that counts speak for, and how far the truth may be from it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/given_rewards.hpp>
#include <fairstep/core/group_doubt.hpp>
#include <fairstep/core/objections.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/suggest.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/estimate/pessimistic.hpp>
#include <fairstep/io/files.hpp>

#include "answers/describe.hpp"
#include "answers/diagnosis.hpp"
#include "answers/fit_summary.hpp"
#include "answers/grounds_summary.hpp"
#include "options/kernel_option.hpp"
#include "options/label_options.hpp"
#include "shell/guarded_file.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct FitArguments {
  std::string counts{};
  std::optional<Unvisited> unvisited{};  ///< empty: stay, and a model of nothing but guesses is refused
  std::vector<std::string> shares{};
  double discount = 1;
  double delta = 0.1;
  std::vector<double> reward_range{};
  std::optional<std::string> reward{};
  bool everybody_stays = false;
  bool pessimistic = false;
  std::optional<std::string> file{};

  [[nodiscard]] Unvisited rule() const { return unvisited.value_or(Unvisited::stay); }
  std::optional<std::string> radii_file{};
  LabelOptions labels{};
  std::optional<RefusedPoint> point{};
  KernelOption kernel{};
};

/// `white=0.7`; a group's name may hold an equals sign itself.
Result<std::vector<double>> read_shares(const std::vector<std::string>& texts, const std::vector<std::string>& groups) {
  std::vector<std::optional<double>> given(groups.size());
  for (const std::string& text : texts) {
    const std::size_t equals = text.rfind('=');
    const auto number = equals == std::string::npos ? std::nullopt : parse_number(text.substr(equals + 1));
    if (!number)
      return usage(fmt::format("--share is \"{}\", expected a group and a number: {}=0.5", text, groups.front()));
    const std::string name = text.substr(0, equals);
    const auto found = std::find(groups.begin(), groups.end(), name);
    if (found == groups.end()) {
      const std::string_view near = nearest(name, std::vector<std::string_view>(groups.begin(), groups.end()));
      return usage(
          fmt::format("--share has the group \"{}\", which the counts do not have", name),
          near.empty() ? fmt::format("groups: {}", fmt::join(groups, ", ")) : fmt::format("did you mean {}?", near));
    }
    std::optional<double>& slot = given[static_cast<std::size_t>(found - groups.begin())];
    if (slot) return usage(fmt::format("--share is given twice for {}", name));
    slot = number;
  }
  std::vector<double> shares;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!given[g])
      return usage(fmt::format("--share is missing for {}", groups[g]),
                   "give the share of every group, or none to take those of the people counted");
    shares.push_back(*given[g]);
  }
  return shares;
}

Result<RadiiOptions> radii_options(const FitArguments& chosen) {
  if (!(chosen.delta > 0 && chosen.delta < 1))
    return usage(fmt::format("--delta is {}, expected more than 0 and less than 1", chosen.delta));
  RadiiOptions options{chosen.delta, std::nullopt};
  if (chosen.pessimistic && chosen.reward_range.empty() && !chosen.reward)
    return usage("--pessimistic needs --reward-range, or rewards that are given with --reward",
                 "such as --reward-range -1,1: how much a decision nobody saw may earn or cost");
  if (chosen.reward_range.empty()) return options;
  if (chosen.reward)
    return usage("--reward and --reward-range are both given, expected one of them",
                 "rewards that are given are not estimated: there is nothing to be unsure of");
  if (chosen.reward_range.size() != 2 || !(chosen.reward_range[0] <= chosen.reward_range[1]))
    return usage(fmt::format("--reward-range is {}, expected the least and the greatest reward, as in -1,1",
                             fmt::join(chosen.reward_range, ",")));
  if (chosen.pessimistic && chosen.labels.labels == LabelsAre::follow_features)
    return usage("--pessimistic and --labels follow-features are both given, expected one of them",
                 "rewards depend on labels: nothing is proven about values where these follow features");
  options.rewards = RewardKnowledge{{chosen.reward_range[0], chosen.reward_range[1]}, true};
  return options;
}

/// The radii, or 1 everywhere (nothing is known) if counts allow no claim; an error if they were asked for then.
Result<Radii> radii_of(const FitArguments& chosen, const Estimate& estimate, const RadiiOptions& options,
                       std::vector<std::string>& warnings) {
  auto found = radii(estimate, options);
  if (found) return std::move(*found);
  if (chosen.radii_file || chosen.pessimistic || options.rewards) return input(found.error(), chosen.counts);
  warnings.push_back(
      estimate.model.spec().rests_on->labels
          ? found.error().message
          : fmt::format("no claim rests on these counts, so every radius is 1: {}", found.error().message));
  Estimate unknown = estimate;
  unknown.lost = Lost::none(estimate.model.shape());
  Radii nothing = *radii(unknown, options);
  std::fill(nothing.row.all().begin(), nothing.row.all().end(), 1.0);
  std::fill(nothing.initial.begin(), nothing.initial.end(), 1.0);
  return nothing;
}

/// The model as it is written: the estimate, or the same with rewards lowered. Adds what is to be said of it.
Result<Model> model_to_write(const FitArguments& chosen, const Estimate& estimate, const Radii& radii,
                             const RadiiOptions& options, Answer& answer) {
  if (!chosen.pessimistic) return estimate.model;
  auto low = pessimistic(estimate.model, radii, options);
  if (!low) return input(low.error(), chosen.counts);
  answer.notes.push_back(
      fmt::format("pessimistic: with probability {} over the data every policy is worth at least, in truth, what it is "
                  "worth in this model, for the shares of groups that it has; gaps are those of the estimate",
                  one_minus_text(chosen.delta)));
  return std::move(*low);
}

/// `estimated from 1,000 people, 8,000 decisions`
std::string description_of(const Counts& counts, bool unlabelled_too, bool rewards_given) {
  std::int64_t decisions = total(counts.visits().flat());
  if (unlabelled_too && counts.log()) decisions += total(counts.log()->unlabelled.flat());
  return fmt::format("estimated from {} people, {} decisions{}", with_thousands(everybody(counts)),
                     with_thousands(decisions), rewards_given ? "; rewards were given" : "");
}

/// What `--reward` says: rewards by label and decision, which have an equals sign, or a file of rewards.
Result<GivenRewards> given_rewards(const std::string& text) {
  if (text.find('=') != std::string::npos && text.find('/') == std::string::npos) {
    auto given = rewards_from(text);
    if (!given) return usage(given.error());
    return std::move(*given);
  }
  auto given = read_rewards(text);
  if (!given) return input(given.error(), text);
  return std::move(*given);
}

/// [g,x,y,a], and what to say of cells that are not named.
Result<Tensor<double, 4>> rewards(const FitArguments& chosen, const Names& names, std::vector<std::string>& notes) {
  const auto given = given_rewards(*chosen.reward);
  if (!given) return tl::unexpected(given.error());
  auto cells = rewards_by_cell(*given, names);
  if (!cells) return input(cells.error(), *chosen.reward);
  if (given->elsewhere)
    if (const std::string missing = not_named(*given); !missing.empty())
      notes.push_back(fmt::format("--reward: not named, and so {}: {}", *given->elsewhere, missing));
  return std::move(*cells);
}

Result<Estimate> fit(const FitArguments& chosen, const Counts& counts, std::vector<std::string>& notes) {
  EstimateOptions options;
  options.unvisited = chosen.rule();
  options.discount = chosen.discount;
  if (!chosen.shares.empty()) {
    auto shares = read_shares(chosen.shares, counts.names().groups);
    if (!shares) return tl::unexpected(shares.error());
    options.share = std::move(*shares);
  }
  options.participation = !chosen.everybody_stays;
  if (chosen.reward) {
    auto given = rewards(chosen, counts.names(), notes);
    if (!given) return tl::unexpected(given.error());
    options.reward = std::move(*given);
  }
  options.description =
      description_of(counts, chosen.labels.labels == LabelsAre::follow_features, chosen.reward.has_value());
  auto assumed = chosen.labels.assumption();
  if (!assumed) return tl::unexpected(assumed.error());
  options.labels = *assumed;
  if (chosen.point && !options.labels) return usage("--point is given without --labels follow-features");
  options.point = chosen.point;
  auto estimated = estimate(counts, options);
  if (estimated && !chosen.unvisited)
    if (auto ok = refuse_guesswork(estimated->model); !ok) return input(ok.error(), chosen.counts);
  if (estimated) return std::move(*estimated);
  // What was given on the command line is not to be looked for in the file.
  return estimated.error().option.empty() ? input(estimated.error(), chosen.counts) : usage(estimated.error());
}

/// The counts, by the periods that were asked for or else by those they have.
Result<Counts> read_by_periods(const FitArguments& chosen) {
  const auto choice = chosen.kernel.choice();
  if (!choice) return tl::unexpected(choice.error());
  auto counts = read_counts(chosen.counts);
  if (!counts) return input(counts.error(), chosen.counts);
  if (!*choice) return std::move(*counts);
  const auto periods = (*choice)->of(counts->shape());
  if (!periods) return usage(periods.error());
  auto by = counts->by(*periods);
  if (!by) return input(by.error(), chosen.counts);
  return std::move(*by);
}

/// What is to be said of who takes part: why that is not estimated, or that it depends on more than the model knows.
std::vector<std::string> doubts_of_leaving(const Estimate& estimate, const Diagnosis& diagnosis) {
  if (!estimate.not_taking_part.empty()) return {estimate.not_taking_part};
  std::vector<std::string> doubts;
  if (!estimate.model.spec().participation) return doubts;
  for (const Diagnosed& answer : diagnosis.answers)
    if (answer.question == Question::leaving && answer.verdict == Verdict::refuted)
      doubts.push_back(fmt::format("who leaves is estimated by cell, and in group {} it depends on more: {}",
                                   estimate.model.names().groups[answer.group], answer.sentence));
  return doubts;
}

Result<Answer> run(const FitArguments& chosen, const Context& context) {
  const auto options = radii_options(chosen);
  if (!options) return tl::unexpected(options.error());
  const auto counts = read_by_periods(chosen);
  if (!counts) return tl::unexpected(counts.error());
  Answer answer;
  const auto estimated = fit(chosen, *counts, answer.notes);
  if (!estimated) return tl::unexpected(estimated.error());
  const auto found = radii_of(chosen, *estimated, *options, answer.warnings);
  if (!found) return tl::unexpected(found.error());
  const Radii& radii = *found;
  const auto model = model_to_write(chosen, *estimated, radii, *options, answer);
  if (!model) return tl::unexpected(model.error());
  const Diagnosis diagnosis = *diagnose(*counts);  // before anything is written: it may take long

  std::vector<std::pair<std::string, std::string>> texts;
  if (chosen.file) {
    texts.emplace_back(*chosen.file, fairstep::to_text(*model));
    answer.notes.push_back(fmt::format("wrote {}: {}", *chosen.file, in_short(estimated->model)));
  }
  if (chosen.radii_file) {
    Estimate written = *estimated;
    written.model = *model;  // the radii name the model that is beside them
    texts.emplace_back(*chosen.radii_file, radii_document(written, radii, *options));
    answer.notes.push_back(fmt::format("wrote {}: radii for delta {}", *chosen.radii_file, chosen.delta));
  }
  if (auto ok = write_all_guarded(texts); !ok) return io_failure(ok.error());
  const std::vector<Objection> objected = objections(estimated->model);
  for (const Objection& objection : objected) answer.notes.push_back("before solving: " + objection.remedy);
  if (chosen.file && objected.empty())
    answer.notes.push_back(fmt::format("next: fairstep solve {} --fairness dp --limit 0.05", *chosen.file));
  answer.schema = "fairstep/fit/1";
  answer.body = {{"counts", chosen.counts},
                 {"file", chosen.file ? Json(*chosen.file) : Json()},
                 {"radii_file", chosen.radii_file ? Json(*chosen.radii_file) : Json()},
                 {"unvisited_rule", name_of(chosen.rule())},
                 {"discount", chosen.discount},
                 {"participation", estimated->model.spec().participation.has_value()},
                 {"pessimistic", chosen.pessimistic},
                 {"delta", chosen.delta}};
  answer.body.update(to_json(*estimated, radii));
  answer.body["rests_on"] = grounds_json(estimated->model, std::nullopt);
  for (std::string& warning : unseen(*estimated, name_of(chosen.rule()))) answer.warnings.push_back(std::move(warning));
  for (std::string& sentence : caveats(*estimated->model.spec().rests_on, counts->names().groups))
    answer.warnings.push_back(std::move(sentence));
  const bool follow = chosen.labels.labels == LabelsAre::follow_features;
  if (follow)
    for (std::string& doubt : doubts_of_features(diagnosis)) answer.warnings.push_back(std::move(doubt));
  if (counts->log() && groups_in_doubt(*counts->log()))
    answer.warnings.emplace_back(
        "rows of some people name no known group, or several: in the numbers of people, and so in shares that are "
        "counted, "
        "they are in each group that they may be of; --share gives shares that are known");
  for (std::string& sentence : doubts_of_leaving(*estimated, diagnosis)) answer.warnings.push_back(std::move(sentence));
  for (const Objection& objection : objected) answer.warnings.push_back(objection.problem);
  answer.text = fmt::format("{}: {}", chosen.counts, to_text(*estimated, radii, context.width));
  add_diagnosis(answer, diagnosis, counts->names(), context.width);
  hint_at_periods(answer, diagnosis, *counts);
  if (follow) add_verdict_on_features(answer, diagnosis, context.width);
  return answer;
}

}  // namespace

Verb fit_verb() {
  return {"fit",
          "estimate a model from counts, with radii for what is not known",
          "Writes the model whose transition rows, mean rewards and first states are the proportions and means that "
          "were counted, so that it can be solved many times. A cell is a group, feature, label and action; one whose "
          "successor was never seen is listed, and its row is a guess by the rule of --unvisited. The radii say how "
          "far, in total variation, a row may be from the truth: all of them hold together with probability 1 - "
          "delta, whatever policies people met, whenever one looks, and whatever the rows that were left out of the "
          "counts would have said.",
          {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
           "fairstep simulate fico.json half.json --people-per-group 1e6 -o counts.json",
           "fairstep fit counts.json -o model.json --radii radii.json",
           "fairstep fit counts.json --share white=0.6 --share black=0.4 -o model.json",
           "fairstep fit counts.json --reward y1a1=1,y0a1=-4 -o model.json",
           "fairstep solve model.json --fairness dp --limit 0.05 -o fair.json",
           "fairstep fit counts.json --pessimistic --reward-range -1,1 -o low.json"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<FitArguments>();
            options.positional("COUNTS", chosen->counts, "counts file");
            options.output(chosen->file, "write the model there; without it there is only the summary");
            options.choice("--unvisited", chosen->unvisited,
                           "the row of a cell without a seen successor: no change, all states alike, or refuse; left "
                           "out: no change, and a model of nothing but guesses is refused",
                           {Unvisited::stay, Unvisited::uniform, Unvisited::error});
            options.texts("--share", chosen->shares, "GROUP=SHARE",
                          "share of a group in the population, once for each (default those of the people counted)");
            options.number("--discount", chosen->discount, "discount of the model");
            options.number("--delta", chosen->delta, "the radii hold together with probability 1 - delta");
            options.numbers("--reward-range", chosen->reward_range,
                            "least and greatest single reward, as in -1,1: radii of mean rewards too, for half of "
                            "delta");
            options.text("--reward", chosen->reward, "y1a1=R,...|FILE",
                         "rewards that are given, in place of those of the log: what each decision (a) about people "
                         "of a label (y) earns, 0 where it is not named; or a file by group and feature");
            options.flag("--pessimistic", chosen->pessimistic,
                         "lower the rewards by what the data leave open: in this model no policy is worth more than "
                         "in truth, with probability 1 - delta, so that what is best in it has the best guarantee; "
                         "with --reward-range, or with rewards that are given");
            options.flag("--no-participation", chosen->everybody_stays,
                         "the model has everybody stay for the whole episode, also if the log shows people who join "
                         "late or leave early");
            options.output(chosen->radii_file, "write the radii there", "--radii");
            chosen->kernel.declare(
                options,
                "one kernel for all steps, for each step, or for each of some periods, as far as the "
                "counts tell them apart (default as they were counted)");
            chosen->labels.declare(options);
            options.choice("--point", chosen->point,
                           "with --refused: a model is one of those that this allows, in the middle or at an end");
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
