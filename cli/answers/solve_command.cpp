#include "answers/solve_command.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include <fairstep/io/json.hpp>

namespace fairstep::cli {
namespace {

std::string options_of(const ExploreQuestion& question) {
  std::string text = "--fairness " + question.fairness;
  if (question.limit) text += " --limit " + json_number(*question.limit);
  if (question.capacity) text += " --capacity " + json_number(*question.capacity);
  if (question.policies.floor != 0) text += " --floor " + json_number(question.policies.floor);
  for (const PolicyTrait& trait : kPolicyTraits) {
    if (!(question.policies.*trait.chosen)) continue;
    std::string name = trait.name;
    std::replace(name.begin(), name.end(), '_', '-');
    text += " --" + name;
  }
  return text;
}

}  // namespace

std::string in_shell(const std::string& text) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("._/-+").find(c) != std::string_view::npos;
  };
  std::string path = text.starts_with('-') ? "./" + text : text;
  if (!path.empty() && std::all_of(path.begin(), path.end(), is_plain)) return path;
  std::string quoted = "'";
  for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string solve_command(const std::string& file, bool counts, const ExploreQuestion& question, bool proof) {
  const std::string fit = counts ? fmt::format("fairstep fit {} -o model.json\n", in_shell(file)) : "";
  return fmt::format("{}fairstep solve {} {}{} -o policy.json", fit, counts ? "model.json" : in_shell(file),
                     options_of(question), proof ? "" : " --no-proof");
}

}  // namespace fairstep::cli
