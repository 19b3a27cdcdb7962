// Where counts came from: which log, how it was read, and everything in it that was not as it should be.
//
// It travels with the counts, so that whoever fits, audits or certifies them later can repeat what they rest on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/table_shape.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/core/unlabelled.hpp>
#include <fairstep/core/words.hpp>

namespace fairstep {

/// What can be wrong with a row. Docs: docs/logs.md.
enum class Anomaly {
  malformed,     ///< a line of a CSV file that is no row: too many or too few fields, a quote never closed, not UTF-8
  missing,       ///< no value
  unreadable,    ///< not a number where one is needed
  unknown,       ///< a group, feature, label or action that is not among those named
  out_of_range,  ///< a step before the first or after the last one
  out_of_order,  ///< a step lower than that of the person's row before
  duplicate,     ///< a second row of the same person and step, saying the same
  conflict,      ///< a second row of the same person and step, saying something else
  group_change,  ///< another group than in the person's first step
  gap,           ///< the person is back after missing steps
};
template <>
inline constexpr auto kWords<Anomaly> = words<Anomaly>({{Anomaly::malformed, "malformed"},
                                                        {Anomaly::missing, "missing"},
                                                        {Anomaly::unreadable, "unreadable"},
                                                        {Anomaly::unknown, "unknown"},
                                                        {Anomaly::out_of_range, "out-of-range"},
                                                        {Anomaly::out_of_order, "out-of-order"},
                                                        {Anomaly::duplicate, "duplicate"},
                                                        {Anomaly::conflict, "conflict"},
                                                        {Anomaly::group_change, "group-change"},
                                                        {Anomaly::gap, "gap"}});
inline constexpr std::size_t kAnomalies = kWords<Anomaly>.size();

/// What of one kind was found in a log.
struct Finding {
  Anomaly anomaly{};
  std::string role{};     ///< `y`: which of a row's values; empty if it is about the row as a whole
  std::int64_t rows = 0;  ///< how many rows
  std::string file{};     ///< where the first of them is
  std::int64_t row = 0;   ///< its number in the file, 1 for the first below the header; of a malformed line, the line

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// What was done about decisions whose label nobody knows.
enum class Censoring {
  none,       ///< no usable decision is without a label
  drop,       ///< decisions without a label are left out
  ignorable,  ///< their labels are drawn as those of the accepted with the same group and feature are distributed
};
template <>
inline constexpr auto kWords<Censoring> =
    words<Censoring>({{Censoring::none, "no"}, {Censoring::drop, "drop"}, {Censoring::ignorable, "assume-ignorable"}});

/// The decisions of a part of the calendar, over all steps.
struct Window {
  std::string from{};                    ///< first day, 2024-07-01
  Tensor<std::int64_t, 3> decisions{};   ///< [g,y,a]
  Tensor<std::int64_t, 2> unlabelled{};  ///< [g,a] decisions without a label

  friend bool operator==(const Window&, const Window&) = default;
};

/// Rows of a group that the user has put outside of the study.
struct Excluded {
  std::string group{};
  std::int64_t rows = 0;

  friend bool operator==(const Excluded&, const Excluded&) = default;
};

struct LogRecord {
  std::vector<std::string> files{};
  std::vector<std::pair<std::string, std::string>> columns{};  ///< role and column, `x` and `score_band`
  std::vector<double> bins{};   ///< lower ends of the features, if x is a number cut into bins
  TableShape shape{};           ///< what was made of the table before its rows were counted
  std::int64_t first_step = 0;  ///< the log's number of step 0
  std::int64_t rows = 0;        ///< read, malformed lines left out
  std::vector<Finding> findings{};
  Censoring censoring = Censoring::none;
  std::int64_t imputed = 0;              ///< labels drawn under Censoring::ignorable
  Tensor<std::int64_t, 4> unlabelled{};  ///< [g,h,x,a] decisions without a label, in no other count; empty if none
  /// Whence and whither these people came and went; none if every label is there, or in files of older versions.
  std::optional<UnlabelledRows> unlabelled_rows{};
  std::optional<Lost> lost{};          ///< rows that could not be used; unknown in files of older versions
  std::vector<Excluded> excluded{};    ///< by the name of the group, none without a row
  std::int64_t unrecorded_people = 0;  ///< in the counts, but from elsewhere: nothing is known of their log
  std::string window{};                ///< `month`, `30 days`; empty if there are no windows
  std::vector<Window> windows{};       ///< in the order of time, none without a decision

  friend bool operator==(const LogRecord&, const LogRecord&) = default;
};

/// An error if the record cannot belong to counts of this shape.
[[nodiscard]] Expected<void> check(const LogRecord& record, const Shape& shape, const std::vector<std::string>& groups);

/// Rows of this kind could not be used, although the log had them.
[[nodiscard]] bool is_lost(Anomaly anomaly);

/// Rows that somebody wanted and that are not counted. Those that lack no more than a label have a rule of their own.
[[nodiscard]] bool is_loss(const Finding& finding);

/// How many of them the log has, lines that are no rows included, and of how many in the study.
struct LossShare {
  std::int64_t lost = 0, of = 0;

  [[nodiscard]] double share() const { return of == 0 ? 0 : static_cast<double>(lost) / static_cast<double>(of); }
};
[[nodiscard]] LossShare loss_share(const LogRecord& record);

/// What could not be used: as it is recorded, or nothing if the findings of an older version have no such row;
/// otherwise nobody knows.
[[nodiscard]] std::optional<Lost> losses(const LogRecord& record, const Shape& shape);

/// The record of both logs together; an error if they were read in ways that do not go together. What is unknown of one
/// is unknown of both.
[[nodiscard]] Expected<LogRecord> merge(const LogRecord& ours, const LogRecord& theirs, const Shape& shape);

}  // namespace fairstep
