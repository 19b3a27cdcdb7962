// Rows of persons become counts, and whatever cannot be counted is charged to everything that it may have been.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <fairstep/core/history.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/chunk.hpp>
#include <fairstep/ingest/internal/findings.hpp>
#include <fairstep/ingest/internal/judge.hpp>
#include <fairstep/ingest/internal/ledger.hpp>
#include <fairstep/ingest/internal/plan.hpp>
#include <fairstep/ingest/internal/tables.hpp>
#include <fairstep/ingest/internal/vocabulary.hpp>

namespace fairstep::internal {

/// How many there were.
struct Totals {
  std::int64_t rows = 0;
  std::int64_t people = 0;  ///< with at least one row that could be used
  std::int64_t imputed = 0;
  std::int64_t lost_rows = 0;

  void add(const Totals& other) {
    rows += other.rows;
    people += other.people;
    imputed += other.imputed;
    lost_rows += other.lost_rows;
  }
  template <class Wire>
  void travel(Wire& wire) {
    wire(rows, people, imputed, lost_rows);
  }
};

class Counter {
 public:
  explicit Counter(const Plan& plan)
      : window_(plan.window),
        weighed_(plan.type[static_cast<std::size_t>(Role::weight)] != ValueType::absent),
        tables_(plan.by_step),
        excluded_(plan.excluded.size()) {}

  /// Makes room for the numbers of a vocabulary; call before counting rows with new ones.
  void reserve(const Vocabulary& vocabulary);

  /// All rows of one person, in any order; what is left in `rows` is of no use.
  void count_person(std::vector<Row>& rows);
  /// Rows [from, to) of a chunk: whole persons, every row with a label, usable, and in order. Without a detour.
  template <class Value>
  void count_in_place(const Value* people, const Chunk& chunk, std::size_t from, std::size_t to, std::uint64_t place);
  /// Takes note of a row that cannot be used as it is; true if it is still one of its person's rows.
  [[nodiscard]] bool keep_with_person(const Chunk& chunk, std::size_t i, std::uint64_t place);
  /// Lines that are no rows: they may have been anything.
  void lose_lines(std::int64_t lines);

  /// Adds what another one counted. With other numbers: ours are in `ours`, and have room.
  void add_tables(Counter& other, const Renumbering& ours);
  /// The rest, which has no numbers.
  void add_totals(const Counter& other);

  [[nodiscard]] Tables& tables() { return tables_; }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  [[nodiscard]] const Findings& findings() const { return findings_; }
  /// Rows of excluded groups, in the order of the plan's.
  [[nodiscard]] const std::vector<std::int64_t>& excluded() const { return excluded_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
  /// Labels that were drawn for rows to come.
  void note_imputed(std::int64_t labels) { totals_.imputed += labels; }

  template <class Wire>
  void travel(Wire& wire) {
    wire(tables_, ledger_, excluded_, findings_, totals_);
  }

 private:
  /// The decisions of a person that came right one after the other, as far as the next one needs them.
  struct Trail {
    std::size_t known = 0;  ///< how many, at most 2
    std::size_t cell = 0, cell_before = 0, h = 0;
    std::size_t class_before = 0;  ///< of the decision before, for the next
    std::size_t class_here = 0;
    std::int64_t step = 0;

    void go_on(std::size_t new_cell, std::size_t y, std::size_t a, std::size_t new_h, std::int64_t new_step) {
      known = known == 0 ? 1 : 2;
      cell_before = cell;
      cell = new_cell;
      h = new_h;
      class_before = class_here;
      class_here = fairstep::class_before(y, a);
      step = new_step;
    }
  };
  /// The next state is not seen.
  void end_trail(Trail& trail);
  void exclude(std::int32_t group);
  void leave_outside(const std::vector<Row>& rows);
  void note_missing_labels(const std::vector<Row>& rows);
  /// What a usable row says of features and does not say of states: it or the one `before`, at the step before, has no
  /// label. Null if there is none before.
  void count_unlabelled(const Row& row, bool is_first, const Row* before);
  /// A decision with a label, and how it follows on the trail; `day_before` is that of the decision before.
  void count_decision(const Row& row, std::int32_t day_before, Trail& trail);
  /// Charges a row of the person to all that it may have been; `goes_on`: the log may have its successor.
  void lose(const Row& row, bool goes_on);

  std::optional<CalendarUnit> window_;
  bool weighed_;
  Judge judge_{};
  Tables tables_;
  Ledger ledger_{};
  std::vector<std::int64_t> excluded_;
  Findings findings_{};
  Totals totals_{};
};

}  // namespace fairstep::internal
