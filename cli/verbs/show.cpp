// fairstep show FILE: what is in a file or a folder, in one screen.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>

#include "answers/page_text.hpp"
#include "answers/shown/shown.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

namespace fs = std::filesystem;

struct ShowArguments {
  std::string file{};
  std::optional<std::string> model{};
  std::optional<std::string> page{};
};

bool is_kind(const std::string& schema, std::string_view kind) {
  return schema.starts_with(fmt::format("fairstep/{}/", kind));
}

Result<Shown> shown_folder(const fs::path& folder) {
  if (fs::exists(folder / "experiment.json")) return shown_experiment(folder);
  if (fs::exists(folder / "result.json")) return shown_run(folder / "result.json");
  if (fs::exists(folder / "monitor.json")) return shown_monitor(folder);
  return input(Error{fmt::format("{} is a folder without result.json or experiment.json, expected a file, a run of "
                                 "learn or an experiment",
                                 folder.string()),
                     {},
                     {},
                     "a run has its result.json once its first update is done"});
}

/// With what the document itself warns of and rests on.
Result<Shown> with_its_warnings(Result<Shown> made, const Json& document) {
  if (!made) return made;
  if (const auto rests_on = document.find("rests_on"); rests_on != document.end()) made->body["rests_on"] = *rests_on;
  if (const auto warnings = document.find("warnings"); warnings != document.end() && warnings->is_array())
    for (const Json& warning : *warnings)
      if (warning.is_string()) made->warnings.push_back(warning.get<std::string>());
  return made;
}

/// The files of a monitor's state are for its verb.
Shown with_hint(Shown made, const std::string& schema, const fs::path& file) {
  if (is_kind(schema, "monitor") || is_kind(schema, "monitor-day"))
    made.page.add(page::Paragraph{fmt::format("it is of the state of a monitor: fairstep monitor {}",
                                              file.has_parent_path() ? file.parent_path().string() : ".")});
  return made;
}

/// The kinds by the family of their schema; whatever is not among them says what it calls itself.
Result<Shown> shown_file(const std::string& file, const Model* model, TableRoom room) {
  const auto text = read_text_file(file);
  if (!text) return input(text.error(), file);
  if (auto json = check_json(*text, file); !json) return input(json.error(), file);
  const Json document = Json::parse(*text);
  const bool named = document.is_object() && document.contains("schema") && document["schema"].is_string();
  const std::string schema = named ? document["schema"].get<std::string>() : std::string();
  if (is_kind(schema, "certificate")) return shown_certificate(*text, file, room);
  if (is_kind(schema, "solution")) return with_its_warnings(shown_solution(document, file, model, room), document);
  if (is_kind(schema, "pareto")) return with_its_warnings(shown_frontier(file), document);
  if (is_kind(schema, "run")) return with_its_warnings(shown_run(file), document);
  if (is_kind(schema, "proof")) return shown_proof(*text, file);
  // A kind of ours that no reader of documents knows. Those that it knows it reads, or says why not.
  const bool known = is_kind(schema, "model") || is_kind(schema, "policy") || is_kind(schema, "counts");
  if (schema.starts_with("fairstep/") && !known && schema.rfind('/') > schema.find('/'))
    return with_hint(shown_other(document, schema, file), schema, file);
  const auto read = parse_document(*text, file);
  if (!read) return input(read.error(), file);
  if (const auto* policy = std::get_if<Policy>(&*read)) return shown(*policy, file, model, room);
  if (const auto* counts = std::get_if<Counts>(&*read)) return shown(*counts, file);
  return shown(std::get<Model>(*read), file, room);
}

Result<Answer> run(const ShowArguments& chosen, const Context& context) {
  if (chosen.page)
    if (auto ok = check_page_name(*chosen.page); !ok) return tl::unexpected(ok.error());
  std::optional<Model> model;
  if (chosen.model) {
    auto read = read_model(*chosen.model);
    if (!read) return input(read.error(), *chosen.model);
    model = std::move(*read);
  }
  std::error_code ignored;
  const auto made = fs::is_directory(chosen.file, ignored)
                        ? shown_folder(chosen.file)
                        : shown_file(chosen.file, model ? &*model : nullptr, chosen.page ? kPaper : kScreen);
  if (!made) return tl::unexpected(made.error());
  Answer answer;
  answer.schema = "fairstep/shown/1";
  answer.body = {{"file", chosen.file}};
  answer.body.update(made->body);
  answer.warnings = made->warnings;
  answer.code = made->code;
  if (chosen.page) {
    if (auto ok = write_page(with_warnings(made->page, made->warnings), *chosen.page); !ok)
      return tl::unexpected(ok.error());
    answer.body["page"] = *chosen.page;
    answer.notes.push_back(fmt::format("wrote {}: a page about {}", *chosen.page, chosen.file));
  } else {
    answer.text = to_text(made->page, context.width, context.colour);
    answer.painted = true;
  }
  return answer;
}

}  // namespace

Verb show_verb() {
  return {
      "show",
      "what is in a file or a folder, in one screen",
      "A policy as a table of who is accepted, by group, step and feature, shaded on a terminal, with what is alike "
      "shown once, and a sentence where acceptance falls as the feature rises. Of a model, counts, a certificate "
      "(which is checked at once), a solution of solve --json, a frontier, a run of learn or an experiment: what it "
      "says in short. Of a proof what it claims, which check looks at. With -o the same as a page.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --threshold x=2 -o from50.json",
       "fairstep show from50.json", "fairstep show fico.json",
       "fairstep show from50.json --model fico.json -o from50.html"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<ShowArguments>();
        options.positional("FILE", chosen->file, "file, or folder of learn or of experiment");
        options.text("--model", chosen->model, "FILE", "the model that a policy is for: it names the features");
        options.output(chosen->page, "write a page there, .html or .md", "-o,--html,--output");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
