#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep::internal {
namespace {

constexpr Layout<3> kWindowAxes{Axis::g, Axis::y, Axis::a};
constexpr Layout<2> kWindowUnlabelledAxes{Axis::g, Axis::a};

Finding finding_from(const Json& object, std::size_t number, std::optional<Error>& error) {
  ObjectReader in(object, {{"kind", "rows", "file", "row"}, {"column"}}, error, fmt::format("log.findings[{}]", number),
                  fmt::format("/log/findings/{}", number));
  Finding finding;
  const std::string kind = in.text("kind");
  if (const auto anomaly = named<Anomaly>(kind))
    finding.anomaly = *anomaly;
  else if (!error)
    in.fail_key("kind", "a kind of anomaly, such as \"duplicate\"");
  finding.role = in.text("column", {});
  finding.rows = in.integer("rows");
  finding.file = in.text("file");
  finding.row = in.integer("row");
  return finding;
}

Window window_from(const Json& object, std::size_t number, const Shape& shape, const std::vector<std::string>& groups,
                   std::optional<Error>& error) {
  ObjectReader in(object, {{"from", "decisions", "unlabelled"}, {}}, error, fmt::format("log.windows[{}]", number),
                  fmt::format("/log/windows/{}", number));
  Window window;
  window.from = in.text("from");
  window.decisions = in.tensor<std::int64_t>("decisions", kWindowAxes, shape, groups);
  window.unlabelled = in.tensor<std::int64_t>("unlabelled", kWindowUnlabelledAxes, shape, groups);
  return window;
}

/// Calls `take(entry, number)` for each entry of an array that may be absent.
template <class Take>
void for_each_entry(ObjectReader& in, const char* key, const std::string& expected, const Take& take) {
  const Json* list = in.find(key);
  if (list == nullptr) return;
  if (!list->is_array()) return in.fail_key(key, expected);
  for (std::size_t i = 0; i < list->size(); ++i) take((*list)[i], i);
}

Recode recode_from(const Json& object, std::size_t number, std::optional<Error>& error) {
  ObjectReader in(object, {{"column", "values"}, {"other"}}, error, fmt::format("log.shape.recodes[{}]", number),
                  fmt::format("/log/shape/recodes/{}", number));
  Recode recode;
  recode.column = in.text("column");
  if (const Json* values = in.find("values"); values != nullptr) {
    if (!values->is_object()) in.fail_key("values", "an object of names");
    for (const auto& [value, name] : values->items()) {
      if (name.is_string())
        recode.values.emplace(value, name.get<std::string>());
      else
        in.fail_key("values", "an object of names");
    }
  }
  if (in.find("other") != nullptr) recode.other = in.text("other");
  return recode;
}

WideColumn wide_from(const Json& object, std::size_t number, std::optional<Error>& error) {
  ObjectReader in(object, {{"from", "column"}, {}}, error, fmt::format("log.shape.wide[{}]", number),
                  fmt::format("/log/shape/wide/{}", number));
  return {in.texts("from"), in.text("column")};
}

ColumnBins bins_from(const Json& object, std::size_t number, std::optional<Error>& error) {
  ObjectReader in(object, {{"column", "edges"}, {}}, error, fmt::format("log.shape.bins[{}]", number),
                  fmt::format("/log/shape/bins/{}", number));
  return {in.text("column"), in.numbers("edges")};
}

StepRule step_from(const Json& object, std::optional<Error>& error) {
  ObjectReader in(object, {{"column", "every"}, {}}, error, "log.shape.step", "/log/shape/step");
  const auto rule = StepRule::parse(in.text("column"), in.text("every"));
  if (!rule && !error) in.fail_key("every", "month, order, or a number of days such as 30d");
  return rule.value_or(StepRule{});
}

TableShape shape_from(const Json& object, std::optional<Error>& error) {
  ObjectReader in(object, {{}, {"query", "wide", "recodes", "bins", "step", "missing"}}, error, "log.shape",
                  "/log/shape");
  TableShape shape;
  shape.query = in.text("query", {});
  for_each_entry(in, "wide", "an array of objects",
                 [&](const Json& entry, std::size_t i) { shape.wide.push_back(wide_from(entry, i, error)); });
  for_each_entry(in, "recodes", "an array of objects",
                 [&](const Json& entry, std::size_t i) { shape.recodes.push_back(recode_from(entry, i, error)); });
  for_each_entry(in, "bins", "an array of objects",
                 [&](const Json& entry, std::size_t i) { shape.bins.push_back(bins_from(entry, i, error)); });
  if (const Json* step = in.find("step"); step != nullptr && !error) shape.step = step_from(*step, error);
  if (in.find("missing") != nullptr) shape.missing = in.texts("missing");
  return shape;
}

void write_shape(JsonWriter& json, const TableShape& shape) {
  json.key("shape").object();
  if (!shape.query.empty()) json.field("query", shape.query);
  if (!shape.wide.empty()) {
    json.key("wide").array();
    for (const WideColumn& wide : shape.wide)
      json.object(JsonWriter::Lines::one).field("from", wide.from).field("column", wide.column).end();
    json.end();
  }
  if (!shape.recodes.empty()) {
    json.key("recodes").array();
    for (const Recode& recode : shape.recodes) {
      json.object(JsonWriter::Lines::one).field("column", recode.column);
      json.key("values").object(JsonWriter::Lines::one);
      for (const auto& [value, name] : recode.values) json.field(value, name);
      json.end();
      if (recode.other) json.field("other", *recode.other);
      json.end();
    }
    json.end();
  }
  if (!shape.bins.empty()) {
    json.key("bins").array();
    for (const ColumnBins& bins : shape.bins)
      json.object(JsonWriter::Lines::one).field("column", bins.column).field("edges", bins.edges).end();
    json.end();
  }
  if (shape.step)
    json.key("step")
        .object(JsonWriter::Lines::one)
        .field("column", shape.step->column)
        .field("every", shape.step->name())
        .end();
  if (shape.missing) json.field("missing", *shape.missing);
  json.end();
}

Excluded excluded_from(const Json& object, std::size_t number, std::optional<Error>& error) {
  ObjectReader in(object, {{"group", "rows"}, {}}, error, fmt::format("log.excluded[{}]", number),
                  fmt::format("/log/excluded/{}", number));
  Excluded excluded;
  excluded.group = in.text("group");
  excluded.rows = in.integer("rows");
  return excluded;
}

Lost lost_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
               std::optional<Error>& error) {
  ObjectReader in(object, {{"first", "first_in_doubt", "decisions", "cells", "transitions"}, {}}, error, "log.lost",
                  "/log/lost");
  Lost lost;
  lost.first = in.tensor<std::int64_t>("first", kGroupAxes, shape, groups);
  lost.first_in_doubt = in.tensor<std::int64_t>("first_in_doubt", kGroupAxes, shape, groups);
  lost.decisions = in.tensor<std::int64_t>("decisions", kFirstStepAxes, shape, groups);
  lost.cells = in.tensor<std::int64_t>("cells", kCellAxes, shape, groups);
  lost.transitions = in.tensor<std::int64_t>("transitions", kCellAxes, shape, groups);
  return lost;
}

