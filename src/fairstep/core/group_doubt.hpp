// Whether everybody's group is known.
#pragma once

#include <algorithm>

#include <fairstep/core/log_record.hpp>

namespace fairstep {

/// A log with rows that name no known group, or people whose rows name several. Such a person counts in every group
/// that they may be of (Counts::everybody): the numbers of people are upper ends then.
[[nodiscard]] inline bool groups_in_doubt(const LogRecord& record) {
  return std::any_of(record.findings.begin(), record.findings.end(), [](const Finding& finding) {
    return finding.anomaly == Anomaly::group_change || (is_lost(finding.anomaly) && finding.role == "group");
  });
}

}  // namespace fairstep
