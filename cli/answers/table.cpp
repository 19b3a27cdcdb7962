#include "answers/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/short_names.hpp>
#include <fairstep/core/shown_text.hpp>
#include <fairstep/page/table.hpp>

namespace fairstep::cli {
namespace {

constexpr std::size_t kBetweenColumns = 2;
constexpr std::size_t kBetweenBlocks = 4;

/// A column and how wide it is: measured once, since there may be many rows.
struct Measured {
  const Column* column = nullptr;
  std::size_t width = 0;
};

/// Some of a block's columns, under its title.
struct Part {
  const std::string* title = nullptr;
  std::vector<Measured> columns{};
  std::size_t width = 0;  ///< of the columns, without the title

  void add(const Measured& measured) {
    width += measured.width + (columns.empty() ? 0 : kBetweenColumns);
    columns.push_back(measured);
  }
  [[nodiscard]] std::size_t width_with_title() const { return std::max(width, display_width(shown_text(*title))); }
};

Measured measure(const Column& column) {
  std::size_t width = display_width(shown_text(column.head));
  for (const std::string& cell : column.cells) width = std::max(width, display_width(shown_text(cell)));
  return {&column, width};
}

void pad(std::string& line, std::size_t spaces) { line.append(spaces, ' '); }

/// In the colours that most terminals have, with a text that can be read on each.
std::string shaded(const std::string& text, double share) {
  constexpr std::array<int, page::kDarkest + 1> paper{255, 189, 153, 117, 111, 75, 33, 26, 19};
  const int darkness = page::darkness_of(share);
  return fmt::format("\x1b[48;5;{};38;5;{}m{}\x1b[0m", paper[static_cast<std::size_t>(darkness)],
                     darkness < 6 ? 16 : 231, text);
}

/// Cells may hold what a file had for a name.
void put(std::string& line, std::string_view cell, std::size_t width, bool left) {
  const std::string text = shown_text(cell);
  const std::size_t spaces = width - std::min(width, display_width(text));
  if (!left) pad(line, spaces);
  line += text;
  if (left) pad(line, spaces);
}

void end_line(std::string& out, std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line;
  out += '\n';
  line.clear();
}

/// One band of parts that fit side by side.
void lay_out_band(const Measured& key, const std::vector<Part>& parts, bool colour, std::string& out) {
  std::string line;
  if (std::any_of(parts.begin(), parts.end(), [](const Part& part) { return !part.title->empty(); })) {
    pad(line, key.width);
    for (const Part& part : parts) {
      pad(line, kBetweenBlocks);
      put(line, *part.title, part.width_with_title(), true);
    }
    end_line(out, line);
  }
  for (std::size_t row = 0; row <= key.column->cells.size(); ++row) {  // row 0 is the heads
    const auto put_cell = [&](const Measured& measured) {
      const Column& column = *measured.column;
      if (!colour || row == 0 || column.shares.empty() || std::isnan(column.shares[row - 1])) {
        put(line, row == 0 ? column.head : column.cells[row - 1], measured.width, column.left);
        return;
      }
      std::string cell;
      put(cell, column.cells[row - 1], measured.width, column.left);
      line += shaded(cell, column.shares[row - 1]);
    };
    put_cell(key);
    for (const Part& part : parts) {
      pad(line, kBetweenBlocks);
      for (std::size_t i = 0; i < part.columns.size(); ++i) {
        if (i > 0) pad(line, kBetweenColumns);
        put_cell(part.columns[i]);
      }
      pad(line, part.width_with_title() - part.width);
    }
    end_line(out, line);
  }
}

/// Long texts of a table, each cut in one way wherever it stands.
class ShortTexts {
 public:
  ShortTexts(const Column& key, const std::vector<Block>& blocks) {
    std::set<std::string> all;
    const auto note = [&](const std::string& text) { all.insert(shown_text(text)); };
    const auto note_column = [&](const Column& column) {
      note(column.head);
      for (const std::string& cell : column.cells) note(cell);
    };
    note_column(key);
    for (const Block& block : blocks) {
      note(block.title);
      for (const Column& column : block.columns) note_column(column);
    }
    const std::vector<std::string> texts(all.begin(), all.end());
    const std::vector<std::string> cut = short_names(texts, in_full_);
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (cut[i] != texts[i]) cut_.emplace(texts[i], cut[i]);
  }

