// What a tally has beyond the counts, in their order: when and after what next states were seen.
#pragma once

#include <cstdint>
#include <string>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/history.hpp>
#include <fairstep/ingest/internal/ledger.hpp>
#include <fairstep/ingest/internal/tally.hpp>

namespace fairstep::internal {

/// 2024-07-01
[[nodiscard]] std::string date_text(std::int32_t day);

/// `counts` have the names, the horizon and the visits already.
[[nodiscard]] History history_of(Tally& tally, const Counts& counts, std::int64_t first_step, const Places& places);

}  // namespace fairstep::internal
