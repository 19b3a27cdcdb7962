#include <fairstep/report/internal/html.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace fairstep::report {
namespace {

void put(JsonWriter& json, const Cell& cell) {
  std::visit([&](const auto& value) { json.value(value); }, cell);
}

/// How far apart the numbers of a column are.
double range_of(const Table& table, std::size_t column) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::vector<Cell>& row : table.rows)
    if (const double* number = std::get_if<double>(&row[column]); number != nullptr && std::isfinite(*number)) {
      low = std::min(low, *number);
      high = std::max(high, *number);
    }
  return high > low ? high - low : 0;
}

/// As few digits as place a number within a hundred-thousandth of the range: where numbers differ by little, more of
/// them.
int digits_for(double number, double range) {
  for (int digits = 5; digits < 15; ++digits)
    if (std::abs(std::strtod(json_number(number, digits).c_str(), nullptr) - number) <= 1e-5 * range) return digits;
  return 15;
}

std::string text_of(const Cell& cell, double range) {
  const double* number = std::get_if<double>(&cell);
  const bool whole = number != nullptr && std::floor(*number) == *number && std::abs(*number) < 1e15;
  JsonWriter json({.digits = number == nullptr || !std::isfinite(*number) ? 0
                             : whole                                      ? 15
                                                                          : digits_for(*number, range),
                   .in_page = true});
  put(json, cell);
  return std::move(json).text();
}

std::string listed(const std::vector<std::string>& parts) {
  std::string text = "[";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ",") + parts[i];
  return text + "]";
}

std::string pair(const std::vector<std::string>& values, const char* name, const std::vector<std::string>& numbers) {
  return "{\"values\":" + listed(values) + ",\"" + name + "\":" + listed(numbers) + "}";
}

/// A column as it is; as values and how often each stands in a row; or as values and which of them stands where:
/// whichever is shortest. Names, episodes and kinds say the same again and again.
std::string packed(const std::vector<std::string>& cells) {
  std::vector<std::string> run_values, runs, distinct, at;
  std::unordered_map<std::string_view, std::size_t> places;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i + 1 == cells.size() || cells[i + 1] != cells[i]) {
      run_values.push_back(cells[i]);
      runs.push_back(std::to_string(i + 1 - begin));
      begin = i + 1;
    }
    const auto [place, unseen] = places.try_emplace(cells[i], distinct.size());
    if (unseen) distinct.push_back(cells[i]);
    at.push_back(std::to_string(place->second));
  }
  std::string shortest = listed(cells);
  for (std::string& other : std::vector<std::string>{pair(run_values, "runs", runs), pair(distinct, "at", at)})
    if (other.size() < shortest.size()) shortest = std::move(other);
  return shortest;
}

}  // namespace

void write(JsonWriter& json, const Panel& panel) {
  json.object(JsonWriter::Lines::tight).field("chart", panel.chart).key("parameters").object();
  for (const auto& [name, value] : panel.parameters) {
    json.key(name);
    put(json, value);
  }
  json.end().key("columns").array();
  for (const Column& column : panel.table.columns) json.value(column.key);
  json.end().key("hidden").array();
  for (const Column& column : panel.table.columns)
    if (column.label.empty()) json.value(column.key);
  json.end().key("data").array();
  for (std::size_t i = 0; i < panel.table.columns.size(); ++i) {
    std::vector<std::string> cells;
    cells.reserve(panel.table.rows.size());
    const double range = range_of(panel.table, i);
    for (const std::vector<Cell>& row : panel.table.rows) cells.push_back(text_of(row[i], range));
    json.line().document(packed(cells));
  }
  json.end().end();
}

}  // namespace fairstep::report
