// The ways through all rows of a log.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairstep/core/error.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/look.hpp>
#include <fairstep/ingest/internal/tally.hpp>

namespace fairstep::internal {

/// Lines of CSV files that are no rows.
struct Malformed {
  std::int64_t lines = 0;
  std::size_t file = 0;     ///< where the first is
  std::int64_t line = 0;    ///< its number in the file, from 1
  bool open_quote = false;  ///< one of them has a quote that is not closed where it should be
};

struct Scanned {
  Tally tally;
  Malformed malformed{};
};

/// Every row of the log into a tally, in one pass and in the order of the log. It may turn out to be disordered. The
/// database must be a new one.
[[nodiscard]] Expected<Scanned> scan_in_order(const Database& database, const LogFiles& log, const Plan& plan);

/// The same with the engine bringing persons together first.
[[nodiscard]] Expected<Scanned> scan_sorted(const Database& database, const LogFiles& log, Plan plan);

}  // namespace fairstep::internal
