#include <fairstep/io/internal/record_reader.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace fairstep::internal {

RecordReader::RecordReader(const Json& value, std::string pointer, std::optional<Error>& error)
    : value_(&value), pointer_(std::move(pointer)), error_(&error) {
  if (!*error_ && !value.is_object())
    *error_ = Error{
        fmt::format("{} is {}, expected an object", pointer_.empty() ? "the document" : pointer_, describe(value)),
        pointer_};
}

bool RecordReader::has(std::string_view key) const {
  if (*error_ || !value_->is_object()) return false;
  const auto found = value_->find(key);
  return found != value_->end() && !found->is_null();
}

const Json* RecordReader::need(std::string_view key) {
  if (*error_) return nullptr;
  const auto found = value_->find(key);
  if (found != value_->end()) return &*found;
  *error_ = Error{fmt::format("missing key \"{}\"", key), pointer_};
  return nullptr;
}

const Json* RecordReader::need_array(std::string_view key) {
  const Json* value = need(key);
  if (value == nullptr || value->is_array()) return value;
  blame(key, *value, "an array");
  return nullptr;
}

void RecordReader::blame(std::string_view key, const Json& value, std::string_view expected) {
  if (!*error_) *error_ = Error{fmt::format("{} is {}, expected {}", key, describe(value), expected), at(key)};
}

RecordReader::Bounds RecordReader::bounds() {
  RecordReader in = object("bounds");
  const Bounds read{in.number("lower"), in.number("upper")};
  if (read.upper < read.lower - 1e-9 * std::max(1.0, std::abs(read.lower)))
    in.blame("upper", *in.value_->find("upper"), fmt::format("at least the lower bound, {}", read.lower));
  return read;
}

std::string RecordReader::text(std::string_view key) {
  const Json* value = need(key);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  blame(key, *value, "a text");
  return {};
}

std::string RecordReader::text_or(std::string_view key, std::string fallback) {
  return has(key) ? text(key) : std::move(fallback);
}

std::uint64_t RecordReader::whole(std::string_view key) {
  const Json* value = need(key);
  if (value == nullptr) return 0;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  blame(key, *value, "a whole number");
  return 0;
}

std::uint64_t RecordReader::whole(std::string_view key, std::uint64_t least, std::uint64_t most) {
  const std::uint64_t found = whole(key);
  if (!*error_ && (found < least || found > most))
    *error_ = Error{fmt::format("{} is {}, expected {} to {}", key, found, least, most), at(key)};
  return found;
}

void RecordReader::refuse(Text message) {
  if (!*error_) *error_ = Error{std::move(message), pointer_};
}

std::uint64_t RecordReader::whole_or(std::string_view key, std::uint64_t fallback) {
  return has(key) ? whole(key) : fallback;
}

bool RecordReader::flag_or(std::string_view key, bool fallback) {
  if (!has(key)) return fallback;
  const Json& value = *value_->find(key);
  if (value.is_boolean()) return value.get<bool>();
  blame(key, value, "true or false");
  return fallback;
}

double RecordReader::number(std::string_view key) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (!has(key)) return unknown;
  const Json& value = *value_->find(key);
  if (value.is_number()) return value.get<double>();
  blame(key, value, "a number");
  return unknown;
}

std::vector<std::string> RecordReader::texts(std::string_view key) {
  std::vector<std::string> result;
  const Json* list = need_array(key);
  if (list == nullptr) return result;
  for (const Json& entry : *list) {
    if (entry.is_string())
      result.push_back(entry.get<std::string>());
    else
      blame(key, entry, "texts only");
  }
  return result;
}

void RecordReader::refuse_paths(std::string_view key, const std::vector<std::string>& names) {
  using namespace std::string_view_literals;
  for (const std::string& name : names)
    if (name.empty() || name == "." || name == ".." || name.find_first_of("/\\\0"sv) != std::string::npos)
      blame(key, Json(name), "the name of a file or folder, without a path");
}

std::string RecordReader::file_name(std::string_view key) {
  const std::string name = text(key);
  if (!*error_) refuse_paths(key, {name});
  return name;
}

std::vector<std::string> RecordReader::file_names(std::string_view key) {
  std::vector<std::string> names = texts(key);
  if (!*error_) refuse_paths(key, names);
  return names;
}

std::vector<std::uint64_t> RecordReader::wholes(std::string_view key) {
  std::vector<std::uint64_t> result;
  const Json* list = need_array(key);
  if (list == nullptr) return result;
  for (const Json& entry : *list) {
    if (entry.is_number_unsigned())
      result.push_back(entry.get<std::uint64_t>());
    else
      blame(key, entry, "whole numbers only");
  }
  return result;
}

std::vector<double> RecordReader::numbers(std::string_view key) {
  std::vector<double> result;
  const Json* list = need_array(key);
  if (list == nullptr) return result;
  for (const Json& entry : *list) {
    if (entry.is_number())
      result.push_back(entry.get<double>());
    else if (entry.is_null())
      result.push_back(std::numeric_limits<double>::quiet_NaN());
    else
      blame(key, entry, "numbers only");
  }
  return result;
}

RecordReader RecordReader::object(std::string_view key) {
  const Json* value = need(key);
  return {value == nullptr ? *value_ : *value, at(key), *error_};
}

std::vector<RecordReader> RecordReader::objects(std::string_view key) {
  std::vector<RecordReader> result;
  const Json* list = need_array(key);
  if (list == nullptr) return result;
  for (std::size_t i = 0; i < list->size(); ++i)
    result.emplace_back((*list)[i], fmt::format("{}/{}", at(key), i), *error_);
  return result;
}

}  // namespace fairstep::internal
