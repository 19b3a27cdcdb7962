#include <fairstep/check/form.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace fairstep::rigorous {
namespace {

constexpr auto kLargestCount = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
constexpr double kLargestReward = 1e100;

/// `count g h`: a kind, then lengths.
struct Table {
  std::string kind{};
  std::vector<std::string> lengths{};
};

Table table_of(const std::string& form) {
  std::istringstream words(form);
  Table table;
  words >> table.kind;
  for (std::string word; words >> word;) table.lengths.push_back(word);
  return table;
}

bool is_name(const std::string& text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  return !text.empty();
}

bool is_count(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>() <= kLargestCount;
  return value.is_number_integer() && value.get<std::int64_t>() >= 0;
}

bool is_seed(const Json& value) {
  return value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
}

bool is_whole(const Json& value) {
  return value.is_number_unsigned() ? value.get<std::uint64_t>() <= kLargestCount : value.is_number_integer();
}

bool is_between(const Json& value, double low, double high) {
  return value.is_number() && value.get<double>() >= low && value.get<double>() <= high;
}

/// What an entry is expected to be; empty if it is so.
std::string lacking(const Json& value, const std::string& kind) {
  if (kind == "anything") return {};
  if (kind == "text") return value.is_string() ? "" : "a text";
  if (kind == "text?") return value.is_string() || value.is_null() ? "" : "a text or null";
  if (kind == "name") return value.is_string() && is_name(value.get_ref<const std::string&>()) ? "" : "a name";
  if (kind == "flag") return value.is_boolean() ? "" : "true or false";
  if (kind == "count") return is_count(value) ? "" : fmt::format("a whole number of 0 to {}", kLargestCount);
  if (kind == "whole") return is_whole(value) ? "" : "a whole number";
  if (kind == "seed") return is_seed(value) ? "" : "a whole number of 0 to 2^64 - 1";
  if (kind == "number?") return value.is_number() || value.is_null() ? "" : "a number or null";
  if (kind == "probability") return is_between(value, 0, 1) ? "" : "a number between 0 and 1";
  if (kind == "reward") return is_between(value, -kLargestReward, kLargestReward) ? "" : "a number up to 1e100";
  if (kind == "square") return is_between(value, 0, std::numeric_limits<double>::max()) ? "" : "a number of 0 or more";
  return value.is_number() ? "" : "a number";
}

Expected<void> wrong(const Json& value, const std::string& expected, const std::string& pointer) {
  return fail(fmt::format("is {}, expected {}", internal::describe(value), expected), pointer);
}

class Former {
 public:
  explicit Former(const Sizes& sizes) : sizes_(sizes) {}

  Expected<void> check(const Json& value, const Json& form, const std::string& pointer) const {
    if (form.is_object()) return check_object(value, form, pointer);
    if (form.is_array()) {
      if (!value.is_array()) return wrong(value, "an array", pointer);
      for (std::size_t i = 0; i < value.size(); ++i)
        if (auto ok = check(value[i], form[0], fmt::format("{}/{}", pointer, i)); !ok) return ok;
      return {};
    }
    const Table table = table_of(form.get_ref<const std::string&>());
    std::uint64_t sum = 0;
    return check_table(value, table, 0, sum, pointer);
  }

 private:
  Expected<void> check_object(const Json& value, const Json& form, const std::string& pointer) const {
    if (!value.is_object()) return wrong(value, "an object", pointer);
    for (const auto& [key, part] : form.items())
      if (key[0] != '?' && key != "*" && !value.contains(key)) return fail(fmt::format("has no {}", key), pointer);
    for (const auto& [key, part] : value.items()) {
      auto found = form.find(key);
      if (found == form.end()) found = form.find("?" + key);
      if (found == form.end()) found = form.find("*");
      if (found == form.end() || (key.starts_with('?') && !form.contains("*")))
        return fail(fmt::format("has an unknown key {}", internal::quote(key)), pointer);
      if (auto ok = check(part, *found, pointer + internal::pointer_step(key)); !ok) return ok;
    }
    return {};
  }

  /// `sum` is of the counts so far.
  Expected<void> check_table(const Json& value, const Table& table, std::size_t depth, std::uint64_t& sum,
                             const std::string& pointer) const {
    if (depth == table.lengths.size()) {
      if (const std::string expected = lacking(value, table.kind); !expected.empty())
        return wrong(value, expected, pointer);
      if (table.kind != "count") return {};
      sum += value.get<std::uint64_t>();  // both below 2^63
      if (sum > kLargestCount) return fail(fmt::format("adds up to more than {}", kLargestCount), pointer);
      return {};
    }
    if (!value.is_array()) return wrong(value, "an array", pointer);
    const std::string& word = table.lengths[depth];
    const std::size_t length = word == "*" ? value.size() : length_of(word);
    if (value.size() != length) return fail(fmt::format("has {} entries, expected {}", value.size(), length), pointer);
    std::set<std::string> names;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (auto ok = check_table(value[i], table, depth + 1, sum, fmt::format("{}/{}", pointer, i)); !ok) return ok;
      if (table.kind == "name" && !names.insert(value[i].get<std::string>()).second)
        return fail(fmt::format("has the name {} twice", internal::quote(value[i].get<std::string>())), pointer);
    }
    return {};
  }

  [[nodiscard]] std::size_t length_of(const std::string& word) const {
    if (word == "g") return sizes_.groups;
    if (word == "h") return sizes_.steps;
    if (word == "k") return sizes_.periods;
    return word == "x" ? sizes_.features : std::stoul(word);
  }

  const Sizes& sizes_;
};

void move_table(Json& value, const Table& table, std::size_t depth, const Places& places) {
  if (depth == table.lengths.size()) return;
  for (Json& part : value) move_table(part, table, depth + 1, places);
  const std::string& word = table.lengths[depth];
  if (word != "g" && word != "x") return;
  const Json before = value;
  const std::vector<std::size_t>& from = word == "g" ? places.groups : places.features;
  for (std::size_t i = 0; i < from.size(); ++i) value[i] = before[from[i]];
}

}  // namespace

std::optional<std::vector<std::size_t>> places_of(const Json& names, const Json& now) {
  if (names.size() != now.size()) return std::nullopt;
  std::vector<std::size_t> places;
  for (const Json& name : names) {
    const auto found = std::find(now.begin(), now.end(), name);
    if (found == now.end()) return std::nullopt;
    places.push_back(static_cast<std::size_t>(found - now.begin()));
  }
  return places;
}

void move_to(Json& value, const Json& form, const Places& places) {
  if (form.is_array()) {
    for (Json& part : value) move_to(part, form[0], places);
  } else if (form.is_object()) {
    for (const auto& [key, part] : value.items()) {
      const auto found = form.contains(key) ? form.find(key) : form.find("?" + key);
      if (found != form.end()) move_to(part, *found, places);
    }
  } else {
    move_table(value, table_of(form.get_ref<const std::string&>()), 0, places);
  }
}

Expected<void> check_form(const Json& value, const Json& form, const Sizes& sizes, const std::string& pointer) {
  return Former(sizes).check(value, form, pointer);
}

}  // namespace fairstep::rigorous
