#include "answers/json_text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace fairstep::cli {
namespace {

using Document = nlohmann::ordered_json;

TEST(JsonText, KeepsListsOfNumbersOnOneLine) {
  const Document document = {{"schema", "s"}, {"empty", Document::array()}, {"rows", {{1, 2}, {0.5, nullptr}}}};
  EXPECT_EQ(to_text(document),
            "{\n"
            "  \"schema\": \"s\",\n"
            "  \"empty\": [],\n"
            "  \"rows\": [\n"
            "    [1,2],\n"
            "    [0.5,null]\n"
            "  ]\n"
            "}\n");
}

TEST(JsonText, ReadsBackAsTheSame) {
  const Document document = {{"a", {{"b", {1, {2, {}}, "x\n\"y\""}}}}, {"c", 0.1 + 0.2}, {"d", -0.0}};
  EXPECT_EQ(Document::parse(to_text(document)), document);
}

TEST(JsonText, HasNoNumbersThatJsonDoesNotHave) {
  EXPECT_EQ(to_text(Document(std::numeric_limits<double>::quiet_NaN())), "null\n");
  EXPECT_EQ(to_text(Document(std::numeric_limits<double>::infinity())), "null\n");
}

TEST(JsonText, SurvivesTextThatIsNotUtf8) {
  EXPECT_EQ(Document::parse(to_text(Document("file\xff.json"))), Document("file\xEF\xBF\xBD.json"));
}

}  // namespace
}  // namespace fairstep::cli
