// The SQL that makes rows of decisions out of a lender's table: the only place where an option of the table's shape
// becomes text for the engine.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/table_shape.hpp>
#include <fairstep/ingest/internal/roles.hpp>

namespace fairstep::internal {

/// In a text that a query makes of a value: the value, which follows, is none of those that are known, or cannot be
/// read.
inline constexpr char kUnknownMark = '\x01';
inline constexpr char kUnreadableMark = '\x02';

/// What a query calls the step of a row that is one of several out of one.
inline constexpr const char* kUnfoldedStep = "unfolded_step";

struct TableColumn {
  std::string name{};  ///< as the table has it
  std::string sql{};   ///< as a query names it
  std::string type{};  ///< DuckDB's
  bool used = false;   ///< by a role, or by what becomes one
};

/// The columns of a table, by their names.
class TableColumns {
 public:
  TableColumns() = default;
  explicit TableColumns(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

  [[nodiscard]] std::vector<std::string_view> names() const;
  [[nodiscard]] bool has(std::string_view name) const;
  /// The column, which is used from now on; an error if there are two of this name. It must be there.
  [[nodiscard]] Expected<const TableColumn*> use(std::string_view name);
  [[nodiscard]] const std::vector<TableColumn>& all() const { return columns_; }

  /// Columns of one row become rows, as `wide` has it: they are there besides all others, and so is `step`. Returns
  /// what a query selects for it besides `*`.
  [[nodiscard]] Expected<std::string> unfold(const std::vector<WideColumn>& wide);

 private:
  std::vector<TableColumn> columns_{};
};

/// The texts that stand for no value.
[[nodiscard]] std::vector<std::string> missing_texts(const TableShape& shape);

/// Whether the value of a column is there.
[[nodiscard]] std::string is_there(const TableColumn& column, const TableShape& shape);

/// The columns that make up what a role is mapped to: itself, or the parts of `sex+education`. No column of that name
/// need be there.
[[nodiscard]] std::vector<std::string> parts_of(std::string_view wanted, const TableColumns& columns);

/// What a query asks for, and of which type that is.
struct ShapedValue {
  std::string expression{};
  ValueType type = ValueType::text;
};

/// Whether a role has to be shaped, or is a column as it is.
[[nodiscard]] bool is_shaped(Role role, const std::vector<std::string>& parts, const TableShape& shape);
/// The value of such a role, of columns that are there.
[[nodiscard]] Expected<ShapedValue> shaped_value(Role role, const std::vector<std::string>& parts,
                                                 TableColumns& columns, const TableShape& shape);

/// Rows `SELECT place, r0, r1, ...` whose r1 is a moment, or null: the same with the step by the order of each person's
/// moments instead. A person of whom one is not known has no step at all.
[[nodiscard]] std::string steps_by_order(const std::string& rows);

/// The names of columns as a query may have them: no two alike, whatever their case, and none empty.
[[nodiscard]] std::vector<std::string> distinct_names(const std::vector<std::string>& names);

}  // namespace fairstep::internal
