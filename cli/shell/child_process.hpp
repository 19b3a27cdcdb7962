// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

namespace fairstep::cli {

struct ChildResult {
  bool found = true;     ///< false: there is no such program
  int code = 0;          ///< its exit code; 128 + the signal that ended it
  std::string errors{};  ///< what it wrote to stderr; stdout is thrown away
};

/// `words[0]` is looked for in PATH.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& words);

}  // namespace fairstep::cli
