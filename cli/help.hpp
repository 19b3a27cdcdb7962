// --help, set out from the tree of verbs and options.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli11.hpp"
#include "verb.hpp"

namespace fairstep::cli {

/// The page of the command itself: its verbs.
[[nodiscard]] std::string help_page(const std::vector<Verb>& verbs, std::size_t width);

/// The page of a verb; `name` is how it is called, such as `fairstep env fico`.
[[nodiscard]] std::string help_page(const Verb& verb, const CLI::App& app, const std::string& name, std::size_t width);

}  // namespace fairstep::cli
