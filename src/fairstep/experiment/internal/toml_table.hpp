// Reads the keys of a TOML table, and keeps the first thing that is wrong, with its line.
//
// After the first error every read returns its fallback at once, so that a file is read key by key, top to bottom, and
// the error is looked at in the end. The only header of the room that shows toml++.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include <fairstep/core/error.hpp>
#include <fairstep/core/words.hpp>

namespace fairstep::internal {

/// What numbers a key takes, and how that is said.
struct NumberRange {
  double least, most;
  bool open = false;       ///< the ends themselves are not taken
  const char* expected{};  ///< "between 0 and 1"
};
inline constexpr NumberRange kShare{0, 1, false, "a number between 0 and 1"};
inline constexpr NumberRange kInsideOne{0, 1, true, "a number between 0 and 1"};
inline constexpr NumberRange kNotNegative{0, 1e300, false, "a number of 0 or more"};
inline constexpr NumberRange kPositive{0, 1e300, true, "a number above 0"};
inline constexpr NumberRange kAnyNumber{-1e300, 1e300, false, "a number"};

class TomlTable {
 public:
  /// `name` is what messages call the table ("method[1]"), empty for the whole file; `pointer` is where it stands.
  /// `error` outlives the reader and is shared by all readers of a file.
  TomlTable(const toml::table& table, std::optional<Error>& error, std::string name = {}, std::string pointer = {});

  /// An error for every other key, and for one of `required` that is not there.
  void check_keys(std::span<const std::string_view> known, std::span<const std::string_view> required = {});

  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  /// Null if it is not there, or if something is wrong already.
  [[nodiscard]] const toml::node* find(std::string_view key) const;

  [[nodiscard]] std::string text(std::string_view key, std::string fallback = {});
  [[nodiscard]] bool flag(std::string_view key, bool fallback);
  [[nodiscard]] double number(std::string_view key, double fallback, const NumberRange& range);
  [[nodiscard]] std::optional<double> number(std::string_view key, const NumberRange& range);
  [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t fallback, std::uint64_t least,
                                    std::uint64_t most);
  /// A value by its word.
  template <Worded E>
  [[nodiscard]] E choice(std::string_view key, E fallback) {
    return named<E>(word(key, all_names<E>())).value_or(fallback);
  }
  /// The same where only some values make sense.
  template <Worded E, std::size_t N>
  [[nodiscard]] E choice(std::string_view key, E fallback, const std::array<E, N>& allowed) {
    std::array<std::string_view, N> words{};
    for (std::size_t i = 0; i < N; ++i) words[i] = name_of(allowed[i]);
    return named<E>(word(key, words)).value_or(fallback);
  }
  /// One or several, each once.
  template <Worded E>
  [[nodiscard]] std::vector<E> choices(std::string_view key) {
    std::vector<E> chosen;
    for (const std::string& word : words(key, all_names<E>())) chosen.push_back(*named<E>(word));
    return chosen;
  }
  [[nodiscard]] std::vector<double> numbers(std::string_view key, std::vector<double> fallback,
                                            const NumberRange& range);
  /// A number alone stands for a list of one.
  [[nodiscard]] std::vector<double> number_or_numbers(std::string_view key, std::vector<double> fallback,
                                                      const NumberRange& range);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key, std::vector<std::string> fallback);
  [[nodiscard]] std::vector<std::vector<double>> rows(std::string_view key, std::vector<std::vector<double>> fallback);

  /// `name.key`
  [[nodiscard]] std::string called(std::string_view key) const;
  [[nodiscard]] std::string pointer_to(std::string_view key) const;
  [[nodiscard]] const std::string& pointer() const { return pointer_; }

  /// `line 7: repeats is 0, expected ...`, at the key's value.
  void fail_key(std::string_view key, const std::string& expected, Text hint = {});
  /// The same for an entry of a list.
  void fail_entry(std::string_view key, std::size_t index, const toml::node& entry, const std::string& expected,
                  Text hint = {});
  /// The same in words of one's own, about the entry as a whole.
  void fail_entry_sentence(std::string_view key, std::size_t index, const toml::node& entry,
                           const std::string& sentence, Text hint = {});
  /// A whole sentence about the key, or about the table if the key is empty.
  void fail(std::string_view key, const std::string& sentence, Text hint = {});

 private:
  /// What a list is called, and where it stands.
  struct Place {
    std::string called;
    std::string pointer;
  };
  [[nodiscard]] Place place_of(std::string_view key) const;
  void fail_entry(const Place& list, std::size_t index, const toml::node& entry, const std::string& expected,
                  Text hint = {});
  /// One of `allowed`; empty if the key is not there or says something else.
  [[nodiscard]] std::string word(std::string_view key, std::span<const std::string_view> allowed);
  [[nodiscard]] std::vector<std::string> words(std::string_view key, std::span<const std::string_view> allowed);
  void set(const toml::source_region& place, const std::string& sentence, std::string pointer, Text hint);
  [[nodiscard]] static std::optional<double> number_in(const toml::node& node, const NumberRange& range);
  /// All entries of a list of numbers, or nothing after an error.
  [[nodiscard]] std::optional<std::vector<double>> list_of(const Place& place, const toml::array& list,
                                                           const NumberRange& range);

  const toml::table& table_;
  std::optional<Error>& error_;
  std::string name_;
  std::string pointer_;
};

/// A value in a message: `the text "8"`, `a list`, `0.5`.
[[nodiscard]] std::string describe(const toml::node& value);

}  // namespace fairstep::internal
