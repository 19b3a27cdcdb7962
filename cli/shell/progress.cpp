#include "shell/progress.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <fairstep/io/json.hpp>

#include "shell/quantity.hpp"
#include "shell/terminal.hpp"

namespace fairstep::cli {
namespace {

using namespace std::chrono_literals;

std::string time_left(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s left", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min left", seconds / 60);
  return fmt::format("{:.1f} h left", seconds / 3600);
}

/// As much as stands on one line of the terminal: what wraps is not cleared by the next.
std::string one_line(std::string text) {
  std::size_t end = stderr_width() - 1;
  if (text.size() <= end) return text;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // whole letters
  text.resize(end);
  return text;
}

/// [###-------]
std::string drawn(double share) {
  constexpr std::size_t width = 10;
  const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
  return fmt::format("[{}{}]  ", std::string(full, '#'), std::string(width - full, '-'));
}

}  // namespace

ProgressMode progress_mode(const std::string& wanted, bool quiet) {
  if (quiet || wanted == "none") return ProgressMode::none;
  if (wanted == "bar") return ProgressMode::bar;
  if (wanted == "plain") return ProgressMode::plain;
  if (wanted == "json") return ProgressMode::json;
  return stderr_is_terminal() ? ProgressMode::bar : ProgressMode::plain;
}

Progress::Progress(ProgressMode mode, std::string verb, std::uint64_t total, std::string unit)
    : mode_(mode),
      verb_(std::move(verb)),
      total_(std::max<std::uint64_t>(total, 1)),
      unit_(std::move(unit)),
      next_(start_ + (mode == ProgressMode::bar ? Clock::duration(500ms) : Clock::duration(30s))) {}

Progress::~Progress() {
  if (drawn_) write_stderr("\r\x1b[K");
}

void Progress::at(std::uint64_t done, const std::string& note) {
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  at(done, share, share, note);
}

void Progress::at(std::uint64_t done, double share, double made, const std::string& note) {
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  with_left(done, share, made > 0 ? elapsed * std::max(0.0, 1 - share) / made : 0, note);
}

void Progress::with_left(std::uint64_t done, double share, double left, const std::string& note) {
  if (mode_ == ProgressMode::none || Clock::now() < next_) return;
  next_ = Clock::now() + (mode_ == ProgressMode::bar ? Clock::duration(100ms) : Clock::duration(30s));
  drawn_ = mode_ == ProgressMode::bar;
  const std::string text = line(done, share, left, note);
  write_stderr(drawn_ ? "\r\x1b[K" + one_line(text) : text + '\n');
}

std::string Progress::line(std::uint64_t done, double share, double left, const std::string& note) const {
  done = std::min(done, total_);
  if (mode_ == ProgressMode::json) {
    JsonWriter json;
    json.object(JsonWriter::Lines::one).field("progress", verb_).field("done", done).field("total", total_);
    json.key("seconds_left").document(fmt::format("{:.1f}", left)).end();
    std::string text = std::move(json).text();
    text.pop_back();  // the end of the line is not part of it
    return text;
  }
  share = std::clamp(share, 0.0, 1.0);
  return fmt::format("{}  {}{:.0f} %  {} of {} {}  {}{}{}", verb_, mode_ == ProgressMode::bar ? drawn(share) : "",
                     100 * share, with_thousands(done), with_thousands(total_), unit_, time_left(left),
                     note.empty() ? "" : "  ", note);
}

}  // namespace fairstep::cli
