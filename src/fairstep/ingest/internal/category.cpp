#include <fairstep/ingest/internal/category.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <fairstep/ingest/internal/duckdb.hpp>

namespace fairstep::internal {

Category::Category(std::vector<std::string> known, const std::vector<std::string>& excluded)
    : closed_(!known.empty()), names_(std::move(known)) {
  direct_.fill(kUnseen);
  for (std::size_t i = 0; i < names_.size(); ++i) by_name_.emplace(names_[i], static_cast<std::int32_t>(i));
  for (std::size_t i = 0; i < excluded.size(); ++i)
    by_name_.emplace(excluded[i], kExcluded - static_cast<std::int32_t>(i));
}

std::int32_t Category::add_name(const std::string& name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  if (closed_) return kUnknown;
  const auto number = static_cast<std::int32_t>(names_.size());
  names_.push_back(name);
  by_name_.emplace(name, number);
  return number;
}

std::int32_t Category::number_of_rare(std::int64_t value) { return add_name(std::to_string(value)); }

std::int32_t Category::number_of(double value) {
  if (!std::isfinite(value)) return kUnreadable;
  if (value == std::floor(value) && std::abs(value) < 0x1p53) return number_of(static_cast<std::int64_t>(value));
  return add_name(fmt::format("{}", value));
}

std::int32_t Category::number_of(std::string_view name) { return add_name(std::string(name)); }

std::int32_t Category::number_of_rare(const duckdb_string_t& text) {
  const std::string_view name = view_of(text);
  const std::int32_t number = add_name(std::string(name));
  if (name.size() <= sizeof(text.value.inlined.inlined) && recent_used_ < recent_.size()) {
    Packed packed{};
    std::memcpy(&packed, &text, sizeof packed);
    recent_[recent_used_++] = {packed, number};
  }
  return number;
}

bool read_number(std::string_view text, double& number) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  // Words that from_chars would take: inf, nan.
  if (text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(number);
}

std::vector<std::size_t> places_in_order(const std::vector<std::string>& names) {
  std::vector<double> values(names.size());
  bool numbers = true;
  for (std::size_t i = 0; i < names.size(); ++i) numbers = numbers && read_number(names[i], values[i]);
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (numbers && values[a] != values[b]) return values[a] < values[b];
    return names[a] < names[b];
  });
  std::vector<std::size_t> places(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return places;
}

}  // namespace fairstep::internal
