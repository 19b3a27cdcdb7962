#include "shell/help.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/table.hpp"

namespace fairstep::cli {
namespace {

using Entry = std::pair<std::string, std::string>;  // what to write, what it does

/// Two columns; an entry too wide for the first stands on a line of its own.
std::string section(const std::string& title, const std::vector<Entry>& entries, std::size_t width) {
  if (entries.empty()) return {};
  constexpr std::size_t kWidest = 26;
  std::size_t column = 0;
  for (const auto& [word, help] : entries)
    if (display_width(word) <= kWidest) column = std::max(column, display_width(word));
  const std::size_t indent = 2 + column + 2;
  std::string out = fmt::format("\n{}:\n", title);
  for (const auto& [word, help] : entries) {
    std::string wrapped = wrap(help, width, indent);
    if (display_width(word) <= column)
      wrapped.replace(0, std::min(indent, wrapped.size()), fmt::format("  {:<{}}  ", word, column));
    else
      out += fmt::format("  {}\n", word);
    out += wrapped;
  }
  return out;
}

std::string examples(const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = lines.size() == 1 ? "\nexample:\n" : "\nexamples:\n";
  for (const std::string& line : lines) out += fmt::format("  {}\n", line);
  return out;
}

/// `-o, --output FILE`
std::string how_to_write(const OptionEntry& option) {
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  return option.value.placeholder.empty() ? names : names + " " + option.value.placeholder;
}

std::string what_it_does(const OptionEntry& option) {
  return option.standard.empty() ? option.help : fmt::format("{} (default {})", option.help, option.standard);
}

std::vector<Entry> list(const std::vector<Page>& verbs) {
  std::vector<Entry> entries;
  for (const Page& verb : verbs) entries.emplace_back(verb.name, verb.summary);
  return entries;
}

/// What one wants to do, and the verbs for it.
struct Role {
  const char* title;
  std::vector<std::string_view> verbs;
};

const std::vector<Role>& roles() {
  static const std::vector<Role> all{
      {"populations and policies", {"env", "policy", "evaluate", "compare", "simulate"}},
      {"data about people", {"count", "merge", "diagnose", "audit", "monitor", "fit"}},
      {"the best fair policy", {"solve", "pareto", "alternative", "explore", "export"}},
      {"proofs", {"certify", "check", "certificate"}},
      {"learning", {"learn", "experiment", "report", "plot"}},
      {"files", {"show", "validate"}},
  };
  return all;
}

/// The verbs by their roles, and last those that have none.
std::string verbs_by_role(const std::vector<Page>& verbs, std::size_t width) {
  std::vector<Page> left = verbs;
  std::string out;
  for (const Role& role : roles()) {
    std::vector<Page> its;
    for (const std::string_view name : role.verbs) {
      const auto found = std::find_if(left.begin(), left.end(), [&](const Page& verb) { return verb.name == name; });
      if (found == left.end()) continue;  // built without it
      its.push_back(std::move(*found));
      left.erase(found);
    }
    out += section(role.title, list(its), width);
  }
  return out + section("the command itself", list(left), width);
}

}  // namespace

std::string help_of_command(const Page& command, std::size_t width) {
  std::string out = fmt::format("{} - {}\n", command.name, command.summary);
  out += fmt::format("\nusage: {} VERB [options]\n", command.call);
  out += verbs_by_role(command.children, width);
  out += section(
      "options",
      {{"-h, --help", "this page; fairstep VERB --help for a verb's own"}, {"-V, --version", "print the version"}},
      width);
  out += examples(command.examples);
  return out;
}

std::string help_of_verb(const Page& verb, std::size_t width) {
  std::vector<Entry> arguments;
  for (const ArgumentEntry& argument : verb.arguments) arguments.emplace_back(argument.name, argument.help);
  std::vector<Entry> options;
  for (const OptionEntry& option : verb.options) options.emplace_back(how_to_write(option), what_it_does(option));

  std::string out = wrap(fmt::format("{} - {}", verb.call, verb.summary), width);
  out += fmt::format("\nusage: {}\n", verb.usage());
  if (!verb.about.empty()) out += "\n" + wrap(verb.about, width);
  out += section("arguments", arguments, width);
  out += section("names", list(verb.children), width);
  out += section("options", options, width);
  out += examples(verb.examples);
  return out;
}

}  // namespace fairstep::cli
