#include <fairstep/explore/question.hpp>

#include <algorithm>
#include <cstddef>
#include <set>

#include <fmt/format.h>

#include <fairstep/core/quantity.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/io/json.hpp>

namespace fairstep {
namespace {

constexpr std::string_view kNoNotion = "none";

bool is_known(std::string_view word) { return word == kNoNotion || named<Notion>(word) || named<RatioNotion>(word); }

Expected<double> number_of(std::string_view key, std::string_view value) {
  if (const auto number = parse_number(value)) return *number;
  return fail(fmt::format("{} is \"{}\", expected a number", key, value));
}

Expected<void> take(ExploreQuestion& question, std::string_view key, std::string_view value) {
  if (key == "fairness") {
    if (!is_known(value))
      return fail(fmt::format("fairness is \"{}\", expected {}, {} or none", value,
                              fmt::join(all_names<Notion>(), ", "), fmt::join(all_names<RatioNotion>(), ", ")));
    question.fairness = value;
    return {};
  }
  for (const PolicyTrait& trait : kPolicyTraits) {
    if (key != trait.name) continue;
    if (value != "1") return fail(fmt::format("{} is \"{}\", expected 1", key, value));
    question.policies.*trait.chosen = true;
    return {};
  }
  if (key != "limit" && key != "capacity" && key != "floor")
    return fail(fmt::format("a question has no key \"{}\"", key));
  const auto number = number_of(key, value);
  if (!number) return tl::unexpected(number.error());
  if (key == "limit") question.limit = *number;
  if (key == "capacity") question.capacity = *number;
  if (key == "floor") question.policies.floor = *number;
  return {};
}

}  // namespace

Expected<ExploreQuestion> explore_question(std::string_view query) {
  ExploreQuestion question;
  std::set<std::string_view> seen;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(part.size() + 1, query.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return fail(fmt::format("\"{}\" in a question has no value", part));
    const std::string_view key = part.substr(0, equals);
    if (!seen.insert(key).second) return fail(fmt::format("a question names {} twice, expected once", key));
    if (auto ok = take(question, key, part.substr(equals + 1)); !ok) return tl::unexpected(ok.error());
  }
  if (question.fairness != kNoNotion && !question.limit)
    return fail(fmt::format("fairness is {}, and no limit is given for it", question.fairness));
  if (question.fairness == kNoNotion && question.limit)
    return fail("a limit is given, but no notion that it would be for");
  return question;
}

std::string ExploreQuestion::as_query() const {
  std::string text = "fairness=" + fairness;
  if (limit) text += "&limit=" + json_number(*limit);
  if (capacity) text += "&capacity=" + json_number(*capacity);
  if (policies.floor != 0) text += "&floor=" + json_number(policies.floor);
  for (const PolicyTrait& trait : kPolicyTraits)
    if (policies.*trait.chosen) text += fmt::format("&{}=1", trait.name);
  return text;
}

Fairness fairness_of(const ExploreQuestion& question) {
  Fairness fairness;
  if (const auto notion = named<Notion>(question.fairness))
    fairness.parity.push_back({.notion = *notion, .limit = {*question.limit}, .doubt = {}});
  if (const auto ratio = named<RatioNotion>(question.fairness))
    fairness.ratios.push_back({.notion = *ratio, .limit = {*question.limit}, .reference = {}});
  if (question.capacity) fairness.capacity = Capacity{{*question.capacity}};
  return fairness;
}

}  // namespace fairstep
