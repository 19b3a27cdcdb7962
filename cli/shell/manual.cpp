#include "shell/manual.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/json_text.hpp"
#include "answers/table.hpp"
#include "shell/failure.hpp"

namespace fairstep::cli {
namespace {

std::string with_default(const OptionEntry& option, std::string_view open, std::string_view close,
                         const std::string& help) {
  return option.standard.empty() ? help : fmt::format("{} (default {}{}{})", help, open, option.standard, close);
}

// --- roff -----------------------------------------------------------------------------------------------------------

/// Characters that roff would take for something else, or set as something else.
std::string roff(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// Running text in lines that editors and diffs can show.
std::string roff_text(std::string_view text) {
  constexpr std::size_t kWidth = 79;
  std::string out = wrap(roff(text), kWidth);
  for (std::size_t at = out.find("\n."); at != std::string::npos; at = out.find("\n.", at + 1))
    out.insert(at + 1, "\\&");
  return out;
}

std::string roff_option(const OptionEntry& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
  if (!option.value.placeholder.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.value.placeholder));
  return fmt::format(".TP\n{}\n{}", names, roff_text(with_default(option, "", "", option.help)));
}

std::string roff_examples(const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = ".nf\n.RS 4\n";
  for (const std::string& line : lines) out += roff(line) + '\n';
  return out + ".RE\n.fi\n";
}

std::string roff_verb(const Page& verb, const std::vector<OptionEntry>& shared) {
  std::string out = fmt::format(".SS \"{}\"\n{}", roff(verb.usage()), roff_text(verb.summary));
  if (!verb.about.empty()) out += ".PP\n" + roff_text(verb.about);
  for (const ArgumentEntry& argument : verb.arguments)
    out += fmt::format(".TP\n\\fI{}\\fR\n{}", roff(argument.name), roff_text(argument.help));
  for (const OptionEntry& option : own_options(verb, shared)) out += roff_option(option);
  return verb.examples.empty() ? out : out + ".PP\n" + roff_examples(verb.examples);
}

// --- Markdown -------------------------------------------------------------------------------------------------------

std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// Plain text, also in a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<' || c == '[' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// Inside of an HTML tag in a cell, where a bar would end the cell; `pause` stands where a line may be broken.
std::string html_cell(std::string_view text, std::string_view pause = "") {
  std::string out;
  for (const char c : text) {
    if (c == '|')
      out += "&#124;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
    if (c == '|' || c == ',') out += pause;
  }
  return out;
}

std::string markdown_options(const std::vector<OptionEntry>& options) {
  if (options.empty()) return {};
  std::string out = "| option | what it does |\n|---|---|\n";
  for (const OptionEntry& option : options) {
    std::string names;
    for (const std::string& name : option.names)
      names += fmt::format("{}<code>{}</code>", names.empty() ? "" : ", ", name);
    if (!option.value.placeholder.empty())
      names += fmt::format(" <var>{}</var>", html_cell(option.value.placeholder, "<wbr>"));
    out += fmt::format("| {} | {} |\n", names, with_default(option, "`", "`", cell(option.help)));
  }
  return out + "\n";
}

std::string markdown_verb(const Page& verb, const std::vector<OptionEntry>& shared, int depth) {
  std::string out = fmt::format("{} `{}`\n\n", std::string(static_cast<std::size_t>(depth), '#'), verb.call);
  out += fmt::format("`{}`\n\n**{}.**\n\n", verb.usage(), sentence(cell(verb.summary)));
  if (!verb.about.empty()) out += cell(verb.about) + "\n\n";
  if (!verb.arguments.empty()) {
    out += "| argument | what it is |\n|---|---|\n";
    for (const ArgumentEntry& argument : verb.arguments)
      out += fmt::format("| <var>{}</var> | {} |\n", argument.name, cell(argument.help));
    out += "\n";
  }
  out += markdown_options(own_options(verb, shared));
  if (!verb.examples.empty()) out += fmt::format("```sh\n{}\n```\n\n", fmt::join(verb.examples, "\n"));
  for (const Page& child : verb.children) out += markdown_verb(child, shared, depth + 1);
  return out;
}

// --- JSON -----------------------------------------------------------------------------------------------------------

Json json_of(const Value& value) {
  if (value.placeholder.empty()) return nullptr;
  return {{"placeholder", value.placeholder},
          {"words", value.words},
          {"listed", value.listed},
          {"file", value.file},
          {"folder", value.folder}};
}

Json json_of(const std::vector<OptionEntry>& options) {
  Json list = Json::array();
  for (const OptionEntry& option : options)
    list.push_back({{"names", option.names},
                    {"value", json_of(option.value)},
                    {"help", option.help},
                    {"default", text_or_null(option.standard)},
                    {"repeatable", option.repeatable}});
  return list;
}

Json json_of(const Page& verb, const std::vector<OptionEntry>& shared) {
  Json arguments = Json::array();
  for (const ArgumentEntry& argument : verb.arguments)
    arguments.push_back({{"name", argument.name},
                         {"help", argument.help},
                         {"folder", argument.value.folder},
                         {"repeatable", argument.repeatable}});
  return {{"call", verb.call},        {"usage", verb.usage()},  {"summary", verb.summary},
          {"about", verb.about},      {"arguments", arguments}, {"options", json_of(own_options(verb, shared))},
          {"examples", verb.examples}};
}

}  // namespace

std::string manual_in_roff(const Page& command, const std::string& version) {
  const auto shared = shared_options(command);
  std::string out = fmt::format(".TH FAIRSTEP 1 \"\" \"fairstep {}\" \"User Commands\"\n", version);
  out += fmt::format(".SH NAME\nfairstep \\- {}\n", roff(command.summary));
  out += ".SH SYNOPSIS\n\\fBfairstep\\fR \\fIVERB\\fR [\\fIoptions\\fR]\n";
  out += ".SH DESCRIPTION\n";
  out += roff_text(
      "A verb answers on standard output and says everything else (what was written, warnings, progress, errors) on "
      "standard error. Documents are files of JSON that one verb writes and the next reads. Options come after the "
      "verb.");
  for (const Page& verb : command.children)
    out += fmt::format(".TP\n\\fB{}\\fR\n{}", roff(verb.name), roff_text(verb.summary));
  out += ".SH OPTIONS OF EVERY VERB\n";
  for (const OptionEntry& option : shared) out += roff_option(option);
  out += ".SH VERBS\n";
  for (const Page* verb : verbs_of(command)) out += roff_verb(*verb, shared);
  out += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes()) out += fmt::format(".TP\n{}\n{}", code, roff_text(meaning));
  out +=
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBNO_COLOR\\fR\nno colour, also on a terminal\n"
      ".TP\n\\fBCOLUMNS\\fR\nwidth of tables and of help\n";
  return out + ".SH EXAMPLES\n" + roff_examples(command.examples);
}

std::string manual_in_markdown(const Page& command) {
  const auto shared = shared_options(command);
  std::string out = "Every verb also has:\n\n" + markdown_options(shared);
  for (const Page& verb : command.children) out += markdown_verb(verb, shared, 2);
  return out;
}

Json manual_in_json(const Page& command) {
  const auto shared = shared_options(command);
  Json body;
  body["shared_options"] = json_of(shared);
  body["verbs"] = Json::array();
  for (const Page* verb : verbs_of(command)) body["verbs"].push_back(json_of(*verb, shared));
  body["exit_codes"] = Json::array();
  for (const auto& [code, meaning] : exit_codes()) body["exit_codes"].push_back({{"code", code}, {"meaning", meaning}});
  return body;
}

}  // namespace fairstep::cli
