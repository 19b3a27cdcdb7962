#include "answers/json_text.hpp"

#include <algorithm>

#include <fairstep/core/shown_text.hpp>

namespace fairstep::cli {
namespace {

std::string flat(const Json& value) { return shown_json(value.dump(-1, ' ', false, Json::error_handler_t::replace)); }

void put(const Json& value, std::size_t depth, std::string& out) {
  const bool nested = std::any_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); });
  if (!value.is_structured() || value.empty() || (value.is_array() && !nested)) {
    out += flat(value);
    return;
  }
  const std::string indent(2 * (depth + 1), ' ');
  out += value.is_object() ? '{' : '[';
  const char* separator = "\n";
  for (const auto& [key, item] : value.items()) {
    out += separator + indent;
    if (value.is_object()) out += flat(key) + ": ";
    put(item, depth + 1, out);
    separator = ",\n";
  }
  out += '\n' + std::string(2 * depth, ' ') + (value.is_object() ? '}' : ']');
}

}  // namespace

std::string to_text(const Json& document) {
  std::string out;
  put(document, 0, out);
  return out + '\n';
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace fairstep::cli
