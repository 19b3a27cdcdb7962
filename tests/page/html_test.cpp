#include <fairstep/page/html.hpp>

#include <utility>

#include <gtest/gtest.h>

namespace fairstep::page {
namespace {

TEST(Escape, NothingInANameIsMarkdown) {
  EXPECT_EQ(escape_markdown("a|b <i> `c` *d* _e_ [f] #g \\h"),
            "a\\|b \\<i\\> \\`c\\` \\*d\\* \\_e\\_ \\[f\\] \\#g \\\\h");
  EXPECT_EQ(escape_markdown("two\nlines"), "two lines");
  EXPECT_EQ(escape_markdown("a|b_<i>", "|<"), "a\\|b_\\<i>");
}

TEST(Escape, NothingInANameIsHtml) {
  EXPECT_EQ(escape_html("<a href='x'>&\""), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
}

TEST(Escape, WhatWouldTurnTheReadingOrderIsWrittenOut) {
  const std::string turned = "a\u202Eb\u202C";  // from right to left, and back
  EXPECT_EQ(escape_html(turned + "\x1b[0m"), "a\\u202eb\\u202c\\x1b[0m");
  EXPECT_EQ(escape_markdown(turned), "a\\\\u202eb\\\\u202c");
}

TEST(Escape, NumbersKeepTheirSigns) {
  EXPECT_EQ(escape_html("95 % of 0.5 \u00b1 0.1 m"), "95\u00a0% of 0.5\u00a0\u00b1\u00a00.1 m");
}

TEST(Html, EscapesTextAndAttributes) {
  Html html;
  html.element("p", "a < b & \"c\"", {{"title", "'\"><script>"}});
  EXPECT_EQ(std::move(html).finish(), "<p title=\"&#39;&quot;&gt;&lt;script&gt;\">a &lt; b &amp; &quot;c&quot;</p>");
}

TEST(Html, ElementsCloseInnermostFirst) {
  Html html;
  html.open("ul").open("li", {{"hidden", ""}}).text("a").close().raw("<li>b").close().line();
  EXPECT_EQ(std::move(html).finish(), "<ul><li hidden>a</li><li>b</ul>\n");
}

TEST(Html, AHeadNamesItsPolicyBeforeItsStyle) {
  Html html;
  write_head(html, "a <b>", "default-src 'none'", "p{}");
  html.close();
  const std::string text = std::move(html).finish();
  EXPECT_TRUE(text.starts_with("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")) << text;
  EXPECT_NE(text.find("<title>a &lt;b&gt;</title>\n<style>p{}</style>\n</head>\n"), std::string::npos) << text;
  EXPECT_LT(text.find("content=\"default-src 'none'\""), text.find("<style>"));
}

}  // namespace
}  // namespace fairstep::page
