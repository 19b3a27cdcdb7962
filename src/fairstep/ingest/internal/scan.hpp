// The ways through all rows of a log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/look.hpp>
#include <fairstep/ingest/internal/tally.hpp>

namespace fairstep::internal {

/// Lines of CSV files that are no rows.
struct Malformed {
  std::int64_t lines = 0;
  std::size_t file = 0;       ///< where the first is
  std::int64_t line = 0;      ///< its number in the file, from 1
  std::int64_t not_utf8 = 0;  ///< of the lines
  bool open_quote = false;    ///< one of them has a quote that is not closed where it should be
};

struct Scanned {
  Tally tally;
  Malformed malformed{};
  bool sorted = false;  ///< the engine brought persons together first
};

/// One for each part of the people, or itself; every malformed line may be anybody's.
[[nodiscard]] std::vector<Scanned> by_part(Scanned scanned);

/// Where steps are the order of a person's rows, a row of nobody known would change those of somebody: an error if
/// there is one.
[[nodiscard]] Expected<void> check_order(const Scanned& scanned, const LogFiles& log, const CountOptions& options);

/// Every row of the log into a tally: in one pass if the persons come in order, and otherwise in another one in which
/// the engine sorts. With `sort` it does so at once.
[[nodiscard]] Expected<Scanned> scan(const LogFiles& log, const Plan& plan, const Database::Settings& settings,
                                     bool sort);

}  // namespace fairstep::internal
