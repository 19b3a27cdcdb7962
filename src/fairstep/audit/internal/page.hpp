// What a report says, apart from how it looks: headings, sentences, lists, tables and charts, rendered as Markdown
// or HTML.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fairstep/audit/internal/chart.hpp>

namespace fairstep::internal {

struct Heading {
  std::string text{};
};
struct Paragraph {
  std::string text{};
};
struct List {
  std::vector<std::string> items{};
};
struct PageTable {
  std::string caption{};
  std::vector<std::string> head{};
  std::vector<std::vector<std::string>> rows{};
  std::size_t words = 1;  ///< leading columns that are words, not numbers
};

/// Beside each other where there is room. Markdown has none: whatever they show stands in a table too.
struct Charts {
  std::vector<Chart> charts{};
};

struct Page {
  std::string title{};
  std::vector<std::variant<Heading, Paragraph, List, PageTable, Charts>> blocks{};

  template <class Block>
  void add(Block block) {
    blocks.emplace_back(std::move(block));
  }
};

[[nodiscard]] std::string as_markdown(const Page& page);
[[nodiscard]] std::string as_html(const Page& page);

}  // namespace fairstep::internal
