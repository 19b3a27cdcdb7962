#include <fairstep/experiment/internal/toml_table.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {

std::string describe(const toml::node& value) {
  if (const auto* text = value.as_string()) return "the text " + quote(text->get());
  if (const auto* flag = value.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = value.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = value.as_floating_point()) return fmt::format("{}", number->get());
  if (value.is_array()) return value.as_array()->empty() ? "an empty list" : "a list";
  if (value.is_table()) return "a table";
  return "a date or time";
}

TomlTable::TomlTable(const toml::table& table, std::optional<Error>& error, std::string name, std::string pointer)
    : table_(table), error_(error), name_(std::move(name)), pointer_(std::move(pointer)) {}

void TomlTable::check_keys(std::span<const std::string_view> known, std::span<const std::string_view> required) {
  const std::string inside = name_.empty() ? "" : " in " + name_;
  // The table is sorted by name; the first in the file is the one to speak of.
  const toml::key* first = nullptr;
  for (const auto& [key, value] : table_)
    if (std::find(known.begin(), known.end(), key.str()) == known.end() &&
        (first == nullptr || key.source().begin < first->source().begin))
      first = &key;
  if (first != nullptr) {
    std::string hint = did_you_mean(first->str(), known);
    if (hint.empty()) hint = fmt::format("the keys are {}", fmt::join(known, ", "));
    set(first->source(), fmt::format("unknown key {}{}", quote(first->str()), inside), pointer_to(first->str()), hint);
  }
  for (const std::string_view key : required)
    if (!has(key)) fail({}, fmt::format("missing key \"{}\"{}", key, inside));
}

const toml::node* TomlTable::find(std::string_view key) const { return error_ ? nullptr : table_.get(key); }

std::string TomlTable::text(std::string_view key, std::string fallback) {
  const toml::node* value = find(key);
  if (value == nullptr) return fallback;
  if (const auto* text = value->as_string()) return text->get();
  fail_key(key, "a text in quotes");
  return fallback;
}

bool TomlTable::flag(std::string_view key, bool fallback) {
  const toml::node* value = find(key);
  if (value == nullptr) return fallback;
  if (const auto* flag = value->as_boolean()) return flag->get();
  fail_key(key, "true or false");
  return fallback;
}

std::optional<double> TomlTable::number_in(const toml::node& node, const NumberRange& range) {
  double number = std::nan("");
  if (const auto* whole = node.as_integer()) number = static_cast<double>(whole->get());
  if (const auto* real = node.as_floating_point()) number = real->get();
  const bool inside = range.open ? number > range.least && number < range.most  //
                                 : number >= range.least && number <= range.most;
  return inside ? std::optional(number) : std::nullopt;
}

std::optional<double> TomlTable::number(std::string_view key, const NumberRange& range) {
  const toml::node* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto number = number_in(*value, range);
  if (!number) fail_key(key, range.expected);
  return number;
}

double TomlTable::number(std::string_view key, double fallback, const NumberRange& range) {
  return number(key, range).value_or(fallback);
}

std::uint64_t TomlTable::whole(std::string_view key, std::uint64_t fallback, std::uint64_t least, std::uint64_t most) {
  const toml::node* value = find(key);
  if (value == nullptr) return fallback;
  const auto* number = value->as_integer();
  if (number != nullptr && number->get() >= 0) {
    const auto found = static_cast<std::uint64_t>(number->get());
    if (found >= least && found <= most) return found;
    if (found > most) {
      fail_key(key, fmt::format("at most {}", most));
      return fallback;
    }
  }
  fail_key(key, fmt::format("a whole number of {} or more", least));
  return fallback;
}

std::string TomlTable::word(std::string_view key, std::span<const std::string_view> allowed) {
  const toml::node* value = find(key);
  if (value == nullptr) return {};
  const auto* word = value->as_string();
  if (word != nullptr && std::find(allowed.begin(), allowed.end(), word->get()) != allowed.end()) return word->get();
  fail_key(key, alternatives(allowed), word == nullptr ? "" : did_you_mean(word->get(), allowed));
  return {};
}

std::vector<std::string> TomlTable::words(std::string_view key, std::span<const std::string_view> allowed) {
  const toml::node* value = find(key);
  if (value == nullptr) return {};
  if (value->is_string()) {
    std::string one = word(key, allowed);
    return one.empty() ? std::vector<std::string>{} : std::vector{std::move(one)};
  }
  const auto* list = value->as_array();
  if (list == nullptr || list->empty()) {
    fail_key(key, fmt::format("{}, or a list of them", alternatives(allowed)));
    return {};
  }
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const toml::node& entry = *list->get(i);
    const auto* word = entry.as_string();
    if (word == nullptr || std::find(allowed.begin(), allowed.end(), word->get()) == allowed.end()) {
      fail_entry(key, i, entry, alternatives(allowed), word == nullptr ? "" : did_you_mean(word->get(), allowed));
      return {};
    }
    if (std::find(chosen.begin(), chosen.end(), word->get()) != chosen.end()) {
      fail_entry(key, i, entry, "each once");
      return {};
    }
    chosen.push_back(word->get());
  }
  return chosen;
}

