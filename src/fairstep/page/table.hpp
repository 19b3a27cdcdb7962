// Tables: columns that say how their numbers are shown, and rows of words and numbers.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fairstep/page/html.hpp>

namespace fairstep::page {

using Cell = std::variant<std::string, double>;

/// Which way the numbers of a column are rounded.
enum class Rounded { nearest, up, down };

inline constexpr int kFewDecimals = -1;  ///< as few as a number needs
inline constexpr int kAsPower = -2;      ///< whole numbers; powers of two as such

struct Column {
  std::string key{};                   ///< in the data and in the CSV
  std::string label{};                 ///< at its head; empty: only a chart needs it, no table shows it
  int decimals = 4;                    ///< of numbers, or one of the two above
  Rounded rounded = Rounded::nearest;  ///< bounds to their safe side
  bool words = false;                  ///< set to the left, and may wrap
  bool shares = false;                 ///< numbers from 0 to 1, shaded; 0 and 1 themselves are written as such
};

/// The numbers in full; a page shows them rounded.
struct Table {
  std::vector<Column> columns{};
  std::vector<std::vector<Cell>> rows{};
  /// Rows that begin with the same word share its cell on an HTML page.
  bool grouped = false;
};

/// Without rows yet; so many leading columns are words.
[[nodiscard]] Table table_with(std::initializer_list<const char*> heads, std::size_t words);

/// How dark a share is shown, from 0 to this.
inline constexpr int kDarkest = 8;
/// A share that is not 0 is not shown as dark as 0, and one that is not 1 not as dark as 1.
[[nodiscard]] int darkness_of(double share);

/// A number as a table shows it.
[[nodiscard]] std::string cell_text(const Cell& cell, const Column& column);

/// HTML does not ask for the end tags of rows and cells: tables of thousands are smaller without.
enum class EndTags { all, needed };

/// A table with a caption for those who cannot see where it stands.
void write_table(Html& html, const Table& table, std::string_view caption, EndTags end_tags = EndTags::needed);
[[nodiscard]] std::string as_markdown(const Table& table);

}  // namespace fairstep::page
