// fairstep simulate MODEL POLICY: people drawn from a model, as a log of decisions or as counts.
#include <fairstep/simulate/simulate.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/files.hpp>

#include "answers/grounds_summary.hpp"
#include "answers/log_csv.hpp"
#include "answers/observed.hpp"
#include "options/kernel_option.hpp"
#include "options/policy_file.hpp"
#include "options/split_options.hpp"
#include "shell/guarded_file.hpp"
#include "shell/progress.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

enum class Form { summary, log, counts };

struct SimulateArguments {
  std::string model{};
  std::string policy{};
  std::optional<std::uint64_t> people{};
  std::optional<std::uint64_t> people_per_group{};
  std::optional<std::string> by{};
  std::uint64_t seed = 1;
  std::uint64_t threads = 0;
  std::optional<std::string> progress{"auto"};
  std::optional<std::string> file{};
  SplitOptions split{};
  KernelOption kernel{};
};

Result<Crowd> crowd_of(const SimulateArguments& chosen) {
  if (chosen.people.has_value() == chosen.people_per_group.has_value())
    return usage(fmt::format("fairstep simulate needs --people or --people-per-group, {} given",
                             chosen.people ? "both are" : "neither is"),
                 "--people 1e6 draws them by the groups' shares, --people-per-group 1000 takes as many of each group");
  if (chosen.people) return Crowd{*chosen.people, false};
  return Crowd{*chosen.people_per_group, true};
}

Result<Form> form_of(const SimulateArguments& chosen) {
  if (!chosen.file) return Form::summary;
  const std::string ending = std::filesystem::path(*chosen.file).extension().string();
  if (ending == ".json") return Form::counts;
  if (ending != ".csv")
    return usage(
        fmt::format("--output is \"{}\", expected a name that ends in .csv (a log) or .json (counts)", *chosen.file));
  if (chosen.by == "counts")
    return usage("--by counts draws no single persons, and a log needs them",
                 "--by person, or write counts: -o counts.json");
  return Form::log;
}

Result<Observed> write_log(const Model& model, const Policy& policy, const SimulateOptions& options,
                           const SimulateArguments& chosen, const Context& context) {
  if (auto ok = policy.check_fits(model); !ok) return input(ok.error(), chosen.policy);
  if (auto ok = check_no_formulas(model.names()); !ok) return input(ok.error(), chosen.model);
  auto file = GuardedFile::open(*chosen.file);
  if (!file) return io_failure(file.error());
  if (auto ok = file->write(LogCsv::header()); !ok) return io_failure(ok.error());
  LogCsv csv(model);
  Observed observed(model.shape());
  const std::uint64_t people = options.crowd.people * (options.crowd.per_group ? model.shape().groups : 1);
  Progress progress(progress_mode(*chosen.progress, context.quiet), "simulate", people, "people");
  Expected<void> written;
  const auto simulated = simulate_log(model, policy, options, [&](std::span<const Decision> rows) {
    observed.add(rows);
    written = file->write(csv.lines(rows));
    progress.at(rows.back().person);
    return written.has_value();
  });
  if (!simulated) return input(simulated.error());
  if (written) written = file->commit();
  if (!written) return io_failure(written.error());
  return observed;
}

Result<Observed> simulate_into_counts(const Model& model, const Policy& policy, const SimulateOptions& options,
                                      const SimulateArguments& chosen) {
  if (auto ok = policy.check_fits(model); !ok) return input(ok.error(), chosen.policy);
  const bool one_by_one = chosen.by == "person";
  const auto counts = one_by_one ? simulate_people(model, policy, options) : simulate_counts(model, policy, options);
  if (!counts) return input(counts.error());
  if (chosen.file)
    if (auto ok = write_guarded(*chosen.file, fairstep::to_text(*counts)); !ok) return io_failure(ok.error());
  return Observed(*counts);
}

/// Both parts into their files; what they saw together.
Result<Observed> simulate_parts(const Model& model, const Policy& policy, const SimulateOptions& options,
                                const Split& split, const SimulateArguments& chosen, std::vector<std::string>& notes) {
  if (auto ok = policy.check_fits(model); !ok) return input(ok.error(), chosen.policy);
  const bool one_by_one = chosen.by == "person";
  auto counts = one_by_one ? simulate_split_people(model, policy, options, split)
                           : simulate_split_counts(model, policy, options, split);
  if (!counts) return input(counts.error());
  if (auto ok = write_parts(counts->design, *chosen.file, counts->audit, *chosen.split.audit_file, notes); !ok)
    return tl::unexpected(ok.error());
  Counts& all = counts->design;
  for (Counts* part : {&all, &counts->audit})
    if (auto ok = part->mark(std::nullopt); !ok) return input(ok.error());
  if (auto ok = all.add(counts->audit); !ok) return input(ok.error());
  return Observed(all);
}