std::optional<std::vector<double>> TomlTable::list_of(const Place& place, const toml::array& list,
                                                      const NumberRange& range) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto number = number_in(*list.get(i), range);
    if (!number) {
      fail_entry(place, i, *list.get(i), range.expected);
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<double> TomlTable::numbers(std::string_view key, std::vector<double> fallback, const NumberRange& range) {
  const toml::node* value = find(key);
  if (value == nullptr) return fallback;
  if (const auto* list = value->as_array(); list != nullptr && !list->empty())
    return list_of(place_of(key), *list, range).value_or(std::move(fallback));
  fail_key(key, "a list of numbers");
  return fallback;
}

std::vector<double> TomlTable::number_or_numbers(std::string_view key, std::vector<double> fallback,
                                                 const NumberRange& range) {
  const toml::node* value = find(key);
  if (value == nullptr) return fallback;
  if (const auto* list = value->as_array(); list != nullptr && !list->empty())
    return list_of(place_of(key), *list, range).value_or(std::move(fallback));
  if (const auto one = number_in(*value, range)) return {*one};
  fail_key(key, std::string(range.expected) + ", or a list");
  return fallback;
}

std::vector<std::string> TomlTable::texts(std::string_view key, std::vector<std::string> fallback) {
  const toml::node* value = find(key);
  if (value == nullptr) return fallback;
  const auto* list = value->as_array();
  if (list == nullptr || list->empty()) {
    fail_key(key, "a list of names");
    return fallback;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto* name = list->get(i)->as_string();
    if (name == nullptr) {
      fail_entry(key, i, *list->get(i), "a name in quotes");
      return fallback;
    }
    names.push_back(name->get());
  }
  return names;
}

std::vector<std::vector<double>> TomlTable::rows(std::string_view key, std::vector<std::vector<double>> fallback) {
  const toml::node* value = find(key);
  if (value == nullptr) return fallback;
  const auto* list = value->as_array();
  if (list == nullptr || list->empty()) {
    fail_key(key, "a list of lists of numbers");
    return fallback;
  }
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto* row = list->get(i)->as_array();
    if (row == nullptr) {
      fail_entry(key, i, *list->get(i), "a list of numbers");
      return fallback;
    }
    auto numbers =
        list_of({fmt::format("{}[{}]", called(key), i), fmt::format("{}/{}", pointer_to(key), i)}, *row, kAnyNumber);
    if (!numbers) return fallback;
    rows.push_back(std::move(*numbers));
  }
  return rows;
}

TomlTable::Place TomlTable::place_of(std::string_view key) const { return {called(key), pointer_to(key)}; }

std::string TomlTable::called(std::string_view key) const {
  return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
}

std::string TomlTable::pointer_to(std::string_view key) const { return pointer_ + pointer_step(key); }

void TomlTable::fail_key(std::string_view key, const std::string& expected, Text hint) {
  const toml::node& value = *table_.get(key);
  set(value.source(), fmt::format("{} is {}, expected {}", called(key), describe(value), expected), pointer_to(key),
      std::move(hint));
}

void TomlTable::fail_entry(std::string_view key, std::size_t index, const toml::node& entry,
                           const std::string& expected, Text hint) {
  fail_entry(place_of(key), index, entry, expected, std::move(hint));
}

void TomlTable::fail_entry(const Place& list, std::size_t index, const toml::node& entry, const std::string& expected,
                           Text hint) {
  set(entry.source(), fmt::format("{}[{}] is {}, expected {}", list.called, index, describe(entry), expected),
      fmt::format("{}/{}", list.pointer, index), std::move(hint));
}

void TomlTable::fail_entry_sentence(std::string_view key, std::size_t index, const toml::node& entry,
                                    const std::string& sentence, Text hint) {
  set(entry.source(), sentence, fmt::format("{}/{}", pointer_to(key), index), std::move(hint));
}

void TomlTable::fail(std::string_view key, const std::string& sentence, Text hint) {
  const toml::node* value = key.empty() ? nullptr : table_.get(key);
  // The whole file has no line of its own.
  const toml::source_region nowhere{};
  const toml::source_region& place = value != nullptr ? value->source() : name_.empty() ? nowhere : table_.source();
  set(place, sentence, value != nullptr ? pointer_to(key) : pointer_, std::move(hint));
}

void TomlTable::set(const toml::source_region& place, const std::string& sentence, std::string pointer, Text hint) {
  if (error_) return;
  error_ = Error{place.begin ? fmt::format("line {}: {}", place.begin.line, sentence) : sentence,
                 std::move(pointer),
                 {},
                 std::move(hint)};
}

}  // namespace fairstep::internal
