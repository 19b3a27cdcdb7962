// A log that is counted in parts, by tasks that may run on other machines, as those of Spark do. Each part has all rows
// of its persons. What a part says travels as bytes, and all parts together give the counts of the log, to the byte as
// if one machine had read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/frame.hpp>

namespace fairstep {

/// Lines of CSV files that are no rows, and so in no part.
struct MalformedLines {
  std::int64_t lines = 0;
  std::size_t file = 0;   ///< where the first is
  std::int64_t line = 0;  ///< its number in the file, from 1
};

/// The log as a whole.
struct PartedLog {
  std::vector<std::string> files{};
  std::vector<std::pair<std::string, std::string>> columns{};  ///< role and column, sorted
  MalformedLines malformed{};
  std::optional<Split> split{};  ///< of its people
};

/// What counting asks of a table.
struct AskedColumns {
  std::vector<std::string> needed{};                         ///< of the table
  std::vector<std::string> person{};                         ///< those that tell people apart
  std::vector<std::pair<std::string, std::string>> roles{};  ///< role and column, sorted
};

/// Of one that has these columns, which is in this file; an error if something is not there.
[[nodiscard]] Expected<AskedColumns> asked_columns(const std::vector<std::string>& columns, const std::string& file,
                                                   const CountOptions& options);
/// What separates the columns of a CSV file, as its first lines show.
[[nodiscard]] Expected<char> delimiter_of(const std::string& file, Encoding encoding = Encoding::utf8);

/// What a task's part of the log says. Its column `place` has where in the log each row is: file * 2^44 + row, both
/// from 0. `shares` are those of `label_shares`, or empty if no label is to be drawn. `split` is that of the log.
[[nodiscard]] Expected<std::string> count_part(const Frame& part, const CountOptions& options, const std::string& place,
                                               std::string_view shares = {}, const std::optional<Split>& split = {});

/// The chances with which missing labels are to be drawn when the parts are counted again; empty if none has to be. An
/// error if labels are missing and nobody said what to assume.
[[nodiscard]] Expected<std::string> label_shares(const std::vector<std::string>& parts, const PartedLog& log,
                                                 const CountOptions& options);

/// The counts of the whole log, whose people are not split.
[[nodiscard]] Expected<CountedLog> join_parts(const std::vector<std::string>& parts, const PartedLog& log,
                                              const CountOptions& options);

/// Those of both parts of its people, which are split.
[[nodiscard]] Expected<SplitLog> join_split_parts(const std::vector<std::string>& parts, const PartedLog& log,
                                                  const CountOptions& options);

}  // namespace fairstep
