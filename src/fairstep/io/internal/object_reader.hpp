// Reads the fields of a JSON object into core types, and keeps the first thing that is wrong.
//
// After the first error every read returns an empty value at once, so that a document is read field by field, top to
// bottom, and the error is looked at in the end. Arrays are checked against their lengths before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/core/tensor.hpp>
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

  [[nodiscard]] bool has(std::string_view key) const;

  [[nodiscard]] std::string text(std::string_view key, std::string fallback = {});
  [[nodiscard]] bool flag(std::string_view key, bool fallback);
  [[nodiscard]] double number(std::string_view key, double fallback);
  [[nodiscard]] std::size_t positive_integer(std::string_view key);
  /// Any whole number; 0 if it is not there.
  [[nodiscard]] std::int64_t integer(std::string_view key);
  /// From 0 to 2^64 - 1; 0 if it is not there.
  [[nodiscard]] std::uint64_t whole(std::string_view key);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key, std::vector<std::string> fallback = {});
  [[nodiscard]] std::vector<double> numbers(std::string_view key, Axis axis, const Shape& shape,
                                            const std::vector<std::string>& groups);
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
  /// The value of an optional or required key, for a reader of its own; null if it is not there.
  [[nodiscard]] const Json* find(std::string_view key) const;

  /// Says what the value of a key that is there should have been.
  void fail_key(std::string_view key, const std::string& expected);
  /// Takes over the error of another check.
  void require(const Expected<void>& check);

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
};

}  // namespace fairstep::internal
