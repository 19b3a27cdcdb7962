// fairstep check CERTIFICATE: whether a certificate is true to its own data.
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

#include "answers/table.hpp"
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
  for (const Json& test : certificate.at("diagnosis"))
    out += wrap("- " + test.at("sentence").get<std::string>(), width, 2);
  return out;
}

Result<Answer> run(const CheckArguments& chosen, const Context& context) {
  const std::string& file = chosen.file;
  const auto text = read_text_file(file);
  if (!text) return input(text.error(), file);
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
      "whether a certificate is true to its own data",
      "Derives everything that a certificate claims again from the counts and the policy inside it, with every "
      "operation "
      "rounded to the safe side and by code that shares nothing with what made it. A number or text that is not so is "
      "named with what would be right, and the exit code is 1. Of a certificate that holds it prints what is "
      "certified, every "
      "assumption, and what the data say about these. With --counts, --policy, --model or --design it compares the "
      "hash of "
      "a file with the one in the certificate, and the exit code is 1 if they differ. A file that is no certificate, "
      "or whose "
      "counts, policy "
      "and settings cannot be true together, ends with exit code 2. tools/check_certificate.py does the same in plain "
      "Python.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
       "fairstep simulate fico.json half.json --people-per-group 1e5 -o counts.json",
       "fairstep certify counts.json half.json -o certificate.json", "fairstep check certificate.json",
       "fairstep check certificate.json --counts counts.json --policy half.json"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<CheckArguments>();
        options.positional("CERTIFICATE", chosen->file, "certificate file");
        options.text("--counts", chosen->counts, "FILE", "are these the counts that it is about?");
        options.text("--policy", chosen->policy, "FILE", "is this the policy?");
        options.text("--model", chosen->model, "FILE", "is this the model that rewards are known from?");
        options.text("--design", chosen->design, "FILE", "are these the counts of the design part?");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
