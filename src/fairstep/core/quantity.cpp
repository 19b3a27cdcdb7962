#include <fairstep/core/quantity.hpp>

#include <charconv>
#include <cmath>
#include <memory>
#include <system_error>

#include <fmt/format.h>

namespace fairstep {
namespace {

template <class T>
std::optional<T> parse_all(std::string_view text) {
  T value{};
  const char* begin = std::to_address(text.begin());
  const char* end = begin + text.size();
  const auto [stopped, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t value = 1;
  if (base <= 1) return exponent == 0 ? 1 : base;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(value, base, &value)) return std::nullopt;
  return value;
}

/// `2.5e3`: the digits without their point, times ten to what is left of the exponent. Exact, unlike a double.
std::optional<std::uint64_t> parse_scientific(std::string_view text, std::size_t e) {
  std::string_view exponent_text = text.substr(e + 1);
  if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
  auto exponent = parse_all<std::uint64_t>(exponent_text);
  std::string digits(text.substr(0, e));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    const std::size_t decimals = digits.size() - point - 1;
    if (point == 0 || decimals == 0 || !exponent || decimals > *exponent) return std::nullopt;
    *exponent -= decimals;
    digits.erase(point, 1);
  }
  const auto mantissa = parse_all<std::uint64_t>(digits);
  if (!mantissa || !exponent) return std::nullopt;
  if (*mantissa == 0) return 0;
  const auto scale = power(10, *exponent);
  std::uint64_t value = 0;
  if (!scale || __builtin_mul_overflow(*mantissa, *scale, &value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  if (const std::size_t caret = text.find('^'); caret != std::string_view::npos) {
    const auto base = parse_all<std::uint64_t>(text.substr(0, caret));
    const auto exponent = parse_all<std::uint64_t>(text.substr(caret + 1));
    return base && exponent ? power(*base, *exponent) : std::nullopt;
  }
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) return parse_scientific(text, e);
  return parse_all<std::uint64_t>(text);
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto value = parse_all<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::vector<std::string>> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    if (part.empty()) return std::nullopt;
    parts.emplace_back(part);
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::vector<double>> parse_numbers(std::string_view text) {
  const auto parts = split_list(text);
  if (!parts) return std::nullopt;
  std::vector<double> numbers;
  for (const std::string& part : *parts) {
    const auto number = parse_number(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<std::vector<double>> parse_range(std::string_view text) {
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos) return parse_numbers(text);
  const std::size_t second = text.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto from = parse_number(text.substr(0, first));
  const auto to = parse_number(text.substr(first + 1, second - first - 1));
  const auto count = parse_whole(text.substr(second + 1));
  constexpr std::uint64_t kMost = 10'000;
  if (!from || !to || !count || *count < 2 || *count > kMost) return std::nullopt;
  std::vector<double> numbers;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(*count - 1);
    // Shortest digits, as one would write them: 0.07, not 0.06999999999999999.
    numbers.push_back(*parse_number(fmt::format("{:.12g}", *from * (1 - share) + *to * share)));
  }
  return numbers;
}

}  // namespace fairstep
