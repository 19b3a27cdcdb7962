// Reads the fields of a JSON object into core types, and keeps the first thing that is wrong.
//
// After the first error every read returns an empty value at once, so that a document is read field by field, top to
// bottom, and the error is looked at in the end. Arrays are checked against their lengths before anything is allocated.
// Documents are read strictly: another key than those named is an error. Of what the program itself wrote, keys are
// left alone that nobody asks for, and null says that something is not known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/by_period.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/core/suggest.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {

/// The keys an object may have; all but the optional ones must be there.
struct Keys {
  std::vector<std::string_view> required;
  std::vector<std::string_view> optional{};
};

class ObjectReader {
 public:
  /// Checks the keys. `name` is what messages call the object ("participation"), empty for the whole document;
  /// `error` outlives the reader and may be shared by several.
  ObjectReader(const Json& object, const Keys& keys, std::optional<Error>& error, const std::string& name = {});
  /// The same for an object deeper inside: `parity[0]`, which is at /parity/0.
  ObjectReader(const Json& object, const Keys& keys, std::optional<Error>& error, std::string name,
               std::string pointer);
  /// An object that the program itself wrote, at a pointer, which is what messages call it.
  ObjectReader(const Json& object, std::optional<Error>& error, std::string pointer = {});

  /// There; and not null, which the program itself writes for what is not known.
  [[nodiscard]] bool has(std::string_view key) const;

  /// Where there is no fallback the key must be there.
  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key, std::string fallback);
  /// A value by its word.
  template <Worded E>
  [[nodiscard]] E choice(std::string_view key) {
    const std::string word = text(key);
    const auto chosen = named<E>(word);
    if (!chosen && !error_) fail_key(key, alternatives(all_names<E>()), did_you_mean(word, all_names<E>()));
    return chosen.value_or(E{});
  }
  [[nodiscard]] bool flag(std::string_view key, bool fallback);
  /// NaN if it is not known.
  [[nodiscard]] double number(std::string_view key) { return number(key, std::numeric_limits<double>::quiet_NaN()); }
  [[nodiscard]] double number(std::string_view key, double fallback);
  [[nodiscard]] std::size_t positive_integer(std::string_view key);
  /// Any whole number; 0 if it is not there.
  [[nodiscard]] std::int64_t integer(std::string_view key);
  /// A whole number that is not negative.
  [[nodiscard]] std::uint64_t whole(std::string_view key);
  [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t fallback);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key, std::vector<std::string> fallback);
  [[nodiscard]] std::vector<double> numbers(std::string_view key, Axis axis, const Shape& shape,
                                            const std::vector<std::string>& groups);
  /// As many as there are; null is NaN.
  [[nodiscard]] std::vector<double> numbers(std::string_view key);
  [[nodiscard]] std::vector<std::uint64_t> wholes(std::string_view key);
  /// Readers of what the program itself wrote inside of this.
  [[nodiscard]] ObjectReader object(std::string_view key);
  [[nodiscard]] std::vector<ObjectReader> objects(std::string_view key);
  /// `length_hint` says where the expected lengths come from, if that is not plain.
  template <class T, std::size_t Rank>
  [[nodiscard]] Tensor<T, Rank> tensor(std::string_view key, const Layout<Rank>& axes, const Shape& shape,
                                       const std::vector<std::string>& groups, const std::string& length_hint = {}) {
    const auto extents = extents_of(axes, shape);
    const Json* value = find(key);
    if (value == nullptr) return {};
    const Entry entry = std::is_same_v<T, double> ? Entry::number : Entry::count;
    std::vector<std::size_t> index;
    check({field(key, groups), axes, extents, entry, length_hint}, *value, index);
    if (error_) return {};
    Tensor<T, Rank> result(extents);
    T* next = result.flat().data();
    fill(*value, next);
    return result;
  }
  /// The same by period: [g,...], or [g,period,...] if periods have names.
  template <class T, std::size_t Rank>
  [[nodiscard]] ByPeriod<T, Rank> by_period(std::string_view key, const Layout<Rank>& axes, const Shape& shape,
                                            const std::vector<std::string>& groups, bool named) {
    if (!named) return tensor<T>(key, axes, shape, groups);
    auto table = tensor<T>(key, with_periods(axes), shape, groups);
    return error_ ? ByPeriod<T, Rank>() : ByPeriod<T, Rank>(table);
  }
  /// The value of an optional or required key, for a reader of its own; null if it is not there.
  [[nodiscard]] const Json* find(std::string_view key) const;

  /// Says what the value of a key that is there should have been.
  void fail_key(std::string_view key, const std::string& expected, const std::string& hint = {});
  /// Takes over the error of another check.
  void require(const Expected<void>& check);
  /// A whole sentence about the key, or about the object if the key is empty.
  void fail_sentence(std::string_view key, const std::string& sentence);

 private:
  enum class Entry { number, count };

  /// What an array should look like.
  struct Array {
    Field field;
    std::span<const Axis> axes;
    std::span<const std::size_t> extents;
    Entry entry;
    std::string length_hint;
  };

  /// The value of a key that must be there; null after an error.
  [[nodiscard]] const Json* need(std::string_view key);
  /// Calls `take(entry, i)` for each entry of a list.
  template <class Take>
  void for_each(std::string_view key, const Json* list, const char* expected, const Take& take);
  /// Says what an entry of a list should have been.
  void fail_entry(std::string_view key, std::size_t i, const Json& entry, const char* expected);
  [[nodiscard]] std::string pointer_to(std::string_view key) const;
  [[nodiscard]] Field field(std::string_view key, const std::vector<std::string>& groups) const;
  void set(Error error);
  /// Whether the part of an array under some leading indices is as it should be.
  void check(const Array& array, const Json& value, std::vector<std::size_t>& index);
  void check_entry(const Array& array, const Json& value, const std::vector<std::size_t>& index);

  template <class T>
  static void fill(const Json& value, T*& next) {
    if (!value.is_array()) {
      *next++ = value.get<T>();
      return;
    }
    for (const Json& entry : value) fill(entry, next);
  }

  const Json& object_;
  std::optional<Error>& error_;
  std::string name_;
  std::string pointer_;
  bool null_is_unknown_ = false;
};

}  // namespace fairstep::internal
