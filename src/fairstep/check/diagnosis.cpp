#include <fairstep/check/diagnosis.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <fairstep/check/asked.hpp>

namespace fairstep::rigorous {
namespace {

constexpr double kLevel = 0.05;
// Up to so many permutations are drawn, and more if the smallest p-value must be paid for more often. A question is
// called refuted as long as there are not two among them as far off as the data: kHardly is how many there are on
// average at most.
constexpr double kDrawn = 1000, kMostDrawn = 100'000;
constexpr long double kHardly = 1e-4L;

constexpr std::array<std::string_view, kAsks> kTests{"kernel-by-step", "kernel-by-window", "decision-by-label",
                                                     "leaving",        "step-before",      "labels"};

const char* of_a_period(const Json& counts) { return counts.contains("periods") ? " of a period" : ""; }

std::string nothing_varies(Ask question) {
  if (question == Ask::decisions) return "all with one feature at one step were decided alike, or all had one label";
  if (question == Ask::leaving)
    return "in no cell were next states seen of some and not of others who could be told apart";
  if (question == Ask::labels) return "no feature was come to with both labels from two cells";
  return "no cell with two next states was left by people who could be told apart";
}

std::string plain(Ask question, const std::string& group, const Json& counts) {
  if (question == Ask::steps)
    return fmt::format("group {}: states one step ahead are as one kernel for all steps{} predicts", group,
                       of_a_period(counts));
  constexpr std::array<std::string_view, kAsks> found{
      "",
      "next states are as one kernel for all times predicts",
      "decisions do not depend on the label given step and feature",
      "whether a next state is seen does not depend on the decision before",
      "given the cell, the decision before does not matter",
      "labels follow the feature, whatever the cell before was"};
  return fmt::format("group {}: {}", group, found[static_cast<std::size_t>(question)]);
}

std::string refuted(Ask question, const std::string& group, std::size_t stratum, const Json& counts) {
  switch (question) {
    case Ask::steps:
      return fmt::format(
          "these data refute assumption 1 for group {}: one kernel for all steps{} predicts other states one step "
          "ahead "
          "than were seen, most of all at step {}",
          group, of_a_period(counts), stratum + 1);
    case Ask::windows:
      return fmt::format(
          "these data refute assumption 1 for group {}: one kernel for all times predicts other next states than were "
          "seen, most of all in the window from {}",
          group, counts.at("history").at("windows").at(stratum).at("from").get<std::string>());
    case Ask::decisions:
      return fmt::format(
          "these data refute that decisions about group {} looked at the feature only: they depend on the label given "
          "step and feature, most of all at step {}",
          group, stratum / 2);
    case Ask::leaving:
      return fmt::format(
          "these data speak against seeing being blind for group {}: given the cell, whether a next state is seen "
          "depends on the decision before",
          group);
    case Ask::before:
      return fmt::format(
          "these data refute assumption 1 for group {}: given the cell, the next state depends on the decision before",
          group);
    case Ask::labels:
      break;
  }
  return fmt::format("labels of group {} do not follow the feature alone: they depend on the cell before as well",
                     group);
}

/// What may be said.
struct Expectation {
  bool tested = false;
  std::vector<std::string> sentences{};
};

Expectation expect(Ask question, const Documents& documents, std::size_t g, std::optional<double> p_value) {
  const auto group = documents.counts.at("groups").at(g).get<std::string>();
  const Answerable asked = ask(question, people_of(documents, g));
  if (!asked.reason.empty()) return {false, {fmt::format("group {}: {}", group, asked.reason)}};
  if (!asked.varies()) return {false, {fmt::format("group {}: {}", group, nothing_varies(question))}};
  const Distance distance = distance_of(asked);
  if (p_value && *p_value > kLevel) {
    const double drawn = std::max(kDrawn, static_cast<double>(documents.sizes.groups * kAsks) * 2 / kLevel);
    if (drawn <= kMostDrawn && drawn * distance.share_as_far <= kHardly) return {true, {}};
    return {true, {plain(question, group, documents.counts)}};
  }
  Expectation expected{true, {}};
  const long double worst = *std::max_element(distance.far.begin(), distance.far.end());
  for (std::size_t k = 0; k < distance.far.size(); ++k)
    if (distance.far[k] >= worst * (1 - 1e-9L))
      expected.sentences.push_back(refuted(question, group, k, documents.counts));
  return expected;
}

std::optional<double> number_or_none(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

}  // namespace

std::vector<WrongAnswer> wrong_in_diagnosis(const Documents& documents) {
  const Json& claims = documents.certificate.at("diagnosis");
  const Json windows = documents.counts.value("history", Json::object()).value("windows", Json::array());
  struct One {
    Ask question{};
    std::size_t g = 0;
  };
  const auto is_asked = [&](Ask question) {
    if (question == Ask::labels) return documents.certificate.contains("refused");
    return question != Ask::windows || !windows.empty();
  };
  std::vector<One> all;
  for (std::size_t i = 0; i < kAsks; ++i)
    for (std::size_t g = 0; g < documents.sizes.groups; ++g)
      if (is_asked(static_cast<Ask>(i))) all.push_back({static_cast<Ask>(i), g});
  const bool same =
      std::equal(all.begin(), all.end(), claims.begin(), claims.end(), [](const One& one, const Json& claim) {
        return claim.at("test").get<std::string>() == kTests[static_cast<std::size_t>(one.question)];
      });
  if (!same)
    return {{"/diagnosis", fmt::format("a list of {}", claims.size()), "the questions that go with the counts"}};
  std::vector<WrongAnswer> wrong;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Json& claim = claims.at(i);
    const auto p_value = number_or_none(claim.at("p_value"));
    const auto effect = number_or_none(claim.at("effect"));
    const Expectation expected = expect(all[i].question, documents, all[i].g, p_value);
    const auto is_right = [&](const std::optional<double>& share) {
      return share ? expected.tested && *share >= 0 && *share <= 1 : !expected.tested;
    };
    const std::string pointer = fmt::format("/diagnosis/{}", i);
    const auto sentence = claim.at("sentence").get<std::string>();
    if (!is_right(p_value) || !is_right(effect) || (p_value && *p_value == 0))
      wrong.push_back({pointer, "p_value and effect", expected.tested ? "shares between 0 and 1" : "null"});
    else if (std::find(expected.sentences.begin(), expected.sentences.end(), sentence) == expected.sentences.end())
      wrong.push_back({pointer + "/sentence", Json(sentence).dump(),
                       expected.sentences.empty() ? "that these data refute it" : Json(expected.sentences[0]).dump()});
  }
  return wrong;
}

}  // namespace fairstep::rigorous
