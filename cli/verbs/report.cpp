// fairstep report FOLDER: one HTML file about an experiment, with nothing outside it.
#include <fairstep/report/report.hpp>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "shell/guarded_file.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

/// So that the examples of --help can be pasted.
constexpr const char* kSmallExperiment =
    "printf '%s\\n' 'schema = \"fairstep/experiment/1\"' 'environments = [\"fico\"]' 'fairness = \"dp\"' 'repeats = 2' "
    "'schedule = \"2^8..2^10\"' 'certificate = \"off\"' '[[method]]' 'method = \"constrained\"' > small.toml";

struct ReportArguments {
  std::string folder{};
  std::optional<std::string> file{};
};

Json verdicts_json(const Report& report) {
  Json list = Json::array();
  for (const ReportVerdict& verdict : report.verdicts) {
    Json findings = Json::array();
    for (const ReportFinding& finding : verdict.findings)
      findings.push_back({{"setting", finding.setting}, {"ruling", finding.ruling}, {"evidence", finding.evidence}});
    list.push_back({{"id", verdict.id},
                    {"claim", verdict.claim},
                    {"rule", verdict.rule},
                    {"ruling", verdict.ruling},
                    {"findings", std::move(findings)}});
  }
  return list;
}

Json number_json(const ReportNumber& number) {
  const auto known = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  return {{"mean", known(number.mean)}, {"low", known(number.low)}, {"high", known(number.high)}};
}

Json numbers_json(const Report& report) {
  Json list = Json::array();
  for (const ReportRow& row : report.numbers)
    list.push_back({{"setting", row.setting},
                    {"method", row.method},
                    {"value", number_json(row.value)},
                    {"violation", number_json(row.violation)},
                    {"worst", number_json(row.worst)},
                    {"regret", number_json(row.regret)},
                    {"solves", row.solves},
                    {"proven", row.proven}});
  return list;
}

Result<Answer> run(const ReportArguments& chosen, const Context&) {
  const std::string file = chosen.file.value_or("report.html");
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".html" && ending != ".htm" && ending != ".md")
    return usage(fmt::format("--output is \"{}\", expected a name that ends in .html or .md", file));
  const auto report = make_report(chosen.folder);
  if (!report) return input(report.error());
  const std::string content = ending == ".md" ? to_markdown(*report) : report->html;
  if (auto ok = write_guarded(file, content); !ok) return io_failure(ok.error());

  Answer answer;
  answer.schema = "fairstep/report/1";
  answer.body = {{"folder", chosen.folder},           {"file", file},
                 {"bytes", content.size()},           {"runs", report->runs},
                 {"missing", report->missing},        {"figures", report->figures},
                 {"summary", report->summary},        {"numbers", numbers_json(*report)},
                 {"verdicts", verdicts_json(*report)}};
  for (const std::string& sentence : report->summary) answer.text += sentence + "\n";
  answer.text += "\n";
  for (const ReportVerdict& verdict : report->verdicts)
    answer.text += fmt::format("{:<38} {}\n", verdict.ruling, verdict.claim);
  constexpr std::size_t large = 5'000'000;
  if (content.size() > large)
    answer.warnings.push_back(
        fmt::format("the report has {} MB: fewer settings or updates make it lighter", content.size() / 1'000'000));
  if (report->missing > 0)
    answer.warnings.push_back(fmt::format("{} runs of the experiment are missing or not finished", report->missing));
  answer.notes.push_back(
      fmt::format("wrote {}: {} runs, {} figures, {} KB", file, report->runs, report->figures, content.size() / 1000));
  return answer;
}

}  // namespace

Verb report_verb() {
  return {
      "report",
      "one HTML file about an experiment, with charts and verdicts",
      "Reads the folder of an experiment and nothing else: a summary in sentences made from the numbers, the paper's "
      "claims judged by stated rules, the paper's figures and more, with the data behind each. The file needs no "
      "network. With a name that ends in .md summary, numbers and verdicts are written, as Markdown.",
      {kSmallExperiment, "fairstep experiment small.toml -o runs/small", "fairstep report runs/small -o report.html",
       "fairstep report runs/small -o verdicts.md --quiet"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<ReportArguments>();
        options.positional("FOLDER", chosen->folder, "folder of an experiment");
        options.output(chosen->file, "report.html, or verdicts.md (default report.html)");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
