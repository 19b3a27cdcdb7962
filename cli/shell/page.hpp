// What the command takes, verb by verb, as plain data. Read off the tree that also does the parsing, so that --help,
// completions, the manual page and the reference cannot say anything else.
#pragma once

#include <string>
#include <vector>

#include "shell/tree.hpp"

namespace fairstep::cli {

/// What may stand behind an option or in the place of an argument, by its placeholder: `dp,eqopt|none|FILE` is words in
/// small letters, with commas between those that may be joined, and in capitals everything else.
struct Value {
  std::string placeholder{};          ///< empty for an option that stands alone
  std::vector<std::string> listed{};  ///< words that may be joined by commas
  std::vector<std::string> words{};   ///< words that stand alone
  bool file = false;
  bool folder = false;
};

struct OptionEntry {
  std::vector<std::string> names{};  ///< `-o`, `--output`
  Value value{};
  std::string help{};
  std::string standard{};   ///< what holds if it is left out, or empty
  bool repeatable = false;  ///< may be given several times
};

struct ArgumentEntry {
  std::string name{};
  Value value{};
  std::string help{};
  bool repeatable = false;
};

struct Page {
  std::string name{};
  std::string call{};  ///< `fairstep env fico`
  std::string summary{};
  std::string about{};
  std::vector<ArgumentEntry> arguments{};
  std::vector<OptionEntry> options{};
  std::vector<std::string> examples{};
  std::vector<Page> children{};

  /// `fairstep solve MODEL [options]`
  [[nodiscard]] std::string usage() const;
};

/// The page of a verb and of all below it.
[[nodiscard]] Page page_of(const Node& node);

[[nodiscard]] Value value_of(const std::string& placeholder);

/// Every page of a book, verbs before their children, the command itself left out.
[[nodiscard]] std::vector<const Page*> verbs_of(const Page& command);

/// The options that all verbs have, in the same words.
[[nodiscard]] std::vector<OptionEntry> shared_options(const Page& command);
/// The options of a verb that are not shared.
[[nodiscard]] std::vector<OptionEntry> own_options(const Page& verb, const std::vector<OptionEntry>& shared);

}  // namespace fairstep::cli
