// Why rows of a log cannot be used: which values they have, what would mend it, and when it is too much.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/look.hpp>
#include <fairstep/ingest/internal/scan.hpp>
#include <fairstep/ingest/internal/tally.hpp>

namespace fairstep::internal {

/// In the order of Anomaly and of the names of roles.
[[nodiscard]] std::vector<Finding> findings_of(const Scanned& scanned, const LogFiles& log);

/// Of one part of the people, or of all if there is one: what is lost first, the most frequent before others. What
/// would mend it is seen from all parts.
[[nodiscard]] std::vector<Cause> causes_of(std::vector<Scanned>& parts, std::size_t part, const LogFiles& log,
                                           const CountOptions& options);

/// Groups of which the log has rows, none of which could be used.
[[nodiscard]] std::vector<std::string> lost_groups_of(Tally& tally);

/// Of all parts together. An error if labels or actions are coded in another way than was said, so that one of them
/// would be taken for missing; if nobody is of a group that was named; and, unless it is allowed, if all rows of such
/// a group, or more than kMostLost of all rows, are lost. A log of which nothing can be used is another error.
[[nodiscard]] Expected<void> check_usable(std::vector<Scanned>& parts, const LogFiles& log,
                                          const CountOptions& options);

/// `unknown y in 400 rows ("2" in 390, "x" in 10)`
[[nodiscard]] std::string in_words(const Cause& cause);

}  // namespace fairstep::internal
