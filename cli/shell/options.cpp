#include "shell/options.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

std::string describe(Between range) {
  const bool from = range.least > 0;
  const bool to = range.most != std::numeric_limits<std::uint64_t>::max();
  if (from && to) return fmt::format(" between {} and {}", range.least, range.most);
  if (from) return fmt::format(" of at least {}", range.least);
  if (to) return fmt::format(" of at most {}", range.most);
  return {};
}

template <class Target>
auto take_whole(Target& target, Between range) {
  return [&target, range](const std::string& text) -> std::optional<std::string> {
    const auto value = parse_whole(text);
    if (!value || *value < range.least || *value > range.most)
      return fmt::format("a whole number{}, such as 1000, 1e6 or 2^18", describe(range));
    const auto number = *value;
    target = number;
    return std::nullopt;
  };
}

template <class Target>
auto take_number(Target& target) {
  return [&target](const std::string& text) -> std::optional<std::string> {
    const auto value = parse_number(text);
    if (!value) return "a number such as 0.5";
    const auto number = *value;
    target = number;
    return std::nullopt;
  };
}

constexpr const char* kExpectedNumbers = "numbers separated by commas, such as 0.1,0.9";

}  // namespace

CLI::Option& Options::add(const std::string& names, const std::string& placeholder, const std::string& help,
                          bool repeatable, Take take) {
  // The name as given in complaints: the last one, `--output` of `-o,--output`.
  const std::string name = names.substr(names.rfind(',') + 1);
  CLI::Option* option =
      app_.add_option(names, CLI::callback_t([name, repeatable, take = std::move(take)](const CLI::results_t& given) {
                        if (!repeatable && given.size() > 1)
                          throw BadValue(fmt::format("{} is given {} times, expected once", name, given.size()));
                        for (const std::string& text : given)
                          if (const auto expected = take(text))
                            throw BadValue(fmt::format("{} is \"{}\", expected {}", name, text, *expected));
                        return true;
                      }),
                      help);
  option->type_name(placeholder);
  option->expected(1);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (repeatable) repeatable_.push_back(name);
  return *option;
}

void Options::positional(const std::string& name, std::string& value, const std::string& help) {
  add(name, "", help, false, [&value](const std::string& text) {
    value = text;
    return std::nullopt;
  }).required();
  files_.push_back({name, false, [&value] { return std::vector{value}; }});
}

CLI::Option& Options::add_positionals(const std::string& name, std::vector<std::string>& values,
                                      const std::string& help) {
  files_.push_back({name, false, [&values] { return values; }});
  return *add(name, "", help, true,
              [&values](const std::string& text) {
                values.push_back(text);
                return std::nullopt;
              })
              .expected(-1)
              ->allow_extra_args();
}

void Options::positionals(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  add_positionals(name, values, help).required();
}

void Options::optional_positionals(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  add_positionals(name, values, help);
}

void Options::flag(const std::string& names, bool& on, const std::string& help) { app_.add_flag(names, on, help); }

void Options::text(const std::string& names, std::optional<std::string>& value, const std::string& placeholder,
                   const std::string& help) {
  add(names, placeholder, help, false, [&value](const std::string& text) {
    value = text;
    return std::nullopt;
  });
  if (placeholder == "FILE")
    files_.push_back({names, false, [&value] { return value ? std::vector{*value} : std::vector<std::string>{}; }});
}

void Options::texts(const std::string& names, std::vector<std::string>& values, const std::string& placeholder,
                    const std::string& help) {
  add(names, placeholder, help, true, [&values](const std::string& text) {
    values.push_back(text);
    return std::nullopt;
  });
  if (placeholder.ends_with("FILE")) files_.push_back({names, false, [&values] { return values; }});
}

void Options::choice(const std::string& names, std::optional<std::string>& value,
                     const std::vector<std::string>& allowed, const std::string& help) {
  choose(names, allowed, help, [&value](std::string_view word) { value = word; }, value.value_or(""));
}

void Options::choose(const std::string& names, const std::vector<std::string>& allowed, const std::string& help,
                     std::function<void(std::string_view)> take, const std::string& shown) {
  add(names, fmt::format("{}", fmt::join(allowed, "|")), help, false,
      [take = std::move(take), allowed](const std::string& text) -> std::optional<std::string> {
        if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
          return fmt::format("{}", fmt::join(allowed, " or "));
        take(text);
        return std::nullopt;
      })
      .default_str(shown);
}

