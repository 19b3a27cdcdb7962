#include <fairstep/ingest/internal/shaping.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>

namespace fairstep::internal {
namespace {

bool is_real(const std::string& type) { return type == "DOUBLE" || type == "FLOAT"; }
bool is_date(const std::string& type) { return type == "DATE" || type.starts_with("TIMESTAMP"); }

/// A value as its text, without spaces around it; null if there is none. Whole numbers look alike in every type.
std::string text_of(const TableColumn& column) {
  if (column.type == "VARCHAR") return fmt::format("nullif(trim({}, ' '), '')", column.sql);
  if (is_real(column.type))
    return fmt::format(
        "CASE WHEN isnan({0}) THEN NULL WHEN {0} = floor({0}) AND abs({0}) < {1} THEN CAST(CAST({0} AS BIGINT) AS "
        "VARCHAR) ELSE CAST({0} AS VARCHAR) END",
        column.sql, std::int64_t{1} << 53);
  return fmt::format("CAST({} AS VARCHAR)", column.sql);
}

std::string marked(char mark, const std::string& text) {
  return fmt::format("chr({}) || {}", static_cast<int>(mark), text);
}

/// Pieces of SQL for one shape.
class Composer {
 public:
  explicit Composer(const TableShape& shape) : shape_(shape) {
    std::vector<std::string> texts;
    for (const std::string& text : missing_texts(shape))
      if (!text.empty()) texts.push_back(sql_text(text));
    if (!texts.empty()) missing_ = fmt::format("IN ({})", fmt::join(texts, ", "));
  }

  [[nodiscard]] std::string is_there(const TableColumn& column) const {
    if (column.type != "VARCHAR" || missing_.empty()) return column.sql + " IS NOT NULL";
    return fmt::format("coalesce(NOT ({} {}), false)", text_of(column), missing_);
  }

  /// One column: recoded, in bins, or as it is.
  [[nodiscard]] std::string part(const TableColumn& column) const {
    std::string text = text_of(column);
    for (const Recode& recode : shape_.recodes)
      if (recode.column == column.name) return recoded(text, recode);
    for (const ColumnBins& bins : shape_.bins)
      if (bins.column == column.name) return binned(text, column, bins);
    return text;
  }

  /// Several parts under one name. A slash within one is escaped, so that no two combinations have the same name.
  [[nodiscard]] std::string joined(const std::vector<std::string>& parts) const {
    std::vector<std::string> escaped;
    std::string missing;
    for (const std::string& part : parts) {
      escaped.push_back(fmt::format(R"(replace(replace({}, '\', '\\'), '/', '\/'))", part));
      missing += when_missing(part);
    }
    return fmt::format("CASE{} ELSE {} END", missing.empty() ? " WHEN false THEN NULL" : missing,
                       fmt::join(escaped, " || '/' || "));
  }

  /// The number of the month or of the stretch of days, or the moment if it is the order that counts.
  [[nodiscard]] ShapedValue step(const TableColumn& column, const StepRule& rule) const {
    const std::string moment = is_date(column.type) ? fmt::format("CAST({} AS TIMESTAMP)", column.sql)
                                                    : fmt::format("TRY_CAST({} AS TIMESTAMP)", text_of(column));
    if (rule.every == StepRule::Every::order) return {fmt::format("epoch_us({})", moment), ValueType::integer};
    const std::string number =
        rule.every == StepRule::Every::month
            ? fmt::format("year({0}) * 12 + month({0}) - 1", moment)
            : fmt::format("CAST(floor(date_diff('day', DATE '1970-01-01', CAST({} AS DATE)) / {}) AS BIGINT)", moment,
                          rule.days);
    if (is_date(column.type)) return {fmt::format("CAST({} AS BIGINT)", number), ValueType::integer};
    std::string text = text_of(column);
    return {fmt::format("CASE WHEN {0} IS NOT NULL THEN CAST({1} AS VARCHAR){2} ELSE {3} END", moment, number,
                        when_missing(text), marked(kUnreadableMark, text))};
  }

