// Plain values as bytes and back, for what travels between tasks of one program: same version, same byte order. A type
// lists its members once, in `travel(wire)`, and the wire either writes or reads each of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fairstep::internal {

template <class Value>
concept PlainValue = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;

class WireWriter {
 public:
  static constexpr bool reads = false;

  template <class... Values>
  void operator()(Values&... values) {
    (put(values), ...);
  }
  [[nodiscard]] std::string bytes() && { return std::move(bytes_); }
  [[nodiscard]] static bool failed() { return false; }

 private:
  template <PlainValue Value>
  void put(const Value& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(text.size());
    bytes_.append(text);
  }
  template <class Value>
  void put(std::vector<Value>& values) {
    put(values.size());
    if constexpr (PlainValue<Value>)
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
    else
      for (Value& value : values) put(value);
  }
  template <class Value, std::size_t Size>
  void put(std::array<Value, Size>& values) {
    for (Value& value : values) put(value);
  }
  template <class Key, class Value>
  void put(std::map<Key, Value>& values) {
    put(values.size());
    for (auto& [key, value] : values) {
      put(key);
      put(value);
    }
  }
  template <class Value>
    requires requires(Value& value, WireWriter& wire) { value.travel(wire); }
  void put(Value& value) {
    value.travel(*this);
  }

  std::string bytes_{};
};

/// Given bytes that end too early, it hands out zeros from there on, and `complete` is false.
class WireReader {
 public:
  static constexpr bool reads = true;

  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    (take(values), ...);
  }
  /// Everything was there, and nothing is left.
  [[nodiscard]] bool complete() const { return whole_ && rest_.empty(); }
  /// The bytes ended too early.
  [[nodiscard]] bool failed() const { return !whole_; }

 private:
  template <PlainValue Value>
  void take(Value& value) {
    value = Value{};
    if (has(sizeof value)) copy(&value, sizeof value);
  }
  void take(std::string& text) {
    text.resize(length(1));
    copy(text.data(), text.size());
  }
  template <class Value>
  void take(std::vector<Value>& values) {
    if constexpr (PlainValue<Value>) {
      values.resize(length(sizeof(Value)));
      copy(values.data(), values.size() * sizeof(Value));
    } else {
      values.resize(length(1));
      for (Value& value : values) take(value);
    }
  }
  template <class Value, std::size_t Size>
  void take(std::array<Value, Size>& values) {
    for (Value& value : values) take(value);
  }
  template <class Key, class Value>
  void take(std::map<Key, Value>& values) {
    values.clear();
    for (std::size_t left = length(1); left > 0; --left) {
      Key key{};
      take(key);
      take(values[key]);
    }
  }
  template <class Value>
    requires requires(Value& value, WireReader& wire) { value.travel(wire); }
  void take(Value& value) {
    value.travel(*this);
  }

  [[nodiscard]] bool has(std::size_t bytes) {
    whole_ = whole_ && rest_.size() >= bytes;
    if (!whole_) rest_ = {};
    return whole_;
  }
  void copy(void* to, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
    rest_.remove_prefix(bytes);
  }
  /// The number of entries that follow: no more than the bytes that are left can hold.
  [[nodiscard]] std::size_t length(std::size_t least_bytes_each) {
    std::size_t size = 0;
    take(size);
    return size <= rest_.size() / least_bytes_each || has(SIZE_MAX) ? size : 0;
  }

  std::string_view rest_;
  bool whole_ = true;
};

}  // namespace fairstep::internal
