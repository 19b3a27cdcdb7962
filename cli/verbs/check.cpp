// fairstep check CERTIFICATE: whether a certificate is true to its own data.
#include <fairstep/check/check.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

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
  std::optional<std::string> model{};
};

/// A proof of a bound, which is about a model that is not in it.
Result<Answer> run_proof(const CheckArguments& chosen, const std::string& text, const Context& context) {
  if (!chosen.model) return usage(fmt::format("{} is a proof about a model", chosen.file), "give it with --model");
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
  if (chosen.model) return usage("--model is for proofs, and a certificate has all that it is about inside");
  const auto report = check_certificate(*text, file);
  if (!report) return input(report.error(), file);

  Answer answer;
  answer.schema = "fairstep/check/1";
  Json findings = Json::array();
  for (const Mismatch& finding : report->mismatches)
    findings.push_back({{"pointer", finding.pointer}, {"found", finding.found}, {"expected", finding.expected}});
  const bool holds = report->mismatches.empty();
  answer.body = {{"file", file},
                 {"holds", holds},
                 {"compared", report->compared},
                 {"unchecked", Json::array({"/diagnosis"})},
                 {"findings", findings}};
  if (holds) {
    answer.text = fmt::format(
        "{}: holds; {} claims derived again, numbers rounded to the safe side\n"
        "its diagnosis of the data was not computed again\n",
        file, with_thousands(report->compared));
    return answer;
  }
  answer.code = ExitCode::no;
  answer.text = fmt::format("{}: does not hold, {} finding{}\n", file, report->mismatches.size(),
                            report->mismatches.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(kMismatchesShown, report->mismatches.size()); ++i) {
    const Mismatch& finding = report->mismatches[i];
    answer.text +=
        wrap(fmt::format("{}: is {}, expected {}", finding.pointer, finding.found, finding.expected), context.width, 2);
  }
  if (report->mismatches.size() > kMismatchesShown)
    answer.text += fmt::format("  and {} more (--json has all)\n", report->mismatches.size() - kMismatchesShown);
  return answer;
}

}  // namespace

Verb check_verb() {
  return {
      "check",
      "whether a certificate is true to its own data, or a proof holds for a model",
      "Derives everything that a certificate claims again from the counts and the policy inside it, with every "
      "operation "
      "rounded to the safe side and by code that shares nothing with what made it. A number or text that is not so is "
      "named with what would be right, and the exit code is 1. A file that is no certificate, or whose counts, policy "
      "and settings cannot be true together, ends with exit code 2. tools/check_certificate.py does the same in plain "
      "Python. A proof of a bound (fairstep solve --proof) is about a model, which --model names; tools/check_proof.py "
      "checks these.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
       "fairstep simulate fico.json half.json --people-per-group 1e5 -o counts.json",
       "fairstep certify counts.json half.json -o certificate.json", "fairstep check certificate.json"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<CheckArguments>();
        options.positional("FILE", chosen->file, "certificate, or proof of a bound (fairstep solve --proof)");
        options.text("--model", chosen->model, "FILE", "the model that a proof is about");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
