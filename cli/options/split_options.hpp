// The options of every verb that makes counts of people who are split: two parts, each a file.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/part.hpp>

#include "shell/options.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

struct SplitOptions {
  std::optional<double> share{};
  std::optional<std::string> audit_file{};

  void declare(Options& options);
  /// How to split, if it is asked for. The design part goes to the verb's output.
  [[nodiscard]] Result<std::optional<Split>> split(const std::optional<std::uint64_t>& seed,
                                                   const std::optional<std::string>& output) const;
};

/// Writes both parts or neither; notes say which is where.
[[nodiscard]] Result<void> write_parts(const Counts& design, const std::string& design_file, const Counts& audit,
                                       const std::string& audit_file, std::vector<std::string>& notes);

}  // namespace fairstep::cli
