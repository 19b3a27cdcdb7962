// --time-limit of verbs that do not search.
#pragma once

#include <optional>
#include <string>

#include "shell/options.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

struct TimeLimit {
  std::optional<double> seconds{};

  void declare(Options& options, const std::string& help);
  /// A failure if it is given and is no time.
  [[nodiscard]] Result<void> check() const;
};

}  // namespace fairstep::cli
