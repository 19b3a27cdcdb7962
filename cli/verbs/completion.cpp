// fairstep completion SHELL: a script that completes verbs, options and their values.
#include "shell/completion.hpp"

#include <fairstep/core/error.hpp>

#include "shell/tree.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

Verb shell(const std::string& name, const std::string& about, std::string (*script)(const Page&)) {
  return {name,
          "completion for " + name,
          about,
          {"fairstep completion " + name + " > completion." + name},
          [name, script](Options& options) -> Action {
            options.common();
            return [name, script](const Context&) -> Result<Answer> {
              const Tree tree(all_verbs());
              Answer answer;
              answer.schema = "fairstep/completion/1";
              answer.text = script(page_of(tree.root()));
              answer.body = {{"shell", name}, {"script", answer.text}};
              return answer;
            };
          },
          {}};
}

}  // namespace

Verb completion_verb() {
  return {
      "completion",
      "a script that completes command lines in bash, zsh or fish",
      "Writes a script for the shell to stdout. cmake --install puts all where the shells look for them; by hand, "
      "for bash: source it from ~/.bashrc; for zsh: save it as _fairstep in a folder of $fpath; for fish: save it as "
      "~/.config/fish/completions/fairstep.fish.",
      {"fairstep completion bash > fairstep.bash"},
      [](Options& options) -> Action {
        options.common();
        return [](const Context&) -> Result<Answer> {
          return usage("fairstep completion needs a shell: bash, zsh or fish", "see fairstep completion --help");
        };
      },
      {shell("bash", "Needs bash 4 or newer.", bash_completion), shell("zsh", "", zsh_completion),
       shell("fish", "", fish_completion)}};
}

}  // namespace fairstep::cli
