#include <fairstep/check/question.hpp>

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace fairstep::rigorous {
namespace {

Expected<void> read_numbers(const Json& value, const std::vector<std::size_t>& lengths, std::size_t depth,
                            const std::string& pointer, std::vector<Real>& into) {
  if (depth == lengths.size()) {
    if (!value.is_number()) return fail("is no number", pointer);
    into.push_back(value.get<Real>());
    return {};
  }
  if (!value.is_array() || value.size() != lengths[depth])
    return fail(fmt::format("is not an array of {}", lengths[depth]), pointer);
  for (std::size_t i = 0; i < value.size(); ++i)
    if (auto ok = read_numbers(value[i], lengths, depth + 1, fmt::format("{}/{}", pointer, i), into); !ok) return ok;
  return {};
}

Expected<std::vector<std::string>> names_of(const Json& document, const char* key, const std::string& pointer) {
  const auto found = document.find(key);
  std::vector<std::string> names;
  if (found == document.end() || !found->is_array()) return fail(fmt::format("{} is missing", key), pointer);
  for (const Json& name : *found) {
    if (!name.is_string()) return fail(fmt::format("{} has an entry that is no text", key), pointer);
    names.push_back(name.get<std::string>());
  }
  return names;
}

/// A document inside of the certificate.
Expected<Json> document_at(const Json& certificate, const char* name, std::string_view schema) {
  const std::string pointer = fmt::format("/inputs/{}/text", name);
  const Json::json_pointer place(pointer);
  if (!certificate.contains(place) || !certificate[place].is_string()) return fail("the document is missing", pointer);
  auto document = internal::parse_json(certificate[place].get_ref<const std::string&>());
  if (!document) return fail(document.error().message, pointer);
  if (!document->is_object() || document->value("schema", Json()) != schema)
    return fail(fmt::format("is no document of schema {}", schema), pointer);
  return document;
}

Expected<std::vector<Real>> table(const Json& document, const char* key, const std::vector<std::size_t>& lengths,
                                  const std::string& pointer) {
  const auto found = document.find(key);
  if (found == document.end()) return fail(fmt::format("{} is missing", key), pointer);
  return numbers_of(*found, lengths, pointer + "/" + key);
}

Expected<std::vector<Real>> counts_table(const Json& document, const char* key,
                                         const std::vector<std::size_t>& lengths) {
  auto numbers = table(document, key, lengths, "/inputs/counts/text");
  if (!numbers) return numbers;
  for (const Real n : *numbers)
    if (!(n >= 0) || n != std::floor(n)) return fail(fmt::format("{} has an entry that is no count", key));
  return numbers;
}

Expected<void> read_counts_into(Question& q, const Json& certificate) {
  const auto document = document_at(certificate, "counts", "fairstep/counts/1");
  if (!document) return tl::unexpected(document.error());
  const std::string at = "/inputs/counts/text";
  auto names = names_of(*document, "groups", at);
  if (!names) return tl::unexpected(names.error());
  const auto features = names_of(*document, "features", at);
  if (!features) return tl::unexpected(features.error());
  const auto horizon = document->find("horizon");
  if (horizon == document->end() || !horizon->is_number_unsigned() || *horizon == 0)
    return fail("horizon is missing", at);
  q.names = std::move(*names);
  q.groups = q.names.size();
  q.features = features->size();
  q.horizon = horizon->get<std::size_t>();
  q.states = 2 * q.features;
  q.cells = 2 * q.states;
  if (q.groups < 2 || q.features == 0) return fail("there are fewer than two groups, or no features", at);
  const Json::json_pointer censored("/log/censored");
  if (document->contains(censored) && (*document)[censored] != "no")
    return fail("the counts are of people whose labels are censored, about whom nothing is proven", at);
  auto first = counts_table(*document, "first", {q.groups, q.features, 2});
  if (!first) return tl::unexpected(first.error());
  auto visits = counts_table(*document, "visits", {q.groups, q.horizon, q.features, 2, 2});
  if (!visits) return tl::unexpected(visits.error());
  auto transitions = counts_table(*document, "transitions", {q.groups, q.features, 2, 2, q.features, 2});
  if (!transitions) return tl::unexpected(transitions.error());
  auto rewards = table(*document, "reward_sum", {q.groups, q.features, 2, 2}, at);
  if (!rewards) return tl::unexpected(rewards.error());
  q.first = std::move(*first);
  q.visits = std::move(*visits);
  q.transitions = std::move(*transitions);
  q.reward = std::move(*rewards);
  return {};
}

Expected<void> read_policy_into(Question& q, const Json& certificate) {
  const auto document = document_at(certificate, "policy", "fairstep/policy/1");
  if (!document) return tl::unexpected(document.error());
  const std::string at = "/inputs/policy/text";
  const bool alike = document->value("group_independent", false);
  const std::vector<std::size_t> lengths =
      alike ? std::vector{q.horizon, q.features} : std::vector{q.groups, q.horizon, q.features};
  auto accept = table(*document, "accept", lengths, at);
  if (!accept) return tl::unexpected(accept.error());
  for (const Real p : *accept)
    if (!(p >= 0 && p <= 1)) return fail("accept has an entry that is no probability", at);
  if (document->contains("groups")) {
    const auto names = names_of(*document, "groups", at);
    if (!names) return tl::unexpected(names.error());
    if (*names != q.names) return fail("groups are not those of the counts", at);
  }
  for (std::size_t copies = 0; copies < (alike ? q.groups : 1); ++copies)
    q.accept.insert(q.accept.end(), accept->begin(), accept->end());
  return {};
}

Expected<void> read_rewards_into(Question& q, const Json& certificate) {
  const bool known = certificate["inputs"].contains("model");
  const bool counted = certificate.contains("reward_range");
  if (known && counted) return fail("rewards are both known and counted", "/reward_range");
  if (counted) {
    const auto range = table(certificate, "reward_range", {2}, "");
    if (!range) return tl::unexpected(range.error());
    const auto discount = table(certificate, "discount", {}, "");
    if (!discount) return tl::unexpected(discount.error());
    q.value = Question::Value::counted;
    q.least = (*range)[0];
    q.greatest = (*range)[1];
    q.discount = discount->front();
    if (!(q.least <= q.greatest && q.discount >= 0 && q.discount <= 1)) return fail("is impossible", "/reward_range");
    return {};
  }
  if (!known) return {};
  const auto document = document_at(certificate, "model", "fairstep/model/1");
  if (!document) return tl::unexpected(document.error());
  const std::string at = "/inputs/model/text";
  const auto names = names_of(*document, "groups", at);
  if (!names) return tl::unexpected(names.error());
  if (*names != q.names || document->value("horizon", Json()) != q.horizon)
    return fail("groups or horizon are not those of the counts", at);
  auto reward = table(*document, "reward", {q.groups, q.features, 2, 2}, at);
  if (!reward) return tl::unexpected(reward.error());
  auto share = table(*document, "share", {q.groups}, at);
  if (!share) return tl::unexpected(share.error());
  q.value = Question::Value::known;
  q.reward = std::move(*reward);
  q.share = std::move(*share);
  if (!document->contains("discount")) return {};
  const auto discount = table(*document, "discount", {}, at);
  if (!discount) return tl::unexpected(discount.error());
  q.discount = discount->front();
  return {};
}

}  // namespace

Expected<std::vector<Real>> numbers_of(const Json& value, const std::vector<std::size_t>& lengths,
                                       const std::string& pointer) {
  std::vector<Real> numbers;
  if (auto ok = read_numbers(value, lengths, 0, pointer, numbers); !ok) return tl::unexpected(ok.error());
  return numbers;
}

Expected<Question> question_of(const Json& certificate) {
  Question q;
  const auto delta = certificate.find("delta");
  if (delta == certificate.end() || !delta->is_number()) return fail("delta is missing", "/delta");
  q.delta = delta->get<double>();
  if (!(q.delta > 0 && q.delta < 1)) return fail("delta is not between 0 and 1", "/delta");
  const auto followed = certificate.find("followed");
  if (followed == certificate.end() || !followed->is_boolean()) return fail("followed is missing", "/followed");
  q.followed = followed->get<bool>();
  const auto gaps = certificate.find("certified_gap");
  if (gaps == certificate.end() || !gaps->is_object()) return fail("certified_gap is missing", "/certified_gap");
  q.dp = gaps->contains("dp");
  q.eqopt = gaps->contains("eqopt");
  q.eqodds = gaps->contains("eqodds");
  if (!q.dp && !q.eqopt && !q.eqodds) return fail("certified_gap has no notion", "/certified_gap");
  const auto inputs = certificate.find("inputs");
  if (inputs == certificate.end() || !inputs->is_object()) return fail("inputs are missing", "/inputs");
  if (auto ok = read_counts_into(q, certificate); !ok) return tl::unexpected(ok.error());
  if (auto ok = read_policy_into(q, certificate); !ok) return tl::unexpected(ok.error());
  if (auto ok = read_rewards_into(q, certificate); !ok) return tl::unexpected(ok.error());
  return q;
}

}  // namespace fairstep::rigorous
