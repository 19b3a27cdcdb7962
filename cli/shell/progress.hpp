// How far a long run has come, on stderr: one line redrawn on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace fairstep::cli {

enum class ProgressMode { none, bar, plain, json };

/// --progress auto: a bar on a terminal, plain lines elsewhere, nothing with --quiet.
[[nodiscard]] ProgressMode progress_mode(const std::string& wanted, bool quiet);

/// A bar starts after half a second and is drawn ten times a second at most; lines come every 30 seconds at most.
class Progress {
 public:
  /// `total` units make the whole; `unit` names them.
  Progress(ProgressMode mode, std::string verb, std::uint64_t total, std::string unit);
  /// Clears the bar, if one was drawn.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap enough for every block of work; `note` is what has been found so far.
  void at(std::uint64_t done, const std::string& note = {});
  /// The same for units that differ in size, some of which may have been there before: `share` of the whole is done,
  /// `made` of it since the start.
  void at(std::uint64_t done, double share, double made, const std::string& note);
  /// The same where somebody knows better how many seconds are left.
  void with_left(std::uint64_t done, double share, double seconds_left, const std::string& note);
  /// The line about it, with so many seconds left. No more than all is ever done, though a limit on time may be
  /// overrun by a little.
  [[nodiscard]] std::string line(std::uint64_t done, double share, double left, const std::string& note) const;

 private:
  using Clock = std::chrono::steady_clock;

  ProgressMode mode_;
  std::string verb_;
  std::uint64_t total_;
  std::string unit_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace fairstep::cli
