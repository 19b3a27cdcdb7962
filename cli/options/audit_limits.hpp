// What an audit looks at and what it judges: --fairness, --limit and --reference of audit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/fairness.hpp>

#include "shell/options.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

/// What is asked of an audit.
struct AuditQuestion {
  std::vector<Notion> notions{};
  std::optional<std::size_t> reference{};
  Fairness limits{};  ///< nothing, if no limit was given
};

struct AuditLimits {
  std::vector<std::string> notions{};  ///< dp, ..., eqopt-ratio or a file
  std::optional<double> limit{};
  std::optional<std::string> reference{};

  void declare(Options& options);
  [[nodiscard]] Result<AuditQuestion> question(const Counts& counts) const;
};

}  // namespace fairstep::cli
