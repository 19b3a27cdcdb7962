// Text to JSON values, more strictly than the library alone; syntax errors have tests in internal/.
#include <fairstep/io/shared/parse.hpp>

#include <string>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using namespace std::string_literals;
using testing::unwrap;

Error trouble_in(const std::string& text) {
  const auto parsed = parse_json(text);
  return parsed ? Error{"there is none"} : parsed.error();
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Parse, GivesTheValueThatTheTextStandsFor) {
  EXPECT_EQ(unwrap(parse_json(R"( {"a": [1, -2, 0.5, true, null], "b": {"c": "d\n"}} )")),
            (Json{{"a", {1, -2, 0.5, true, nullptr}}, {"b", {{"c", "d\n"}}}}));
  EXPECT_EQ(unwrap(parse_json("7")), Json(7));
}

TEST(Parse, KeepsWholeNumbersWholeAndOthersAsTheyAre) {
  EXPECT_TRUE(unwrap(parse_json("9223372036854775807")).is_number_integer());
  EXPECT_EQ(unwrap(parse_json("9223372036854775807")).get<std::int64_t>(), 9223372036854775807);
  EXPECT_TRUE(unwrap(parse_json("1.0")).is_number_float());
}

TEST(Parse, RefusesAKeyThatAppearsTwiceWhereItDoes) {
  const Error error = trouble_in(R"({"a": [{}, {"b": 1, "c": 2, "b": 3}]})");
  EXPECT_EQ(error.message, "key \"b\" appears twice");
  EXPECT_EQ(error.pointer, "/a/1/b");
}

TEST(Parse, TakesTheSameKeyInDifferentObjects) { EXPECT_TRUE(parse_json(R"({"a": {"a": 1}, "b": {"a": 2}})")); }

TEST(Parse, GoesThirtyTwoDeepAndNoDeeper) {
  EXPECT_TRUE(parse_json(nested(32)));
  EXPECT_EQ(trouble_in(nested(33)).message, "the document is nested more than 32 deep");
}

TEST(Parse, NamesTheDocumentThatIsEmpty) {
  EXPECT_EQ(trouble_in("").message, "the document is empty, expected JSON");
  EXPECT_EQ(trouble_in(" \t\r\n").message, "the document is empty, expected JSON");
}

TEST(Parse, RefusesAByteOrderMark) {
  const Error error = trouble_in("\xEF\xBB\xBF{}");
  EXPECT_EQ(error.message, "the document begins with a byte order mark, expected plain UTF-8");
  EXPECT_EQ(error.hint, "save it as UTF-8 without a BOM: JSON has none (RFC 8259)");
}

TEST(Parse, SeesANulByteThatTheLibraryTakesForTheEnd) {
  EXPECT_EQ(trouble_in("{}\n\0 more"s).message, "line 2 has a NUL byte, expected text");
  EXPECT_EQ(trouble_in("\0{}"s).message, "line 1 has a NUL byte, expected text");
}

TEST(Parse, OfASyntaxErrorSaysAroundWhatItIs) {
  const Error error = trouble_in("{\"a\": [1, {\"b\": x}]}");
  EXPECT_EQ(error.message, "line 1, column 17: unexpected x, expected a value");
  EXPECT_EQ(error.pointer, "/a/1");
}

TEST(PointerStep, EscapesWhatPointersAreMadeOf) {
  EXPECT_EQ(pointer_step("plain"), "/plain");
  EXPECT_EQ(pointer_step("a/b~c"), "/a~1b~0c");  // RFC 6901: ~ is ~0, / is ~1
  EXPECT_EQ(pointer_step(""), "/");
}

TEST(PointerStep, OfAKeyThatWouldBreakTheLineIsNone) { EXPECT_EQ(pointer_step("two\nlines"), ""); }

TEST(Describe, SaysWhatAValueIsInAFewWords) {
  EXPECT_EQ(describe(Json("8")), "the text \"8\"");
  EXPECT_EQ(describe(Json::array({1})), "an array");
  EXPECT_EQ(describe(Json::object()), "an object");
  EXPECT_EQ(describe(Json(0.5)), "0.5");
  EXPECT_EQ(describe(Json(true)), "true");
  EXPECT_EQ(describe(Json(nullptr)), "null");
}

TEST(Quote, EscapesAndStaysOnALine) { EXPECT_EQ(quote("a\n\"b\""), R"("a\n\"b\"")"); }

TEST(Quote, ShortensToFortyBytes) {
  EXPECT_EQ(quote(std::string(40, 'x')), "\"" + std::string(40, 'x') + "\"");
  EXPECT_EQ(quote(std::string(41, 'x')), "\"" + std::string(40, 'x') + "...\"");
}

TEST(Quote, CutsNoCharacterInHalf) {
  // 39 bytes and a character of two: its first byte is the fortieth.
  EXPECT_EQ(quote(std::string(39, 'x') + "\xC3\xA4" + "y"), "\"" + std::string(39, 'x') + "...\"");
}

TEST(Quote, ReplacesWhatIsNotUtf8) { EXPECT_EQ(quote("a\xFF"), "\"a\xEF\xBF\xBD\""); }

}  // namespace
}  // namespace fairstep::internal
