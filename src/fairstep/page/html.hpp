// HTML text, element by element. Whatever is not written by `raw` is escaped: names come from users' files.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairstep::page {

/// & < > and both quotes as entities; what would move the cursor or turn the reading order around is written out. "95
/// %" and "0.5 ± 0.1" stay on one line.
[[nodiscard]] std::string escape_html(std::string_view text);

/// The same for Markdown: a backslash before each of these characters; a line break becomes a space.
[[nodiscard]] std::string escape_markdown(std::string_view text, std::string_view special = "\\`*_[]<>|#");

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

/// Opens a page, and has its head: nothing is loaded or run but what the security policy allows.
void write_head(Html& html, std::string_view title, std::string_view security_policy, std::string_view style);

}  // namespace fairstep::page
