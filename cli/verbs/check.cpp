// fairstep check FILE: whether a certificate is true to its own data, or a proof to its model.
#include <fairstep/check/check.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairstep/certificate_page/certificate_page.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/prove/check.hpp>
#include <fairstep/prove/proof.hpp>

#include "answers/table.hpp"
#include "shell/failure.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

/// Findings that are shown; --json has all.
constexpr std::size_t kMismatchesShown = 10;

struct CheckArguments {
  std::string file{};
  std::optional<std::string> counts{}, policy{}, model{}, design{};
};

/// What a file that was given has to do with the certificate.
struct FileGiven {
  std::string name{};  ///< of the document
  std::string file{};
  std::string found{};                    ///< the file's hash
  std::optional<std::string> expected{};  ///< none: the certificate is about no such document

  [[nodiscard]] bool same() const { return found == expected; }
};

Result<std::vector<FileGiven>> compared_with(const CheckArguments& chosen, const Json& inputs) {
  std::vector<FileGiven> all;
  const std::pair<const char*, const std::optional<std::string>&> given[] = {
      {"counts", chosen.counts}, {"policy", chosen.policy}, {"model", chosen.model}, {"design", chosen.design}};
  for (const auto& [name, file] : given) {
    if (!file) continue;
    const auto text = read_text_file(*file);
    if (!text) return input(text.error(), *file);
    FileGiven one{name, *file, sha256(*text), {}};
    if (inputs.contains(name)) one.expected = inputs.at(name).at("sha256").get<std::string>();
    all.push_back(std::move(one));
  }
  return all;
}

std::string judged_in_words(const FileGiven& one) {
  if (!one.expected) return fmt::format("{}: the certificate is about no {}", one.file, one.name);
  if (!one.same())
    return fmt::format("{}: not the {} that the certificate is about: SHA-256 {}, expected {}", one.file, one.name,
                       one.found, *one.expected);
  return fmt::format("{}: the {} that the certificate is about", one.file, one.name);
}

std::string findings_in_words(const std::vector<Mismatch>& mismatches, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMismatchesShown, mismatches.size()); ++i) {
    const Mismatch& finding = mismatches[i];
    text += wrap(fmt::format("{}: is {}, expected {}", finding.pointer, finding.found, finding.expected), width, 2);
  }
  if (mismatches.size() > kMismatchesShown)
    text += fmt::format("  and {} more (--json has all)\n", mismatches.size() - kMismatchesShown);
  return text;
}

/// What it says, what it rests on, and what the data say about that.
std::string content_in_words(const std::string& text, const Json& certificate, std::size_t width) {
  std::string out = "\n" + wrap(what_is_certified(text), width) + "\nit rests on:\n";
  for (const Json& assumption : certificate.at("assumptions"))
    out += wrap("- " + assumption.get<std::string>(), width, 2);
  if (!certificate.at("diagnosis").empty()) out += "\nwhat the data say about that:\n";
  std::vector<std::string> said;  // tests that could not be made may say the same of a group
  for (const Json& test : certificate.at("diagnosis")) {
    const auto& sentence = test.at("sentence").get_ref<const std::string&>();
    if (std::find(said.begin(), said.end(), sentence) != said.end()) continue;
    said.push_back(sentence);
    out += wrap("- " + sentence, width, 2);
  }
  return out;
}

/// A proof of a bound, which is about a model that is not in it.
Result<Answer> run_proof(const CheckArguments& chosen, const std::string& text, const Context& context) {
  if (!chosen.model) return usage(fmt::format("{} is a proof about a model", chosen.file), "give it with --model");
  if (chosen.counts || chosen.policy || chosen.design)
    return usage("--counts, --policy and --design are for certificates: a proof is about a model alone");
  const auto model_text = read_text_file(*chosen.model);
  if (!model_text) return input(model_text.error(), *chosen.model);
  const auto model = parse_model(*model_text, *chosen.model);
  if (!model) return input(model.error(), *chosen.model);
  if (const auto sound = prove::proof_from(text); !sound) return input(sound.error(), chosen.file);
  const auto proven = prove::check_proof(text, *model, *model_text);

  Answer answer;
  answer.schema = "fairstep/check/1";
  answer.body = {{"file", chosen.file}, {"model", *chosen.model}, {"holds", proven.has_value()}};
  Json findings = Json::array();
  if (!proven) {
    const std::string message = in_command(proven.error().message);
    answer.code = ExitCode::no;
    findings.push_back({{"pointer", proven.error().pointer}, {"message", message}});
    answer.text = fmt::format("{}: does not hold\n", chosen.file) +
                  wrap(fmt::format("{}: {}", proven.error().pointer, message), context.width, 2);
  } else {
    answer.body["compared"] = proven->claims;
    answer.body["statement"] = proven->statement;
    answer.body["bound"] = proven->bound ? Json(*proven->bound) : Json();
    answer.body["value"] = proven->value ? Json(*proven->value) : Json();
    answer.text = fmt::format("{}: holds; {} claim{} about {} part{} derived again, numbers rounded to the safe side\n",
                              chosen.file, with_thousands(proven->claims), proven->claims == 1 ? "" : "s",
                              with_thousands(proven->parts), proven->parts == 1 ? "" : "s") +
                  wrap(proven->statement, context.width, 2);
  }
  answer.body["findings"] = findings;
  return answer;
}

