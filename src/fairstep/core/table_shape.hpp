// How a lender's own table becomes rows of decisions before it is counted: asked for by a query, unfolded, recoded, cut
// into bins, numbered by dates. It is an option of counting, and part of what counts rest on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/words.hpp>

namespace fairstep {

/// Other names for the values of a column. What is not named is `other`; if there is none it is unknown.
struct Recode {
  std::string column{};
  std::map<std::string, std::string> values{};
  std::optional<std::string> other{};

  friend bool operator==(const Recode&, const Recode&) = default;
  /// `EDUCATION:1=graduate,2=university,*=other`; nothing if it is none.
  [[nodiscard]] static std::optional<Recode> parse(std::string_view text);
};

/// Columns of one row that become one column of as many rows, at steps 0, 1, 2, ...
struct WideColumn {
  std::vector<std::string> from{};
  std::string column{};

  friend bool operator==(const WideColumn&, const WideColumn&) = default;
  /// `PAY_3,PAY_2,PAY_0:x`; nothing if it is none.
  [[nodiscard]] static std::optional<WideColumn> parse(std::string_view text);
};

/// Lower ends of the bins of a column, rising; their names are those of `bin_names`.
struct ColumnBins {
  std::string column{};
  std::vector<double> edges{};

  friend bool operator==(const ColumnBins&, const ColumnBins&) = default;
  /// `limit=0,50000,100000`; nothing if it is none.
  [[nodiscard]] static std::optional<ColumnBins> parse(std::string_view text);
};

/// Steps by a column of dates.
struct StepRule {
  enum class Every { month, order /* of the person's rows */, days };
  std::string column{};
  Every every = Every::month;
  std::int32_t days = 0;  ///< of Every::days, counted from 1970-01-01

  /// `month`, `order`, `30d`
  [[nodiscard]] std::string name() const;
  /// The same, for this column; nothing if it is none of these.
  [[nodiscard]] static std::optional<StepRule> parse(std::string column, std::string_view every);

  friend bool operator==(const StepRule&, const StepRule&) = default;
};
inline constexpr std::int32_t kMostDaysOfStep = 100'000;

struct TableShape {
  std::string query{};  ///< one SELECT over the table `log`; empty: the log as it is
  std::vector<WideColumn> wide{};
  std::vector<Recode> recodes{};
  std::vector<ColumnBins> bins{};
  std::optional<StepRule> step{};
  std::optional<std::vector<std::string>> missing{};  ///< texts that stand for no value; nothing: the usual ones

  [[nodiscard]] bool empty() const { return *this == TableShape{}; }
  /// How many rows a row of the table becomes.
  [[nodiscard]] std::size_t rows_of_one() const { return wide.empty() ? 1 : wide.front().from.size(); }

  friend bool operator==(const TableShape&, const TableShape&) = default;
};

/// An error if it contradicts itself.
[[nodiscard]] Expected<void> check(const TableShape& shape);

/// What stands for no value if nobody says otherwise; an empty text always does.
[[nodiscard]] std::span<const std::string_view> usual_missing_texts();

/// `[0,12.5)`, and `[87.5,inf)` for the last.
[[nodiscard]] std::vector<std::string> bin_names(const std::vector<double>& edges);

/// One line for each thing that was done to the table: `recode EDUCATION: 1 = graduate, all others = other`.
[[nodiscard]] std::vector<std::string> in_words(const TableShape& shape);

}  // namespace fairstep
