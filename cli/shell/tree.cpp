#include "shell/tree.hpp"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

namespace fairstep::cli {
namespace {

void grow(Node& node, std::vector<Verb> verbs) {
  for (Verb& verb : verbs) {
    auto child = std::make_unique<Node>();
    child->call = node.call + " " + verb.name;
    child->parent = &node;
    child->app = node.app->add_subcommand(verb.name, verb.summary);
    child->app->set_help_flag("-h,--help", "show this help");
    Options options(*child->app);
    child->action = verb.declare(options);
    child->repeatable = options.repeatable();
    child->files = options.files();
    child->verb = std::move(verb);
    grow(*child, child->verb.children);
    node.children.push_back(std::move(child));
  }
  // At most one: a file named like a verb must stay a file.
  if (!node.children.empty()) node.app->require_subcommand(0, 1);
}

}  // namespace

const Node* Node::child(const std::string& name) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const auto& candidate) { return candidate->verb.name == name; });
  return found == children.end() ? nullptr : found->get();
}

Tree::Tree(std::vector<Verb> verbs) : app_(std::make_unique<CLI::App>("", "fairstep")) {
  root_.app = app_.get();
  root_.call = "fairstep";
  root_.verb.name = "fairstep";
  root_.verb.summary = "decision policies that are fair between groups at every step";
  root_.verb.examples = {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
                         "fairstep evaluate fico.json half.json"};
  root_.verb.children = verbs;
  app_->set_help_flag("-h,--help", "show this help");
  app_->add_flag("-V,--version")->description("print the version");
  grow(root_, std::move(verbs));
}

Tree::~Tree() = default;

void Tree::parse(std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  app_->parse(std::move(words));
}

const Node& Tree::chosen() const {
  const Node* node = &root_;
  while (true) {
    const auto below = std::find_if(node->children.begin(), node->children.end(),
                                    [](const auto& child) { return child->app->parsed(); });
    if (below == node->children.end()) return *node;
    node = below->get();
  }
}

bool flag_given(const Node& node, const std::string& flag) {
  for (const Node* at = &node; at != nullptr; at = at->parent) {
    const CLI::Option* option = at->app->get_option_no_throw(flag);
    if (option != nullptr && option->count() > 0) return true;
  }
  return false;
}

}  // namespace fairstep::cli
