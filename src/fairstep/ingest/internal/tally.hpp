// Rows of a log, taken in the order of the log, become counts: values are read and judged, the rows of a person are put
// together, and everything that is not as it should be is counted.
//
// A tally may see only parts of the log, as one of several threads does. It then keeps the rows at both ends of each
// part (the rest of those persons is elsewhere), and `absorb` and `finish` put the parts together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <fairstep/core/history.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/category.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/ledger.hpp>
#include <fairstep/ingest/internal/plan.hpp>
#include <fairstep/ingest/internal/roles.hpp>
#include <fairstep/ingest/internal/tables.hpp>

namespace fairstep::internal {

class Tally {
 public:
  explicit Tally(const Plan& plan);

  /// Rows of one file, one after the other from `place` on. The columns are those of `Role`, without absent ones.
  /// False if it is of no use to go on.
  bool take(const std::vector<RawColumn>& columns, std::size_t rows, std::uint64_t place);
  /// Rows from anywhere, each with its place; only with `people_together`.
  bool take_sorted(const std::vector<RawColumn>& columns, std::size_t rows, const std::int64_t* places);

  /// Adds what another tally of the same plan has seen, and leaves it empty.
  void absorb(Tally& other);
  /// Puts the parts together. After this the tables are complete, unless the rows were in disorder.
  void finish();

  /// Members of a finished tally, one after the other, onto a wire or off it.
  template <class Wire>
  void travel(Wire& wire) {
    std::vector<std::string> groups = groups_.names();
    std::vector<std::string> features = features_.names();
    std::vector<std::int64_t> steps = steps_;
    wire(groups, features, steps, tables_, ledger_, excluded_, found_, rows_, people_, imputed_, lost_rows_);
    if constexpr (Wire::reads) {
      for (const std::string& name : groups) std::ignore = groups_.number_of(std::string_view(name));
      for (const std::string& name : features) std::ignore = features_.number_of(std::string_view(name));
      for (const std::int64_t step : steps) std::ignore = step_number(step);
    }
  }

  /// The rows of a person are not known to be together: persons do not come in a rising order.
  void give_up() { disordered_ = true; }
  [[nodiscard]] bool disordered() const { return disordered_; }
  /// Why reading had to end; empty if all is well.
  [[nodiscard]] const std::string& failure() const { return failure_; }

  struct Found {
    std::int64_t rows = 0;
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();  ///< place

