// --help, set out for a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "shell/page.hpp"

namespace fairstep::cli {

/// The page of the command itself: its verbs.
[[nodiscard]] std::string help_of_command(const Page& command, std::size_t width);

[[nodiscard]] std::string help_of_verb(const Page& verb, std::size_t width);

}  // namespace fairstep::cli
