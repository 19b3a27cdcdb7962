#include <fairstep/audit/internal/page.hpp>

#include <string_view>

#include <fmt/format.h>

#include <fairstep/audit/internal/escape.hpp>

namespace fairstep::internal {
namespace {

struct Markdown {
  std::string text{};

  void operator()(const Heading& heading) { text += "\n## " + escape_markdown(heading.text) + "\n"; }
  void operator()(const Paragraph& paragraph) { text += "\n" + escape_markdown(paragraph.text) + "\n"; }
  void operator()(const List& list) {
    text += "\n";
    for (const std::string& item : list.items) text += "- " + escape_markdown(item) + "\n";
  }
  void operator()(const PageTable& table) {
    text += "\n" + escape_markdown(table.caption) + "\n\n";
    row(table.head);
    text += "|";
    for (std::size_t i = 0; i < table.head.size(); ++i) text += i < table.words ? "---|" : "---:|";
    text += "\n";
    for (const auto& cells : table.rows) row(cells);
  }
  void operator()(const Charts&) {}  // the tables have every number
  void row(const std::vector<std::string>& cells) {
    text += "|";
    for (const std::string& cell : cells) text += " " + escape_markdown(cell) + " |";
    text += "\n";
  }
};

struct Html {
  std::string text{};

  void operator()(const Heading& heading) { text += "<h2>" + escape_html(heading.text) + "</h2>\n"; }
  void operator()(const Paragraph& paragraph) { text += "<p>" + escape_html(paragraph.text) + "</p>\n"; }
  void operator()(const List& list) {
    text += "<ul>\n";
    for (const std::string& item : list.items) text += "<li>" + escape_html(item) + "</li>\n";
    text += "</ul>\n";
  }
  void operator()(const PageTable& table) {
    text += "<div class=\"table\"><table>\n<caption>" + escape_html(table.caption) + "</caption>\n<thead><tr>";
    for (std::size_t i = 0; i < table.head.size(); ++i)
      text += fmt::format("<th scope=\"col\"{}>{}</th>", i < table.words ? " class=\"word\"" : "",
                          escape_html(table.head[i]));
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& cells : table.rows) {
      text += "<tr>";
      for (std::size_t i = 0; i < cells.size(); ++i)
        text += fmt::format("<td{}>{}</td>", i < table.words ? " class=\"word\"" : "", escape_html(cells[i]));
      text += "</tr>\n";
    }
    text += "</tbody></table></div>\n";
  }
  void operator()(const Charts& charts) {
    text += "<div class=\"charts\">\n";
    for (const Chart& chart : charts.charts)
      text += "<figure><figcaption>" + escape_html(chart.caption) + "</figcaption>\n" + to_svg(chart) + "</figure>\n";
    text += "</div>\n";
  }
};

constexpr std::string_view kStyle =
    R"(:root { color-scheme: light dark; --ink: #1a1d21; --paper: #fff; --soft: #5a6270; --line: #d5d9df; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --paper: #121417; --soft: #a5adba; --line: #343a44; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
p, ul { max-width: 46rem; margin: .5rem 0; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { text-align: right; padding: .25rem .7rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th.word, td.word { text-align: left; }
/* A name of hundreds of letters wraps; a short one keeps its line. */
td.word { white-space: normal; min-width: 6rem; max-width: 24rem; overflow-wrap: anywhere; }
h1, h2, p, li, caption, figcaption { overflow-wrap: anywhere; }
thead th { border-bottom: 2px solid var(--soft); }
@media print {
  :root { --ink: #000; --paper: #fff; --soft: #333; --line: #999; }
  main { max-width: none; padding: 0; }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
  .table { overflow: visible; }
}
)";

}  // namespace

std::string as_markdown(const Page& page) {
  Markdown out{"# " + escape_markdown(page.title) + "\n"};
  for (const auto& block : page.blocks) std::visit(out, block);
  return out.text;
}

std::string as_html(const Page& page) {
  Html out;
  for (const auto& block : page.blocks) std::visit(out, block);
  const std::string title = escape_html(page.title);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>{0}</title>\n<style>\n{1}{2}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{3}</main>\n</body>\n</"
      "html>\n",
      title, kStyle, chart_style(), out.text);
}

}  // namespace fairstep::internal
