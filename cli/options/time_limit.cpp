#include "options/time_limit.hpp"

#include <fmt/format.h>

namespace fairstep::cli {

void TimeLimit::declare(Options& options, const std::string& help) { options.number("--time-limit", seconds, help); }

Result<void> TimeLimit::check() const {
  if (!seconds || *seconds > 0) return {};
  return usage(fmt::format("--time-limit is {}, expected more than 0 seconds", *seconds));
}

}  // namespace fairstep::cli
