// JSON text as it is written: layout, numbers, quoting.
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/io/json.hpp>

namespace fairstep {
namespace {

template <class T>
std::string written(const T& value) {
  JsonWriter json;
  json.value(value);
  std::string text = std::move(json).text();
  text.pop_back();  // the newline
  return text;
}

TEST(JsonWriter, LaysOutObjectsAndRows) {
  Tensor<double, 3> table({1, 2, 2}, 0.5);
  JsonWriter json;
  json.object().field("name", "fico").field("steps", 8).field("fair", true).key("none").value(nullptr);
  json.key("inner").object().end();
  json.field("list", std::vector<std::string>{"a", "b"});
  json.field("rows", table);
  json.field("blocks", table, 2);
  json.key("pair").array(JsonWriter::Lines::one).value(1).object().field("k", 2).end().end();
  json.end();
  EXPECT_EQ(std::move(json).text(), R"({
  "name": "fico",
  "steps": 8,
  "fair": true,
  "none": null,
  "inner": {},
  "list": ["a", "b"],
  "rows": [
    [
      [0.5, 0.5],
      [0.5, 0.5]
    ]
  ],
  "blocks": [
    [[0.5, 0.5], [0.5, 0.5]]
  ],
  "pair": [1, {"k": 2}]
}
)");
}

TEST(JsonWriter, WritesWithoutBlanksForAPage) {
  JsonWriter json({.digits = 3, .in_page = true});
  json.array(JsonWriter::Lines::tight).object().field("<a>", 1.0 / 3).field("b", std::vector<int>{1, 2}).end();
  json.line().value("</script>").end();
  EXPECT_EQ(std::move(json).text(), "[{\"\\u003ca>\":0.333,\"b\":[1,2]},\n\"\\u003c/script>\"]");
}

TEST(JsonWriter, KeepsThePointOfRealNumbersIfAsked) {
  JsonWriter json({.pointed = true});
  json.array(JsonWriter::Lines::one).value(1.0).value(-2.0).value(0.5).value(1e300).value(1).value(std::nan("")).end();
  EXPECT_EQ(std::move(json).text(), "[1.0, -2.0, 0.5, 1e+300, 1, null]\n");
}

TEST(JsonWriter, PutsADocumentInsideAnother) {
  JsonWriter inner;
  inner.object().field("a", 1).end();
  JsonWriter json;
  json.object().key("inner").document(std::move(inner).text()).field("b", 2).end();
  EXPECT_EQ(std::move(json).text(), "{\n  \"inner\": {\n    \"a\": 1\n  },\n  \"b\": 2\n}\n");
}

TEST(JsonWriter, WritesTheShortestDigitsThatReadBackTheSame) {
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(written(1.0), "1");
  EXPECT_EQ(written(100000.0), "100000");
  EXPECT_EQ(written(5e-324), "5e-324");
  EXPECT_EQ(written(-0.0), "-0.0");
  for (const double number : {1e23, 1.7976931348623157e308, 2.2250738585072014e-308, 123456789.123456789, 1e15, 1e16})
    EXPECT_EQ(nlohmann::json::parse(written(number)).get<double>(), number);
}

TEST(JsonWriter, WritesWholeNumbersExactly) {
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(JsonWriter, WritesNullForWhatIsNoNumber) {
  EXPECT_EQ(written(std::nan("")), "null");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonWriter, WritesNullForWhatIsNotThere) {
  JsonWriter json;
  json.object(JsonWriter::Lines::one).field("there", std::optional<double>(0.5)).field("not", std::optional<double>());
  json.field("text", std::optional<std::string>("")).field("none", std::optional<std::string_view>()).end();
  EXPECT_EQ(std::move(json).text(), "{\"there\": 0.5, \"not\": null, \"text\": \"\", \"none\": null}\n");
}

TEST(JsonWriter, QuotesText) {
  EXPECT_EQ(written("a \"b\" \\ c\n\t\x01"), R"("a \"b\" \\ c\n\t\u0001")");
  EXPECT_EQ(written("grün 日本 🎉"), "\"grün 日本 🎉\"");
}

TEST(JsonWriter, ReplacesBytesThatAreNotUtf8) {
  // A lone continuation byte, an overlong slash, a surrogate, a cut sequence: one replacement for each bad byte.
  EXPECT_EQ(written("a\x80z"), "\"a\xEF\xBF\xBDz\"");
  for (const char* bad : {"\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xFF"})
    EXPECT_TRUE(nlohmann::json::accept(written(bad))) << written(bad);
}

TEST(JsonWriter, WritesEmptyListsAndTables) {
  EXPECT_EQ(written(std::vector<double>{}), "[]");
  EXPECT_EQ(written(Tensor<double, 2>({2, 0})), "[\n  [],\n  []\n]");
  EXPECT_EQ(written(Tensor<double, 2>({0, 2})), "[]");
}

}  // namespace
}  // namespace fairstep
