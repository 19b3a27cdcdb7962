// The whole command as one text: a manual page, a chapter for the documentation, or data for programs.
#pragma once

#include <string>

#include "shell/page.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

/// fairstep(1), in the man macros of roff.
[[nodiscard]] std::string manual_in_roff(const Page& command, const std::string& version);

/// A section for each verb, with its options as a table.
[[nodiscard]] std::string manual_in_markdown(const Page& command);

/// Keys of `fairstep/manual/1`: `verbs`, `shared_options`, `exit_codes`.
[[nodiscard]] Json manual_in_json(const Page& command);

}  // namespace fairstep::cli
