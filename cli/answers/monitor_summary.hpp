// How a state of `monitor` stands: for people and for programs.
#pragma once

#include <cstddef>
#include <string>

#include <fairstep/monitor/state.hpp>

#include "answers/json_text.hpp"

namespace fairstep::cli {

/// Whether any claim is refuted.
[[nodiscard]] bool has_alarm(const MonitorState& state);

/// {days, fingerprint, ...}: what is asked, alarms, every claim with the evidence against it, and what was seen.
[[nodiscard]] Json to_json(const MonitorState& state);
[[nodiscard]] std::string to_text(const MonitorState& state, const std::string& folder, std::size_t width);

}  // namespace fairstep::cli
