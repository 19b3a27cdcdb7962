// How a verb declares what it takes. The declarations live in a CLI11 tree, from which help, completions and the manual
// page are made; values are read here, so that every complaint has the same form: what was given, what is expected.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/words.hpp>

#include "shell/cli11.hpp"
#include "shell/file_use.hpp"

namespace fairstep::cli {

/// A value that cannot be read; travels through CLI11 to run.cpp.
struct BadValue : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What whole numbers an option takes.
struct Between {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// Names are as in `-o,--output`; a target keeps its value, shown in --help as the default, unless the option is given.
/// Targets must outlive the parsing.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}

  /// A word without a dash that must be given, such as MODEL.
  void positional(const std::string& name, std::string& value, const std::string& help);
  /// One or more of them.
  void positionals(const std::string& name, std::vector<std::string>& values, const std::string& help);
  /// Any number of them, or none.
  void optional_positionals(const std::string& name, std::vector<std::string>& values, const std::string& help);

  void flag(const std::string& names, bool& on, const std::string& help);
  void text(const std::string& names, std::optional<std::string>& value, const std::string& placeholder,
            const std::string& help);
  /// May be given several times.
  void texts(const std::string& names, std::vector<std::string>& values, const std::string& placeholder,
             const std::string& help);
  void choice(const std::string& names, std::optional<std::string>& value, const std::vector<std::string>& allowed,
              const std::string& help);
  /// A value by its word; help lists `allowed`, or all that there are.
  template <Worded E>
  void choice(const std::string& names, E& value, const std::string& help, const std::vector<E>& allowed = every<E>()) {
    choose(
        names, words_for(allowed), help, [&value](std::string_view word) { value = *named<E>(word); }, name_of(value));
  }
  template <Worded E>
  void choice(const std::string& names, std::optional<E>& value, const std::string& help,
              const std::vector<E>& allowed = every<E>()) {
    choose(names, words_for(allowed), help, [&value](std::string_view word) { value = named<E>(word); });
  }
  /// Several values with commas, each taken once, in the order given.
  template <Worded E>
  void choices(const std::string& names, std::vector<E>& values, const std::string& help) {
    const std::string shown = fmt::format("{}", fmt::join(words_for(values), ","));
    choose_several(
        names, words_for(every<E>()), help,
        [&values](const std::vector<std::string>& words) {
          values.clear();
          for (const std::string& word : words)
            if (const E value = *named<E>(word); std::find(values.begin(), values.end(), value) == values.end())
              values.push_back(value);
        },
        shown);
  }
  void whole(const std::string& names, std::uint64_t& value, const std::string& help, Between range = {});
  void whole(const std::string& names, std::optional<std::uint64_t>& value, const std::string& help,
             Between range = {});
  /// A size; at least 0 and at most 2^32, so that products of sizes can be checked.
  void count(const std::string& names, std::size_t& value, const std::string& help);
  void number(const std::string& names, double& value, const std::string& help);
  void number(const std::string& names, std::optional<double>& value, const std::string& help);
  /// `0.1,0.9`
  void numbers(const std::string& names, std::vector<double>& values, const std::string& help);
  /// `0.1,0.9` once for each row.
  void rows(const std::string& names, std::vector<std::vector<double>>& rows, const std::string& help);
  /// `white,black`; `known` are names that one may choose from, if there is such a list.
  void words(const std::string& names, std::vector<std::string>& values, const std::string& help,
             const std::vector<std::string>& known = {});

  /// -o,--output FILE, or another name
  void output(std::optional<std::string>& file, const std::string& help, const std::string& names = "-o,--output");
  /// --seed, the same words everywhere.
  void seed(std::uint64_t& seed);
  /// --progress, whose word `progress_mode` understands.
  void progress(std::optional<std::string>& wanted);
  /// --threads; 0 stands for one per core.
  void threads(std::uint64_t& threads);
  /// --json and --quiet, which run.cpp reads for every verb.
  void common();

  /// What may name a file: positionals and options that take a FILE are read, outputs are written.
  [[nodiscard]] const std::vector<FileUse>& files() const { return files_; }

  /// Names of the options that may be given several times, which CLI11 is not told.
  [[nodiscard]] const std::vector<std::string>& repeatable() const { return repeatable_; }

 private:
  /// `take` says what it expected if it cannot use the text, and nothing if it could.
  using Take = std::function<std::optional<std::string>(const std::string&)>;
  CLI::Option& add(const std::string& names, const std::string& placeholder, const std::string& help, bool repeatable,
                   Take take);

  CLI::Option& add_positionals(const std::string& name, std::vector<std::string>& values, const std::string& help);

  /// `shown` is the default in --help.
  void choose(const std::string& names, const std::vector<std::string>& allowed, const std::string& help,
              std::function<void(std::string_view)> take, const std::string& shown = {});
  void choose_several(const std::string& names, const std::vector<std::string>& allowed, const std::string& help,
                      std::function<void(const std::vector<std::string>&)> take, const std::string& shown);

  template <Worded E>
  static std::vector<E> every() {
    const auto all = all_of<E>();
    return {all.begin(), all.end()};
  }
  template <Worded E>
  static std::vector<std::string> words_for(const std::vector<E>& values) {
    std::vector<std::string> words;
    for (const E value : values) words.emplace_back(name_of(value));
    return words;
  }

  CLI::App& app_;
  std::vector<std::string> repeatable_{};
  std::vector<FileUse> files_{};
};

/// What --threads asks for, or one per core if it asks for 0.
[[nodiscard]] unsigned threads_or_cores(std::uint64_t threads);

}  // namespace fairstep::cli
