// When to give up: by the clock, on request, or after so much work.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <stop_token>

namespace fairstep {

/// Work that may still be done, in steps of some 10 microseconds at the paper's size. Unlike time it is the same on
/// every machine.
class Effort {
 public:
  explicit Effort(std::size_t most = std::numeric_limits<std::size_t>::max()) : left_(most) {}
  void spend(std::size_t work) { left_ -= std::min(work, left_); }
  [[nodiscard]] bool spent() const { return left_ == 0; }
  [[nodiscard]] std::size_t left() const { return left_; }

 private:
  std::size_t left_;
};

/// Thrown where the time is up, from however deep inside. It never leaves the room: whoever holds something that is
/// worth keeping (the best table, a bound) catches it and answers with that.
struct OutOfTime {};

struct Deadline {
  std::chrono::steady_clock::time_point at = std::chrono::steady_clock::time_point::max();
  std::stop_token stop{};
  Effort* effort = nullptr;             ///< shared by all that work towards the deadline
  std::function<bool()> interrupted{};  ///< asked besides the token; may be empty
  /// Multiplications between two looks at the clock: about a millisecond.
  static constexpr std::size_t kBetweenAsks = 1'000'000;
  std::size_t between_asks = kBetweenAsks;
  mutable std::size_t unasked = 0;  ///< multiplications since the clock was last looked at

  void spend(std::size_t work) const {
    if (effort != nullptr) effort->spend(work);
  }
  /// The effort that is left, at most `most`.
  [[nodiscard]] std::size_t left(std::size_t most) const {
    return effort != nullptr ? std::min(most, effort->left()) : most;
  }
  /// The time is up, or somebody wants to stop.
  [[nodiscard]] bool over() const {
    return stop.stop_requested() || (interrupted && interrupted()) || std::chrono::steady_clock::now() >= at;
  }
  [[nodiscard]] bool passed() const { return (effort != nullptr && effort->spent()) || over(); }
  [[nodiscard]] double seconds_left() const {
    return std::chrono::duration<double>(at - std::chrono::steady_clock::now()).count();
  }

  /// Every loop that may take long says how much it is about to do. Looking at the clock each time would take longer
  /// than small steps do.
  void work(std::size_t multiplications) const {
    unasked += multiplications;
    if (unasked < between_asks) return;
    unasked = 0;
    if (over()) throw OutOfTime{};
  }
  /// The same for recursions that know nothing of deadlines.
  [[nodiscard]] std::function<void(std::size_t)> at_work() const {
    return [this](std::size_t multiplications) { work(multiplications); };
  }
  /// For solvers of others.
  [[nodiscard]] std::function<bool()> over_now() const {
    return [this] { return over(); };
  }
};

}  // namespace fairstep
