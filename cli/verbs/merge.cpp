// fairstep merge COUNTS...: counts of several logs, added.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>

#include "describe.hpp"
#include "guarded_file.hpp"
#include "log_summary.hpp"
#include "quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> files{};
  std::optional<std::string> file{};
};

/// What one of two files knows about its log and the other does not.
void warn_of_unknowns(const Counts& ours, const Counts& theirs, const std::string& our_name,
                      const std::string& their_name, std::vector<std::string>& warnings) {
  if (ours.log.has_value() != theirs.log.has_value()) {
    const Counts& without = ours.log ? theirs : ours;
    const std::int64_t people = total(without.first.flat());
    warnings.push_back(fmt::format(
        "{} does not say which log it comes from: {} in the sum {} unrecorded", ours.log ? their_name : our_name,
        people == 1 ? "1 person" : with_thousands(people) + " people", people == 1 ? "is" : "are"));
    return;
  }
  if (!ours.log) return;
  const bool known = losses(*ours.log, ours.shape()).has_value();
  if (known == losses(*theirs.log, theirs.shape()).has_value()) return;
  warnings.push_back(
      fmt::format("{} is of a version that did not keep where rows that were left out belong: neither does the sum",
                  known ? their_name : our_name));
}

Result<Answer> run(const MergeArguments& chosen, const Context& context) {
  if (chosen.files.size() < 2) return usage("fairstep merge needs at least two files of counts, one is given");
  auto sum = read_counts(chosen.files.front());
  if (!sum) return input(sum.error(), chosen.files.front());
  Answer answer;
  for (std::size_t i = 1; i < chosen.files.size(); ++i) {
    const auto counts = read_counts(chosen.files[i]);
    if (!counts) return input(counts.error(), chosen.files[i]);
    warn_of_unknowns(*sum, *counts, i == 1 ? chosen.files.front() : "the sum so far", chosen.files[i], answer.warnings);
    if (auto ok = sum->add(*counts); !ok) {
      Error error = ok.error();
      error.hint = fmt::format("the counts added to are those of {}{}; --like {} counts a log with the same names",
                               chosen.files.front(), i > 1 ? " and others" : "", chosen.files.front());
      return input(error, chosen.files[i]);
    }
  }
  if (!chosen.file) {
    answer.text = fairstep::to_text(*sum);
    answer.verbatim = true;
    return answer;
  }
  if (auto ok = write_guarded(*chosen.file, fairstep::to_text(*sum)); !ok) return io_failure(ok.error());
  const std::int64_t decisions = total(sum->visits.flat());
  answer.notes = {fmt::format("wrote {}: counts of {} decisions, from {} files", *chosen.file,
                              with_thousands(decisions), chosen.files.size()),
                  fmt::format("next: fairstep fit {} -o model.json", *chosen.file)};
  answer.schema = "fairstep/written/1";
  answer.body = {{"file", *chosen.file}};
  answer.body.update(facts(*sum));
  answer.text = fact_lines(*sum, context.width);
  return answer;
}

}  // namespace

Verb merge_verb() {
  return {"merge",
          "add counts of several logs",
          "Adds counts, as of a log that was counted in parts. The parts must be of different people: a person whose "
          "rows are spread over several parts is counted as several, and the transitions between the parts are lost. "
          "Groups, features and steps must agree; --like makes fairstep count use those of another file. Counts add "
          "exactly; sums of rewards are rounded once for each file. What is known of the logs is joined; people whose "
          "counts "
          "do not say which log they come from are in the sum as unrecorded.",
          {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
           "fairstep simulate fico.json half.json --people 1000 -o a.json",
           "fairstep simulate fico.json half.json --people 1000 --seed 2 -o b.json",
           "fairstep merge a.json b.json -o both.json"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<MergeArguments>();
            options.positionals("COUNTS", chosen->files, "counts files, at least two");
            options.output(chosen->file, "write the sum there; without it it goes to stdout");
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
