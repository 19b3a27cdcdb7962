#include "shell/page.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace fairstep::cli {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// A word to be typed as it stands, such as `two_sided`; `N` and `Ndays` stand for something else.
bool is_literal(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == '_';
  });
}

bool same_option(const OptionEntry& entry, const OptionEntry& other) {
  return entry.names == other.names && entry.help == other.help;
}

bool contains(const std::vector<OptionEntry>& entries, const OptionEntry& wanted) {
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return same_option(entry, wanted); });
}

OptionEntry option_entry(const Node& node, const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) entry.value = value_of(option.get_type_name());
  entry.help = option.get_description();
  entry.standard = option.get_default_str();
  entry.repeatable =
      std::find(node.repeatable.begin(), node.repeatable.end(), entry.names.back()) != node.repeatable.end();
  return entry;
}

ArgumentEntry argument_entry(const CLI::Option& option) {
  ArgumentEntry entry;
  entry.name = option.get_name(true, false);
  // An argument is a file unless it says that it is a folder.
  entry.value.placeholder = entry.name;
  entry.value.folder = entry.name == "FOLDER";
  entry.value.file = !entry.value.folder;
  entry.help = option.get_description();
  entry.repeatable = option.get_allow_extra_args();
  return entry;
}

void collect(const Page& page, std::vector<const Page*>& verbs) {
  for (const Page& child : page.children) {
    verbs.push_back(&child);
    collect(child, verbs);
  }
}

}  // namespace

Value value_of(const std::string& placeholder) {
  Value value;
  value.placeholder = placeholder;
  for (const std::string& part : split(placeholder, '|')) {
    std::vector<std::string> words = split(part, ',');
    if (part == "FILE") value.file = true;
    if (part == "FOLDER") value.folder = true;
    if (!std::all_of(words.begin(), words.end(), is_literal)) continue;
    auto& into = words.size() > 1 ? value.listed : value.words;
    std::move(words.begin(), words.end(), std::back_inserter(into));
  }
  return value;
}

std::string Page::usage() const {
  std::string line = call;
  for (const ArgumentEntry& argument : arguments)
    line += fmt::format(" {}{}", argument.name, argument.repeatable ? "..." : "");
  if (!children.empty()) line += " NAME";
  return line + " [options]";
}

Page page_of(const Node& node) {
  Page page;
  page.name = node.verb.name;
  page.call = node.call;
  page.summary = node.verb.summary;
  page.about = node.verb.about;
  page.examples = node.verb.examples;
  for (const CLI::Option* option : node.app->get_options()) {
    if (option->get_positional())
      page.arguments.push_back(argument_entry(*option));
    else
      page.options.push_back(option_entry(node, *option));
  }
  // The help flag is declared first; it reads better last.
  if (page.options.size() > 1) std::rotate(page.options.begin(), page.options.begin() + 1, page.options.end());
  for (const auto& child : node.children) page.children.push_back(page_of(*child));
  return page;
}

std::vector<const Page*> verbs_of(const Page& command) {
  std::vector<const Page*> verbs;
  collect(command, verbs);
  return verbs;
}

std::vector<OptionEntry> shared_options(const Page& command) {
  const auto verbs = verbs_of(command);
  std::vector<OptionEntry> shared;
  if (verbs.empty()) return shared;
  for (const OptionEntry& entry : verbs.front()->options)
    if (std::all_of(verbs.begin(), verbs.end(), [&](const Page* verb) { return contains(verb->options, entry); }))
      shared.push_back(entry);
  return shared;
}

std::vector<OptionEntry> own_options(const Page& verb, const std::vector<OptionEntry>& shared) {
  std::vector<OptionEntry> own;
  std::copy_if(verb.options.begin(), verb.options.end(), std::back_inserter(own),
               [&](const OptionEntry& entry) { return !contains(shared, entry); });
  return own;
}

}  // namespace fairstep::cli
