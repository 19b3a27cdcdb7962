// The verbs as a CLI11 tree: what parsing, --help, completions and the manual page walk over.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shell/cli11.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

/// A verb, or the command itself, in the tree.
struct Node {
  Verb verb{};
  std::string call{};       ///< how it is called: `fairstep env fico`
  CLI::App* app = nullptr;  ///< owned by the tree's root
  Action action{};
  std::vector<std::string> repeatable{};  ///< options that may be given several times
  std::vector<FileUse> files{};
  const Node* parent = nullptr;
  std::vector<std::unique_ptr<Node>> children{};

  [[nodiscard]] const Node* child(const std::string& name) const;
};

class Tree {
 public:
  explicit Tree(std::vector<Verb> verbs);
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  [[nodiscard]] const Node& root() const { return root_; }
  /// Reads the words into the verbs' options; CLI11's exceptions and BadValue come out as they are.
  void parse(std::vector<std::string> words);
  /// The innermost verb that the last parse went into.
  [[nodiscard]] const Node& chosen() const;

 private:
  std::unique_ptr<CLI::App> app_;
  Node root_{};
};

/// Whether a flag such as `--json` was given to a verb or to one above it.
[[nodiscard]] bool flag_given(const Node& node, const std::string& flag);

}  // namespace fairstep::cli
