#include <fairstep/ingest/internal/csv_shape.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/ingest/internal/duckdb.hpp>

namespace fairstep::internal {
namespace {

/// Counts the fields of each row; quotes hold delimiters and line ends together, as DuckDB reads them.
class RowMeasure {
 public:
  explicit RowMeasure(char delimiter) : delimiter_(delimiter) {}

  /// False once a row has too many fields.
  bool take(std::string_view block) {
    while (!block.empty()) {
      if (const std::size_t skipped = short_lines(block); skipped > 0) {
        block.remove_prefix(skipped);
        continue;
      }
      if (!take_character(block.front())) return false;
      block.remove_prefix(1);
    }
    return true;
  }

  /// Of the first row, once it has ended or the file has.
  [[nodiscard]] std::size_t first_row() const { return first_row_.value_or(fields_); }
  /// Where the row begins.
  [[nodiscard]] std::uint64_t line() const { return row_line_; }

 private:
  /// Bytes of whole lines that are too short for too many fields, and have no quotes: mostly all there are.
  std::size_t short_lines(std::string_view block) {
    if (!at_row_start_ || !first_row_) return 0;
    std::size_t done = 0;
    while (block.size() - done > kMostFields) {
      const std::string_view stretch = block.substr(done, kMostFields);
      const void* end = ::memrchr(stretch.data(), '\n', stretch.size());
      if (end == nullptr) break;
      const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - stretch.data()) + 1;
      if (std::memchr(stretch.data(), '"', length) != nullptr) break;
      done += length;
    }
    line_ +=
        static_cast<std::uint64_t>(std::count(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(done), '\n'));
    return done;
  }

  bool take_character(char c) {
    if (std::exchange(at_row_start_, false)) row_line_ = line_;
    if (c == '\n') ++line_;
    if (quoted_) {
      if (c == '"') quoted_ = false;  // doubled, it opens again at once
      return true;
    }
    if (c == '"' && (field_start_ || after_quote_)) {
      quoted_ = after_quote_ = true;
      field_start_ = false;
      return true;
    }
    after_quote_ = false;
    field_start_ = c == delimiter_ || c == '\n' || c == '\r';
    if (c == delimiter_) return ++fields_ <= kMostFields;
    if (c == '\n' || c == '\r') {
      if (!first_row_) first_row_ = fields_;
      fields_ = 1;
      at_row_start_ = true;
    }
    return true;
  }

  char delimiter_;
  std::size_t fields_ = 1;
  std::optional<std::size_t> first_row_{};
  std::uint64_t line_ = 1, row_line_ = 1;
  bool at_row_start_ = true, field_start_ = true;
  bool quoted_ = false, after_quote_ = false;
};

constexpr std::array<char, 4> kDelimiters{',', ';', '\t', '|'};

/// How many of each delimiter a line has outside of quotes.
using Tallies = std::array<std::size_t, kDelimiters.size()>;

/// Of the whole lines that `start` has, the last of which may go on if it is not `all`.
std::vector<Tallies> tallies_of(std::string_view start, bool all) {
  constexpr std::size_t most_lines = 50;
  std::vector<Tallies> lines;
  Tallies line{};
  bool quoted = false, any = false;
  for (const char c : start) {
    if (c == '"') quoted = !quoted;
    const bool ends = !quoted && (c == '\n' || c == '\r');
    if (ends && any) lines.push_back(std::exchange(line, {}));
    any = !ends;
    if (lines.size() == most_lines) return lines;
    const auto at = std::find(kDelimiters.begin(), kDelimiters.end(), c);
    if (!quoted && at != kDelimiters.end()) ++line[static_cast<std::size_t>(at - kDelimiters.begin())];
  }
  if (all && any) lines.push_back(line);
  return lines;
}

char delimiter_of(const std::vector<Tallies>& lines) {
  if (lines.empty()) return ',';
  const Tallies& header = lines.front();
  std::size_t best = 0;
  bool best_agrees = false;
  for (std::size_t i = 0; i < kDelimiters.size(); ++i) {
    const bool agrees = header[i] > 0 && std::all_of(lines.begin(), lines.end(),
                                                     [&](const Tallies& line) { return line[i] == header[i]; });
    if (i == 0 && agrees) return ',';
    const bool better =
        best_agrees ? agrees && header[i] > header[best] : agrees || (header[0] == 0 && header[i] > header[best]);
    if (!better) continue;
    best = i;
    best_agrees = agrees;
  }
  return kDelimiters[best];
}

/// Whether a text is UTF-8, as far as lead and continuation bytes go.
bool is_utf8(std::string_view text) {
  std::size_t expected = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = (byte & 0xC0U) == 0x80U;
    if (continues != (expected > 0)) return false;
    if (continues)
      --expected;
    else if (byte >= 0xC2U && byte < 0xF5U)
      expected = byte < 0xE0U ? 1 : byte < 0xF0U ? 2 : 3;
    else if (byte >= 0x80U)
      return false;
  }
  return expected == 0;
}

/// Bytes that Windows-1252 has letters and signs for, and Latin-1 has none.
bool is_windows_only(char c) { return (static_cast<unsigned char>(c) & 0xE0U) == 0x80U; }

}  // namespace

std::string not_utf8_hint() {
  return fmt::format("if it is Latin-1: {}; Windows-1252 is converted by iconv -f WINDOWS-1252 -t UTF-8",
                     option("encoding", name_of(Encoding::latin1)));
}

Expected<char> guess_delimiter(const std::string& file, FileKind kind, Encoding encoding) {
  std::string start;
  constexpr std::size_t enough = 100'000;
  const auto read = each_block(file, kind, [&](std::string_view block) {
    start.append(block.substr(0, enough - start.size()));
    return start.size() < enough;
  });
  if (!read) return tl::unexpected(read.error());
  if (encoding == Encoding::utf8 && !is_utf8(std::string_view(start).substr(0, start.find('\n'))))
    return tl::unexpected(Error{"the first line is not UTF-8", {}, file, not_utf8_hint()});
  return delimiter_of(tallies_of(start, start.size() < enough));
}

Expected<std::size_t> look_through_csv(const std::string& file, FileKind kind, CsvForm form,
                                       const std::stop_token& stop) {
  RowMeasure measure(form.delimiter);
  bool fits = true, letters = true;
  const auto read = each_block(file, kind, [&](std::string_view block) {
    letters = form.encoding != Encoding::latin1 || std::none_of(block.begin(), block.end(), is_windows_only);
    fits = measure.take(block);
    return fits && letters && !stop.stop_requested();
  });
  if (!read) return tl::unexpected(read.error());
  if (stop.stop_requested()) return stopped_after(0);
  if (!letters)
    return tl::unexpected(
        Error{"the file has bytes from 0x80 to 0x9F, which are no letters of Latin-1; it may be Windows-1252",
              {},
              file,
              fmt::format("convert it: {} | iconv -f WINDOWS-1252 -t UTF-8 > utf8.csv",
                          kind == FileKind::gzip ? "gzip -dc " + file : "cat " + file)});
  if (fits) return measure.first_row();
  return tl::unexpected(
      Error{fmt::format("line {} has more than {} fields, expected one for each column", measure.line(), kMostFields),
            {},
            file,
            fmt::format("are columns separated by '{}'? {} says so",
                        form.delimiter == '\t' ? "tab" : std::string(1, form.delimiter), option("delimiter"))});
}

}  // namespace fairstep::internal
