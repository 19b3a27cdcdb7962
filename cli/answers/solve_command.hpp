// What the explorer's page asks, as command lines that make the same policy.
#pragma once

#include <string>

#include <fairstep/explore/question.hpp>

namespace fairstep::cli {

/// As a shell takes it, whatever is in it.
[[nodiscard]] std::string in_shell(const std::string& text);

/// `fairstep solve model.json --fairness dp --limit 0.05 --no-proof -o policy.json`; of counts after the `fairstep fit`
/// that makes their model, in a line of its own.
[[nodiscard]] std::string solve_command(const std::string& file, bool counts, const ExploreQuestion& question,
                                        bool proof);

}  // namespace fairstep::cli
