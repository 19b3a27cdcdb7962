// How a run of the command can end, and how trouble is told: to people in two or three lines, to programs as JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <fairstep/core/error.hpp>

namespace fairstep::cli {

/// What the shell sees.
enum class ExitCode : int {
  done = 0,       ///< done, and it holds
  no = 1,         ///< done, and the answer is no: infeasible, violated, refuted
  malformed = 2,  ///< the command line or an input file is wrong
  undecided = 3,  ///< the budget ran out before an answer
  failed = 4,     ///< a write failed, the numbers broke down, or a bug
  interrupted = 130
};

/// The same for the manual; docs/cli.md has the same words.
[[nodiscard]] std::vector<std::pair<int, std::string>> exit_codes();

/// Whose trouble it is; decides the exit code.
enum class Trouble { usage, input, io, internal, undecided, interrupted };

struct Failure {
  Trouble trouble = Trouble::internal;
  Error error{};
  int signal = 0;  ///< that interrupted; 0 stands for Ctrl-C
};

[[nodiscard]] ExitCode exit_code(const Failure& failure);

/// `return usage("--people is 0, expected at least 1");`
[[nodiscard]] tl::unexpected<Failure> usage(Text message, Text hint = {});
/// The same of an option that the library refuses.
[[nodiscard]] tl::unexpected<Failure> usage(Error error);
/// What the library says of a question it cannot take.
[[nodiscard]] tl::unexpected<Failure> input(Error error);
/// The same for a question that came out of a file.
[[nodiscard]] tl::unexpected<Failure> input(Error error, const std::string& file);
/// Work that was stopped before it had anything to answer: by a signal, or, if that is 0, by a time limit.
[[nodiscard]] tl::unexpected<Failure> stopped(Error error, int signal);
/// A write that did not succeed.
[[nodiscard]] tl::unexpected<Failure> io_failure(Error error);

/// Marked text of the library (core/mention.hpp) as the command spells it.
[[nodiscard]] std::string in_command(const Text& text);

/// `error: ...`, `  in FILE at POINTER`, `hint: ...`: a line each, those without content left out.
[[nodiscard]] std::string to_text(const Error& error, bool colour);
/// {code, kind, message, file, pointer, hint}; what is not known is null.
[[nodiscard]] nlohmann::ordered_json to_json(const Failure& failure);

}  // namespace fairstep::cli
