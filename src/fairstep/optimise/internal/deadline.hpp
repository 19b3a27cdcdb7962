// When to give up: by the clock, on request, or after so much work.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <stop_token>

namespace fairstep {

/// Work that may still be done, in steps of some 10 microseconds. Unlike time it is the same on every machine.
class Effort {
 public:
  explicit Effort(std::size_t most = std::numeric_limits<std::size_t>::max()) : left_(most) {}
  void spend(std::size_t work) { left_ -= std::min(work, left_); }
  [[nodiscard]] bool spent() const { return left_ == 0; }
  [[nodiscard]] std::size_t left() const { return left_; }

 private:
  std::size_t left_;
};

struct Deadline {
  std::chrono::steady_clock::time_point at = std::chrono::steady_clock::time_point::max();
  std::stop_token stop{};
  Effort* effort = nullptr;  ///< shared by all that work towards the deadline

  void spend(std::size_t work) const {
    if (effort != nullptr) effort->spend(work);
  }
  /// The effort that is left, at most `most`.
  [[nodiscard]] std::size_t left(std::size_t most) const {
    return effort != nullptr ? std::min(most, effort->left()) : most;
  }
  [[nodiscard]] bool passed() const {
    return stop.stop_requested() || (effort != nullptr && effort->spent()) || std::chrono::steady_clock::now() >= at;
  }
};

}  // namespace fairstep
