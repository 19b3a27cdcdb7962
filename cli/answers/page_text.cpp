#include "answers/page_text.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>
#include <type_traits>
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

/// Columns as a terminal sets them.
std::vector<Column> columns_of(const page::Table& table) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const page::Column& from = table.columns[i];
    Column& column = columns.emplace_back(Column{from.label, {}, from.words, {}});
    for (const std::vector<page::Cell>& row : table.rows) {
      column.cells.push_back(on_terminal(row[i], from));
      const double* share = std::get_if<double>(&row[i]);
      if (from.shares) column.shares.push_back(share == nullptr ? std::numeric_limits<double>::quiet_NaN() : *share);
    }
  }
  return columns;
}

class TerminalBlocks {
 public:
  TerminalBlocks(std::string text, std::size_t width, bool colour)
      : text_(std::move(text)), width_(width), colour_(colour) {}

  void operator()(const page::Heading& heading) { end_tables() += "\n" + wrap(heading.text, width_); }
  void operator()(const page::Paragraph& paragraph) { end_tables() += wrap(paragraph.text, width_); }
  void operator()(const page::List& list) {
    constexpr std::size_t hanging = 6;
    std::string& text = end_tables();
    for (const std::string& item : list.items)
      if (std::string wrapped = wrap(item, width_, hanging); wrapped.size() > hanging)
        text += wrapped.replace(0, hanging, "  ");
  }
  /// Tables that follow each other with the same rows stand side by side.
  void operator()(const page::CaptionedTable& block) {
    if (block.table.rows.empty()) return;
    std::vector<Column> columns = columns_of(block.table);
    Column key = std::move(columns.front());
    columns.erase(columns.begin());
    if (!blocks_.empty() && (key.head != key_.head || key.cells != key_.cells)) end_tables();
    key_ = std::move(key);
    blocks_.push_back({block.caption, std::move(columns)});
  }
  void operator()(const page::Charts&) {}

  [[nodiscard]] std::string finish() && { return std::move(end_tables()); }

 private:
  std::string& end_tables() {
    if (blocks_.empty()) return text_;
    text_ += '\n';
    if (blocks_.size() == 1) text_ += wrap(std::exchange(blocks_.front().title, {}), width_);
    text_ += lay_out(key_, blocks_, width_, colour_);
    blocks_.clear();
    return text_;
  }

  std::string text_;
  std::size_t width_;
  bool colour_;
  Column key_{};
  std::vector<Block> blocks_{};
};

}  // namespace

std::string to_text(const page::Page& page, std::size_t width, bool colour) {
  TerminalBlocks out(wrap(page.title, width), width, colour);
  for (const auto& block : page.blocks) std::visit(out, block);
  return std::move(out).finish();
}

Result<void> check_page_name(const std::string& file) {
  const std::string ending = ending_of(file);
  if (ending == ".html" || ending == ".htm" || ending == ".md") return {};
  return usage(fmt::format("--output is \"{}\", expected a name that ends in .html or .md", file));
}

page::Page with_warnings(page::Page page, const std::vector<std::string>& warnings) {
  if (!warnings.empty()) page.blocks.emplace(page.blocks.begin(), page::List{warnings});
  return page;
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
