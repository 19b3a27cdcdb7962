// What was found in a log, and what it hardly has: for people and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/estimate/coverage.hpp>
#include <fairstep/ingest/count.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// `duplicate: 3 rows, the first is row 17 of log.csv`
[[nodiscard]] std::string in_words(const Finding& finding);
[[nodiscard]] Json to_json(const std::vector<Finding>& findings);
/// The same with values and what would mend it.
[[nodiscard]] std::string in_words(const Cause& cause);
/// {kind, column, rows, file, row, values: [{value, rows}], more_values, mend}
[[nodiscard]] Json to_json(const std::vector<Cause>& causes);

/// `labels are censored; ...`: the assumption in a sentence, empty if none was needed.
[[nodiscard]] std::string assumption(const LogRecord& record);

/// What whoever uses the counts should know of their log: all that was found, left out or assumed.
[[nodiscard]] std::vector<std::string> log_warnings(const LogRecord& record);

/// What may be missing at most of the counts of a group.
struct Missing {
  std::int64_t first = 0, decisions = 0, successors = 0;
};
/// `lost_rows`: those that could not be used; none of them is more than one decision, and two successors.
[[nodiscard]] Missing missing_of(const Lost& lost, std::size_t g, std::int64_t lost_rows);

/// `left out: 17 of 149 rows (11.4 %); ...`, empty if none was.
[[nodiscard]] std::string losses_in_words(const LogRecord& record, std::int64_t lost_rows);
/// {rows, share, first, first_in_doubt, decisions, successors}: the last four by group, at most.
[[nodiscard]] Json losses_json(const LogRecord& record, std::int64_t lost_rows);

/// {threshold, cells, unseen, thin, unseen_cells, thin_cells}
[[nodiscard]] Json to_json(const Coverage& coverage);
/// One line, or a paragraph that names cells.
[[nodiscard]] std::string in_words(const Coverage& coverage, const Names& names, std::size_t width);

}  // namespace fairstep::cli
