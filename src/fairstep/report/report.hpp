// The folder of an experiment -> one HTML file that needs nothing else, and the verdicts in it.
//
// Everything in the report is made from the folder: numbers, sentences, verdicts and charts. The same folder gives the
// same bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>

namespace fairstep {

/// A claim as it was judged on one environment and notion.
struct ReportFinding {
  std::string setting{};   ///< "FICO, demographic parity"
  std::string ruling{};    ///< holds, a tie, undecided, does not hold
  std::string evidence{};  ///< the numbers behind it, in words
};

struct ReportVerdict {
  std::string id{};
  std::string claim{};
  std::string rule{};
  std::string ruling{};  ///< over all settings: "does not hold in 1 of 4 settings"
  std::vector<ReportFinding> findings{};
};

/// A mean over repeats and its 95 % interval; NaN where there is none.
struct ReportNumber {
  double mean = 0, low = 0, high = 0;
};

/// A method at its last update.
struct ReportRow {
  std::string setting{}, method{};
  ReportNumber value{}, violation{}, worst{}, regret{};
  std::size_t solves = 0, proven = 0;
};

struct Report {
  std::string html{};
  std::string name{};                 ///< of the experiment
  std::size_t runs = 0, missing = 0;  ///< finished ones, and those that are not
  std::size_t figures = 0;
  std::vector<std::string> summary{};  ///< its sentences
  std::vector<ReportRow> numbers{};
  std::vector<ReportVerdict> verdicts{};
  /// SHA-256 of experiment.json, and of the list that `sha256sum` prints for all results; the page has them too.
  std::string plan_digest{}, results_digest{};
};

/// An Error if the folder is not that of an experiment, has no finished run, or a file of it is damaged.
[[nodiscard]] Expected<Report> make_report(const std::filesystem::path& folder);

/// Summary, numbers and verdicts as Markdown, for documents that quote them.
[[nodiscard]] std::string to_markdown(const Report& made);

}  // namespace fairstep
