// fairstep merge COUNTS...: counts of several logs, added.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/in_order.hpp>
#include <fairstep/core/same_people.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>

#include "answers/describe.hpp"
#include "answers/log_summary.hpp"
#include "shell/guarded_file.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> files{};
  std::optional<std::string> file{};
  bool different_people = false;
};

constexpr const char* kDifferentPeople = "--different-people says that they are others all the same";

/// Complains of people who would be counted twice, as far as that shows: a file that is given twice, counts that are
/// the same as those of a file before, or a log that is in the sum already.
class Twice {
 public:
  explicit Twice(bool different_people) : different_people_(different_people) {}

  Result<void> add(const Counts& counts, const std::string& file) {
    if (total(counts.visits().flat()) == 0) return {};
    const auto [before, is_new] = files_.try_emplace(sha256(fairstep::to_text(counts.tables())), file);
    if (is_new) return {};
    std::error_code none;
    if (file == before->second || std::filesystem::equivalent(file, before->second, none))
      return input(Error{fmt::format("the file is given twice, before as {}: its people would be counted twice",
                                     before->second)},
                   file);
    if (different_people_) return {};
    return input(Error{fmt::format("the counts are the same to the last number as those of {}: these people would be "
                                   "counted twice",
                                   before->second),
                       {},
                       {},
                       kDifferentPeople},
                 file);
  }

  Result<void> add_to(const Counts& sum, const Counts& counts, const std::string& file) {
    if (auto ok = add(counts, file); !ok || different_people_) return ok;
    const auto ok = check_different_people(sum, counts);
    if (ok) return {};
    Error error = ok.error();
    error.hint = kDifferentPeople;
    return input(error, file);
  }

 private:
  bool different_people_;
  std::map<std::string, std::string> files_{};  ///< by the hash of their tables
};

/// What one of two files knows about its log and the other does not.
void warn_of_unknowns(const Counts& ours, const Counts& theirs, const std::string& our_name,
                      const std::string& their_name, std::vector<std::string>& warnings) {
  if (ours.log().has_value() != theirs.log().has_value()) {
    const Counts& without = ours.log() ? theirs : ours;
    const std::int64_t people = total(without.first().flat());
    warnings.push_back(fmt::format(
        "{} does not say which log it comes from: {} in the sum {} unrecorded", ours.log() ? their_name : our_name,
        people == 1 ? "1 person" : with_thousands(people) + " people", people == 1 ? "is" : "are"));
    return;
  }
  if (!ours.log()) return;
  const bool known = losses(*ours.log(), ours.shape()).has_value();
  if (known == losses(*theirs.log(), theirs.shape()).has_value()) return;
  warnings.push_back(
      fmt::format("{} is of a version that did not keep where rows that were left out belong: neither does the sum",
                  known ? their_name : our_name));
}

Result<Answer> run(const MergeArguments& chosen, const Context& context) {
  if (chosen.files.size() < 2) return usage("fairstep merge needs at least two files of counts, one is given");
  auto sum = read_counts(chosen.files.front());
  if (!sum) return input(sum.error(), chosen.files.front());
  Answer answer;
  Twice twice(chosen.different_people);
  if (auto ok = twice.add(*sum, chosen.files.front()); !ok) return tl::unexpected(ok.error());
  for (std::size_t i = 1; i < chosen.files.size(); ++i) {
    auto counts = read_counts(chosen.files[i]);
    if (!counts) return input(counts.error(), chosen.files[i]);
    *counts = in_order_of(sum->names(), std::move(*counts));
    if (auto ok = twice.add_to(*sum, *counts, chosen.files[i]); !ok) return tl::unexpected(ok.error());
    warn_of_unknowns(*sum, *counts, i == 1 ? chosen.files.front() : "the sum so far", chosen.files[i], answer.warnings);
    if (auto ok = sum->add(*counts); !ok) {
      Error error = ok.error();
      if (error.pointer == "/periods")
        error.hint = "fairstep count --kernel counts a log by the same periods";
      else if (!error.pointer.starts_with("/part"))
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
  const std::int64_t decisions = total(sum->visits().flat());
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
  return {
      "merge",
      "add counts of several logs",
      "Adds counts, as of a log that was counted in parts. The parts must be of different people: a person whose "
      "rows are spread over several parts is counted as several, and the transitions between the parts are lost. "
      "A file that is given twice is refused, and so are counts that are the same to the last number or come from a "
      "log of the same name, unless --different-people says that they are others. "
      "A part of split people goes with its like alone, of the same share and seed. "
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
        options.flag("--different-people", chosen->different_people,
                     "the people are different ones, although counts are the same or logs have one name");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
