// fairstep check CERTIFICATE: whether a certificate is true to its own data.
#include <fairstep/check/check.hpp>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>

#include "answers/table.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

/// Findings that are shown; --json has all.
constexpr std::size_t kMismatchesShown = 10;

Result<Answer> run(const std::string& file, const Context& context) {
  const auto text = read_text_file(file);
  if (!text) return input(text.error(), file);
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
      "whether a certificate is true to its own data",
      "Derives everything that a certificate claims again from the counts and the policy inside it, with every "
      "operation "
      "rounded to the safe side and by code that shares nothing with what made it. A number or text that is not so is "
      "named with what would be right, and the exit code is 1. A file that is no certificate, or whose counts, policy "
      "and settings cannot be true together, ends with exit code 2. tools/check_certificate.py does the same in plain "
      "Python.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
       "fairstep simulate fico.json half.json --people-per-group 1e5 -o counts.json",
       "fairstep certify counts.json half.json -o certificate.json", "fairstep check certificate.json"},
      [](Options& options) -> Action {
        auto file = std::make_shared<std::string>();
        options.positional("CERTIFICATE", *file, "certificate file");
        options.common();
        return [file](const Context& context) { return run(*file, context); };
      },
      {}};
}

}  // namespace fairstep::cli
