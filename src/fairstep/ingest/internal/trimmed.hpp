// Texts of the engine without the spaces around them, where they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <duckdb.h>

#include <fairstep/ingest/internal/category.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>

namespace fairstep::internal {

/// Whether any of the texts has a space at either end.
[[nodiscard]] inline bool spaces_around(const RawColumn& column, std::size_t rows) {
  const auto* texts = column.as<duckdb_string_t>();
  for (std::size_t i = 0; i < rows; ++i) {
    if (!column.has(i)) continue;
    const std::string_view text = view_of(texts[i]);
    if (!text.empty() && (text.front() == ' ' || text.back() == ' ')) return true;
  }
  return false;
}

/// The same column without them; `texts` keeps it, the letters stay where they are.
[[nodiscard]] inline RawColumn without_spaces(const RawColumn& column, std::size_t rows,
                                              std::vector<duckdb_string_t>& texts) {
  texts.assign(rows, duckdb_string_t{});
  for (std::size_t i = 0; i < rows; ++i) {
    if (!column.has(i)) continue;
    const std::string_view text = without_spaces(view_of(column.as<duckdb_string_t>()[i]));
    duckdb_string_t& trimmed = texts[i];
    trimmed.value.inlined.length = static_cast<std::uint32_t>(text.size());
    if (text.size() <= sizeof trimmed.value.inlined.inlined) {
      std::memcpy(trimmed.value.inlined.inlined, text.data(), text.size());
    } else {
      std::memcpy(trimmed.value.pointer.prefix, text.data(), sizeof trimmed.value.pointer.prefix);
      trimmed.value.pointer.ptr = const_cast<char*>(text.data());
    }
  }
  return {texts.data(), column.validity};
}

}  // namespace fairstep::internal
