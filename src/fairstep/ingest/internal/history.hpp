// What a tally has beyond the counts, in their order: when and after what next states were seen.
#pragma once

#include <cstdint>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/history.hpp>
#include <fairstep/ingest/internal/ledger.hpp>
#include <fairstep/ingest/internal/tally.hpp>

namespace fairstep::internal {

/// `counts` have the names, the horizon and the visits already.
[[nodiscard]] History history_of(Tally& tally, const CountsSpec& counts, std::int64_t first_step, const Places& places);

}  // namespace fairstep::internal
