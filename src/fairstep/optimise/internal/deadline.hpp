// When to give up.
#pragma once

#include <chrono>
#include <stop_token>

namespace fairstep {

struct Deadline {
  std::chrono::steady_clock::time_point at = std::chrono::steady_clock::time_point::max();
  std::stop_token stop{};
  [[nodiscard]] bool passed() const { return stop.stop_requested() || std::chrono::steady_clock::now() >= at; }
};

}  // namespace fairstep
