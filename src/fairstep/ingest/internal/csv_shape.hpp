// Whether a CSV file can be given to DuckDB. It writes down every field too many of a line together with the whole
// line, which for a line of 100,000 fields takes minutes: such lines are found first.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>

#include <fairstep/core/error.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/blocks.hpp>

namespace fairstep::internal {

/// Columns of a log, and fields of a line that is no row of it.
inline constexpr std::size_t kMostFields = 1000;

/// How a CSV file is written.
struct CsvForm {
  char delimiter = ',';
  Encoding encoding = Encoding::utf8;
};

/// What the first lines show to separate the columns: comma, semicolon, tab or bar; a comma if they show nothing. An
/// Error if the first line is to be UTF-8 and is not.
[[nodiscard]] Expected<char> guess_delimiter(const std::string& file, FileKind kind, Encoding encoding);

/// What to do about a file that is not UTF-8.
[[nodiscard]] std::string not_utf8_hint();

/// The number of fields in the first line. An Error if a line has more than kMostFields, the file is not whole, a byte
/// is no letter of Latin-1 and should be, or it was stopped.
[[nodiscard]] Expected<std::size_t> look_through_csv(const std::string& file, FileKind kind, CsvForm form,
                                                     const std::stop_token& stop = {});

}  // namespace fairstep::internal
