// What tells persons apart, a number or a text, and the order in which they come in a log.
#pragma once

#include <cstdint>
#include <string_view>

#include <fairstep/ingest/internal/duckdb.hpp>

namespace fairstep::internal {

[[nodiscard]] inline std::int64_t key_of(std::int64_t number) { return number; }
[[nodiscard]] inline std::string_view key_of(const duckdb_string_t& text) { return view_of(text); }

[[nodiscard]] inline bool comes_before(std::int64_t a, std::int64_t b) { return a < b; }
/// Texts go by length first: 9 comes before 10.
[[nodiscard]] inline bool comes_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace fairstep::internal
