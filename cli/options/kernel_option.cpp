#include "options/kernel_option.hpp"

#include "shell/failure.hpp"

namespace fairstep::cli {

void KernelOption::declare(Options& options, const std::string& help) {
  options.text("--kernel", text, "pooled|per-step|NAME=STEP,...", help);
}

Result<std::optional<KernelChoice>> KernelOption::choice() const {
  if (!text) return std::nullopt;
  const auto read = KernelChoice::parse(*text);
  if (!read) return usage(read.error());
  return *read;
}

}  // namespace fairstep::cli
