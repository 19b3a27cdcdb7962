// Rows of a log become counts: a decoder reads their values, an imputer draws labels that are missing if it is told to,
// a stitcher puts the rows of each person together, and a counter counts them; two, if people are split.
//
// A tally may see only parts of the log, as one of several threads does; `absorb` and `finish` put them together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/log_record.hpp>
#include <fairstep/ingest/internal/chunk.hpp>
#include <fairstep/ingest/internal/counter.hpp>
#include <fairstep/ingest/internal/counters.hpp>
#include <fairstep/ingest/internal/decoder.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/findings.hpp>
#include <fairstep/ingest/internal/imputer.hpp>
#include <fairstep/ingest/internal/ledger.hpp>
#include <fairstep/ingest/internal/plan.hpp>
#include <fairstep/ingest/internal/stitcher.hpp>
#include <fairstep/ingest/internal/tables.hpp>

namespace fairstep::internal {

class Tally {
 public:
  explicit Tally(const Plan& plan);

  /// Rows of one file, one after the other from `place` on. The columns are those of `Role`, without absent ones.
  /// False if it is of no use to go on.
  bool take(const std::vector<RawColumn>& columns, std::size_t rows, std::uint64_t place) {
    return take_rows(columns, rows, {place, nullptr});
  }
  /// Rows from anywhere, each with its place; only with the plan's `people_together`.
  bool take_sorted(const std::vector<RawColumn>& columns, std::size_t rows, const std::int64_t* places) {
    return take_rows(columns, rows, {0, places});
  }

  /// Adds what another tally of the same plan has seen, and leaves it empty.
  void absorb(Tally& other);
  /// Puts the parts together. After this the tables are complete, unless the rows were in disorder.
  void finish();

  /// Of a finished tally: one for each part of the people, as if the others had not been in the log; or itself. All
  /// have the names and steps of the whole log.
  [[nodiscard]] static std::vector<Tally> by_part(Tally tally);

  /// Members of a finished tally, one after the other, onto a wire or off it.
  template <class Wire>
  void travel(Wire& wire) {
    wire(decoder_.vocabulary(), counters_, taken_);
  }

  /// The rows of a person are not known to be together: persons do not come in a rising order.
  void give_up() { stitcher_.give_up(); }
  [[nodiscard]] bool disordered() const { return stitcher_.disordered(); }
  /// Why reading had to end; empty if all is well.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  /// The row that it is about, if it is about one.
  [[nodiscard]] std::optional<std::uint64_t> failed_at() const { return failed_at_; }

  /// Rows that came, of whatever part.
  [[nodiscard]] std::int64_t taken() const { return taken_; }

  // What was counted, of all people or of one part.
  [[nodiscard]] const Findings& findings() const { return counter().findings(); }
  [[nodiscard]] Tables& tables() { return counters_.each().front().tables(); }
  [[nodiscard]] const std::vector<std::string>& groups() const { return vocabulary().groups.names(); }
  [[nodiscard]] const std::vector<std::string>& features() const { return vocabulary().features.names(); }
  [[nodiscard]] const std::vector<std::int64_t>& steps() const { return vocabulary().steps.steps(); }
  /// Of these people, and those that may be anybody's.
  [[nodiscard]] std::int64_t rows() const { return counter().totals().rows; }
  [[nodiscard]] std::int64_t people() const { return counter().totals().people; }
  [[nodiscard]] std::int64_t imputed() const { return counter().totals().imputed; }
  /// Rows that could not be used, and what they may have been.
  [[nodiscard]] std::int64_t lost_rows() const { return counter().totals().lost_rows; }
  [[nodiscard]] const Ledger& ledger() const { return counter().ledger(); }
  /// Lines that are no rows: they may have been anything.
  void lose_lines(std::int64_t lines) { counters_.lose_lines(lines); }
  /// Rows of excluded groups, in the order of the plan's.
  [[nodiscard]] const std::vector<std::int64_t>& excluded() const { return counter().excluded(); }

 private:
  /// One part of another tally.
  Tally(const Tally& whole, Counter counter);
  [[nodiscard]] const Counter& counter() const { return counters_.each().front(); }
  bool take_rows(const std::vector<RawColumn>& columns, std::size_t rows, RowPlaces places);
  /// Those whose persons have no spaces around their names.
  bool take_clean_rows(const std::vector<RawColumn>& columns, std::size_t rows, RowPlaces places);
  /// For all that the vocabulary has; false if that is too much.
  [[nodiscard]] bool make_room();
  /// Fails if a weight is none.
  [[nodiscard]] bool weights_are_right(const RowPlaces& places);
  /// Fails if there are too many of them.
  void note_windows();
  [[nodiscard]] bool ended() const { return disordered() || !failure_.empty(); }
  [[nodiscard]] const Vocabulary& vocabulary() const { return decoder_.vocabulary(); }

  bool numbered_;  ///< persons are numbers
  double largest_weight_;
  bool by_step_;  ///< next states are counted by step as well
  Decoder decoder_;
  std::vector<Imputer> imputers_{};  ///< of each part, or one
  Stitcher stitcher_;
  Counters counters_;
  Chunk chunk_{};  ///< the last one
  std::vector<duckdb_string_t> trimmed_{};
  std::int64_t taken_ = 0;  ///< rows
  std::string failure_{};
  std::optional<std::uint64_t> failed_at_{};
};

}  // namespace fairstep::internal
