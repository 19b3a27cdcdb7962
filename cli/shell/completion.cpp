#include "shell/completion.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairstep::cli {
namespace {

std::vector<const Page*> all_pages(const Page& command) {
  std::vector<const Page*> pages = verbs_of(command);
  pages.insert(pages.begin(), &command);
  return pages;
}

std::string names_of(const std::vector<Page>& pages) {
  std::vector<std::string> names;
  for (const Page& page : pages) names.push_back(page.name);
  return fmt::format("{}", fmt::join(names, " "));
}

bool takes_files(const Page& page) {
  return std::any_of(page.arguments.begin(), page.arguments.end(), [](const auto& a) { return a.value.file; });
}

/// 'text' for a shell.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

// --- bash ---------------------------------------------------------------------------------------------------------

/// What compgen is to list: files, folders or nothing.
const char* listing(bool files, bool folders) { return files ? "-f" : folders ? "-d" : ""; }

/// What the value of an option may be.
std::string bash_value(const Value& value) {
  return fmt::format("listed={} words={} paths={}", in_quotes(fmt::format("{}", fmt::join(value.listed, " "))),
                     in_quotes(fmt::format("{}", fmt::join(value.words, " "))),
                     in_quotes(listing(value.file, value.folder)));
}

/// The branches of `case $previous`: options whose values are alike share one.
std::string bash_values(const std::vector<OptionEntry>& options) {
  std::vector<std::pair<std::string, std::string>> branches;  // value, names
  for (const OptionEntry& option : options) {
    if (option.value.placeholder.empty()) continue;
    const std::string value = bash_value(option.value);
    const std::string names = fmt::format("{}", fmt::join(option.names, " | "));
    const auto like = std::find_if(branches.begin(), branches.end(), [&](const auto& b) { return b.first == value; });
    if (like == branches.end())
      branches.emplace_back(value, names);
    else
      like->second += " | " + names;
  }
  std::string out;
  for (const auto& [value, names] : branches) out += fmt::format("        {}) wanted=value {} ;;\n", names, value);
  return out;
}

/// A branch of `case $call`: what a verb takes.
std::string bash_verb(const Page& page) {
  std::string options;
  for (const OptionEntry& option : page.options)
    options += fmt::format("{}{}", options.empty() ? "" : " ", fmt::join(option.names, " "));
  std::string out = fmt::format("    {})\n      words={} paths={} options={}\n", in_quotes(page.call),
                                in_quotes(names_of(page.children)),
                                in_quotes(listing(takes_files(page), !page.arguments.empty())), in_quotes(options));
  if (const std::string values = bash_values(page.options); !values.empty())
    out += fmt::format("      case $previous in\n{}      esac\n", values);
  return out + "      ;;\n";
}

constexpr const char* kBashHead = R"(# bash completion for fairstep, made by `fairstep completion bash`
_fairstep() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local call=fairstep wanted=word listed= words= paths= options= joined= stray= word i
  COMPREPLY=()
  # `--by=per` arrives as three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    [[ $i == 1 && $word == help ]] && continue
    case "$call $word" in
)";

constexpr const char* kBashTail = R"(  esac
  [[ $wanted == word && $stray ]] && words=  # verbs come first

  if [[ $wanted == word && $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -n $listed ]]; then
    # What stands before the last comma stays, and is not offered again.
    [[ $current == *,* ]] && joined=${current%,*},
    for word in $listed; do
      [[ ,$joined == *,"$word",* || $word != "${current##*,}"* ]] || COMPREPLY+=("$joined$word")
    done
    compopt -o nospace 2>/dev/null
  fi
  if [[ -n $paths ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$paths" -- "$current")
  fi
}
complete -F _fairstep fairstep
)";

// --- zsh ----------------------------------------------------------------------------------------------------------

std::string zsh_function(const std::string& call) {
  std::string name = "_" + call;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// `[help]` of an _arguments specification, in which brackets and colons mean something.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(const Value& value) {
  std::string action;
  if (!value.listed.empty())
    // The blank before it: called with these words, and none of _arguments' own.
    action = fmt::format(" _fairstep_value \"{}\" \"{}\" {}", fmt::join(value.listed, " "), fmt::join(value.words, " "),
                         value.file ? "files" : "");
  else if (value.file)
    action = "_files";
  else if (value.folder)
    action = "_files -/";
  else if (!value.words.empty())
    action = fmt::format("({})", fmt::join(value.words, " "));
  return fmt::format(":{}:{}", zsh_text(value.placeholder), action.empty() ? " " : action);
}

/// An option as _arguments wants it, `'--people=[help]:N: '`; one that has two names excludes itself.
std::string zsh_option(const OptionEntry& option) {
  const bool alone = option.value.placeholder.empty();
  std::string before;
  if (option.repeatable)
    before = "*";
  else if (option.names.size() > 1)
    before = fmt::format("({})", fmt::join(option.names, " "));
  std::vector<std::string> forms;
  for (const std::string& name : option.names) forms.push_back(name + (!alone && name.starts_with("--") ? "=" : ""));
  const std::string after = fmt::format("[{}]{}", zsh_text(option.help), alone ? "" : zsh_value(option.value));
  if (forms.size() == 1) return in_quotes(before + forms.front() + after);
  return fmt::format("{}{{{}}}{}", in_quotes(before), fmt::join(forms, ","), in_quotes(after));
}

