#include "answers/diagnosis.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>

#include "answers/table.hpp"

namespace fairstep::cli {
namespace {

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

/// Rounded up: a p-value is never shown as smaller than it is, nor what a rate could be off by.
std::string number_cell(const std::optional<double>& value) { return value ? round_up_text(*value, 4) : "-"; }

/// Found against the model, or against what it would be convenient to know of labels.
bool is_news(const Diagnosed& answer) { return answer.verdict == Verdict::refuted; }

std::size_t tested(const Diagnosis& diagnosis) {
  return static_cast<std::size_t>(std::count_if(
      diagnosis.answers.begin(), diagnosis.answers.end(),
      [](const Diagnosed& answer) { return is_assumption(answer.question) && answer.verdict != Verdict::untestable; }));
}

/// What could not be asked, each reason once.
std::vector<std::string> reasons(const Diagnosis& diagnosis) {
  std::vector<std::string> list;
  for (const Diagnosed& answer : diagnosis.answers) {
    if (answer.verdict != Verdict::untestable) continue;
    list.push_back(fmt::format("{}: cannot be tested: {}", fairstep::name_of(answer.question), answer.sentence));
  }
  return list;
}

}  // namespace

Json to_json(const Diagnosis& diagnosis, const Names& names) {
  Json tests = Json::array();
  for (const Diagnosed& answer : diagnosis.answers)
    tests.push_back({{"test", fairstep::name_of(answer.question)},
                     {"group", names.groups[answer.group]},
                     {"assumption", is_assumption(answer.question)},
                     {"verdict", fairstep::name_of(answer.verdict)},
                     {"p_value", json_of(answer.p_value)},
                     {"adjusted", json_of(answer.adjusted)},
                     {"effect", json_of(answer.effect)},
                     {"sentence", answer.sentence}});
  return {{"level", diagnosis.level}, {"verdict", fairstep::name_of(diagnosis.verdict)}, {"tests", tests}};
}

std::string to_text(const Diagnosis& diagnosis, const Names& names, std::size_t width) {
  Column test{"test", {}, true};
  Block found{{}, {{"group", {}, true}, {"verdict", {}, true}, {"p", {}}, {"paid for", {}}, {"effect", {}}}};
  for (const Diagnosed& answer : diagnosis.answers) {
    test.cells.emplace_back(fairstep::name_of(answer.question));
    found.columns[0].cells.push_back(names.groups[answer.group]);
    found.columns[1].cells.emplace_back(fairstep::name_of(answer.verdict));
    found.columns[2].cells.push_back(number_cell(answer.p_value));
    found.columns[3].cells.push_back(number_cell(answer.adjusted));
    found.columns[4].cells.push_back(number_cell(answer.effect));
  }
  std::string text = fmt::format("{}\n\n{}", in_short(diagnosis), lay_out(test, {found}, width));
  std::vector<std::string> lines;
  for (const Diagnosed& answer : diagnosis.answers)
    if (is_news(answer)) lines.push_back(answer.sentence + effect_in_words(answer));
  for (std::string& reason : reasons(diagnosis)) lines.push_back(std::move(reason));
  if (!lines.empty()) text += '\n';
  for (const std::string& line : lines) text += wrap(line, width);
  return text;
}

std::vector<std::string> doubts_of(const Diagnosis& diagnosis) {
  std::vector<std::string> doubts;
  for (const Diagnosed& answer : diagnosis.answers)
    if (is_assumption(answer.question) && is_news(answer)) doubts.push_back(answer.sentence + effect_in_words(answer));
  return doubts;
}

void add_verdict_on_features(Answer& answer, const Diagnosis& diagnosis, std::size_t width) {
  const std::string verdict = fairstep::name_of(verdict_on_features(diagnosis));
  answer.body["labels_follow_features"] = verdict;
  answer.text += wrap(fmt::format("do labels follow features? {}", verdict), width);
}

std::string in_short(const Diagnosis& diagnosis) {
  const std::size_t number = tested(diagnosis);
  const std::string left = diagnosis.stopped == 0 ? "" : fmt::format("; {} not made: stopped", diagnosis.stopped);
  if (number == 0 && diagnosis.stopped > 0) return "not asked to the end: stopped before any test was made";
  if (number == 0) return "the model cannot be tested with these counts";
  const std::string by =
      fmt::format("{} test{} at level {} in all{}", number, number == 1 ? "" : "s", diagnosis.level, left);
  return diagnosis.verdict == Verdict::refuted ? fmt::format("the model is refuted ({})", by)
                                               : fmt::format("the model is not refuted ({})", by);
}

void hint_at_periods(Answer& answer, const Diagnosis& diagnosis, const Counts& counts) {
  if (!counts.periods().pooled() || !refutes_one_kernel(diagnosis)) return;
  answer.notes.emplace_back(
      "one kernel for all steps is refuted: fairstep count LOG --kernel per-step counts what each step has of its own");
}

void add_diagnosis(Answer& answer, const Diagnosis& diagnosis, const Names& names, std::size_t width) {
  answer.body["diagnosis"] = to_json(diagnosis, names);
  answer.text += '\n' + wrap(fmt::format("do the data refute it? {}", in_short(diagnosis)), width);
  for (std::string& doubt : doubts_of(diagnosis)) answer.warnings.push_back(std::move(doubt));
}

}  // namespace fairstep::cli