bool is_proof(const std::string& text) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  return document.is_object() && document.value("schema", nlohmann::json()) == prove::kProofSchema;
}

Result<Answer> run(const CheckArguments& chosen, const Context& context) {
  const std::string& file = chosen.file;
  const auto text = read_text_file(file);
  if (!text) return input(text.error(), file);
  if (is_proof(*text)) return run_proof(chosen, *text, context);
  const auto report = check_certificate(*text, file);
  if (!report) return input(report.error(), file);
  const Json certificate = Json::parse(*text);
  const auto compared = compared_with(chosen, certificate.at("inputs"));
  if (!compared) return tl::unexpected(compared.error());

  Answer answer;
  answer.schema = "fairstep/check/1";
  Json findings = Json::array();
  for (const Mismatch& finding : report->mismatches)
    findings.push_back({{"pointer", finding.pointer}, {"found", finding.found}, {"expected", finding.expected}});
  Json files = Json::array();
  for (const FileGiven& one : *compared)
    files.push_back({{"document", one.name},
                     {"file", one.file},
                     {"sha256", one.found},
                     {"expected", one.expected ? Json(*one.expected) : Json()},
                     {"same", one.same()}});
  const bool holds = report->mismatches.empty();
  const bool same = std::all_of(compared->begin(), compared->end(), [](const FileGiven& one) { return one.same(); });
  answer.body = {{"file", file},
                 {"holds", holds},
                 {"compared", report->compared},
                 {"unchecked", Json::array({"/diagnosis"})},
                 {"findings", findings},
                 {"certified", holds ? Json(what_is_certified(*text)) : Json()},
                 {"assumptions", holds ? certificate.at("assumptions") : Json()},
                 {"delta", holds ? certificate.at("delta") : Json()},
                 {"files", files}};
  if (!holds || !same) answer.code = ExitCode::no;
  if (holds)
    answer.text = fmt::format(
        "{}: holds; {} claims derived again, numbers rounded to the safe side\n"
        "its diagnosis of the data was not computed again\n",
        file, with_thousands(report->compared));
  else
    answer.text = fmt::format("{}: does not hold, {} finding{}\n", file, report->mismatches.size(),
                              report->mismatches.size() == 1 ? "" : "s") +
                  findings_in_words(report->mismatches, context.width);
  for (const FileGiven& one : *compared) answer.text += wrap(judged_in_words(one), context.width);
  if (holds) answer.text += content_in_words(*text, certificate, context.width);
  return answer;
}

}  // namespace

Verb check_verb() {
  return {
      "check",
      "whether a certificate is true to its own data, or a proof holds for a model",
      "Derives everything that a certificate claims again from the counts and the policy inside it, with every "
      "operation rounded to the safe side and by code that shares nothing with what made it. A number or text that is "
      "not so is named with what would be right, and the exit code is 1. Of a certificate that holds it prints what is "
      "certified, every assumption, and what the data say about these. With --counts, --policy, --model or --design it "
      "compares the hash of a file with the one in the certificate, and the exit code is 1 if they differ. A file that "
      "is no certificate, or whose counts, policy and settings cannot be true together, ends with exit code 2. "
      "tools/check_certificate.py does the same in plain Python. A proof of a bound (fairstep solve --proof) is about "
      "a "
      "model, which --model names; tools/check_proof.py checks these.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
       "fairstep simulate fico.json half.json --people-per-group 1e5 -o counts.json",
       "fairstep certify counts.json half.json -o certificate.json", "fairstep check certificate.json",
       "fairstep check certificate.json --counts counts.json --policy half.json"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<CheckArguments>();
        options.positional("FILE", chosen->file, "certificate, or proof of a bound (fairstep solve --proof)");
        options.text("--counts", chosen->counts, "FILE", "are these the counts that a certificate is about?");
        options.text("--policy", chosen->policy, "FILE", "is this its policy?");
        options.text("--model", chosen->model, "FILE",
                     "the model that a proof is about; is this the model that a certificate knows rewards from?");
        options.text("--design", chosen->design, "FILE", "are these the counts of a certificate's design part?");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