 private:
  [[nodiscard]] std::string when_missing(const std::string& text) const {
    return missing_.empty() ? "" : fmt::format(" WHEN {0} {1} THEN {0}", text, missing_);
  }

  [[nodiscard]] std::string recoded(const std::string& text, const Recode& recode) const {
    std::string cases;
    for (const auto& [value, name] : recode.values)
      cases += fmt::format(" WHEN {} = {} THEN {}", text, sql_text(value), sql_text(name));
    const std::string other = recode.other ? sql_text(*recode.other) : marked(kUnknownMark, text);
    return fmt::format("CASE WHEN {} IS NULL THEN NULL{}{} ELSE {} END", text, cases, when_missing(text), other);
  }

  [[nodiscard]] std::string binned(const std::string& text, const TableColumn& column, const ColumnBins& bins) const {
    // The engine reads 1_000 as a number, as nobody else does.
    const std::string number =
        column.type == "VARCHAR"
            ? fmt::format("CASE WHEN contains({0}, '_') THEN NULL ELSE TRY_CAST({0} AS DOUBLE) END", text)
            : fmt::format("TRY_CAST({} AS DOUBLE)", column.sql);
    const std::vector<std::string> names = bin_names(bins.edges);
    std::string cases = fmt::format(" WHEN {0} IS NULL OR NOT isfinite({0}) THEN {1} WHEN {0} < {2} THEN {3}", number,
                                    marked(kUnreadableMark, text), bins.edges.front(), marked(kUnknownMark, text));
    for (std::size_t i = 1; i < bins.edges.size(); ++i)
      cases += fmt::format(" WHEN {} < {} THEN {}", number, bins.edges[i], sql_text(names[i - 1]));
    return fmt::format("CASE WHEN {} IS NULL THEN NULL{}{} ELSE {} END", text, when_missing(text), cases,
                       sql_text(names.back()));
  }

  const TableShape& shape_;
  std::string missing_{};  ///< `IN ('NA', ...)`
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

template <class Entries>
bool names_column(const Entries& entries, const std::string& column) {
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.column == column; });
}

}  // namespace

std::vector<std::string_view> TableColumns::names() const {
  std::vector<std::string_view> names;
  for (const TableColumn& column : columns_) names.push_back(column.name);
  return names;
}

bool TableColumns::has(std::string_view name) const {
  return std::any_of(columns_.begin(), columns_.end(), [&](const TableColumn& column) { return column.name == name; });
}

Expected<const TableColumn*> TableColumns::use(std::string_view name) {
  TableColumn* found = nullptr;
  for (TableColumn& column : columns_) {
    if (column.name != name) continue;
    if (found != nullptr)
      return fail(fmt::format("two columns are called \"{}\", the {}. and the {}.: expected one", name,
                              found - columns_.data() + 1, &column - columns_.data() + 1),
                  {}, "give one of them another name");
    found = &column;
  }
  found->used = true;
  return found;
}

