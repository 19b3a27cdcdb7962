// Rows after their values were read: column by column as chunks of the log come, and one by one as rows of a person.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fairstep/ingest/internal/category.hpp>
#include <fairstep/ingest/internal/roles.hpp>

namespace fairstep::internal {

/// What is wrong with a row, if anything: the first role that is not in order.
struct Problem {
  std::int32_t why = 0;  ///< kMissing, kUnreadable, ... of category.hpp; 0 if nothing is wrong
  Role role{};
};

/// h, g, x, y and a are negative where they are not known.
struct Row {
  std::uint64_t place;
  std::int64_t step;
  double reward;
  std::int32_t h, g, x, day;
  std::int8_t y, a;
  bool usable;        ///< all is known but maybe the label
  double weight = 1;  ///< by which the decision counts where there are weights

  /// Of a row that has them.
  [[nodiscard]] std::size_t label() const { return y == 1 ? 1 : 0; }
  [[nodiscard]] std::size_t action() const { return a == 1 ? 1 : 0; }
  /// What the row says of its step; rows that cannot be used come first.
  [[nodiscard]] auto said() const { return std::tuple(usable, g, x, y, a, reward, day, weight); }
};

/// Where in the log each row of a chunk is.
struct RowPlaces {
  std::uint64_t first = 0;             ///< of rows that lie one after the other
  const std::int64_t* each = nullptr;  ///< of rows from anywhere

  [[nodiscard]] bool in_sequence() const { return each == nullptr; }
  [[nodiscard]] std::uint64_t operator[](std::size_t i) const {
    return each == nullptr ? first + i : static_cast<std::uint64_t>(each[i]);
  }
};

/// A row of a chunk whose weight is none, and what stands there: of a log with such a row nothing is counted.
struct BadWeight {
  std::size_t row = 0;
  std::string text{};
};

/// Columns by row. Numbers are those of the reader's vocabulary.
struct Chunk {
  std::size_t rows = 0;
  std::vector<Problem> problems{};
  bool any_problem = false;     ///< or any row of an excluded group
  bool any_unlabelled = false;  ///< some row may have no label
  std::vector<std::int64_t> step{};
  std::vector<std::int32_t> h{}, g{}, x{}, y{}, a{};
  std::vector<double> reward{};     ///< empty if the log has none
  std::vector<std::int32_t> day{};  ///< the same
  std::vector<double> weight{};     ///< the same
  std::optional<BadWeight> bad_weight{};
  std::vector<std::string> odd{};  ///< what a row with a problem says there; as long as it has to be

  /// Room for so many rows, with nothing wrong so far.
  void begin(std::size_t count) {
    rows = count;
    for (auto* numbers : {&h, &g, &x, &y, &a}) numbers->resize(count);
    step.resize(count);
    if (any_problem || problems.size() < count) problems.assign(count, {});
    any_problem = any_unlabelled = false;
    bad_weight.reset();
  }

  /// A row is not in order: what its value of a role is stays unknown, for this reason. `value` is what stands there.
  void object(std::size_t i, std::int32_t why, Role role, std::string_view value = {}) {
    if (problems[i].why == 0) {
      problems[i] = {why, role};
      if (odd.size() <= i) odd.resize(rows);
      odd[i] = value;
    }
    any_problem = true;
    if (role == Role::step) h[i] = why;
    if (role == Role::group) g[i] = why;
    if (role == Role::x) x[i] = why;
    if (role == Role::a) a[i] = why;
    if (role == Role::y) y[i] = why;
  }

  [[nodiscard]] bool usable(std::size_t i) const { return !any_problem || (problems[i].why == 0 && g[i] >= 0); }
  [[nodiscard]] Row row(std::size_t i, std::uint64_t place) const {
    return {place,
            step[i],
            reward.empty() ? 0 : reward[i],
            h[i],
            g[i],
            x[i],
            day.empty() ? 0 : day[i],
            static_cast<std::int8_t>(y[i]),
            static_cast<std::int8_t>(a[i]),
            usable(i),
            weight.empty() ? 1 : weight[i]};
  }
};

}  // namespace fairstep::internal
