// Columns as the engine hands them over, made by hand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <duckdb.h>

#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/plan.hpp>

namespace fairstep::testing {

/// Owns what its columns point to.
class Columns {
 public:
  template <class Value>
  void add(const std::vector<std::optional<Value>>& values) {
    std::vector<std::byte>& bytes = bytes_.emplace_back(values.size() * sizeof(Value));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i]) std::memcpy(bytes.data() + i * sizeof(Value), &*values[i], sizeof(Value));
    add_column(values, bytes.data());
  }
  void add_texts(const std::vector<std::optional<std::string>>& values) {
    std::vector<std::byte>& bytes = bytes_.emplace_back(values.size() * sizeof(duckdb_string_t));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string& text = texts_.emplace_back(values[i].value_or(""));
      duckdb_string_t value{};
      value.value.inlined.length = static_cast<std::uint32_t>(text.size());
      if (text.size() <= sizeof(value.value.inlined.inlined)) {
        std::memcpy(value.value.inlined.inlined, text.data(), text.size());
      } else {
        std::memcpy(value.value.pointer.prefix, text.data(), sizeof(value.value.pointer.prefix));
        value.value.pointer.ptr = const_cast<char*>(text.data());
      }
      std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
    }
    add_column(values, bytes.data());
  }

  [[nodiscard]] const std::vector<internal::RawColumn>& raw() const { return raw_; }

 private:
  template <class Value>
  void add_column(const std::vector<std::optional<Value>>& values, const void* data) {
    std::vector<std::uint64_t>& validity = validity_.emplace_back(values.size() / 64 + 1);
    bool all = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) validity[i / 64] |= std::uint64_t{1} << (i % 64);
      all = all && values[i];
    }
    raw_.push_back({data, all ? nullptr : validity.data()});
  }

  std::list<std::vector<std::byte>> bytes_{};
  std::list<std::vector<std::uint64_t>> validity_{};
  std::list<std::string> texts_{};
  std::vector<internal::RawColumn> raw_{};
};

/// Persons are numbers, everything else is text; no reward and no time.
[[nodiscard]] inline internal::Plan plan_of_texts() {
  using internal::ValueType;
  internal::Plan plan;
  plan.type = {ValueType::integer, ValueType::text,   ValueType::text,   ValueType::text,  ValueType::text,
               ValueType::text,    ValueType::absent, ValueType::absent, ValueType::absent};
  plan.labels = {"unqualified", "qualified"};
  plan.actions = {"refuse", "accept"};
  return plan;
}

/// The same with whole numbers in all columns.
[[nodiscard]] inline internal::Plan plan_of_numbers() {
  internal::Plan plan = plan_of_texts();
  for (std::size_t role = 0; role < 6; ++role) plan.type[role] = internal::ValueType::integer;
  return plan;
}

/// Person, step, group, x, a, y.
using Numbers = std::vector<std::array<std::int64_t, 6>>;

[[nodiscard]] inline Columns columns_of_numbers(const Numbers& rows) {
  Columns columns;
  for (std::size_t role = 0; role < 6; ++role) {
    std::vector<std::optional<std::int64_t>> values;
    for (const auto& row : rows) values.emplace_back(row[role]);
    columns.add(values);
  }
  return columns;
}

}  // namespace fairstep::testing
