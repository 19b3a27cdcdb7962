#include <fairstep/report/internal/html.hpp>

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include <fairstep/core/shown_text.hpp>
#include <fairstep/report/internal/numbers.hpp>

namespace fairstep::report {
namespace {

/// Ten digits: a tenth of a billionth, at two thirds of the size.
std::string json_short(double number) { return std::isfinite(number) ? fmt::format("{:.10g}", number) : "null"; }

}  // namespace

std::string escaped(std::string_view given) {
  const std::string safe = shown_lines(given);
  const std::string_view text = safe;
  std::string made;
  made.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) switch (const char c = text[i]) {
      case ' ': {
        // "95 %" and "0.5 ± 0.1" stay on one line.
        const std::string_view rest = text.substr(i + 1);
        const bool after_sign = i >= 2 && text.substr(i - 2, 2) == "\u00b1";
        made += rest.starts_with('%') || rest.starts_with("\u00b1") || after_sign ? "\u00a0" : " ";
        break;
      }
      case '&':
        made += "&amp;";
        break;
      case '<':
        made += "&lt;";
        break;
      case '>':
        made += "&gt;";
        break;
      case '"':
        made += "&quot;";
        break;
      case '\'':
        made += "&#39;";
        break;
      default:
        made += c;
    }
  return made;
}

Html& Html::open(std::string_view tag, Attributes attributes) {
  text_ += '<';
  text_ += tag;
  for (const auto& [name, value] : attributes) {
    text_ += ' ';
    text_ += name;
    if (value.empty()) continue;
    text_ += "=\"";
    text_ += escaped(value);
    text_ += '"';
  }
  text_ += '>';
  open_.emplace_back(tag);
  return *this;
}

Html& Html::close() {
  assert(!open_.empty());
  text_ += "</" + open_.back() + ">";
  open_.pop_back();
  return *this;
}

Html& Html::text(std::string_view text) {
  text_ += escaped(text);
  return *this;
}

Html& Html::element(std::string_view tag, std::string_view content, Attributes attributes) {
  return open(tag, attributes).text(content).close();
}

Html& Html::raw(std::string_view markup) {
  text_ += markup;
  return *this;
}

std::string Html::finish() && {
  assert(open_.empty());
  return std::move(text_);
}

std::string cell_text(const Cell& cell, const Column& column) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const double number = std::get<double>(cell);
  if (column.key == "k" && std::isfinite(number)) return episode(static_cast<unsigned long long>(number));
  if (column.decimals < 0 && std::isfinite(number)) return fmt::format("{:g}", number);
  if (column.rounded == Rounded::up) return fixed_up(number, column.decimals);
  if (column.rounded == Rounded::down) return fixed_down(number, column.decimals);
  return fixed(number, column.decimals);
}

void write_table(Html& html, const Table& table, std::string_view caption) {
  // Wide tables scroll inside their frame, which is reached by keyboard too.
  html.open("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}});
  html.open("table").element("caption", caption).raw("<thead><tr>");
  for (const Column& column : table.columns)
    if (!column.label.empty()) html.raw("<th scope=\"col\">").text(column.label);
  html.raw("<tbody>");
  // End tags that HTML does not ask for are left out: there are thousands of cells.
  for (const std::vector<Cell>& row : table.rows) {
    html.raw("\n<tr>");
    bool first = true;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].label.empty()) continue;
      html.raw(first ? "<th scope=\"row\">" : "<td>").text(cell_text(row[i], table.columns[i]));
      first = false;
    }
  }
  html.raw("</tbody>").close().close().line();
}

std::string json_string(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      made += '\\', made += c;
    else if (c == '<' || static_cast<unsigned char>(c) < 0x20)
      made += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      made += c;
  }
  return made + "\"";
}

std::string json_number(double number) { return std::isfinite(number) ? fmt::format("{}", number) : "null"; }

std::string json_of(const Panel& panel) {
  const auto cell = [](const Cell& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? json_string(*text) : json_short(std::get<double>(value));
  };
  std::string made = "{\"chart\":" + json_string(panel.chart) + ",\"parameters\":{";
  for (std::size_t i = 0; i < panel.parameters.size(); ++i)
    made += (i == 0 ? "" : ",") + json_string(panel.parameters[i].first) + ":" + cell(panel.parameters[i].second);
  made += "},\"columns\":[";
  for (std::size_t i = 0; i < panel.table.columns.size(); ++i) {
    const Column& column = panel.table.columns[i];
    made += (i == 0 ? "" : ",") + json_string(column.key);
  }
  made += "],\"hidden\":[";
  bool first = true;
  for (const Column& column : panel.table.columns)
    if (column.label.empty()) {
      made += (first ? "" : ",") + json_string(column.key);
      first = false;
    }
  made += "],\"rows\":[";
  for (std::size_t i = 0; i < panel.table.rows.size(); ++i) {
    made += i == 0 ? "\n[" : ",\n[";
    for (std::size_t j = 0; j < panel.table.rows[i].size(); ++j)
      made += (j == 0 ? "" : ",") + cell(panel.table.rows[i][j]);
    made += "]";
  }
  return made + "]}";
}

}  // namespace fairstep::report
