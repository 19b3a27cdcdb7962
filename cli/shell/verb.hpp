// A verb of the command: its words in --help, its options, and what it does.
//
// One file in verbs/ defines `Verb <name>_verb()`; its name in the list of cli/CMakeLists.txt puts it into the command.
// A verb returns its answer and never writes to stdout or stderr itself: run.cpp does, as text or as one JSON document.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "answers/json_text.hpp"
#include "shell/failure.hpp"
#include "shell/options.hpp"

namespace fairstep::cli {

/// What a verb may want to know about how it is being run.
struct Context {
  bool json = false;       ///< the answer is wanted as a JSON document
  bool quiet = false;      ///< nothing but the answer and errors, and only errors if the answer is in a file
  std::size_t width = 80;  ///< columns of text
  bool colour = false;     ///< text may have colours
  bool in_file = false;    ///< --output was given
};

struct Answer {
  std::string schema{};                 ///< "fairstep/evaluation/1"
  Json body = Json::object();           ///< the document's keys, without schema and warnings
  std::string text{};                   ///< the same for people, or a whole document if `verbatim`
  bool verbatim = false;                ///< `text` is itself the document, with --json and without
  bool painted = false;                 ///< `text` has colours of its own; names in it are safe to look at already
  std::vector<std::string> warnings{};  ///< what the answer cannot say, and why
  std::vector<std::string> notes{};     ///< what happened on the way; stderr, silenced by --quiet
  std::vector<Failure> failures{};      ///< parts that failed; the first decides the exit code
  ExitCode code = ExitCode::done;
};

template <class T>
using Result = tl::expected<T, Failure>;

using Action = std::function<Result<Answer>(const Context&)>;

struct Verb {
  std::string name{};
  std::string summary{};                ///< one line, no full stop
  std::string about{};                  ///< a paragraph; wrapped by --help
  std::vector<std::string> examples{};  ///< command lines that work in an empty folder, in this order
  /// Declares the options and returns what to do once they are read.
  std::function<Action(Options&)> declare{};
  std::vector<Verb> children{};  ///< verbs below this one: `fairstep env fico`
};

}  // namespace fairstep::cli
