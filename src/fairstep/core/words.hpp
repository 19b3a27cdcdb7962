// The words for an enum's values, written once beside the enum: files, command lines, experiments and Python all read
// and write these. What reads a choice takes a word and nothing else; a place in a list never becomes a value.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace fairstep {

/// Beside an enum:
///
///   template <>
///   inline constexpr auto kWords<Notion> = words<Notion>({{Notion::dp, "dp"}, {Notion::eqopt, "eqopt"}});
template <class E>
inline constexpr std::nullptr_t kWords = nullptr;

template <class E, std::size_t N>
[[nodiscard]] consteval auto words(const std::pair<E, const char*> (&table)[N]) {
  return std::to_array(table);
}

/// An enum that has words.
template <class E>
concept Worded = std::is_enum_v<E> && !std::is_null_pointer_v<std::remove_cvref_t<decltype(kWords<E>)>>;

/// "eqopt"
template <Worded E>
[[nodiscard]] constexpr const char* name_of(E value) {
  for (const auto& [known, word] : kWords<E>)
    if (known == value) return word;
  return "";
}

/// The value that a word stands for, if it stands for one.
template <Worded E>
[[nodiscard]] constexpr std::optional<E> named(std::string_view word) {
  for (const auto& [value, known] : kWords<E>)
    if (known == word) return value;
  return std::nullopt;
}

/// Every value, in the order in which they are listed to users.
template <Worded E>
[[nodiscard]] constexpr auto all_of() {
  std::array<E, kWords<E>.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kWords<E>[i].first;
  return all;
}

/// Every word, in the same order.
template <Worded E>
[[nodiscard]] constexpr auto all_names() {
  std::array<std::string_view, kWords<E>.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kWords<E>[i].second;
  return all;
}

}  // namespace fairstep