  [[nodiscard]] bool any() const { return !cut_.empty(); }
  [[nodiscard]] Column of(Column column) const {
    shorten(column.head);
    for (std::string& cell : column.cells) shorten(cell);
    return column;
  }
  [[nodiscard]] std::vector<Block> of(std::vector<Block> blocks) const {
    for (Block& block : blocks) {
      shorten(block.title);
      for (Column& column : block.columns) column = of(std::move(column));
    }
    return blocks;
  }
  /// A line for each: as it is shown, and as it is.
  [[nodiscard]] std::string legend() const {
    std::string lines = "\n";
    for (const auto& [cut, whole] : in_full_) lines += fmt::format("{}: {}\n", cut, whole);
    return lines;
  }

 private:
  void shorten(std::string& text) const {
    const auto found = cut_.find(shown_text(text));
    if (found != cut_.end()) text = found->second;
  }

  std::map<std::string, std::string> cut_{};
  std::set<std::pair<std::string, std::string>> in_full_{};
};

bool is_long(const std::string& text) { return text.size() > kShortName; }

bool has_long_texts(const Column& column) {
  return is_long(column.head) || std::any_of(column.cells.begin(), column.cells.end(), is_long);
}

bool has_long_texts(const std::vector<Block>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
    return is_long(block.title) || std::any_of(block.columns.begin(), block.columns.end(),
                                               [](const Column& column) { return has_long_texts(column); });
  });
}

}  // namespace

std::string lay_out(const Column& key, const std::vector<Block>& blocks, std::size_t width, bool colour) {
  if (has_long_texts(key) || has_long_texts(blocks))
    if (const ShortTexts texts(key, blocks); texts.any())
      return lay_out(texts.of(key), texts.of(blocks), width, colour) + texts.legend();
  const Measured keys = measure(key);
  std::vector<std::vector<Part>> bands(1);
  std::size_t used = keys.width;
  const auto place = [&](Part part) {
    const std::size_t wide = kBetweenBlocks + part.width_with_title();
    if (used + wide > width && !bands.back().empty()) {
      bands.emplace_back();
      used = keys.width;
    }
    used += wide;
    bands.back().push_back(std::move(part));
  };
  for (const Block& block : blocks) {
    Part whole{&block.title};
    for (const Column& column : block.columns) whole.add(measure(column));
    if (keys.width + kBetweenBlocks + whole.width_with_title() <= width) {
      place(std::move(whole));
      continue;
    }
    Part part{&block.title};
    for (const Measured& measured : whole.columns) {
      Part longer = part;
      longer.add(measured);
      if (!part.columns.empty() && keys.width + kBetweenBlocks + longer.width_with_title() > width) {
        place(std::move(part));
        part = Part{&block.title};
        part.add(measured);
      } else {
        part = std::move(longer);
      }
    }
    place(std::move(part));
  }
  std::string out;
  for (const auto& band : bands) {
    if (!out.empty()) out += '\n';
    lay_out_band(keys, band, colour, out);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  // Bytes 10xxxxxx continue a character.
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

std::string wrap(std::string_view paragraph, std::size_t width, std::size_t indent) {
  const std::string safe = shown_text(paragraph);
  std::string_view text = safe;
  std::string out;
  std::string line;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (word.empty()) continue;
    if (!line.empty() && indent + display_width(line) + 1 + display_width(word) > width) {
      pad(out, indent);
      end_line(out, line);
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) {
    pad(out, indent);
    end_line(out, line);
  }
  return out;
}

}  // namespace fairstep::cli