Result<Answer> run(const SimulateArguments& chosen, const Context& context) {
  const auto crowd = crowd_of(chosen);
  if (!crowd) return tl::unexpected(crowd.error());
  const auto form = form_of(chosen);
  if (!form) return tl::unexpected(form.error());
  const auto split = chosen.split.split(chosen.seed, chosen.file);
  if (!split) return tl::unexpected(split.error());
  if (*split && *form == Form::log)
    return usage("--split makes counts, and --output is a log",
                 "-o design.json, or split the log when it is counted: fairstep count --split");
  const auto model = read_model(chosen.model);
  if (!model) return input(model.error(), chosen.model);
  const auto policy = policy_for(model->names().groups, chosen.policy);
  if (!policy) return tl::unexpected(policy.error());

  const auto choice = chosen.kernel.choice();
  if (!choice) return tl::unexpected(choice.error());
  if (*choice && *form != Form::counts) return usage("--kernel is about counts, and none are written");
  SimulateOptions options;
  if (*choice) {
    auto periods = (*choice)->of(model->shape());
    if (!periods) return usage(periods.error());
    options.periods = std::move(*periods);
  }
  options.crowd = *crowd;
  options.seed = chosen.seed;
  options.threads = threads_or_cores(chosen.threads);
  options.history = *form == Form::counts;
  Answer answer;
  const auto observed = *split               ? simulate_parts(*model, *policy, options, **split, chosen, answer.notes)
                        : *form == Form::log ? write_log(*model, *policy, options, chosen, context)
                                             : simulate_into_counts(*model, *policy, options, chosen);
  if (!observed) return tl::unexpected(observed.error());

  answer.schema = "fairstep/simulation/1";
  answer.body = {{"model", chosen.model},
                 {"policy", chosen.policy},
                 {"file", chosen.file ? Json(*chosen.file) : Json()},
                 {"by", *form == Form::log ? "person" : chosen.by.value_or("counts")},
                 {"seed", chosen.seed}};
  if (*split) answer.body["split"] = {{"share", (*split)->share}, {"audit_file", *chosen.split.audit_file}};
  answer.body.update(observed->to_json(model->names()));
  const auto exact = evaluate(*model, *policy);  // the policy fits: people were drawn by it
  const std::optional<Unseen> unseen = exact ? exact->unseen : std::nullopt;
  answer.body["rests_on"] = grounds_json(*model, unseen);
  answer.warnings = grounds_warnings(*model);
  for (std::string& sentence : observed->undefined_rates(model->names()))
    answer.warnings.push_back(std::move(sentence));
  answer.text = fmt::format("{} under {}, seed {}: {}", chosen.model, chosen.policy, chosen.seed,
                            observed->to_text(model->names(), context.width));
  if (const std::string line = grounds_line(*model, unseen, context.width); !line.empty()) answer.text += "\n" + line;
  if (chosen.file && !*split)
    answer.notes.push_back(fmt::format("wrote {}: {}", *chosen.file,
                                       *form == Form::log
                                           ? fmt::format("log of {} decisions", with_thousands(observed->decisions()))
                                           : fmt::format("counts of {} people", with_thousands(observed->people()))));
  return answer;
}

}  // namespace

Verb simulate_verb() {
  return {
      "simulate",
      "draw people from a model: a log of decisions (CSV) or counts (JSON)",
      "With -o log.csv every decision is a row: person, group, step, x, y, a, reward. With -o counts.json only the "
      "counts are kept; they are drawn for the whole crowd at once, so that 10^12 people take no longer than 1000. "
      "Without -o there is only the summary. With --split both parts of the people are drawn: by their numbers as "
      "those "
      "of a log with --by person, otherwise as if everybody had tossed a coin. Numbers of people may be written 1000, "
      "1e6 or 2^18.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --threshold x=2 -o from50.json",
       "fairstep simulate fico.json from50.json --people 1000 --seed 7 -o log.csv",
       "fairstep simulate fico.json from50.json --people-per-group 2^18 -o counts.json",
       "fairstep simulate fico.json from50.json --people 1e6 --split 0.3 -o design.json --audit audit.json"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<SimulateArguments>();
        options.positional("MODEL", chosen->model, "model file");
        options.positional("POLICY", chosen->policy, "policy file");
        options.whole("--people", chosen->people, "people in all, drawn by the groups' shares", {1});
        options.whole("--people-per-group", chosen->people_per_group, "people of each group", {1});
        options.output(chosen->file, "log.csv or counts.json; the ending decides");
        chosen->split.declare(options);
        options.choice("--by", chosen->by, {"person", "counts"},
                       "draw people one by one, or whole crowds at once (default person for a log, else counts)");
        chosen->kernel.declare(options,
                               "of counts: whether next states are counted over all steps, by step or by periods; left "
                               "out: by those of the model");
        options.seed(chosen->seed);
        options.threads(chosen->threads);
        options.progress(chosen->progress);
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
