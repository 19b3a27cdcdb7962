#include "answers/describe.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/grounds_summary.hpp"
#include "answers/table.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

std::string number_of(std::size_t n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

std::string lines(const std::vector<Fact>& facts, std::size_t width) {
  constexpr std::size_t kIndent = 15;
  std::string out;
  for (const auto& [name, value] : facts) {
    std::string wrapped = wrap(value, width, kIndent);
    const std::string head = fmt::format("  {:<12} ", name);
    wrapped.replace(0, kIndent, head);
    out += wrapped;
  }
  return out;
}

/// `white (0.8793), black (0.1207)`; a long list is cut short.
template <class Text>
std::string listed(std::size_t n, const Text& text) {
  constexpr std::size_t kShown = 12;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(n, kShown); ++i) parts.push_back(text(i));
  if (n > kShown) parts.push_back(fmt::format("and {} more", n - kShown));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string listed(const std::vector<std::string>& names) {
  return listed(names.size(), [&](std::size_t i) { return names[i]; });
}

std::int64_t total_decisions(const Counts& counts) { return total(counts.visits().flat()); }

}  // namespace

std::int64_t everybody(const Counts& counts) {
  std::int64_t people = 0;
  for (std::size_t g = 0; g < counts.names().groups.size(); ++g)
    if (__builtin_add_overflow(people, counts.everybody(g), &people)) return std::numeric_limits<std::int64_t>::max();
  return people;
}

Json to_json(const Periods& periods) {
  Json list = Json::array();
  for (const Period& period : periods.list) list.push_back({{"name", period.name}, {"first_step", period.first_step}});
  return list;
}

Json facts(const Model& model) {
  const ModelSpec& spec = model.spec();
  Json known = {{"kind", "model"},
                {"description", spec.description},
                {"groups", spec.names.groups},
                {"features", spec.names.features},
                {"labels", spec.names.labels},
                {"actions", spec.names.actions},
                {"horizon", spec.horizon},
                {"discount", spec.discount},
                {"share", spec.share},
                {"reward_range", {model.reward_range().low, model.reward_range().high}},
                {"reward_noise", !spec.reward_noise.empty()},
                {"participation", spec.participation.has_value()},
                {"rests_on", grounds_json(model, std::nullopt)}};
  if (!spec.periods.pooled()) known["periods"] = to_json(spec.periods);
  return known;
}

Json facts(const Policy& policy) {
  return {{"kind", "policy"},
          {"group_independent", policy.group_independent()},
          {"groups", policy.group_names().empty() ? Json() : Json(policy.group_names())},
          {"group_count", policy.group_independent() ? Json() : Json(policy.groups())},
          {"feature_count", policy.features()},
          {"horizon", policy.horizon()}};
}

Json facts(const Part& part) {
  return {{"role", fairstep::name_of(part.role)},
          {"share", part.split.share},
          {"seed", part.split.seed},
          {"logs", part.logs}};
}

Json facts(const Counts& counts) {
  std::vector<std::int64_t> people;
  for (std::size_t g = 0; g < counts.names().groups.size(); ++g) people.push_back(counts.everybody(g));
  Json known = {{"kind", "counts"},
                {"groups", counts.names().groups},
                {"features", counts.names().features},
                {"labels", counts.names().labels},
                {"actions", counts.names().actions},
                {"horizon", counts.horizon()},
                {"people", people},
                {"decisions", total_decisions(counts)}};
  if (counts.part()) known["part"] = facts(*counts.part());
  if (!counts.periods().pooled()) known["periods"] = to_json(counts.periods());
  return known;
}

std::vector<Fact> facts_in_words(const Model& model) {
  const ModelSpec& spec = model.spec();
  const Range range = model.reward_range();
  std::vector<Fact> facts;
  if (!spec.description.empty()) facts.emplace_back("about", spec.description);
  facts.emplace_back("groups", listed(spec.names.groups.size(), [&](std::size_t g) {
                       return fmt::format("{} (share {:.4g})", spec.names.groups[g], spec.share[g]);
                     }));
  facts.emplace_back("features", listed(spec.names.features));
  facts.emplace_back("labels", listed(spec.names.labels));
  facts.emplace_back("actions", listed(spec.names.actions));
  facts.emplace_back("horizon", spec.discount == 1
                                    ? number_of(spec.horizon, "step")
                                    : fmt::format("{}, discount {}", number_of(spec.horizon, "step"), spec.discount));
  if (!spec.periods.pooled()) facts.emplace_back("kernels", in_words(spec.periods, spec.horizon));
  facts.emplace_back("rewards", fmt::format("{:.6g} to {:.6g}{}", range.low, range.high,
                                            spec.reward_noise.empty() ? "" : ", noise included"));
  if (spec.participation) facts.emplace_back("taking part", "people may join late and leave early");
  if (spec.rests_on) {
    facts.emplace_back("rests on", grounds_in_short(*spec.rests_on));
    for (std::string& sentence : grounds_warnings(model)) facts.emplace_back("", std::move(sentence));
  }
  return facts;
}

std::vector<Fact> facts_in_words(const Policy& policy) {
  return {{"groups", policy.group_independent()     ? "any: it does not look at the group"
                     : policy.group_names().empty() ? number_of(policy.groups(), "group")
                                                    : listed(policy.group_names())},
          {"features", std::to_string(policy.features())},
          {"horizon", number_of(policy.horizon(), "step")}};
}

std::vector<Fact> facts_in_words(const Counts& counts) {
  std::vector<Fact> facts;
  if (counts.part()) facts.emplace_back("part", in_words(*counts.part()));
  facts.emplace_back(
      "people",
      fmt::format("{}: {}", with_thousands(everybody(counts)), listed(counts.names().groups.size(), [&](std::size_t g) {
                    return fmt::format("{} {}", counts.names().groups[g], with_thousands(counts.everybody(g)));
                  })));
  facts.emplace_back("decisions", with_thousands(total_decisions(counts)));
  facts.emplace_back("features", listed(counts.names().features));
  facts.emplace_back("horizon", number_of(counts.horizon(), "step"));
  if (!counts.periods().pooled()) facts.emplace_back("kernels", in_words(counts.periods(), counts.horizon()));
  return facts;
}

std::string fact_lines(const Model& model, std::size_t width) { return lines(facts_in_words(model), width); }
std::string fact_lines(const Policy& policy, std::size_t width) { return lines(facts_in_words(policy), width); }
std::string fact_lines(const Counts& counts, std::size_t width) { return lines(facts_in_words(counts), width); }

std::string in_short(const Model& model) {
  return fmt::format("model, {} ({}), {}, {}", number_of(model.shape().groups, "group"), listed(model.names().groups),
                     number_of(model.shape().features, "feature"), number_of(model.shape().horizon, "step"));
}

std::string in_short(const Policy& policy) {
  return fmt::format("policy, {}, {}, {}",
                     policy.group_independent() ? std::string("any group") : number_of(policy.groups(), "group"),
                     number_of(policy.features(), "feature"), number_of(policy.horizon(), "step"));
}

}  // namespace fairstep::cli
