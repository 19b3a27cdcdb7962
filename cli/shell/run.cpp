#include "shell/run.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fairstep/core/shown_text.hpp>
#include <fairstep/ingest/spills.hpp>

#include "answers/json_text.hpp"
#include "shell/help.hpp"
#include "shell/interrupt.hpp"
#include "shell/terminal.hpp"
#include "shell/tree.hpp"
#include "shell/usage.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

/// For failures that come before the options are read.
bool asks_for_json(const std::vector<std::string>& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, "--json") != end;
}

ExitCode report(const Failure& failure, bool json) {
  if (json) {
    const Json document = {{"schema", "fairstep/error/1"}, {"warnings", Json::array()}, {"error", to_json(failure)}};
    if (!write_stdout(to_text(document))) json = false;
  }
  if (!json) write_stderr(to_text(failure.error, stderr_in_colour()));
  return exit_code(failure);
}

/// Text to stdout; a full disk is a failure of its own.
ExitCode print(const std::string& text, ExitCode code) {
  const auto written = write_stdout(text);
  if (written) return code;
  return report({Trouble::io, written.error()}, false);
}

ExitCode report(const Answer& answer, const Context& context) {
  const ExitCode code = answer.failures.empty() ? answer.code : exit_code(answer.failures.front());
  // A document is data for whoever reads it next; text for people is made safe to look at.
  std::string out = answer.verbatim || answer.painted ? answer.text : shown_lines(answer.text);
  if (context.json && !answer.verbatim) {
    Json document = {{"schema", answer.schema}, {"warnings", answer.warnings}};
    if (!answer.failures.empty()) document["error"] = to_json(answer.failures.front());
    document.update(answer.body);
    out = to_text(document);
  }
  if (context.quiet && context.in_file && !context.json) out.clear();
  if (const ExitCode printed = print(out, code); printed != code) return printed;

  const bool colour = stderr_in_colour();
  if (!context.json)
    for (const Failure& failure : answer.failures) write_stderr(to_text(failure.error, colour));
  if (context.quiet) return code;
  if (!context.json)
    for (const std::string& warning : answer.warnings)
      write_stderr(fmt::format("{} {}\n", colour ? "\x1b[1;33mwarning:\x1b[0m" : "warning:", shown_text(warning)));
  for (const std::string& note : answer.notes) write_stderr(shown_text(note) + '\n');
  return code;
}

std::string help_of(const Node& node) {
  return node.parent == nullptr ? help_of_command(page_of(node), text_width())
                                : help_of_verb(page_of(node), text_width());
}

ExitCode run_words(std::vector<std::string> words) {
  const bool json = asks_for_json(words);
  Tree tree(all_verbs());
  if (words.empty()) {
    write_stderr(help_of(tree.root()));
    return ExitCode::malformed;
  }
  if (words.front() == "help") {  // `fairstep help env` is `fairstep env --help`
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (const auto unknown = find_unknown_verb(tree, words)) return report(*unknown, json);
  try {
    tree.parse(words);
  } catch (const CLI::CallForHelp&) {
    return print(help_of(tree.chosen()), ExitCode::done);
  } catch (const CLI::ParseError& error) {
    return report(explain_refusal(tree, words, error.what()), json);
  } catch (const BadValue& error) {
    return report(explain_bad_value(tree, error.what()), json);
  }

  const Node& chosen = tree.chosen();
  if (chosen.parent == nullptr) return print("fairstep " FAIRSTEP_VERSION "\n", ExitCode::done);
  const Context context{flag_given(chosen, "--json"), flag_given(chosen, "--quiet"), text_width(), stdout_in_colour(),
                        flag_given(chosen, "--output")};
  if (const auto clash = find_clash(chosen.files)) return report(*clash, context.json);
  const auto answer = chosen.action(context);
  stay_if_interrupted();
  return answer ? report(*answer, context) : report(answer.error(), context.json);
}

ExitCode run_reporting_bugs(const std::vector<std::string>& words) {
  const bool json = asks_for_json(words);
  try {
    return run_words(words);
  } catch (const std::bad_alloc&) {
    stay_if_interrupted();
    return report({Trouble::internal, {"out of memory", {}, {}, {}}}, json);
  } catch (const std::exception& error) {
    stay_if_interrupted();
    return report({Trouble::internal,
                   {fmt::format("unexpected: {}", error.what()),
                    {},
                    {},
                    "this is a bug; please report the command that led here"}},
                  json);
  }
}

/// Without a request for memory: there may be none left.
void say_out_of_memory(bool json) {
  if (json)
    std::fputs(
        "{\"schema\": \"fairstep/error/1\", \"warnings\": [], "
        "\"error\": {\"code\": 4, \"message\": \"out of memory\"}}\n",
        stdout);
  else
    std::fputs("error: out of memory\n", stderr);
}

/// Where an exception can go nowhere else: from a destructor (that of a large JSON document asks for memory to take
/// itself apart), or from a thread of a library.
[[noreturn]] void end_without_unwinding() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    say_out_of_memory(false);
    std::_Exit(static_cast<int>(ExitCode::failed));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: unexpected: %s\n", error.what());
  } catch (...) {
    std::fputs("error: unexpected\n", stderr);
  }
  std::abort();
}

}  // namespace

ExitCode run(const std::vector<std::string>& words) noexcept {
  std::set_terminate(end_without_unwinding);
  bool json = false;
  try {
    json = asks_for_json(words);
    fill_closed_streams();
    std::signal(SIGPIPE, SIG_DFL);  // a reader that has seen enough ends us quietly, whatever our parent chose
    std::signal(SIGXFSZ, SIG_IGN);  // a file beyond `ulimit -f` is then an error like that of a full disk
    watch_for_interrupts([json](bool finished) {
      const char* said =
          finished ? "interrupted; files that were written before are whole" : "interrupted; nothing was written";
      report({Trouble::interrupted, {said, {}, {}, {}}}, json);
      remove_spills();  // last: a count that still runs fails without them
    });
    return run_reporting_bugs(words);
  } catch (...) {
    say_out_of_memory(json);  // so much so that not even the report could be made
    return ExitCode::failed;
  }
}

}  // namespace fairstep::cli
