// What is wrong with a command line, with the word that was probably meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shell/failure.hpp"
#include "shell/tree.hpp"

namespace fairstep::cli {

/// A first word that is no verb (or no name under a verb that has names), before anything is parsed.
[[nodiscard]] std::optional<Failure> find_unknown_verb(const Tree& tree, const std::vector<std::string>& words);

/// Why CLI11 refused the words. `reason` is its own sentence, used when we have no better one.
[[nodiscard]] Failure explain_refusal(const Tree& tree, const std::vector<std::string>& words,
                                      const std::string& reason);

/// A value that an option could not read.
[[nodiscard]] Failure explain_bad_value(const Tree& tree, const std::string& complaint);

}  // namespace fairstep::cli
