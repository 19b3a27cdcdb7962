#include "shell/terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

/// 0, or the error number of the write that failed.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

bool is_welcome(int stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(stream) == 1 && (no_color == nullptr || *no_color == '\0') &&
         (term == nullptr || std::strcmp(term, "dumb") != 0);
}

}  // namespace

namespace {

std::size_t width_of(int stream) {
  std::size_t width = 80;
  winsize size{};
  if (::isatty(stream) == 1 && ::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) width = size.ws_col;
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr)
    if (const auto wanted = parse_whole(columns)) width = static_cast<std::size_t>(*wanted);
  return std::clamp<std::size_t>(width, 40, 200);
}

}  // namespace

std::size_t text_width() { return width_of(STDOUT_FILENO); }

std::size_t stderr_width() { return width_of(STDERR_FILENO); }

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

bool stdout_in_colour() { return is_welcome(STDOUT_FILENO); }

bool stderr_in_colour() { return is_welcome(STDERR_FILENO); }

void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // The lowest free number is this very stream. Reading from stdin and writing to the others is what must not work.
    static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

Expected<void> write_stdout(std::string_view text) {
  if (const int error = write_all(STDOUT_FILENO, text); error != 0)
    return fail(fmt::format("cannot write to stdout: {}", std::strerror(error)));
  return {};
}

void write_stderr(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

}  // namespace fairstep::cli
