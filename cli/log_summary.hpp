// What was found in a log, and what it hardly has: for people and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/estimate/coverage.hpp>

#include "verb.hpp"

namespace fairstep::cli {

/// `duplicate: 3 rows, the first is row 17 of log.csv`
[[nodiscard]] std::string in_words(const Finding& finding);
[[nodiscard]] Json to_json(const std::vector<Finding>& findings);

/// `labels are censored; ...`: the assumption in a sentence, empty if none was needed.
[[nodiscard]] std::string assumption(const LogRecord& record);

/// {threshold, cells, unseen, thin, unseen_cells, thin_cells}
[[nodiscard]] Json to_json(const Coverage& coverage);
/// One line, or a paragraph that names cells.
[[nodiscard]] std::string in_words(const Coverage& coverage, const Names& names, std::size_t width);

}  // namespace fairstep::cli
