#include <fairstep/report/internal/html.hpp>

#include <variant>

namespace fairstep::report {

void write(JsonWriter& json, const Panel& panel) {
  const auto put = [&](const Cell& cell) { std::visit([&](const auto& value) { json.value(value); }, cell); };
  json.object(JsonWriter::Lines::tight).field("chart", panel.chart).key("parameters").object();
  for (const auto& [name, value] : panel.parameters) {
    json.key(name);
    put(value);
  }
  json.end().key("columns").array();
  for (const Column& column : panel.table.columns) json.value(column.key);
  json.end().key("hidden").array();
  for (const Column& column : panel.table.columns)
    if (column.label.empty()) json.value(column.key);
  json.end().key("rows").array();
  for (const std::vector<Cell>& row : panel.table.rows) {
    json.line().array();
    for (const Cell& cell : row) put(cell);
    json.end();
  }
  json.end().end();
}

}  // namespace fairstep::report
