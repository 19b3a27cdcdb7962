// The command from its words to its exit code: read the words, run the verb, write what it answers.
#pragma once

#include <string>
#include <vector>

#include "shell/failure.hpp"

namespace fairstep::cli {

/// `words` are the arguments after the program's name. Writes to stdout and stderr, and throws nothing.
[[nodiscard]] ExitCode run(const std::vector<std::string>& words) noexcept;

}  // namespace fairstep::cli
