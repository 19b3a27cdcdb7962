#include "shell/failure.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/shown_text.hpp>

#include "answers/json_text.hpp"

namespace fairstep::cli {
namespace {

const char* word(Trouble trouble) {
  switch (trouble) {
    case Trouble::usage:
      return "usage";
    case Trouble::input:
      return "input";
    case Trouble::io:
      return "io";
    case Trouble::internal:
      return "internal";
    case Trouble::undecided:
      return "undecided";
    case Trouble::interrupted:
      return "interrupted";
  }
  return "internal";
}

/// A word as a shell has to be told it.
std::string quoted(const std::string& word) {
  static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,.:/%@";
  const auto is_plain = [](char c) { return plain.find(c) != std::string_view::npos || (c & '\x80') != 0; };
  if (std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// `--censored drop`, `--restart`, `--map reward=COLUMN`, `fairstep merge`
std::string as_option(const Mention& mention) {
  if (mention.kind == Mention::Kind::verb) return "fairstep " + mention.name;
  std::string text = "--" + mention.name;
  std::replace(text.begin(), text.end(), '_', '-');
  if (mention.value.empty()) return text;
  return text + ' ' + quoted(mention.key.empty() ? mention.value : mention.key + '=' + mention.value);
}

}  // namespace

std::string in_command(const Text& text) { return text.spelled(as_option); }

std::vector<std::pair<int, std::string>> exit_codes() {
  return {{0, "done, and it holds"},
          {1,
           "done, and the answer is no: infeasible, a limit that is not proven, a certificate that does not hold, a "
           "model that the log refutes, an alarm that stands"},
          {2, "the command line or an input file is malformed"},
          {3, "undecided: the budget ran out, or the counts cannot be asked"},
          {4, "a file or stdout could not be written, the numbers broke down, or a bug"},
          {130, "interrupted (Ctrl-C); 143 and 129 after SIGTERM and SIGHUP"}};
}

ExitCode exit_code(const Failure& failure) {
  switch (failure.trouble) {
    case Trouble::usage:
    case Trouble::input:
      return ExitCode::malformed;
    case Trouble::io:
    case Trouble::internal:
      return ExitCode::failed;
    case Trouble::undecided:
      return ExitCode::undecided;
    case Trouble::interrupted:
      return failure.signal == 0 ? ExitCode::interrupted : static_cast<ExitCode>(128 + failure.signal);
  }
  return ExitCode::failed;
}

tl::unexpected<Failure> usage(Text message, Text hint) {
  return tl::unexpected(Failure{Trouble::usage, {std::move(message), {}, {}, std::move(hint)}});
}

tl::unexpected<Failure> usage(Error error) { return tl::unexpected(Failure{Trouble::usage, std::move(error)}); }

tl::unexpected<Failure> input(Error error) {
  const Trouble trouble = error.disk ? Trouble::io : error.ours ? Trouble::internal : Trouble::input;
  return tl::unexpected(Failure{trouble, std::move(error)});
}

tl::unexpected<Failure> input(Error error, const std::string& file) {
  if (error.file.empty()) error.file = file;
  return input(std::move(error));
}

tl::unexpected<Failure> stopped(Error error, int signal) {
  return tl::unexpected(Failure{signal == 0 ? Trouble::undecided : Trouble::interrupted, std::move(error), signal});
}

tl::unexpected<Failure> io_failure(Error error) { return tl::unexpected(Failure{Trouble::io, std::move(error)}); }

std::string to_text(const Error& told, bool colour) {
  const Error error = spelled(told, as_option);
  const auto label = [colour](const char* text, const char* code) {
    return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  };
  const std::string file = shown_text(error.file), pointer = shown_text(error.pointer);
  std::string text = fmt::format("{} {}\n", label("error:", "1;31"), shown_text(error.message));
  if (!file.empty() && !pointer.empty())
    text += fmt::format("  in {} at {}\n", file, pointer);
  else if (!file.empty())
    text += fmt::format("  in {}\n", file);
  else if (!pointer.empty())
    text += fmt::format("  at {}\n", pointer);
  if (!error.hint.empty()) text += fmt::format("{} {}\n", label("hint:", "1;36"), shown_text(error.hint));
  return text;
}

nlohmann::ordered_json to_json(const Failure& failure) {
  const Error error = spelled(failure.error, as_option);
  return {{"code", static_cast<int>(exit_code(failure))}, {"kind", word(failure.trouble)},
          {"message", std::string(error.message)},        {"file", text_or_null(error.file)},
          {"pointer", text_or_null(error.pointer)},       {"hint", text_or_null(error.hint)}};
}

}  // namespace fairstep::cli
