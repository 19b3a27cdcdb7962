// The different values of a column, numbered as they come: groups and features.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <duckdb.h>

namespace fairstep::internal {

/// Not a number of a value, but why there is none.
inline constexpr std::int32_t kMissing = -1;
inline constexpr std::int32_t kUnreadable = -2;
inline constexpr std::int32_t kUnknown = -3;
inline constexpr std::int32_t kOutOfRange = -4;  ///< of steps
/// The first name of those that are excluded; the second is one less, and so on.
inline constexpr std::int32_t kExcluded = -10;
[[nodiscard]] constexpr bool is_excluded(std::int32_t number) { return number <= kExcluded; }

/// A text without the spaces around it.
[[nodiscard]] std::string_view without_spaces(std::string_view text);

/// What texts mean that are no names.
struct TextRules {
  std::vector<std::string> missing{};  ///< no value, besides the empty one
  bool marked = false;                 ///< a query may have marked what is unknown or unreadable

  /// Of a text without spaces around it.
  [[nodiscard]] bool is_missing(std::string_view text) const {
    return text.empty() || std::find(missing.begin(), missing.end(), text) != missing.end();
  }
};

class Category {
 public:
  /// With names given, their order is kept and every other value is unknown, unless it is one of those excluded or
  /// stands for no value. A given name is a name, whatever the rules say.
  explicit Category(std::vector<std::string> known, const std::vector<std::string>& excluded = {},
                    TextRules rules = {});
  Category() : Category(std::vector<std::string>{}) {}

  [[nodiscard]] std::int32_t number_of(std::int64_t value) {
    if (value >= 0 && value < kDirect) {
      std::int32_t& number = direct_[static_cast<std::size_t>(value)];
      return number != kUnseen ? number : number = add_name(std::to_string(value));
    }
    return number_of_rare(value);
  }
  [[nodiscard]] std::int32_t number_of(double value);
  [[nodiscard]] std::int32_t number_of(const duckdb_string_t& text) {
    Packed packed{};
    std::memcpy(&packed, &text, sizeof packed);
    for (std::size_t i = 0; i < recent_used_; ++i)
      if (recent_[i].first.low == packed.low && recent_[i].first.high == packed.high) return recent_[i].second;
    return number_of_rare(text);
  }
  [[nodiscard]] std::int32_t number_of(std::string_view name);
  /// The numbers of small whole numbers that were all seen before, without a branch; false if there is any other.
  template <class Integer>
  [[nodiscard]] bool known(const Integer* values, std::size_t count, std::int32_t* numbers) const {
    std::uint64_t beyond = 0;
    std::int32_t worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<std::uint64_t>(values[i]);
      beyond |= value & ~std::uint64_t{kDirect - 1};
      numbers[i] = direct_[value % kDirect];
      worst = std::min(worst, numbers[i]);
    }
    return beyond == 0 && worst >= 0;
  }

  /// By number.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  static constexpr std::int64_t kDirect = 1024;
  static constexpr std::int32_t kUnseen = std::numeric_limits<std::int32_t>::min();
  struct Packed {
    std::uint64_t low, high;
  };

  [[nodiscard]] std::int32_t number_of_rare(std::int64_t value);
  [[nodiscard]] std::int32_t number_of_rare(const duckdb_string_t& text);
  std::int32_t add_name(const std::string& text);

  bool closed_;
  TextRules rules_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> by_name_{};
  std::array<std::int32_t, kDirect> direct_{};
  /// Short texts, which DuckDB keeps in place: two words to compare.
  std::array<std::pair<Packed, std::int32_t>, 8> recent_{};
  std::size_t recent_used_ = 0;
};

/// The order of names that nobody gave: numbers by size, anything else by its bytes. Returns the new place of each.
[[nodiscard]] std::vector<std::size_t> places_in_order(const std::vector<std::string>& names);

/// The same of names that are made of several, `women/[0,100)`: part by part, bins by where they begin.
[[nodiscard]] std::vector<std::size_t> places_in_order_of_parts(const std::vector<std::string>& names);

/// A finite decimal number and nothing else, spaces around it aside; false if it is none.
[[nodiscard]] bool read_number(std::string_view text, double& number);

}  // namespace fairstep::internal
