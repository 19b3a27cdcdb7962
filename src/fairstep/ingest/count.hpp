// From a log of decisions to counts. A log is CSV (plain or gzip) or Parquet, one file or many, in long format: a row
// for each decision, with person, step, group, x, y, a and reward. Whatever in it is not as it should be is counted and
// named, never silently repaired. docs/logs.md says what happens to which row.
//
// The log may be larger than memory. If the persons come in a rising order, as in a log that was written person by
// person, one pass does; otherwise the engine sorts first, on disk if need be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/core/table_shape.hpp>
#include <fairstep/core/words.hpp>

namespace fairstep {

/// A part of the calendar: a month, quarter or year, or so many days counted from 1970-01-01.
struct CalendarUnit {
  enum class Kind { days, month, quarter, year };
  Kind kind = Kind::month;
  std::int32_t days = 0;  ///< of Kind::days

  /// `month`, `30 days`
  [[nodiscard]] std::string name() const;
  /// `month`, `quarter`, `year`, `30days` or `30 days`, at most 100,000; nothing if it is none of these.
  [[nodiscard]] static std::optional<CalendarUnit> parse(std::string_view text);
};

/// How the bytes of CSV files stand for letters.
enum class Encoding { utf8, latin1 /* ISO 8859-1 */ };
template <>
inline constexpr auto kWords<Encoding> = words<Encoding>({{Encoding::utf8, "utf-8"}, {Encoding::latin1, "latin-1"}});

struct CountOptions {
  /// Role and column: {"x", "score_band"}, or several that make one, {"group", "sex+education"}. A role left out is in
  /// the column of its own name; reward and time may be nowhere.
  std::vector<std::pair<std::string, std::string>> columns{};
  std::vector<double> bins{};                  ///< lower ends, rising: x is a number, cut into [b0,b1), [b1,b2), ...
  std::vector<std::string> groups{};           ///< in this order, and no others; empty: those that occur, sorted
  std::vector<std::string> excluded_groups{};  ///< outside of the study: rows are left out, and nothing is lost
  std::vector<std::string> features{};         ///< the same; with bins, a name for each
  std::vector<std::string> labels{"unqualified", "qualified"};  ///< names of 0 and 1, understood as values too
  std::vector<std::string> actions{"refuse", "accept"};
  std::optional<std::int64_t> first_step{};  ///< the log's number of step 0; empty: the lowest that occurs
  std::optional<std::size_t> horizon{};      ///< empty: up to the highest step that occurs
  std::optional<Censoring> censoring{};      ///< what to do if labels are missing; empty: refuse
  KernelChoice kernel{};                     ///< by which successors are counted; steps are those of the counts
  std::optional<CalendarUnit> window{};      ///< if there is a time: decisions by calendar windows
  std::optional<char> delimiter{};           ///< of CSV files; empty: as their first lines show
  Encoding encoding = Encoding::utf8;        ///< of CSV files
  TableShape shape{};                        ///< how the table becomes rows of decisions
  bool allow_loss = false;                   ///< count what is left though more than kMostLost of the rows are lost
  bool groups_may_be_empty = false;          ///< of those that are given; they come from elsewhere

  unsigned threads = 1;                         ///< the answer does not depend on it
  std::uint64_t memory_bytes = 600'000'000;     ///< for the engine; beyond it the disk is used
  std::filesystem::path temporary_directory{};  ///< for that; empty: the system's
  std::stop_token stop{};                       ///< gives up, with an Error: counts are of whole logs
};

/// The share of the rows that may be lost before it is an error.
inline constexpr double kMostLost = 0.05;

/// Groups, features, labels, actions and steps of a model, or of counts and of the log they came from. Bins that are
/// asked for stay, and make features of their own.
void take_names(const Model& like, CountOptions& options);
void take_names(const Counts& like, CountOptions& options);

/// Bins of a column: those of x if it is the column of x, or if nothing is; otherwise of a column of group or x. An
/// error if no role has the column.
[[nodiscard]] Expected<void> add_bins(ColumnBins bins, CountOptions& options);

/// A value that could not be used, and in how many rows.
struct SeenValue {
  std::string text{};
  std::int64_t rows = 0;
};

/// What is behind a finding. It is for whoever mends the log and is no part of the counts, in which no value of a row
/// is.
struct Cause {
  Finding found{};
  std::vector<SeenValue> values{};  ///< the most frequent first, a few of them
  bool more = false;                ///< there are others
  std::string mend{};               ///< the option that would help, as marked text (core/mention.hpp); may be empty
};

/// `"2" in 30 rows, "x" in 2`; empty if there are no values.
[[nodiscard]] std::string values_in_words(const Cause& cause);

struct CountedLog {
  Counts counts;            ///< its `log` is set
  std::int64_t people = 0;  ///< with at least one row that could be used
  /// Rows that could not be used, decisions without a label and malformed lines among them; what they may have been is
  /// in the counts' `log`.
  std::int64_t lost_rows = 0;
  char delimiter = ',';         ///< of CSV files, as they were read
  Encoding encoding{};          ///< likewise
  bool sorted = false;          ///< persons were not in order: the engine sorted the log
  std::vector<Cause> causes{};  ///< of the findings: lost rows first, the most frequent before others
  /// Groups of which the log has rows, and none that could be used: nobody is counted in them.
  std::vector<std::string> lost_groups{};
};

/// The files that names and patterns (`logs/*.parquet`) stand for, in order; an error if one stands for none.
[[nodiscard]] Expected<std::vector<std::string>> find_logs(const std::vector<std::string>& patterns);

/// An error if a file or column is not there, nothing can be counted, or labels are missing and nobody said what to
/// do.
[[nodiscard]] Expected<CountedLog> count_log(const std::vector<std::string>& files, const CountOptions& options = {});

/// Both parts of a log whose people are split, in one pass. Each has what counting would have said had the other's
/// people not been in the log, but for names and steps, which are those of the whole log.
struct SplitLog {
  CountedLog design, audit;
};

/// As `count_log`; an error too if nobody is in a part.
[[nodiscard]] Expected<SplitLog> split_log(const std::vector<std::string>& files, const Split& split,
                                           const CountOptions& options = {});

}  // namespace fairstep
