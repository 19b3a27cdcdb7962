#include <fairstep/page/page.hpp>

#include <iterator>
#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace fairstep::page {
namespace {

Page sample() {
  Page page{"A <title>", {}};
  page.add(Heading{"First"});
  page.add(Paragraph{"Words & words."});
  page.add(List{{"one", "two"}});
  CaptionedTable table{"Numbers", table_with({"group", "people"}, 1)};
  table.table.rows = {{"a", "1,000"}};
  page.add(std::move(table));
  page.add(Charts{{Chart{"rate", "step", {"0"}, {{"a", {0.5}, {{0.4, 0.6}}}}}}});
  return page;
}

TEST(Page, AsMarkdownHasEveryBlockButCharts) {
  EXPECT_EQ(
      as_markdown(sample()),
      "# A \\<title\\>\n\n## First\n\nWords & words.\n\n- one\n- two\n\nNumbers\n\n| group | people |\n|---|---:|\n"
      "| a | 1,000 |\n");
}

TEST(Page, AsHtmlHasEveryBlock) {
  const std::string text = as_html(sample());
  const std::size_t body = text.find("<body>");
  ASSERT_NE(body, std::string::npos);
  EXPECT_TRUE(text.substr(body).starts_with(
      "<body>\n<main>\n<h1>A &lt;title&gt;</h1>\n<h2>First</h2>\n<p>Words &amp; words.</p>\n"
      "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"))
      << text.substr(body);
  EXPECT_NE(text.find("<figure><figcaption>rate</figcaption>\n<svg "), std::string::npos);
  EXPECT_TRUE(text.ends_with("</div>\n</main>\n</body>\n</html>\n"));
}

// A script or a link in a page that is sent around could load what is not in it.
TEST(Page, AsHtmlLoadsNothing) {
  const std::string text = as_html(sample());
  for (const char* word : {"<script", "http://", "https://", "url(", "@import", " src=", " href="})
    EXPECT_EQ(text.find(word), std::string::npos) << word;
}

TEST(Style, EveryColourThatIsUsedIsDefinedForLightAndDark) {
  const std::string css(document_style());
  const std::regex used("var\\((--[a-z-]+)\\)");
  std::size_t seen = 0;
  for (std::sregex_iterator found(css.begin(), css.end(), used), end; found != end; ++found, ++seen) {
    const std::regex defined((*found)[1].str() + ": #");
    EXPECT_GE(std::distance(std::sregex_iterator(css.begin(), css.end(), defined), {}), 2) << found->str();
  }
  EXPECT_GT(seen, 10U);
  EXPECT_EQ(css.find("/*"), std::string::npos) << "comments stay in the sources, and every place for colours is filled";
}

}  // namespace
}  // namespace fairstep::page
