#include <fairstep/io/internal/object_reader.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/suggest.hpp>

namespace fairstep::internal {
namespace {

const std::vector<std::string> kNoGroups{};

bool is_int64(const Json& value) {
  if (value.is_number_unsigned())
    return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return value.is_number_integer();
}

/// A number, but too large in size for any count.
bool is_beyond_int64(const Json& value) { return value.is_number() && std::abs(value.get<double>()) >= 0x1p63; }

}  // namespace

ObjectReader::ObjectReader(const Json& object, const Keys& keys, std::optional<Error>& error, const std::string& name)
    : ObjectReader(object, keys, error, name, name.empty() ? "" : pointer_step(name)) {}

ObjectReader::ObjectReader(const Json& object, const Keys& keys, std::optional<Error>& error, std::string name,
                           std::string pointer)
    : object_(object), error_(error), name_(std::move(name)), pointer_(std::move(pointer)) {
  const std::string what = name_.empty() ? "the document" : name_;
  if (!object.is_object()) {
    set({fmt::format("{} is {}, expected an object", what, describe(object)), pointer_});
    return;
  }
  std::vector<std::string_view> known = keys.required;
  known.insert(known.end(), keys.optional.begin(), keys.optional.end());
  const std::string inside = name_.empty() ? "" : " in " + name_;
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string hint = did_you_mean(key, known);
    if (hint.empty()) hint = fmt::format("the keys are {}", fmt::join(known, ", "));
    set({fmt::format("unknown key {}{}", quote(key), inside), pointer_ + pointer_step(key), {}, std::move(hint)});
  }
  for (const std::string_view key : keys.required)
    if (!has(key)) set({fmt::format("missing key \"{}\"{}", key, inside), pointer_});
}

bool ObjectReader::has(std::string_view key) const { return object_.is_object() && object_.contains(key); }

const Json* ObjectReader::find(std::string_view key) const {
  if (error_ || !has(key)) return nullptr;
  return &*object_.find(key);
}

std::string ObjectReader::text(std::string_view key, std::string fallback) {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (value->is_string()) return value->get<std::string>();
  fail_key(key, "a text");
  return {};
}

bool ObjectReader::flag(std::string_view key, bool fallback) {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  fail_key(key, "true or false");
  return fallback;
}

double ObjectReader::number(std::string_view key, double fallback) {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (value->is_number()) return value->get<double>();
  fail_key(key, "a number");
  return fallback;
}

std::size_t ObjectReader::positive_integer(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return 0;
  if (is_int64(*value) && value->get<std::int64_t>() > 0) return value->get<std::size_t>();
  fail_key(key, is_beyond_int64(*value) ? "a smaller whole number" : "a whole number of 1 or more");
  return 0;
}

std::int64_t ObjectReader::integer(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return 0;
  if (is_int64(*value)) return value->get<std::int64_t>();
  fail_key(key, is_beyond_int64(*value) ? "a smaller whole number" : "a whole number");
  return 0;
}

std::uint64_t ObjectReader::whole(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return 0;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  fail_key(key, fmt::format("a whole number from 0 to {}", std::numeric_limits<std::uint64_t>::max()));
  return 0;
}

std::vector<std::string> ObjectReader::texts(std::string_view key, std::vector<std::string> fallback) {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (!value->is_array()) {
    fail_key(key, "an array of names");
    return {};
  }
  std::vector<std::string> result;
  for (const Json& entry : *value) {
    if (!entry.is_string()) {
      const Field at = field(key, kNoGroups);
      set({fmt::format("{}[{}] is {}, expected a name in quotes", at.name, result.size(), describe(entry)),
           fmt::format("{}/{}", at.pointer, result.size())});
      return {};
    }
    result.push_back(entry.get<std::string>());
  }
  return result;
}

std::vector<double> ObjectReader::numbers(std::string_view key, Axis axis, const Shape& shape,
                                          const std::vector<std::string>& groups) {
  const Tensor<double, 1> row = tensor<double, 1>(key, {axis}, shape, groups);
  return {row.flat().begin(), row.flat().end()};
}

void ObjectReader::require(const Expected<void>& check) {
  if (!check) set(check.error());
}

Field ObjectReader::field(std::string_view key, const std::vector<std::string>& groups) const {
  Field field(std::string(key), groups);
  if (!name_.empty()) field.name = name_ + "." + field.name;
  field.pointer = pointer_ + field.pointer;
  return field;
}

void ObjectReader::fail_key(std::string_view key, const std::string& expected) {
  if (error_) return;
  const Field at = field(key, kNoGroups);
  set({fmt::format("{} is {}, expected {}", at.name, describe(*find(key)), expected), at.pointer});
}

void ObjectReader::set(Error error) {
  if (!error_) error_ = std::move(error);
}

void ObjectReader::check(const Array& array, const Json& value, std::vector<std::size_t>& index) {
  if (index.size() == array.axes.size()) return check_entry(array, value, index);
  const auto wrong = [&](const std::string& what, const std::string& hint) {
    const std::string_view noun = noun_of(array.axes[index.size()]);
    set(fail_at(array.field, array.axes, index, fmt::format("{} ({})", what, noun), hint).value());
  };
  const std::size_t expected = array.extents[index.size()];
  if (!value.is_array())
    return wrong(fmt::format("is {}, expected an array{}", describe(value),
                             expected == 0 ? "" : fmt::format(" of {}", expected)),
                 array.length_hint);
  if (value.size() != expected)
    return wrong(fmt::format("has {} {}, expected {}", value.size(), value.size() == 1 ? "entry" : "entries", expected),
                 array.length_hint);
  index.push_back(0);
  for (const Json& entry : value) {
    check(array, entry, index);
    if (error_) return;
    ++index.back();
  }
  index.pop_back();
}

void ObjectReader::check_entry(const Array& array, const Json& value, const std::vector<std::size_t>& index) {
  const bool count = array.entry == Entry::count;
  if (count ? is_int64(value) : value.is_number()) return;
  std::string expected = count ? "a whole number" : "a number";
  std::string hint = value.is_array() ? array.length_hint : "";
  if (count && is_beyond_int64(value)) {
    expected += fmt::format(" of at most {}", std::numeric_limits<std::int64_t>::max());
  } else if (count && value.is_number()) {
    hint = "counts are exact: they have no point and no exponent";
  }
  set(fail_at(array.field, array.axes, index, fmt::format("is {}, expected {}", describe(value), expected), hint)
          .value());
}

}  // namespace fairstep::internal
