// Completion scripts for shells, made from the pages of the command: verbs, options, their words, files elsewhere.
#pragma once

#include <string>

#include "shell/page.hpp"

namespace fairstep::cli {

/// For bash 4 or newer; needs no other package.
[[nodiscard]] std::string bash_completion(const Page& command);

/// For zsh's completion system: a file `_fairstep` in a folder of $fpath.
[[nodiscard]] std::string zsh_completion(const Page& command);

/// For fish: a file `fairstep.fish` in its folder of completions.
[[nodiscard]] std::string fish_completion(const Page& command);

}  // namespace fairstep::cli
