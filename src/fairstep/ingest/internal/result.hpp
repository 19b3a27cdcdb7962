// What a tally of all rows comes to: counts in the order of their names, with the record of the log that they are from.
#pragma once

#include <optional>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/look.hpp>
#include <fairstep/ingest/internal/scan.hpp>

namespace fairstep::internal {

/// Of each part of the people: the two of a split, in the order of PartRole, which learn what they are; or one. An
/// error if nothing could be counted, or steps are not as the options have them. `censoring` is what was assumed of the
/// labels that are missing, in each part.
[[nodiscard]] Expected<std::vector<CountedLog>> results_of(std::vector<Scanned>& parts,
                                                           const std::vector<Censoring>& censoring, const LogFiles& log,
                                                           const CountOptions& options,
                                                           const std::optional<Split>& split);

}  // namespace fairstep::internal
