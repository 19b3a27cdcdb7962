// What is said of text that is not JSON: line, column, what stands there and what would be right.
#include <fairstep/io/internal/syntax_error.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {
namespace {

struct Broken {
  std::string_view name;
  std::string_view text;
  std::string_view message;
  std::string_view hint{};
};

class SyntaxError : public ::testing::TestWithParam<Broken> {};

TEST_P(SyntaxError, IsExplained) {
  const auto parsed = parse_json(GetParam().text);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message, GetParam().message);
  EXPECT_EQ(parsed.error().hint, GetParam().hint);
}

constexpr std::string_view kNumbersLook =
    "numbers look like 0.5, -2 or 1e-9: no leading plus or zeros, digits on both sides of the point";

// Columns count characters from 1.
INSTANTIATE_TEST_SUITE_P(
    All, SyntaxError,
    ::testing::Values(
        Broken{"AValueIsMissing", "{\"a\": }", "line 1, column 7: unexpected '}', expected a value"},
        Broken{"AColonIsMissing", "{\"a\" 1}", "line 1, column 6: unexpected 1, expected ':'"},
        Broken{"ACommaIsMissingInAnArray", "[1 2]", "line 1, column 4: unexpected 2, expected ',' or ']'"},
        Broken{"ACommaIsMissingInAnObject", "{\"a\": 1\n \"b\": 2}",
               "line 2, column 2: unexpected \"b\", expected ',' or '}'"},
        Broken{"AKeyIsNotInQuotes", "{a: 1}", "line 1, column 2: unexpected a, expected a key in double quotes"},
        Broken{"ACommaTooMany", "[1,]", "line 1, column 4: unexpected ']' after a comma", "remove the comma before it"},
        Broken{"SomethingAfterTheEnd", "{} x",
               "line 1, column 4: unexpected x, expected nothing after the end of the document"},
        Broken{"TheEndComesTooEarly", "{\"a\": [1,",
               "line 1, column 10: the document ends too early, expected a value"},
        Broken{"SingleQuotes", "{'a': 1}", "line 1, column 2: unexpected ''', expected a key in double quotes",
               "JSON puts keys and texts in double quotes"},
        Broken{"AComment", "[1, // one\n2]", "line 1, column 5: unexpected '/', expected a value",
               "JSON has no comments"},
        Broken{"AConstantInCapitals", "[True]", "line 1, column 2: unexpected True, expected a value",
               "JSON knows true, false and null, in small letters"},
        Broken{"NotANumber", "[NaN]", "line 1, column 2: NaN is not a number in JSON, expected a finite one"},
        Broken{"MinusInfinity", "[-Infinity]",
               "line 1, column 2: -Infinity is not a number in JSON, expected a finite one"},
        Broken{"ALeadingZero", "[007]", "line 1, column 2: 007 is not how JSON writes a number", kNumbersLook},
        Broken{"NoDigitsAfterThePoint", "[1.]", "line 1, column 2: 1. is not how JSON writes a number", kNumbersLook},
        Broken{"NoDigitsInTheExponent", "[1e+]", "line 1, column 2: 1e+ is not how JSON writes a number", kNumbersLook},
        Broken{"ANumberTooLarge", "[1e999]",
               "line 1, column 2: 1e999 is too large, expected a number of at most 1.79e308 in size"},
        Broken{"ATextThatIsNeverClosed", "[\"abc", "line 1, column 2: the text that starts here has no closing quote"},
        Broken{"ALineBreakInAText", "[\"a\nb\"]",
               "line 1, column 4: the line ends inside a text, expected a closing quote",
               "a line break in a text is written \\n"},
        Broken{"ATabInAText", "[\"a\tb\"]", "line 1, column 4: control character U+0009 in a text, expected it escaped",
               "write \\u0009"},
        Broken{"AnEscapeThatNobodyKnows", "[\"a\\q\"]", "line 1, column 4: \\q is not an escape that JSON knows",
               "a backslash is written \\\\"},
        Broken{"BytesThatAreNoText", "[\"a\xFFz\"]", "line 1, column 4: the text is not valid UTF-8",
               "save the file as UTF-8"},
        Broken{"AByteThatIsNoCharacter", "\x01", "line 1, column 1: unexpected byte 0x01, expected a JSON document",
               "is this a JSON file?"},
        Broken{"ColumnsAreCharactersNotBytes", "[\"\xC3\xA4\", x]",
               "line 1, column 7: unexpected x, expected a value"}),
    [](const auto& broken) { return std::string(broken.param.name); });

TEST(SyntaxErrorDirectly, WhatTheParserStoppedAtIsNotAlwaysWhatIsWrong) {
  // The parser reads `tru` and stops at the e; the word as a whole is what is in the way.
  const Error error = explain({"[tru]", 5, SyntaxTrouble::Inside::array, false, false});
  EXPECT_EQ(error.message, "line 1, column 2: unexpected tru, expected a value");
}

}  // namespace
}  // namespace fairstep::internal
