// What we know about the two streams: how wide, whether somebody watches, whether colour is welcome, and writes that
// are checked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>

namespace fairstep::cli {

/// Columns for text on stdout: COLUMNS if set, the terminal's width, else 80; between 40 and 200.
[[nodiscard]] std::size_t text_width();
/// The same of stderr, where progress is shown.
[[nodiscard]] std::size_t stderr_width();

[[nodiscard]] bool stderr_is_terminal();

/// Colour: a terminal, not TERM=dumb, and no NO_COLOR in the environment.
[[nodiscard]] bool stdout_in_colour();
[[nodiscard]] bool stderr_in_colour();

/// Puts something under stdin, stdout and stderr where the parent closed them, so that no file we open becomes one of
/// them. Writing to such a stdout fails as it should.
void fill_closed_streams();

/// All of it, or an error that says why not (a full disk, say).
[[nodiscard]] Expected<void> write_stdout(std::string_view text);

/// As much as goes: there is nowhere left to complain to.
void write_stderr(std::string_view text);

}  // namespace fairstep::cli