void Options::choose_several(const std::string& names, const std::vector<std::string>& allowed, const std::string& help,
                             std::function<void(const std::vector<std::string>&)> take, const std::string& shown) {
  add(names, fmt::format("{}", fmt::join(allowed, ",")), help, false,
      [take = std::move(take), allowed](const std::string& text) -> std::optional<std::string> {
        const auto parts = split_list(text);
        const auto known = [&](const std::string& word) {
          return std::find(allowed.begin(), allowed.end(), word) != allowed.end();
        };
        if (!parts || !std::all_of(parts->begin(), parts->end(), known))
          return fmt::format("{}, or several of them with commas", fmt::join(allowed, " or "));
        take(*parts);
        return std::nullopt;
      })
      .default_str(shown);
}

void Options::whole(const std::string& names, std::uint64_t& value, const std::string& help, Between range) {
  add(names, "N", help, false, take_whole(value, range)).default_str(std::to_string(value));
}

void Options::whole(const std::string& names, std::optional<std::uint64_t>& value, const std::string& help,
                    Between range) {
  add(names, "N", help, false, take_whole(value, range));
}

void Options::count(const std::string& names, std::size_t& value, const std::string& help) {
  add(names, "N", help, false, take_whole(value, {0, std::uint64_t{1} << 32})).default_str(std::to_string(value));
}

void Options::number(const std::string& names, double& value, const std::string& help) {
  add(names, "NUMBER", help, false, take_number(value)).default_str(fmt::format("{}", value));
}

void Options::number(const std::string& names, std::optional<double>& value, const std::string& help) {
  add(names, "NUMBER", help, false, take_number(value));
}

void Options::numbers(const std::string& names, std::vector<double>& values, const std::string& help) {
  CLI::Option& option =
      add(names, "LIST", help, false, [&values](const std::string& text) -> std::optional<std::string> {
        auto read = parse_numbers(text);
        if (!read) return kExpectedNumbers;
        values = std::move(*read);
        return std::nullopt;
      });
  if (!values.empty()) option.default_str(fmt::format("{}", fmt::join(values, ",")));
}

void Options::rows(const std::string& names, std::vector<std::vector<double>>& rows, const std::string& help) {
  // The first row that is given replaces the default.
  add(names, "LIST", help, true, [&rows, given = false](const std::string& text) mutable -> std::optional<std::string> {
    auto read = parse_numbers(text);
    if (!read) return kExpectedNumbers;
    if (!std::exchange(given, true)) rows.clear();
    rows.push_back(std::move(*read));
    return std::nullopt;
  });
}

void Options::words(const std::string& names, std::vector<std::string>& values, const std::string& help,
                    const std::vector<std::string>& known) {
  const std::string placeholder = known.empty() ? "LIST" : fmt::format("{}", fmt::join(known, ","));
  CLI::Option& option =
      add(names, placeholder, help, false, [&values](const std::string& text) -> std::optional<std::string> {
        auto parts = split_list(text);
        if (!parts) return "names separated by commas";
        values = std::move(*parts);
        return std::nullopt;
      });
  if (!values.empty()) option.default_str(fmt::format("{}", fmt::join(values, ",")));
}

void Options::output(std::optional<std::string>& file, const std::string& help, const std::string& names) {
  add(names, "FILE", help, false, [&file](const std::string& text) -> std::optional<std::string> {
    if (text.empty()) return "a file name";
    file = text;
    return std::nullopt;
  });
  files_.push_back({names.substr(names.rfind(',') + 1), true,
                    [&file] { return file ? std::vector{*file} : std::vector<std::string>{}; }});
}

void Options::seed(std::uint64_t& seed) { whole("--seed", seed, "seed of the draws: same seed, same bytes"); }

void Options::progress(std::optional<std::string>& wanted) {
  choice("--progress", wanted, {"auto", "bar", "plain", "json", "none"}, "how to show progress on stderr");
}

void Options::threads(std::uint64_t& threads) {
  add("--threads", "N", "threads to use; they change nothing but the time", false, take_whole(threads, {1, 4096}))
      .default_str("one per core");
}

void Options::common() {
  // Without a target: run.cpp asks the tree whether they were given.
  app_.add_flag("--json")->description("answer with one JSON document on stdout, on failure too");
  app_.add_flag("-q,--quiet")->description("nothing but the answer and errors; with --output nothing but errors");
}

unsigned threads_or_cores(std::uint64_t threads) {
  return threads > 0 ? static_cast<unsigned>(threads) : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace fairstep::cli
