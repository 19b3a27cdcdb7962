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
    Text hint = did_you_mean(key, known);
    if (hint.empty()) hint = fmt::format("the keys are {}", fmt::join(known, ", "));
    set({fmt::format("unknown key {}{}", quote(key), inside), pointer_ + pointer_step(key), {}, hint});
  }
  for (const std::string_view key : keys.required)
    if (!has(key)) set({fmt::format("missing key \"{}\"{}", key, inside), pointer_});
}

ObjectReader::ObjectReader(const Json& object, std::optional<Error>& error, std::string pointer)
    : object_(object), error_(error), pointer_(std::move(pointer)), null_is_unknown_(true) {
  if (!object.is_object())
    set({fmt::format("{} is {}, expected an object", pointer_.empty() ? "the document" : pointer_, describe(object)),
         pointer_});
}

bool ObjectReader::has(std::string_view key) const {
  if (!object_.is_object()) return false;
  const auto found = object_.find(key);
  return found != object_.end() && !(null_is_unknown_ && found->is_null());
}

const Json* ObjectReader::find(std::string_view key) const {
  if (error_ || !has(key)) return nullptr;
  return &*object_.find(key);
}

const Json* ObjectReader::need(std::string_view key) {
  if (!has(key)) set({fmt::format("missing key \"{}\"", key), pointer_});
  return find(key);
}

std::string ObjectReader::text(std::string_view key) { return need(key) == nullptr ? std::string() : text(key, {}); }

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

std::uint64_t ObjectReader::whole(std::string_view key) { return need(key) == nullptr ? 0 : whole(key, 0); }

std::uint64_t ObjectReader::whole(std::string_view key, std::uint64_t fallback) {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  fail_key(key, "a whole number of 0 or more");
  return fallback;
}

template <class Take>
void ObjectReader::for_each(std::string_view key, const Json* list, const char* expected, const Take& take) {
  if (list == nullptr) return;
  if (!list->is_array()) return fail_key(key, expected);
  for (std::size_t i = 0; i < list->size() && !error_; ++i) take((*list)[i], i);
}

std::vector<std::string> ObjectReader::texts(std::string_view key) {
  std::vector<std::string> result;
  for_each(key, need(key), "an array of names", [&](const Json& entry, std::size_t i) {
    if (!entry.is_string()) return fail_entry(key, i, entry, "a name in quotes");
    result.push_back(entry.get<std::string>());
  });
  return error_ ? std::vector<std::string>{} : result;
}

std::vector<std::string> ObjectReader::texts(std::string_view key, std::vector<std::string> fallback) {
  return find(key) == nullptr ? std::move(fallback) : texts(key);
}

std::vector<std::uint64_t> ObjectReader::wholes(std::string_view key) {
  std::vector<std::uint64_t> result;
  for_each(key, need(key), "an array of whole numbers", [&](const Json& entry, std::size_t i) {
    if (!entry.is_number_unsigned()) return fail_entry(key, i, entry, "a whole number of 0 or more");
    result.push_back(entry.get<std::uint64_t>());
  });
  return result;
}

std::vector<double> ObjectReader::numbers(std::string_view key) {
  std::vector<double> result;
  for_each(key, need(key), "an array of numbers", [&](const Json& entry, std::size_t i) {
    if (!entry.is_number() && !entry.is_null()) return fail_entry(key, i, entry, "a number");
    result.push_back(entry.is_null() ? std::numeric_limits<double>::quiet_NaN() : entry.get<double>());
  });
  return result;
}

ObjectReader ObjectReader::object(std::string_view key) {
  const Json* value = need(key);
  return {value == nullptr ? object_ : *value, error_, pointer_to(key)};
}

std::vector<ObjectReader> ObjectReader::objects(std::string_view key) {
  std::vector<ObjectReader> result;
  for_each(key, need(key), "an array of objects", [&](const Json& entry, std::size_t i) {
    result.emplace_back(entry, error_, fmt::format("{}/{}", pointer_to(key), i));
  });
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

void ObjectReader::fail_key(std::string_view key, const std::string& expected, const std::string& hint) {
  if (error_) return;
  const Field at = field(key, kNoGroups);
  set({fmt::format("{} is {}, expected {}", at.name, describe(*find(key)), expected), at.pointer, {}, hint});
}

void ObjectReader::fail_entry(std::string_view key, std::size_t i, const Json& entry, const char* expected) {
  const Field at = field(key, kNoGroups);
  set({fmt::format("{}[{}] is {}, expected {}", at.name, i, describe(entry), expected),
       fmt::format("{}/{}", at.pointer, i)});
}

void ObjectReader::fail_sentence(std::string_view key, const std::string& sentence) {
  set({sentence, key.empty() ? pointer_ : pointer_to(key)});
}

std::string ObjectReader::pointer_to(std::string_view key) const { return pointer_ + pointer_step(key); }

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
