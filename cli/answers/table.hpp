// Numbers set out for reading: columns in titled blocks, folded so that they fit the width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fairstep::cli {

struct Column {
  std::string head{};
  std::vector<std::string> cells{};  ///< one per row
  bool left = false;                 ///< set to the left, for words
  std::vector<double> shares{};      ///< one per cell, or none: from 0 to 1, how dark the cell is where there is colour
};

/// Columns that belong together under a title; the title may be empty.
struct Block {
  std::string title{};
  std::vector<Column> columns{};
};

/// The key column first, then the blocks side by side. What does not fit `width` goes below, with the key column again;
/// a block is broken only if it is wider than a whole line. All columns have as many cells as the key. A text too long
/// for a table is cut in its middle, and stands below in full.
/// `colour` shades shares.
[[nodiscard]] std::string lay_out(const Column& key, const std::vector<Block>& blocks, std::size_t width,
                                  bool colour = false);

/// Columns of a terminal that UTF-8 text takes, one for each character.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// A paragraph broken between words into lines of at most `width`, each indented; a longer word stands alone.
[[nodiscard]] std::string wrap(std::string_view paragraph, std::size_t width, std::size_t indent = 0);

}  // namespace fairstep::cli
