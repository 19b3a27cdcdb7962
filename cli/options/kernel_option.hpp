// By which periods next states are counted: --kernel of count, simulate and fit.
#pragma once

#include <optional>
#include <string>

#include <fairstep/core/periods.hpp>

#include "shell/options.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

struct KernelOption {
  std::optional<std::string> text{};

  void declare(Options& options, const std::string& help);
  /// What was asked for, if anything was.
  [[nodiscard]] Result<std::optional<KernelChoice>> choice() const;
};

}  // namespace fairstep::cli
