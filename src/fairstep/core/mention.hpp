// Words that may name options and verbs, in nobody's spelling: the command, Python and an experiment's file each put in
// theirs.
//
// `fmt::format("start over with {}", flag("restart"))` is marked text. A Text made of it reads "start over with
// restart = true", and knows where the option stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairstep {

/// An option that a text names, or a verb.
struct Mention {
  enum class Kind {
    subject,  ///< what the text is about: an option, or a key if it came from a file
    name,     ///< no more than its name
    flag,     ///< set
    word,     ///< with a value, as are the two below
    number,
    entry,  ///< with a value for one key of several
    verb    ///< no option: something else that fairstep does, as `merge`
  };
  Kind kind = Kind::name;
  std::string name{}, key{}, value{};
  std::size_t at = 0, size = 0;  ///< where it stands in the text
};

using Spelling = std::function<std::string(const Mention&)>;

/// Marks for a text that is about to be made.
[[nodiscard]] std::string subject(std::string_view name);
[[nodiscard]] std::string option(std::string_view name);
[[nodiscard]] std::string option(std::string_view name, std::string_view word);
[[nodiscard]] std::string option(std::string_view name, std::int64_t number);
[[nodiscard]] std::string flag(std::string_view name);
/// `--map reward=COLUMN` of the command.
[[nodiscard]] std::string entry(std::string_view option, std::string_view key, std::string_view value);

/// `fairstep merge` of the command.
[[nodiscard]] std::string verb(std::string_view name);

/// `restart = true`, `censored = "drop"`: how the library says it itself, and a TOML file.
[[nodiscard]] std::string plainly(const Mention& mention);

/// The words as a string, options spelt plainly. A string made of it has forgotten that they are options.
class Text : public std::string {
 public:
  Text() = default;
  Text(std::string_view marked);                                       // NOLINT(google-explicit-constructor)
  Text(const std::string& marked) : Text(std::string_view(marked)) {}  // NOLINT(google-explicit-constructor)
  Text(const char* marked) : Text(std::string_view(marked)) {}         // NOLINT(google-explicit-constructor)

  [[nodiscard]] const std::vector<Mention>& mentions() const { return mentions_; }
  [[nodiscard]] std::string spelled(const Spelling& spelling) const;
  /// An option that goes by another name here. Only `spelled` shows it.
  void rename(std::string_view option, std::string_view here);

 private:
  std::vector<Mention> mentions_{};
};

/// For gtest, which would print it letter by letter.
void PrintTo(const Text& text, std::ostream* out);  // NOLINT(readability-identifier-naming)

}  // namespace fairstep
