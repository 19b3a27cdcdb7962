#include "answers/json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fairstep/io/json.hpp>

namespace fairstep::cli {
namespace {

void put(JsonWriter& json, const Json& value) {
  if (value.is_object()) {
    json.object();
    for (const auto& [key, item] : value.items()) put(json.key(key), item);
    json.end();
  } else if (value.is_array()) {
    const bool nested = std::any_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); });
    json.array(nested ? JsonWriter::Lines::many : JsonWriter::Lines::tight);
    for (const Json& item : value) put(json, item);
    json.end();
  } else if (value.is_string()) {
    json.value(value.get_ref<const std::string&>());
  } else if (value.is_number_float()) {
    json.value(value.get<double>());
  } else if (value.is_number_unsigned()) {
    json.value(value.get<std::uint64_t>());
  } else if (value.is_number()) {
    json.value(value.get<std::int64_t>());
  } else if (value.is_boolean()) {
    json.value(value.get<bool>());
  } else {
    json.value(nullptr);
  }
}

}  // namespace

std::string to_text(const Json& document) {
  JsonWriter json({.pointed = true});
  put(json, document);
  return std::move(json).text();
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace fairstep::cli
