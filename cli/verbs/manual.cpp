// fairstep manual: everything that --help says, in one text.
#include "shell/manual.hpp"

#include <memory>
#include <optional>

#include "shell/tree.hpp"
#include "verbs.hpp"

namespace fairstep::cli {

Verb manual_verb() {
  return {"manual",
          "the manual page, or the same as Markdown or JSON",
          "Writes all verbs with their options to stdout: as a manual page (man reads it with man -l), as Markdown for "
          "a site, or with --json for programs.",
          {"fairstep manual > fairstep.1", "fairstep manual --format markdown > fairstep.md"},
          [](Options& options) -> Action {
            auto format = std::make_shared<std::optional<std::string>>("man");
            options.choice("--format", *format, {"man", "markdown"}, "of the text");
            options.common();
            return [format](const Context&) -> Result<Answer> {
              const Tree tree(all_verbs());
              const Page command = page_of(tree.root());
              Answer answer;
              answer.schema = "fairstep/manual/1";
              answer.text =
                  *format == "markdown" ? manual_in_markdown(command) : manual_in_roff(command, FAIRSTEP_VERSION);
              answer.body = manual_in_json(command);
              return answer;
            };
          },
          {}};
}

}  // namespace fairstep::cli
