#include <fairstep/ingest/internal/category.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/feature_order.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/shaping.hpp>

namespace fairstep::internal {

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Category::Category(std::vector<std::string> known, const std::vector<std::string>& excluded, TextRules rules)
    : closed_(!known.empty()), rules_(std::move(rules)), names_(std::move(known)) {
  direct_.fill(kUnseen);
  for (std::size_t i = 0; i < names_.size(); ++i) by_name_.emplace(names_[i], static_cast<std::int32_t>(i));
  for (std::size_t i = 0; i < excluded.size(); ++i)
    by_name_.emplace(excluded[i], kExcluded - static_cast<std::int32_t>(i));
}

std::int32_t Category::add_name(const std::string& text) {
  if (const auto found = by_name_.find(text); found != by_name_.end()) return found->second;
  const std::string name(without_spaces(text));
  if (name.size() < text.size())
    if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  if (rules_.is_missing(name)) return kMissing;
  if (rules_.marked && name.find(kUnknownMark) != std::string::npos) return kUnknown;
  if (rules_.marked && name.find(kUnreadableMark) != std::string::npos) return kUnreadable;
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
  text = without_spaces(text);
  // Words that from_chars would take: inf, nan.
  if (text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(number);
}

namespace {

/// The number itself, or where the bin `[12.5,50)` begins.
bool read_size(std::string_view part, double& size) {
  if (read_number(part, size)) return true;
  const std::size_t comma = part.find(',');
  return part.starts_with('[') && part.ends_with(')') && comma != std::string_view::npos &&
         read_number(part.substr(1, comma - 1), size);
}

std::vector<std::size_t> places_of(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return places;
}

}  // namespace

std::vector<std::size_t> places_in_order_of_parts(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> parts;
  for (const std::string& name : names) parts.push_back(parts_of_name(name));
  const std::size_t most = std::transform_reduce(
      parts.begin(), parts.end(), std::size_t{0}, [](auto a, auto b) { return std::max(a, b); },
      [](const auto& list) { return list.size(); });
  for (auto& list : parts) list.resize(most);
  std::vector<std::vector<double>> sizes(most);  // by part; empty if one of them is neither a number nor a bin
  for (std::size_t part = 0; part < most; ++part)
    for (const auto& list : parts) {
      double size = 0;
      if (!read_size(list[part], size)) {
        sizes[part].clear();
        break;
      }
      sizes[part].push_back(size);
    }
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (std::size_t part = 0; part < most; ++part) {
      if (!sizes[part].empty() && sizes[part][a] != sizes[part][b]) return sizes[part][a] < sizes[part][b];
      if (parts[a][part] != parts[b][part]) return parts[a][part] < parts[b][part];
    }
    return names[a] < names[b];
  });
  return places_of(order);
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
  return places_of(order);
}

}  // namespace fairstep::internal
