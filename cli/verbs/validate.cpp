// fairstep validate FILE...: what a file is, and whether it is sound.
#include <memory>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>

#include "answers/describe.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

Answer run(const std::vector<std::string>& files, const Context& context) {
  Answer answer;
  answer.schema = "fairstep/validation/1";
  answer.body["files"] = Json::array();
  for (const std::string& file : files) {
    Json entry = {{"file", file}};
    const auto document = read_document(file);
    entry["sound"] = document.has_value();
    if (document) {
      std::visit(
          [&](const auto& content) {
            const Json known = facts(content);
            entry.update(known);
            answer.text += fmt::format("{}: a sound {} file\n", file, known["kind"].template get<std::string>());
            answer.text += fact_lines(content, context.width);
          },
          *document);
    } else {
      const bool other_kind = document.error().pointer == "/schema";
      Failure failure = input(document.error(), file).value();
      entry["error"] = to_json(failure);
      answer.text += fmt::format("{}: {}\n", file, other_kind ? "not a file that validate reads" : "not sound");
      answer.failures.push_back(std::move(failure));
    }
    answer.body["files"].push_back(std::move(entry));
  }
  return answer;
}

}  // namespace

Verb validate_verb() {
  return {"validate",
          "say what a file is, and whether it is sound",
          "Reads model, policy and counts files as every other verb does. A file that is not sound is named with the "
          "place and what would be right there, and the exit code is 2.",
          {"fairstep env lending -o lending.json", "fairstep policy lending.json --threshold x=3 -o from3.json",
           "fairstep validate lending.json from3.json"},
          [](Options& options) -> Action {
            auto files = std::make_shared<std::vector<std::string>>();
            options.positionals("FILE", *files, "model, policy or counts file");
            options.common();
            return [files](const Context& context) -> Result<Answer> { return run(*files, context); };
          },
          {}};
}

}  // namespace fairstep::cli
