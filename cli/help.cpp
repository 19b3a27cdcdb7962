#include "help.hpp"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "table.hpp"

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
std::string how_to_write(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += fmt::format("{}-{}", names.empty() ? "" : ", ", name);
  for (const std::string& name : option.get_lnames()) names += fmt::format("{}--{}", names.empty() ? "" : ", ", name);
  if (option.get_items_expected_max() > 0 && !option.get_type_name().empty()) names += " " + option.get_type_name();
  return names;
}

std::string what_it_does(const CLI::Option& option) {
  if (option.get_default_str().empty()) return option.get_description();
  return fmt::format("{} (default {})", option.get_description(), option.get_default_str());
}

std::vector<Entry> list(const std::vector<Verb>& verbs) {
  std::vector<Entry> entries;
  for (const Verb& verb : verbs) entries.emplace_back(verb.name, verb.summary);
  return entries;
}

}  // namespace

std::string help_page(const std::vector<Verb>& verbs, std::size_t width) {
  std::string out = "fairstep - decision policies that are fair between groups at every step\n";
  out += "\nusage: fairstep VERB [options]\n";
  out += section("verbs", list(verbs), width);
  out += section(
      "options",
      {{"-h, --help", "this page; fairstep VERB --help for a verb's own"}, {"--version", "print the version"}}, width);
  out += examples({"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
                   "fairstep evaluate fico.json half.json"});
  return out;
}

std::string help_page(const Verb& verb, const CLI::App& app, const std::string& name, std::size_t width) {
  std::vector<Entry> arguments;
  std::vector<Entry> options;
  std::string call = name;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      const bool many = option->get_items_expected_max() > 1;
      call += fmt::format(" {}{}", option->get_name(true, false), many ? "..." : "");
      arguments.emplace_back(option->get_name(true, false), option->get_description());
    } else {
      options.emplace_back(how_to_write(*option), what_it_does(*option));
    }
  }
  if (!verb.children.empty()) call += " NAME";
  // The help flag is declared first; it reads better last.
  if (options.size() > 1) std::rotate(options.begin(), options.begin() + 1, options.end());

  std::string out = wrap(fmt::format("{} - {}", name, verb.summary), width);
  out += fmt::format("\nusage: {} [options]\n", call);
  if (!verb.about.empty()) out += "\n" + wrap(verb.about, width);
  out += section("arguments", arguments, width);
  out += section("names", list(verb.children), width);
  out += section("options", options, width);
  out += examples(verb.examples);
  return out;
}

}  // namespace fairstep::cli
