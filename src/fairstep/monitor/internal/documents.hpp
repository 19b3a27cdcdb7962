// The documents of a state's folder: what is asked, and one for each day.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/monitor/monitor.hpp>

namespace fairstep::internal {

/// fairstep/monitor/1, sealed.
[[nodiscard]] std::string to_text(const MonitorQuestion& question);
/// An error unless it is, to the byte, what `to_text` makes of it.
[[nodiscard]] Expected<MonitorQuestion> question_from(std::string_view text);

/// fairstep/monitor-day/1, sealed.
[[nodiscard]] std::string to_text(const MonitorDay& day, const MonitorQuestion& question,
                                  const std::vector<Claim>& claims, const Certified* certified);
/// Likewise.
[[nodiscard]] Expected<MonitorDay> day_from(std::string_view text, const MonitorQuestion& question,
                                            const std::vector<Claim>& claims, const Certified* certified);

}  // namespace fairstep::internal
