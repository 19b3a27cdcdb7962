// HTML text, element by element. Whatever is not written by `raw` is escaped: names come from users' files.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/report/internal/figure.hpp>

namespace fairstep::report {

/// & < > and both quotes as entities.
[[nodiscard]] std::string escaped(std::string_view text);

class Html {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  Html& open(std::string_view tag, Attributes attributes = {});
  /// The innermost open element.
  Html& close();
  Html& text(std::string_view text);
  /// An element with nothing but text in it.
  Html& element(std::string_view tag, std::string_view text, Attributes attributes = {});
  /// Our own markup, as it is.
  Html& raw(std::string_view markup);
  Html& line() { return raw("\n"); }

  /// Everything must have been closed.
  [[nodiscard]] std::string finish() &&;

 private:
  std::string text_{};
  std::vector<std::string> open_{};
};

/// A number as a table shows it.
[[nodiscard]] std::string cell_text(const Cell& cell, const Column& column);

/// A table with a caption for those who cannot see where it stands.
void write_table(Html& html, const Table& table, std::string_view caption);

/// JSON for a script element: no character in it can end the element.
[[nodiscard]] std::string json_string(std::string_view text);
[[nodiscard]] std::string json_number(double number);
[[nodiscard]] std::string json_of(const Panel& panel);

}  // namespace fairstep::report
