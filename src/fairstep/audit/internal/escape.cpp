#include <fairstep/audit/internal/escape.hpp>

#include <fairstep/core/shown_text.hpp>

namespace fairstep::internal {

std::string escape_markdown(std::string_view text) {
  std::string result;
  for (const char c : shown_lines(text)) {
    if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char c : shown_lines(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace fairstep::internal
