#include <fairstep/page/html.hpp>

#include <algorithm>
#include <cassert>
#include <iterator>

#include <fairstep/core/shown_text.hpp>

namespace fairstep::page {

std::string escape_html(std::string_view text) {
  static constexpr std::pair<char, std::string_view> entities[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  const std::string safe = shown_lines(text);
  std::string made;
  made.reserve(safe.size());
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const std::string_view rest = std::string_view(safe).substr(i + 1), before = std::string_view(safe).substr(0, i);
    const auto* entity = std::find_if(std::begin(entities), std::end(entities),
                                      [&](const auto& known) { return known.first == safe[i]; });
    if (entity != std::end(entities))
      made += entity->second;
    else if (safe[i] == ' ' && (rest.starts_with('%') || rest.starts_with("\u00b1") || before.ends_with("\u00b1")))
      made += "\u00a0";
    else
      made += safe[i];
  }
  return made;
}

std::string escape_markdown(std::string_view text, std::string_view special) {
  std::string made;
  for (const char c : shown_lines(text)) {
    if (special.find(c) != std::string_view::npos) made += '\\';
    made += c == '\n' ? ' ' : c;
  }
  return made;
}

Html& Html::open(std::string_view tag, Attributes attributes) {
  text_ += '<';
  text_ += tag;
  for (const auto& [name, value] : attributes) {
    text_ += ' ';
    text_ += name;
    if (value.empty()) continue;
    text_ += "=\"";
    text_ += escape_html(value);
    text_ += '"';
  }
  text_ += '>';
  open_.emplace_back(tag);
  return *this;
}

Html& Html::close() {
  assert(!open_.empty());
  text_ += "</" + open_.back() + ">";
  open_.pop_back();
  return *this;
}

Html& Html::text(std::string_view text) {
  text_ += escape_html(text);
  return *this;
}

Html& Html::element(std::string_view tag, std::string_view content, Attributes attributes) {
  return open(tag, attributes).text(content).close();
}

Html& Html::raw(std::string_view markup) {
  text_ += markup;
  return *this;
}

std::string Html::finish() && {
  assert(open_.empty());
  return std::move(text_);
}

void write_head(Html& html, std::string_view title, std::string_view security_policy, std::string_view style) {
  html.raw("<!doctype html>\n").open("html", {{"lang", "en"}}).line().open("head").line();
  html.raw("<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"");
  html.raw(security_policy).raw("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"fairstep\">\n");
  html.element("title", title).line().open("style").raw(style).close().line().close().line();
}

}  // namespace fairstep::page
