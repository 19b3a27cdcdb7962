#include <fairstep/page/table.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <fairstep/page/numbers.hpp>

namespace fairstep::page {

Table table_with(std::initializer_list<const char*> heads, std::size_t words) {
  Table made;
  for (const char* head : heads) made.columns.push_back({head, head, 4, Rounded::nearest, made.columns.size() < words});
  return made;
}

int darkness_of(double share) {
  if (!(share > 0)) return 0;
  if (share >= 1) return kDarkest;
  return std::clamp(static_cast<int>(std::lround(share * kDarkest)), 1, kDarkest - 1);
}

std::string cell_text(const Cell& cell, const Column& column) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const double number = std::get<double>(cell);
  if (!std::isfinite(number)) return fixed(number, 0);
  if (column.shares && (number == 0 || number == 1)) return number == 0 ? "0" : "1";
  if (column.decimals == kAsPower) return as_power(static_cast<unsigned long long>(number));
  if (column.decimals == kFewDecimals) return fmt::format("{:g}", number);
  if (column.rounded == Rounded::up) return fixed_up(number, column.decimals);
  if (column.rounded == Rounded::down) return fixed_down(number, column.decimals);
  return fixed(number, column.decimals);
}

namespace {

/// Opens the cell that the rows from `row` on with the same in a column share.
std::string rows_with(const Table& table, std::size_t row, std::size_t column) {
  std::size_t alike = 1;
  while (row + alike < table.rows.size() && table.rows[row + alike][column] == table.rows[row][column]) ++alike;
  return fmt::format("<th scope=\"rowgroup\" rowspan=\"{}\"", alike);
}

}  // namespace

void write_table(Html& html, const Table& table, std::string_view caption, EndTags end_tags) {
  const auto end = [&](const char* tag) { html.raw(end_tags == EndTags::all ? tag : ""); };
  const auto cell = [&](const char* begin, const char* tag, const Column& column, std::string_view text,
                        const std::string& shade = "") {
    html.raw(begin).raw(column.words ? " class=\"word\">" : shade + ">").text(text);
    end(tag);
  };
  const auto shade_of = [](const Cell& value, const Column& column) -> std::string {
    const double* share = std::get_if<double>(&value);
    if (!column.shares || share == nullptr || !std::isfinite(*share)) return {};
    return fmt::format(" class=\"k{}\"", darkness_of(*share));
  };
  // Wide tables scroll inside their frame, which is reached by keyboard too.
  html.open("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}});
  html.open("table").element("caption", caption).raw("<thead><tr>");
  for (const Column& column : table.columns)
    if (!column.label.empty()) cell("<th scope=\"col\"", "</th>", column, column.label);
  end("</tr></thead>");
  html.raw("<tbody>");
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<Cell>& row = table.rows[r];
    html.raw("\n<tr>");
    bool first = true;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Column& column = table.columns[i];
      if (column.label.empty()) continue;
      if (first && table.grouped) {
        if (r == 0 || table.rows[r - 1][i] != row[i])
          cell(rows_with(table, r, i).c_str(), "</th>", column, cell_text(row[i], column));
      } else {
        cell(first ? "<th scope=\"row\"" : "<td", first ? "</th>" : "</td>", column, cell_text(row[i], column),
             shade_of(row[i], column));
      }
      first = false;
    }
    end("</tr>");
  }
  html.raw("</tbody>").close().close().line();
}

std::string as_markdown(const Table& table) {
  std::string text = "|", rule = "|";
  for (const Column& column : table.columns) {
    if (column.label.empty()) continue;
    text += " " + escape_markdown(column.label) + " |";
    rule += column.words ? "---|" : "---:|";
  }
  text += "\n" + rule + "\n";
  for (const std::vector<Cell>& row : table.rows) {
    text += "|";
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!table.columns[i].label.empty()) text += " " + escape_markdown(cell_text(row[i], table.columns[i])) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace fairstep::page