Expected<std::string> TableColumns::unfold(const std::vector<WideColumn>& wide) {
  if (wide.empty()) return std::string{};
  std::vector<std::string> steps, selected;
  for (std::size_t i = 0; i < wide.front().from.size(); ++i) steps.push_back(std::to_string(i));
  std::vector<TableColumn> made{{"step", kUnfoldedStep, "INTEGER"}};
  selected.push_back(fmt::format("unnest([{}]) AS {}", fmt::join(steps, ", "), kUnfoldedStep));
  for (std::size_t i = 0; i < wide.size(); ++i) {
    std::vector<TableColumn> parts;
    for (const std::string& name : wide[i].from) {
      if (!has(name))
        return fail_option("wide", fmt::format(" names the column \"{}\", which is not there", name), {},
                           did_you_mean(name, names()));
      const auto column = use(name);
      if (!column) return tl::unexpected(column.error());
      parts.push_back(**column);
    }
    const bool alike = std::all_of(parts.begin(), parts.end(),
                                   [&](const TableColumn& part) { return part.type == parts.front().type; });
    std::vector<std::string> values;
    for (const TableColumn& part : parts) values.push_back(alike ? part.sql : text_of(part));
    // Names of its own: those of the table are what somebody else chose.
    const std::string sql = fmt::format("unfolded_{}", i);
    selected.push_back(fmt::format("unnest([{}]) AS {}", fmt::join(values, ", "), sql));
    made.push_back({wide[i].column, sql, alike ? parts.front().type : "VARCHAR"});
  }
  for (const TableColumn& column : made)
    if (has(column.name))
      return fail_option("wide", fmt::format(" makes the column \"{}\", but there is one of this name", column.name),
                         {},
                         column.name == "step" ? "it numbers the steps itself: leave the column out by a query"
                                               : "choose another name for what it makes");
  columns_.insert(columns_.end(), made.begin(), made.end());
  return fmt::format("{}", fmt::join(selected, ", "));
}

std::vector<std::string> missing_texts(const TableShape& shape) {
  if (shape.missing) return *shape.missing;
  const auto usual = usual_missing_texts();
  return {usual.begin(), usual.end()};
}

std::string is_there(const TableColumn& column, const TableShape& shape) { return Composer(shape).is_there(column); }

std::vector<std::string> parts_of(std::string_view wanted, const TableColumns& columns) {
  if (columns.has(wanted)) return {std::string(wanted)};
  std::vector<std::string> parts;
  while (true) {
    const std::size_t plus = wanted.find('+');
    parts.emplace_back(wanted.substr(0, plus));
    if (plus == std::string_view::npos) return parts;
    wanted.remove_prefix(plus + 1);
  }
}

bool is_shaped(Role role, const std::vector<std::string>& parts, const TableShape& shape) {
  if (parts.size() > 1 || (role == Role::step && shape.step)) return true;
  return names_column(shape.recodes, parts.front()) || names_column(shape.bins, parts.front());
}

Expected<ShapedValue> shaped_value(Role role, const std::vector<std::string>& parts, TableColumns& columns,
                                   const TableShape& shape) {
  const Composer compose(shape);
  const bool named = role == Role::group || role == Role::x;
  std::vector<std::string> values;
  for (const std::string& name : parts) {
    const auto column = columns.use(name);
    if (!column) return tl::unexpected(column.error());
    if (role == Role::step && shape.step) return compose.step(**column, *shape.step);
    if (role == Role::person && names_column(shape.recodes, name))
      return fail_option("recode",
                         fmt::format(" is about {}, which tells people apart: recoded, two would be one", name));
    if (!named && names_column(shape.bins, name))
      return fail_option("bins", fmt::format(" are about {}, expected a column of group or x", name));
    values.push_back(compose.part(**column));
  }
  if (values.size() == 1) return ShapedValue{values.front()};
  return ShapedValue{compose.joined(values)};
}

std::string steps_by_order(const std::string& rows) {
  return fmt::format(
      "SELECT * REPLACE (CASE WHEN bool_and(r1 IS NOT NULL) OVER (PARTITION BY r0) THEN row_number() OVER (PARTITION "
      "BY "
      "r0 ORDER BY r1, place) - 1 END AS r1) FROM ({})",
      rows);
}

std::vector<std::string> distinct_names(const std::vector<std::string>& names) {
  std::set<std::string> taken;
  for (const std::string& name : names) taken.insert(lower(name));
  std::set<std::string> given;
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    std::string candidate = name;
    for (std::size_t i = 2; candidate.empty() || given.contains(lower(candidate)); ++i) {
      candidate = fmt::format("{}_{}", name, i);
      if (taken.contains(lower(candidate))) candidate.clear();
    }
    given.insert(lower(candidate));
    distinct.push_back(std::move(candidate));
  }
  return distinct;
}

}  // namespace fairstep::internal
