// A model or a policy that a verb has made: into a file, or to stdout if none is named.
#pragma once

#include <optional>
#include <string>

#include <fairstep/io/files.hpp>

#include "answers/describe.hpp"
#include "shell/guarded_file.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

/// Without a file the answer is the document itself, with --json and without; with one it says what was written.
template <class Made>
[[nodiscard]] Result<Answer> write_document(const Made& made, const std::optional<std::string>& file,
                                            const std::string& next) {
  Answer answer;
  if (!file) {
    answer.text = fairstep::to_text(made);
    if (!answer.text.ends_with('\n')) answer.text += '\n';
    answer.verbatim = true;
    return answer;
  }
  if (auto ok = write_guarded(*file, fairstep::to_text(made)); !ok) return io_failure(ok.error());
  answer.schema = "fairstep/written/1";
  answer.body = {{"file", *file}};
  answer.body.update(facts(made));
  answer.notes = {"wrote " + *file + ": " + in_short(made), next};
  return answer;
}

}  // namespace fairstep::cli
