// fairstep diagnose COUNTS|LOG: does the log refute the model?
#include <fairstep/diagnose/diagnose.hpp>

#include <memory>
#include <vector>

#include <fmt/format.h>

#include "answers/diagnosis.hpp"
#include "answers/log_summary.hpp"
#include "options/log_options.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct DiagnoseArguments {
  std::vector<std::string> data{};
  LogOptions log{};
  double level = 0.05;
};

Result<Answer> run(const DiagnoseArguments& chosen, const Context& context) {
  if (!(chosen.level > 0 && chosen.level < 1))
    return usage(fmt::format("--level is {}, expected more than 0 and less than 1", chosen.level));
  const auto counts = read_counts_or_log("diagnose", chosen.data, chosen.log);
  if (!counts) return tl::unexpected(counts.error());
  const auto diagnosis = diagnose(*counts, {chosen.level, {}});
  if (!diagnosis) return input(diagnosis.error(), chosen.data.front());

  Answer answer;
  answer.schema = "fairstep/diagnosis/1";
  answer.body = {{"data", chosen.data}};
  answer.body.update(to_json(*diagnosis, counts->names()));
  if (counts->log()) {
    for (const Finding& finding : counts->log()->findings) answer.warnings.push_back(in_words(finding));
    if (const std::string assumed = assumption(*counts->log()); !assumed.empty()) answer.warnings.push_back(assumed);
  }
  const std::string source =
      chosen.data.size() == 1 ? chosen.data.front() : fmt::format("{} files", chosen.data.size());
  answer.text = fmt::format("{}: {}", source, to_text(*diagnosis, counts->names(), context.width));
  hint_at_periods(answer, *diagnosis, *counts);
  answer.code = diagnosis->verdict == Verdict::refuted       ? ExitCode::no
                : diagnosis->verdict == Verdict::not_refuted ? ExitCode::done
                                                             : ExitCode::undecided;
  return answer;
}

}  // namespace

Verb diagnose_verb() {
  return {"diagnose",
          "does the log refute the model?",
          "Everything that is estimated, solved and certified assumes one kernel for all steps, a next state that "
          "depends on nothing but the cell, and people who do not leave because of what became of them. This asks the "
          "log, by permutation tests that are right at small counts: whether a step, a calendar window or the decision "
          "before matters, whether decisions tell more of the label than the feature does, and who leaves. Each test "
          "says how far a rate could be off. If the model holds, anything is called refuted with probability at most "
          "--level, all tests and groups together. Exit code 1 if it is refuted, 3 if nothing can be tested.",
          {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
           "fairstep simulate fico.json half.json --people 5000 -o log.csv", "fairstep diagnose log.csv",
           "fairstep count log.csv -o counts.json", "fairstep diagnose counts.json --level 0.01 --json"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<DiagnoseArguments>();
            options.positionals("DATA", chosen->data, "one counts file, or log files (options as in fairstep count)");
            options.number("--level", chosen->level, "the chance that anything is called refuted if the model holds");
            chosen->log.declare(options);
            chosen->log.kernel.declare(
                options,
                "of a log: is it one kernel at all steps, or within each of these periods? pooled if "
                "left out");
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
