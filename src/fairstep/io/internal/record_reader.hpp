// Reads what is wanted of a JSON object that the program itself wrote, keeps the first thing that is wrong, and leaves
// keys alone that nobody asks for. After the first error every read returns an empty value at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {

class RecordReader {
 public:
  /// `error` outlives the reader and is shared with the readers made from it.
  RecordReader(const Json& value, std::string pointer, std::optional<Error>& error);

  /// There, and not null.
  [[nodiscard]] bool has(std::string_view key) const;

  /// Must be there.
  [[nodiscard]] std::string text(std::string_view key);
  /// A text that names a file or folder and nothing else: no path that leads elsewhere.
  [[nodiscard]] std::string file_name(std::string_view key);
  [[nodiscard]] std::vector<std::string> file_names(std::string_view key);
  [[nodiscard]] std::uint64_t whole(std::string_view key);
  [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t least, std::uint64_t most);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);
  [[nodiscard]] std::vector<std::uint64_t> wholes(std::string_view key);
  [[nodiscard]] std::vector<double> numbers(std::string_view key);
  [[nodiscard]] RecordReader object(std::string_view key);
  [[nodiscard]] std::vector<RecordReader> objects(std::string_view key);

  /// A number; null, and a key that is not there, are NaN.
  [[nodiscard]] double number(std::string_view key);
  /// `bounds`: `lower` and `upper`, which must not contradict each other by more than rounding.
  struct Bounds {
    double lower = 0, upper = 0;
  };
  [[nodiscard]] Bounds bounds();
  /// What is not there is the fallback.
  [[nodiscard]] std::string text_or(std::string_view key, std::string fallback);
  [[nodiscard]] std::uint64_t whole_or(std::string_view key, std::uint64_t fallback);
  [[nodiscard]] bool flag_or(std::string_view key, bool fallback);

  /// For what is wrong with several keys together.
  void refuse(Text message);

 private:
  /// The value of a key that must be there; null after an error.
  [[nodiscard]] const Json* need(std::string_view key);
  [[nodiscard]] const Json* need_array(std::string_view key);
  void refuse_paths(std::string_view key, const std::vector<std::string>& names);
  void blame(std::string_view key, const Json& value, std::string_view expected);
  [[nodiscard]] std::string at(std::string_view key) const { return pointer_ + pointer_step(key); }

  const Json* value_;
  std::string pointer_;
  std::optional<Error>* error_;
};

}  // namespace fairstep::internal