FeatureLost feature_lost_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
                              std::optional<Error>& error) {
  ObjectReader in(object, {{"first", "first_in_doubt", "decisions", "cells", "transitions"}, {}}, error,
                  "log.unlabelled_rows.lost", "/log/unlabelled_rows/lost");
  FeatureLost lost;
  lost.first = in.tensor<std::int64_t>("first", kGroupAxes, shape, groups);
  lost.first_in_doubt = in.tensor<std::int64_t>("first_in_doubt", kGroupAxes, shape, groups);
  lost.decisions = in.tensor<std::int64_t>("decisions", kFirstStepAxes, shape, groups);
  lost.cells = in.tensor<std::int64_t>("cells", kFeatureCellAxes, shape, groups);
  lost.transitions = in.tensor<std::int64_t>("transitions", kFeatureCellAxes, shape, groups);
  return lost;
}

UnlabelledRows unlabelled_rows_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
                                    std::optional<Error>& error) {
  ObjectReader in(object, {{"first", "transitions"}, {"lost"}}, error, "log.unlabelled_rows", "/log/unlabelled_rows");
  UnlabelledRows rows;
  rows.first = in.tensor<std::int64_t>("first", kFeatureAxes, shape, groups);
  rows.transitions = in.tensor<std::int64_t>("transitions", kFeatureTransitionAxes, shape, groups);
  if (const Json* lost = in.find("lost"); lost != nullptr && !error)
    rows.lost = feature_lost_from(*lost, shape, groups, error);
  return rows;
}

void write_unlabelled_rows(JsonWriter& json, const UnlabelledRows& rows) {
  json.key("unlabelled_rows").object();
  json.field("first", rows.first, 1).field("transitions", rows.transitions, 2);
  if (rows.lost) {
    json.key("lost").object();
    json.field("first", rows.lost->first).field("first_in_doubt", rows.lost->first_in_doubt);
    json.field("decisions", rows.lost->decisions, 1);
    json.field("cells", rows.lost->cells, 2);
    json.field("transitions", rows.lost->transitions, 2).end();
  }
  json.end();
}

