#include <fairstep/page/page.hpp>

#include <fairstep/page/html.hpp>

namespace fairstep::page {
namespace {

struct MarkdownBlocks {
  std::string text{};

  void operator()(const Heading& heading) { text += "\n## " + escape_markdown(heading.text) + "\n"; }
  void operator()(const Paragraph& paragraph) { text += "\n" + escape_markdown(paragraph.text) + "\n"; }
  void operator()(const List& list) {
    text += "\n";
    for (const std::string& item : list.items) text += "- " + escape_markdown(item) + "\n";
  }
  void operator()(const CaptionedTable& block) {
    text += "\n" + escape_markdown(block.caption) + "\n\n" + as_markdown(block.table);
  }
  void operator()(const Charts&) {}  // the tables have every number
};

struct HtmlBlocks {
  Html& html;

  void operator()(const Heading& heading) { html.element("h2", heading.text).line(); }
  void operator()(const Paragraph& paragraph) { html.element("p", paragraph.text).line(); }
  void operator()(const List& list) {
    html.open("ul").line();
    for (const std::string& item : list.items) html.element("li", item).line();
    html.close().line();
  }
  void operator()(const CaptionedTable& block) { write_table(html, block.table, block.caption, EndTags::all); }
  void operator()(const Charts& charts) {
    html.open("div", {{"class", "charts"}}).line();
    for (const Chart& chart : charts.charts)
      html.open("figure").element("figcaption", chart.caption).line().raw(to_svg(chart)).close().line();
    html.close().line();
  }
};

}  // namespace

std::string as_markdown(const Page& page) {
  MarkdownBlocks out{"# " + escape_markdown(page.title) + "\n"};
  for (const auto& block : page.blocks) std::visit(out, block);
  return out.text;
}

void write_blocks(Html& html, const Page& page) {
  for (const auto& block : page.blocks) std::visit(HtmlBlocks{html}, block);
}

std::string as_html(const Page& page) {
  Html html;
  write_head(html, page.title, "default-src 'none'; style-src 'unsafe-inline'", document_style());
  html.open("body").line().open("main").line().element("h1", page.title).line();
  write_blocks(html, page);
  html.close().line().close().line().close().line();
  return std::move(html).finish();
}

}  // namespace fairstep::page
