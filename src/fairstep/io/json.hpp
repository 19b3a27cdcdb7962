// JSON text, written as one goes along: for the documents of this room, and for every answer that is a JSON document.
//
//   JsonWriter json;
//   json.object().field("schema", "fairstep/evaluation/1").field("value", 0.55).key("rates").object();
//   json.field("accept", rates.accept).end().end();
//   std::move(json).text();
//
// Objects and arrays put each entry on a line of its own; arrays of numbers keep a row on one line. A number that JSON
// does not have (NaN, infinity) is written as null.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// A number as JSON has it: the shortest digits that read back as the same, the sign of zero included; or so many.
[[nodiscard]] std::string json_number(double number, int digits = 0);

/// How tokens are spelled.
struct JsonStyle {
  bool pointed = false;  ///< a real number that happens to be whole keeps its point: 1.0
  int digits = 0;        ///< of real numbers; 0: as many as they need
  bool in_page = false;  ///< for a script element of a page, which no text in it may end
};

class JsonWriter {
 public:
  /// One entry a line, or all entries on one, or that without blanks.
  enum class Lines { many, one, tight };

  explicit JsonWriter(JsonStyle style = {}) : style_(style) {}

  JsonWriter& object(Lines lines = Lines::many) { return open('{', '}', lines); }
  JsonWriter& array(Lines lines = Lines::many) { return open('[', ']', lines); }
  /// Closes the innermost object or array.
  JsonWriter& end();
  /// Without blanks, the next entry may begin a line all the same.
  JsonWriter& line();
  /// In an object, before each value.
  JsonWriter& key(std::string_view name);

  JsonWriter& value(double number);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::nullptr_t) { return put("null"); }
  template <std::same_as<bool> T>
  JsonWriter& value(T flag) {
    return put(flag ? "true" : "false");
  }
  template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  JsonWriter& value(T number) {
    return put(std::to_string(number));
  }
  /// Null where there is none.
  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : value(nullptr);
  }
  /// On one line.
  template <class T>
  JsonWriter& value(const std::vector<T>& list) {
    return rows(std::span<const T>(list), std::vector<std::size_t>{list.size()}, 1);
  }
  /// The last `axes_per_line` axes share a line.
  template <class T, std::size_t Rank>
  JsonWriter& value(const Tensor<T, Rank>& tensor, std::size_t axes_per_line = 1) {
    return rows(tensor.flat(), tensor.extents(), axes_per_line);
  }
  template <class T>
  JsonWriter& field(std::string_view name, const T& content) {
    return key(name).value(content);
  }
  template <class T, std::size_t Rank>
  JsonWriter& field(std::string_view name, const Tensor<T, Rank>& tensor, std::size_t axes_per_line) {
    return key(name).value(tensor, axes_per_line);
  }
  /// Another document as a value of this one; its text must be JSON.
  JsonWriter& document(std::string_view json);

  /// The whole text, ending in a newline if it is not for a page; everything must have been closed.
  [[nodiscard]] std::string text() &&;

 private:
  struct Open {
    char close;
    Lines lines;
    bool empty = true;
  };

  JsonWriter& open(char opening, char closing, Lines lines);
  JsonWriter& put(std::string_view token);
  [[nodiscard]] std::string quoted(std::string_view text) const;
  /// Comma, line break and indentation as the next entry needs them.
  void separate();
  void break_line();

  template <class T>
  JsonWriter& rows(std::span<const T> values, std::span<const std::size_t> extents, std::size_t axes_per_line) {
    array(extents.size() <= axes_per_line ? Lines::one : Lines::many);
    if (extents.size() == 1) {
      for (const T& entry : values) value(entry);
    } else if (extents[0] > 0) {
      const std::size_t length = values.size() / extents[0];
      for (std::size_t i = 0; i < extents[0]; ++i)
        rows(values.subspan(i * length, length), extents.subspan(1), axes_per_line);
    }
    return end();
  }

  JsonStyle style_;
  std::string text_{};
  std::vector<Open> open_{};
  bool after_key_ = false, line_ = false;
};

}  // namespace fairstep