void write_lost(JsonWriter& json, const Lost& lost) {
  json.key("lost").object();
  json.field("first", lost.first).field("first_in_doubt", lost.first_in_doubt);
  json.field("decisions", lost.decisions, 1);
  json.field("cells", lost.cells, 3);
  json.field("transitions", lost.transitions, 3).end();
}

}  // namespace

LogRecord log_record_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
                          std::optional<Error>& error) {
  ObjectReader in(object,
                  {{"files", "columns", "first_step", "rows", "findings", "censored"},
                   {"bins", "shape", "imputed", "unlabelled", "unlabelled_rows", "lost", "excluded",
                    "unrecorded_people", "window", "windows"}},
                  error, "log");
  LogRecord record;
  record.files = in.texts("files");
  if (const Json* columns = in.find("columns"); columns != nullptr) {
    if (!columns->is_object()) in.fail_key("columns", "an object of names");
    for (const auto& [role, column] : columns->items()) {
      if (column.is_string())
        record.columns.emplace_back(role, column.get<std::string>());
      else
        in.fail_key("columns", "an object of names");
    }
  }
  for_each_entry(in, "bins", "an array of numbers", [&](const Json& edge, std::size_t) {
    if (edge.is_number())
      record.bins.push_back(edge.get<double>());
    else
      in.fail_key("bins", "an array of numbers");
  });
  if (const Json* made = in.find("shape"); made != nullptr && !error) record.shape = shape_from(*made, error);
  record.first_step = in.integer("first_step");
  record.rows = in.integer("rows");
  for_each_entry(in, "findings", "an array of objects",
                 [&](const Json& entry, std::size_t i) { record.findings.push_back(finding_from(entry, i, error)); });
  record.censoring = in.choice<Censoring>("censored");
  record.imputed = in.integer("imputed");
  if (in.find("unlabelled") != nullptr)
    record.unlabelled = in.tensor<std::int64_t>("unlabelled", kFeatureVisitsAxes, shape, groups);
  if (const Json* rows = in.find("unlabelled_rows"); rows != nullptr && !error)
    record.unlabelled_rows = unlabelled_rows_from(*rows, shape, groups, error);
  if (const Json* lost = in.find("lost"); lost != nullptr && !error)
    record.lost = lost_from(*lost, shape, groups, error);
  for_each_entry(in, "excluded", "an array of objects",
                 [&](const Json& entry, std::size_t i) { record.excluded.push_back(excluded_from(entry, i, error)); });
  record.unrecorded_people = in.integer("unrecorded_people");
  record.window = in.text("window", {});
  for_each_entry(in, "windows", "an array of objects", [&](const Json& entry, std::size_t i) {
    record.windows.push_back(window_from(entry, i, shape, groups, error));
  });
  return record;
}

void write_log_record(JsonWriter& json, const LogRecord& record) {
  json.key("log").object().field("files", record.files);
  json.key("columns").object(JsonWriter::Lines::one);
  for (const auto& [role, column] : record.columns) json.field(role, column);
  json.end();
  if (!record.bins.empty()) json.field("bins", record.bins);
  if (!record.shape.empty()) write_shape(json, record.shape);
  json.field("first_step", record.first_step).field("rows", record.rows);
  json.key("findings").array();
  for (const Finding& finding : record.findings) {
    json.object(JsonWriter::Lines::one).field("kind", name_of(finding.anomaly));
    if (!finding.role.empty()) json.field("column", finding.role);
    json.field("rows", finding.rows).field("file", finding.file).field("row", finding.row).end();
  }
  json.end().field("censored", name_of(record.censoring));
  if (record.imputed > 0) json.field("imputed", record.imputed);
  if (!record.unlabelled.empty()) json.field("unlabelled", record.unlabelled, 2);
  if (record.unlabelled_rows) write_unlabelled_rows(json, *record.unlabelled_rows);
  if (record.lost) write_lost(json, *record.lost);
  if (!record.excluded.empty()) {
    json.key("excluded").array();
    for (const Excluded& excluded : record.excluded)
      json.object(JsonWriter::Lines::one).field("group", excluded.group).field("rows", excluded.rows).end();
    json.end();
  }
  if (record.unrecorded_people > 0) json.field("unrecorded_people", record.unrecorded_people);
  if (!record.window.empty()) {
    json.field("window", record.window).key("windows").array();
    for (const Window& window : record.windows)
      json.object(JsonWriter::Lines::one)
          .field("from", window.from)
          .field("decisions", window.decisions, 3)
          .field("unlabelled", window.unlabelled, 2)
          .end();
    json.end();
  }
  json.end();
}

}  // namespace fairstep::internal