std::string zsh_verb(const Page& page) {
  std::string out = fmt::format("{}() {{\n", zsh_function(page.call));
  if (page.children.empty()) {
    out += "  _arguments -s";
  } else {
    // What follows the name of a verb below is that verb's own.
    out += "  local curcontext=$curcontext state line ret=1\n  _arguments -C";
  }
  for (const OptionEntry& option : page.options) out += " \\\n    " + zsh_option(option);
  for (const ArgumentEntry& argument : page.arguments)
    out += fmt::format(" \\\n    {}", in_quotes(fmt::format("{}:{}:{}", argument.repeatable ? "*" : "", argument.name,
                                                            argument.value.folder ? "_files -/" : "_files")));
  if (page.children.empty()) return out + "\n}\n\n";

  out += " \\\n    '1: :->name' '*:: :->rest' && ret=0\n  case $state in\n    name)\n      local -a names=(\n";
  for (const Page& child : page.children)
    out += fmt::format("        {}\n", in_quotes(child.name + ":" + child.summary));
  out += fmt::format(
      "      )\n      _describe {} names && ret=0\n      ;;\n    rest)\n      "
      "curcontext=${{curcontext%:*:*}}:fairstep-$words[1]:\n"
      "      case $words[1] in\n",
      page.name == "fairstep" ? "verb" : "name");
  for (const Page& child : page.children)
    out += fmt::format("        {}) {} && ret=0 ;;\n", child.name, zsh_function(child.call));
  return out + "      esac\n      ;;\n  esac\n  return ret\n}\n\n";
}

constexpr const char* kZshHead = R"(#compdef fairstep
# zsh completion for fairstep, made by `fairstep completion zsh`

# Words joined by commas, words that stand alone, and files:  _fairstep_value LISTED ALONE [files]
_fairstep_value() {
  local -a listed=(${=1}) alone=(${=2})
  local ret=1
  if compset -P '*,'; then
    compadd -a listed && ret=0
  else
    compadd -a listed && ret=0
    (( $#alone )) && compadd -a alone && ret=0
    [[ $3 == files ]] && _files && ret=0
  fi
  return ret
}

)";

// --- fish -----------------------------------------------------------------------------------------------------------

/// 'text' for fish, which knows \\ and \' inside of quotes.
std::string in_fish_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

/// `-n "__fairstep_is 'env fico'"`: the verb has been typed, and none below it.
std::string fish_where(const Page& page) {
  const std::string words = page.call.substr(std::string_view("fairstep").size());
  return fmt::format("complete -c fairstep -n {}", in_fish_quotes(fmt::format("__fairstep_is{}", words)));
}

std::string fish_value(const Value& value) {
  if (value.placeholder.empty()) return {};
  std::vector<std::string> words = value.words;
  words.insert(words.end(), value.listed.begin(), value.listed.end());
  std::string out = value.file || value.folder ? " -r -F" : " -x";
  if (!words.empty()) out += fmt::format(" -a {}", in_fish_quotes(fmt::format("{}", fmt::join(words, " "))));
  return out;
}

std::string fish_option(const Page& page, const OptionEntry& option) {
  std::string out = fish_where(page);
  for (const std::string& name : option.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return out + fmt::format("{} -d {}\n", fish_value(option.value), in_fish_quotes(option.help));
}

std::string fish_verb(const Page& page) {
  std::string out;
  for (const Page& child : page.children)
    out +=
        fmt::format("{} -f -a {} -d {}\n", fish_where(page), in_fish_quotes(child.name), in_fish_quotes(child.summary));
  for (const OptionEntry& option : page.options) out += fish_option(page, option);
  if (page.children.empty() && page.arguments.empty()) out += fish_where(page) + " -f\n";
  return out;
}

constexpr const char* kFishHead = R"(# fish completion for fairstep, made by `fairstep completion fish`

# Whether the words that are no options, up to the cursor, begin with these verbs and name none below them.
function __fairstep_is
    set -l typed (commandline -opc)[2..-1]
    test "$typed[1]" = help; and set -e typed[1]
    set -l call
    for word in $typed
        contains -- "$call $word" $__fairstep_calls; or break
        set call "$call $word"
    end
    set -l wanted
    for word in $argv
        set wanted "$wanted $word"
    end
    test "$call" = "$wanted"
end
)";

}  // namespace

std::string bash_completion(const Page& command) {
  std::string calls;
  for (const Page* verb : verbs_of(command))
    calls += fmt::format("{}{}", calls.empty() ? "" : " | ", in_quotes(verb->call));
  std::string out = kBashHead;
  out += fmt::format(
      "      {}) call+=\" $word\" ;;\n      *) stray=yes; break ;;\n    esac\n  done\n\n  case $call in\n", calls);
  for (const Page* page : all_pages(command)) out += bash_verb(*page);
  return out + kBashTail;
}

std::string zsh_completion(const Page& command) {
  std::string out = kZshHead;
  for (const Page* page : all_pages(command)) out += zsh_verb(*page);
  return out +
         "if [[ $funcstack[1] == _fairstep ]]; then\n  _fairstep \"$@\"\nelse\n  compdef _fairstep fairstep\nfi\n";
}

std::string fish_completion(const Page& command) {
  std::string out = kFishHead;
  out += "set -g __fairstep_calls";
  for (const Page* verb : verbs_of(command))
    out += " " + in_fish_quotes(verb->call.substr(std::string_view("fairstep").size()));
  out += "\n\n";
  for (const Page* page : all_pages(command)) out += fish_verb(*page);
  return out;
}

}  // namespace fairstep::cli
