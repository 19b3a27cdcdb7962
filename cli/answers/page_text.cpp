#include "answers/page_text.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "answers/evaluation_json.hpp"
#include "answers/nested.hpp"
#include "answers/table.hpp"
#include "shell/guarded_file.hpp"

namespace fairstep::cli {
namespace {

std::string ending_of(const std::string& file) { return std::filesystem::path(file).extension().string(); }

/// Numbers as a terminal has them: with a hyphen for a minus and for what is not known.
std::string on_terminal(const page::Cell& cell, const page::Column& column) {
  if (const double* number = std::get_if<double>(&cell); number != nullptr && std::isnan(*number)) return "-";
  std::string text = page::cell_text(cell, column);
  if (std::holds_alternative<double>(cell))
    if (constexpr std::string_view minus = "\u2212"; text.starts_with(minus)) text.replace(0, minus.size(), "-");
  return text;
}

struct TerminalBlocks {
  std::size_t width;
  bool colour;
  std::string text{};

  void operator()(const page::Heading& heading) { text += "\n" + wrap(heading.text, width); }
  void operator()(const page::Paragraph& paragraph) { text += wrap(paragraph.text, width); }
  void operator()(const page::List& list) {
    for (const std::string& item : list.items) text += wrap(item, width, 2);
  }
  void operator()(const page::CaptionedTable& block) {
    if (block.table.rows.empty()) return;
    std::vector<Column> columns;
    for (std::size_t i = 0; i < block.table.columns.size(); ++i) {
      const page::Column& from = block.table.columns[i];
      Column& column = columns.emplace_back(Column{from.label, {}, from.words, {}});
      for (const std::vector<page::Cell>& row : block.table.rows) {
        column.cells.push_back(on_terminal(row[i], from));
        const double* share = std::get_if<double>(&row[i]);
        if (from.shares) column.shares.push_back(share == nullptr ? std::numeric_limits<double>::quiet_NaN() : *share);
      }
    }
    const Column key = std::move(columns.front());
    columns.erase(columns.begin());
    text += "\n" + wrap(block.caption, width) + lay_out(key, {{"", std::move(columns)}}, width, colour);
  }
  void operator()(const page::Charts&) {}
};

}  // namespace

std::string to_text(const page::Page& page, std::size_t width, bool colour) {
  TerminalBlocks out{width, colour, wrap(page.title, width)};
  for (const auto& block : page.blocks) std::visit(out, block);
  return std::move(out.text);
}

Result<void> check_page_name(const std::string& file) {
  const std::string ending = ending_of(file);
  if (ending == ".html" || ending == ".htm" || ending == ".md") return {};
  return usage(fmt::format("--output is \"{}\", expected a name that ends in .html or .md", file));
}

Result<void> write_page(const page::Page& page, const std::string& file) {
  const std::string content = ending_of(file) == ".md" ? page::as_markdown(page) : page::as_html(page);
  if (auto ok = write_guarded(file, content); !ok) return io_failure(ok.error());
  return {};
}

Json tables_json(const page::Page& page) {
  Json tables = Json::array();
  for (const auto& block : page.blocks) {
    const auto* captioned = std::get_if<page::CaptionedTable>(&block);
    if (captioned == nullptr) continue;
    Json columns = Json::array();
    for (const page::Column& column : captioned->table.columns) columns.push_back(column.key);
    Json rows = Json::array();
    for (const std::vector<page::Cell>& row : captioned->table.rows) {
      rows.push_back(Json::array());
      for (const page::Cell& cell : row)
        rows.back().push_back(std::visit(
            [](const auto& value) -> Json {
              if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
                return number_or_null(value);
              else
                return value;
            },
            cell));
    }
    tables.push_back({{"caption", captioned->caption}, {"columns", columns}, {"rows", rows}});
  }
  return tables;
}

}  // namespace fairstep::cli