    template <class Wire>
    void travel(Wire& wire) {
      wire(rows, first);
    }
  };
  [[nodiscard]] const Found& found(Anomaly anomaly, Role role) const {
    return found_[static_cast<std::size_t>(anomaly)][static_cast<std::size_t>(role)];
  }
  [[nodiscard]] Tables& tables() { return tables_; }
  [[nodiscard]] const std::vector<std::string>& groups() const { return groups_.names(); }
  [[nodiscard]] const std::vector<std::string>& features() const { return features_.names(); }
  [[nodiscard]] const std::vector<std::int64_t>& steps() const { return steps_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t people() const { return people_; }
  [[nodiscard]] std::int64_t imputed() const { return imputed_; }
  /// Rows that could not be used, and what they may have been.
  [[nodiscard]] std::int64_t lost_rows() const { return lost_rows_; }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  /// Lines that are no rows: they may have been anything.
  void lose_lines(std::int64_t lines);
  /// Rows of excluded groups, in the order of the plan's.
  [[nodiscard]] const std::vector<std::int64_t>& excluded() const { return excluded_; }

 private:
  static constexpr std::int64_t kDirectSteps = 4096;  ///< below it the number of a step is looked up in a table

  struct Row {
    std::uint64_t place;
    std::int64_t step;
    double reward;
    std::int32_t h, g, x, day;  ///< h, g, x, y, a are negative where they are not known
    std::int8_t y, a;
    bool usable;  ///< all is known but maybe the label
  };
  /// What a row says of its step; rows that cannot be used come first.
  [[nodiscard]] static auto said_by(const Row& row) {
    return std::tuple(row.usable, row.g, row.x, row.y, row.a, row.reward, row.day);
  }
  struct Person {
    bool any = false;
    std::int64_t number = 0;
    std::string name{};
  };
  /// A part of the log without a break. The first and the last person in it may have more rows elsewhere.
  struct Part {
    std::uint64_t start = 0;
    Person first{}, last{};
    std::vector<Row> head{}, tail{};  ///< their rows; no tail if there is only one person
    bool one_person = true;
  };
  /// What is wrong with a row, if anything: the first role that is not in order.
  struct Problem {
    std::int32_t why = 0;
    Role role{};
  };

  bool take_rows(const std::vector<RawColumn>& columns, std::size_t rows, std::uint64_t place,
                 const std::int64_t* places);
  void decode(const std::vector<RawColumn>& columns, std::size_t rows);
  void decode_steps(const RawColumn& column, std::size_t rows);
  template <class Integer>
  [[nodiscard]] bool decode_usual_steps(const Integer* steps, std::size_t rows);
  void decode_category(const RawColumn& column, Role role, Category& category, std::vector<std::int32_t>& numbers,
                       std::size_t rows);
  template <class Use>
  [[nodiscard]] auto as_real(const Use& use, Role role);
  void decode_bins(const RawColumn& column, std::size_t rows);
  void decode_binary(const RawColumn& column, Role role, std::vector<std::int32_t>& numbers, std::size_t rows);
  void decode_rewards(const RawColumn& column, std::size_t rows);
  void decode_days(const RawColumn& column, std::size_t rows);
  [[nodiscard]] ValueType type_of(Role role) const { return plan_.type[static_cast<std::size_t>(role)]; }
  [[nodiscard]] std::int32_t step_number(std::int64_t step);
  [[nodiscard]] std::int32_t meaning_of(std::string_view text, Role role) const;
  void object(std::size_t row, std::int32_t why, Role role) {
    if (problems_[row].why == 0) problems_[row] = {why, role};
    any_problem_ = true;
    if (role == Role::step) h_[row] = why;
    if (role == Role::group) g_[row] = why;
    if (role == Role::x) x_[row] = why;
    if (role == Role::a) a_[row] = why;
    if (role == Role::y) y_[row] = why;
  }

  /// Is every row of the chunk in order, so that it can be counted as it lies?
  template <class Value>
  [[nodiscard]] bool is_plain(const Value* people, std::size_t rows) const;
  /// The rows of whole persons in a plain chunk, without a detour.
  template <class Value>
  void count_in_place(const Value* people, std::size_t from, std::size_t to, std::uint64_t place);
  template <class Value>
  void gather(const Value* people, std::size_t rows, std::uint64_t place, const std::int64_t* places);
  void note_problem(const Problem& problem, std::uint64_t place);
  void note(Anomaly anomaly, Role role, std::uint64_t place);
  [[nodiscard]] std::int8_t draw_label(const Row& row, std::string_view person) const;
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
  void close_person();
  void close_part();
  /// A row that has a problem or is of an excluded group; true if it is still a row of a person.
  [[nodiscard]] bool keep_with_person(std::size_t i, std::uint64_t place);
  void exclude(std::int32_t group);
  void count_person(std::vector<Row>& rows);
  /// All rows are usable, of one group, and in order.
  [[nodiscard]] static bool is_clean(const std::vector<Row>& rows);
  void put_in_order(std::vector<Row>& rows);
  void judge_steps(std::vector<Row>& rows);
  [[nodiscard]] bool judge_group(std::vector<Row>& rows);
  void give_up(Row& row, Anomaly why);
  void leave_outside(std::vector<Row>& rows);
  /// Charges a row of the person to all that it may have been; `goes_on`: the log may have its successor.
  void lose(const Row& row, bool goes_on);
  [[nodiscard]] bool make_room();

  Plan plan_;
  Category groups_, features_;
  std::array<Category, 2> binary_{};                     ///< texts that stand for labels and actions
  std::array<std::vector<std::int32_t>, 2> meanings_{};  ///< of these texts, by number
  std::vector<std::int64_t> steps_{};                    ///< by number
  std::vector<std::int32_t> direct_steps_{};
  std::unordered_map<std::int64_t, std::int32_t> rare_steps_{};

  // One chunk, decoded.
  std::vector<Problem> problems_{};
  bool any_problem_ = false;
  std::vector<std::int64_t> step_{};
  std::vector<std::int32_t> h_{}, g_{}, x_{}, y_{}, a_{}, day_{};
  std::vector<double> reward_{};

  // The person being read, and the part.
  Person person_{};
  std::vector<Row> person_rows_{};
  std::vector<Row> unplaced_{};         ///< of the person being counted: rows without a step
  std::vector<std::int32_t> may_be_{};  ///< its groups, or kAny
  Part part_{};
  bool part_open_ = false;
  std::uint64_t next_place_ = 0;
  std::vector<Part> parts_{};

  Tables tables_{};
  Ledger ledger_{};
  std::vector<std::int64_t> excluded_{};
  std::array<std::array<Found, kRoles>, kAnomalies> found_{};
  std::int64_t rows_ = 0, people_ = 0, imputed_ = 0, lost_rows_ = 0;
  bool disordered_ = false;
  std::string failure_{};
};

}  // namespace fairstep::internal
