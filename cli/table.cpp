#include "table.hpp"

#include <algorithm>

namespace fairstep::cli {
namespace {

constexpr std::size_t kBetweenColumns = 2;
constexpr std::size_t kBetweenBlocks = 4;

std::size_t width_of(const Column& column) {
  std::size_t width = display_width(column.head);
  for (const std::string& cell : column.cells) width = std::max(width, display_width(cell));
  return width;
}

std::size_t width_of(const Block& block) {
  std::size_t width = 0;
  for (const Column& column : block.columns) width += width_of(column) + (width == 0 ? 0 : kBetweenColumns);
  return std::max(width, display_width(block.title));
}

void pad(std::string& line, std::size_t spaces) { line.append(spaces, ' '); }

void put(std::string& line, std::string_view text, std::size_t width, bool left) {
  const std::size_t spaces = width - std::min(width, display_width(text));
  if (!left) pad(line, spaces);
  line += text;
  if (left) pad(line, spaces);
}

void end_line(std::string& out, std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
  line.clear();
}

/// One band of blocks that fit side by side.
std::string lay_out_band(const Column& key, const std::vector<Block>& blocks) {
  std::string out;
  std::string line;
  const std::size_t key_width = width_of(key);
  if (std::any_of(blocks.begin(), blocks.end(), [](const Block& block) { return !block.title.empty(); })) {
    pad(line, key_width);
    for (const Block& block : blocks) {
      pad(line, kBetweenBlocks);
      put(line, block.title, width_of(block), true);
    }
    end_line(out, line);
  }
  for (std::size_t row = 0; row <= key.cells.size(); ++row) {  // row 0 is the heads
    const auto cell = [row](const Column& column) -> const std::string& {
      return row == 0 ? column.head : column.cells[row - 1];
    };
    put(line, cell(key), key_width, key.left);
    for (const Block& block : blocks) {
      std::size_t used = 0;
      pad(line, kBetweenBlocks);
      for (const Column& column : block.columns) {
        const std::size_t width = width_of(column);
        if (used > 0) pad(line, kBetweenColumns);
        put(line, cell(column), width, column.left);
        used += width + (used > 0 ? kBetweenColumns : 0);
      }
      pad(line, width_of(block) - used);
    }
    end_line(out, line);
  }
  return out;
}

}  // namespace

std::string lay_out(const Column& key, const std::vector<Block>& blocks, std::size_t width) {
  std::vector<std::vector<Block>> bands(1);
  std::size_t used = width_of(key);
  const auto fits = [&](const Block& block) { return used + kBetweenBlocks + width_of(block) <= width; };
  const auto place = [&](const Block& block) {
    if (!fits(block) && !bands.back().empty()) {
      bands.emplace_back();
      used = width_of(key);
    }
    used += kBetweenBlocks + width_of(block);
    bands.back().push_back(block);
  };
  for (const Block& block : blocks) {
    if (width_of(key) + kBetweenBlocks + width_of(block) <= width) {
      place(block);
      continue;
    }
    Block part{block.title, {}};
    for (const Column& column : block.columns) {
      part.columns.push_back(column);
      if (part.columns.size() > 1 && width_of(key) + kBetweenBlocks + width_of(part) > width) {
        part.columns.pop_back();
        place(part);
        part.columns = {column};
      }
    }
    place(part);
  }
  std::string out;
  for (const auto& band : bands) {
    if (!out.empty()) out += '\n';
    out += lay_out_band(key, band);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  // Bytes 10xxxxxx continue a character.
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
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
