#include <fairstep/diagnose/diagnose.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>

namespace fairstep {
namespace {

/// The stream of all permutations: (seed, purpose) of an Rng, then the number of the question and of the group.
constexpr std::uint64_t kSeed = 0x646961676E6F7365;  // "diagnose"

/// About as many elementary draws as a test may take, if it can be had for that.
constexpr double kWork = 1e8;

double work_of(const Strata& strata) {
  auto work = static_cast<double>(strata.seen.size());
  for (const Strata::Row& row : strata.rows) work += 10 * static_cast<double>(row.strata.size() * row.outcomes.size());
  return work;
}

/// Enough that the smallest p-value, paid for `tests` times, is half of the level; more where they are cheap.
std::size_t permutations(const Strata& strata, std::size_t tests, double level) {
  const double needed = std::min(std::ceil(2 * static_cast<double>(tests) / level) - 1, 99'999.0);
  return static_cast<std::size_t>(std::clamp(kWork / work_of(strata), needed, std::max(needed, 999.0)));
}

const char* of_a_period(const Counts& counts) { return counts.periods().pooled() ? "" : " of a period"; }

std::string refuted_sentence(const Diagnosed& answer, const Permuted& found, const Counts& counts) {
  const std::string& group = counts.names().groups[answer.group];
  switch (answer.question) {
    case Question::steps:
      return fmt::format(
          "these data refute assumption 1 for group {}: one kernel for all steps{} predicts other states one step "
          "ahead "
          "than were seen, most of all at step {}",
          group, of_a_period(counts), found.worst + 1);
    case Question::windows:
      return fmt::format(
          "these data refute assumption 1 for group {}: one kernel for all times predicts other next states than were "
          "seen, most of all in the window from {}",
          group, counts.history()->windows[found.worst].from);
    case Question::decisions:
      return fmt::format(
          "these data refute that decisions about group {} looked at the feature only: they depend on the label given "
          "step and feature, most of all at step {}",
          group, found.worst / kLabels);
    case Question::leaving:
      return fmt::format(
          "these data speak against seeing being blind for group {}: given the cell, whether a next state is seen "
          "depends on the decision before",
          group);
    case Question::before:
      return fmt::format(
          "these data refute assumption 1 for group {}: given the cell, the next state depends on the decision before",
          group);
    case Question::labels:
      break;
  }
  return fmt::format("labels of group {} do not follow the feature alone: they depend on the cell before as well",
                     group);
}

std::string plain_sentence(const Diagnosed& answer, const Counts& counts) {
  const std::string& group = counts.names().groups[answer.group];
  switch (answer.question) {
    case Question::steps:
      return fmt::format("group {}: states one step ahead are as one kernel for all steps{} predicts", group,
                         of_a_period(counts));
    case Question::windows:
      return fmt::format("group {}: next states are as one kernel for all times predicts", group);
    case Question::decisions:
      return fmt::format("group {}: decisions do not depend on the label given step and feature", group);
    case Question::leaving:
      return fmt::format("group {}: whether a next state is seen does not depend on the decision before", group);
    case Question::before:
      return fmt::format("group {}: given the cell, the decision before does not matter", group);
    case Question::labels:
      break;
  }
  return fmt::format("group {}: labels follow the feature, whatever the cell before was", group);
}

std::string nothing_varies(Question question) {
  switch (question) {
    case Question::steps:
    case Question::windows:
    case Question::before:
      return "no cell with two next states was left by people who could be told apart";
    case Question::decisions:
      return "all with one feature at one step were decided alike, or all had one label";
    case Question::leaving:
      return "in no cell were next states seen of some and not of others who could be told apart";
    case Question::labels:
      break;
  }
  return "no feature was come to with both labels from two cells";
}

std::string not_tested(const Counts& counts, std::size_t g) {
  return fmt::format("group {}: stopped before it was tested", counts.names().groups[g]);
}

struct Asked {
  std::size_t place = 0;  ///< among the answers
  Strata strata{};
  Permuted found{};
};

/// The smallest p-value is paid for as often as there are tests, the next one time less, and none less than the one
/// before it.
void adjust(std::vector<Diagnosed>& answers, std::vector<std::size_t> places) {
  std::sort(places.begin(), places.end(),
            [&](std::size_t a, std::size_t b) { return *answers[a].p_value < *answers[b].p_value; });
  double paid = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    paid = std::max(paid, std::min(1.0, static_cast<double>(places.size() - i) * *answers[places[i]].p_value));
    answers[places[i]].adjusted = paid;
  }
}

}  // namespace

Expected<Diagnosis> diagnose(const Counts& counts, const DiagnoseOptions& options) {
  if (!(options.level > 0 && options.level < 1))
    return fail_option("level", fmt::format(" is {}, expected a number between 0 and 1", options.level));
  Diagnosis diagnosis;
  diagnosis.level = options.level;
  std::vector<Asked> asked;
  for (const Question question : all_of<Question>()) {
    const bool dated = counts.history() && !counts.history()->windows.empty();
    if (question == Question::windows && !dated) continue;
    for (std::size_t g = 0; g < counts.shape().groups; ++g) {
      Diagnosed answer;
      answer.question = question;
      answer.group = g;
      if (options.stop && options.stop()) {
        ++diagnosis.stopped;
        answer.sentence = not_tested(counts, g);
        diagnosis.answers.push_back(std::move(answer));
        continue;
      }
      auto strata = strata_of(question, counts, g);
      if (!strata)
        answer.sentence = fmt::format("group {}: {}", counts.names().groups[g], strata.error().message);
      else if (!can_vary(*strata))
        answer.sentence = fmt::format("group {}: {}", counts.names().groups[g], nothing_varies(question));
      else
        asked.push_back({diagnosis.answers.size(), std::move(*strata), {}});
      diagnosis.answers.push_back(std::move(answer));
    }
  }

  std::array<std::vector<std::size_t>, 2> families{};  // assumptions, and what is none
  for (Asked& one : asked) {
    Diagnosed& answer = diagnosis.answers[one.place];
    const Rng rng(kSeed, 0, static_cast<std::uint64_t>(answer.question), answer.group);
    one.found = permute(one.strata, effect_of(answer.question, counts),
                        permutations(one.strata, asked.size(), options.level), rng, options.stop);
    if (one.found.stopped) {
      ++diagnosis.stopped;
      answer.sentence = not_tested(counts, answer.group);
      continue;
    }
    answer.p_value = one.found.p_value;
    answer.effect = one.found.effect;
    families[is_assumption(answer.question) ? 0 : 1].push_back(one.place);
  }
  for (std::vector<std::size_t>& family : families) adjust(diagnosis.answers, std::move(family));

  for (const Asked& one : asked) {
    Diagnosed& answer = diagnosis.answers[one.place];
    if (!answer.adjusted) continue;
    answer.verdict = *answer.adjusted <= options.level ? Verdict::refuted : Verdict::not_refuted;
    answer.sentence = answer.verdict == Verdict::refuted ? refuted_sentence(answer, one.found, counts)
                                                         : plain_sentence(answer, counts);
    if (!is_assumption(answer.question)) continue;
    diagnosis.verdict = std::min(diagnosis.verdict, answer.verdict);  // refuted before not refuted before untestable
  }
  return diagnosis;
}

bool refutes_one_kernel(const Diagnosis& diagnosis) {
  return std::any_of(diagnosis.answers.begin(), diagnosis.answers.end(), [](const Diagnosed& answer) {
    return answer.question == Question::steps && answer.verdict == Verdict::refuted;
  });
}

Verdict verdict_on_features(const Diagnosis& diagnosis) {
  Verdict verdict = Verdict::untestable;
  for (const Diagnosed& answer : diagnosis.answers)
    if (answer.question == Question::labels) verdict = std::min(verdict, answer.verdict);
  return verdict;
}

std::vector<std::string> doubts_of_features(const Diagnosis& diagnosis, bool of_labels) {
  std::vector<std::string> doubts;
  bool decisions_tell = false;
  for (const Diagnosed& answer : diagnosis.answers) {
    if (answer.verdict != Verdict::refuted) continue;
    decisions_tell = decisions_tell || answer.question == Question::decisions;
    if (of_labels && answer.question == Question::labels)
      doubts.push_back("labels are assumed to follow features, and the log refutes it: " + answer.sentence +
                       effect_in_words(answer));
  }
  if (decisions_tell)
    doubts.emplace_back(
        "decisions tell more of the label than the feature does (decision-by-label): what is said by features is right "
        "only if the label does not move the next feature");
  return doubts;
}

std::string effect_in_words(const Diagnosed& answer) {
  return answer.effect ? fmt::format(" (a rate could be off by {})", round_up_text(*answer.effect, 3)) : "";
}

}  // namespace fairstep
