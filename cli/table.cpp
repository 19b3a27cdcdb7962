#include "table.hpp"

#include <algorithm>
#include <utility>

#include <fairstep/core/shown_text.hpp>

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
void lay_out_band(const Measured& key, const std::vector<Part>& parts, std::string& out) {
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
      put(line, row == 0 ? column.head : column.cells[row - 1], measured.width, column.left);
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

}  // namespace

std::string lay_out(const Column& key, const std::vector<Block>& blocks, std::size_t width) {
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
    lay_out_band(keys, band, out);
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
