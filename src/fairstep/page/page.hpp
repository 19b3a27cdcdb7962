// What a page says, apart from how it looks: headings, sentences, lists, tables and charts, rendered as Markdown or
// HTML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fairstep/page/chart.hpp>
#include <fairstep/page/table.hpp>

namespace fairstep::page {

struct Heading {
  std::string text{};
};
struct Paragraph {
  std::string text{};
};
struct List {
  std::vector<std::string> items{};
};
struct CaptionedTable {
  std::string caption{};
  Table table{};
};

/// Beside each other where there is room. Markdown has none: whatever they show stands in a table too.
struct Charts {
  std::vector<Chart> charts{};
};

struct Page {
  std::string title{};
  std::vector<std::variant<Heading, Paragraph, List, CaptionedTable, Charts>> blocks{};

  template <class Block>
  void add(Block block) {
    blocks.emplace_back(std::move(block));
  }
};

[[nodiscard]] std::string as_markdown(const Page& page);
/// Without scripts or links, for screen (light and dark) and paper.
[[nodiscard]] std::string as_html(const Page& page);
/// What is below its title, for a page with a head of its own.
void write_blocks(Html& html, const Page& page);
/// Its style: base.css, tables.css and document.css with the colours of palette.mjs. The report's begins with the first
/// two.
[[nodiscard]] std::string_view document_style();

}  // namespace fairstep::page
