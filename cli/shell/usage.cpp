#include "shell/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/suggest.hpp>

namespace fairstep::cli {
namespace {

Failure trouble(Text message, Text hint) { return {Trouble::usage, {std::move(message), {}, {}, std::move(hint)}}; }

std::string near_to(const std::string& word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return std::string(nearest(word, candidates));
}

std::string see_help(const Node& node) { return fmt::format("see {} --help", node.call); }

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

/// `--people` of `--people=1000`.
std::string name_of(const std::string& word) { return word.substr(0, word.find('=')); }

std::vector<std::string> option_names(const Node& node) {
  std::vector<std::string> names;
  for (const CLI::Option* option : node.app->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The call of some other verb that has the option, or nothing.
std::string who_has(const Node& node, const std::string& option, const Node& except) {
  if (&node != &except && node.parent != nullptr && node.app->get_option_no_throw(option) != nullptr) return node.call;
  for (const auto& child : node.children)
    if (const std::string call = who_has(*child, option, except); !call.empty()) return call;
  return {};
}

Failure unknown_option(const Tree& tree, const Node& node, const std::string& word) {
  const std::string name = name_of(word);
  const std::string message = fmt::format("{} has no option {}", node.call, name);
  const std::string owner = who_has(tree.root(), name, node);
  if (!owner.empty() && !node.children.empty())
    return trouble(message, fmt::format("options come after the {}, as in {} {}",
                                        node.parent == nullptr ? "verb" : "name", owner, name));
  if (!owner.empty() && name == "--weight")
    return trouble(message,
                   fmt::format("weights are taken by {} alone, of a log: a certificate, and the counts that it "
                               "is made of, need people who were drawn from the population, each for one",
                               owner));
  if (!owner.empty()) return trouble(message, fmt::format("it is an option of {}; {}", owner, see_help(node)));
  const std::string near = near_to(name, option_names(node));
  if (!near.empty()) return trouble(message, fmt::format("did you mean {}? {}", near, see_help(node)));
  return trouble(message, see_help(node));
}

/// An option at the very end that should be followed by its value.
const CLI::Option* wants_a_value(const Node& node, const std::vector<std::string>& words) {
  if (words.empty() || !is_option(words.back())) return nullptr;
  const CLI::Option* option = node.app->get_option_no_throw(words.back());
  return option != nullptr && option->get_items_expected_min() > 0 ? option : nullptr;
}

std::vector<std::string> missing_arguments(const Node& node) {
  std::vector<std::string> names;
  for (const CLI::Option* option : node.app->get_options())
    if (option->get_required() && option->count() == 0) names.push_back(option->get_name(true, false));
  return names;
}

}  // namespace

std::optional<Failure> find_unknown_verb(const Tree& tree, const std::vector<std::string>& words) {
  const Node* node = &tree.root();
  for (const std::string& word : words) {
    if (node->children.empty() || is_option(word)) return std::nullopt;
    const Node* child = node->child(word);
    if (child != nullptr) {
      node = child;
      continue;
    }
    std::vector<std::string> names;
    for (const auto& candidate : node->children) names.push_back(candidate->verb.name);
    const std::string near = near_to(word, names);
    const bool verb = node->parent == nullptr;
    return trouble(
        fmt::format("\"{}\" is not a {}", word, verb ? "verb of fairstep" : "name that " + node->call + " knows"),
        near.empty() ? fmt::format("one of {}", fmt::join(names, ", "))
                     : fmt::format("did you mean {} {}?", node->call, near));
  }
  return std::nullopt;
}

Failure explain_refusal(const Tree& tree, const std::vector<std::string>& words, const std::string& reason) {
  const Node& node = tree.chosen();
  for (const Node* at = &node; at != nullptr; at = at->parent)
    for (const std::string& word : at->app->remaining())
      if (is_option(word)) return unknown_option(tree, *at, word);
  if (const CLI::Option* option = wants_a_value(node, words))
    return trouble(fmt::format("{} needs a value: {} {}", words.back(), words.back(), option->get_type_name()),
                   see_help(node));
  if (const auto missing = missing_arguments(node); !missing.empty())
    return trouble(fmt::format("{} needs {}", node.call, fmt::join(missing, " and ")), see_help(node));
  if (const auto unread = node.app->remaining(); !unread.empty())
    return trouble(fmt::format("{} has no use for \"{}\"", node.call, unread.front()), see_help(node));
  return trouble(reason, see_help(node));
}

Failure explain_bad_value(const Tree& tree, const std::string& complaint) {
  return trouble(complaint, see_help(tree.chosen()));
}

}  // namespace fairstep::cli
