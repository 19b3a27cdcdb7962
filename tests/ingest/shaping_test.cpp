#include <fairstep/ingest/internal/shaping.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fairstep/ingest/internal/category.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>

namespace fairstep::internal {
namespace {

/// What a query makes of one row.
std::string value_of(const std::string& expression, const std::string& row) {
  const auto database = Database::open({100'000'000, 1, {}});
  const auto rows = database->rows("SELECT coalesce((" + expression + ")::VARCHAR, 'none') FROM (SELECT " + row + ")");
  return rows ? rows->front().front() : std::string(rows.error().message);
}

TEST(Shaping, QuotesWhateverColumnsAndValuesAreCalled) {
  const TableShape shape{.recodes = {{"it's \"x\"", {{"o'ne", "'); DROP TABLE log; --"}}, "it's"}}};
  TableColumns columns({{"it's \"x\"", sql_name("it's \"x\""), "VARCHAR"}});
  const auto value = shaped_value(Role::x, {"it's \"x\""}, columns, shape);
  ASSERT_TRUE(value);
  EXPECT_EQ(value_of(value->expression, "'o''ne' AS \"it's \"\"x\"\"\""), "'); DROP TABLE log; --");
  EXPECT_EQ(value_of(value->expression, "'two' AS \"it's \"\"x\"\"\""), "it's");
}

TEST(Shaping, MarksWhatIsUnknownOrCannotBeRead) {
  const TableShape shape{.recodes = {{"e", {{"1", "one"}}, {}}}, .bins = {{"b", {0, 10}}}};
  TableColumns columns({{"e", "e", "INTEGER"}, {"b", "b", "VARCHAR"}});
  const std::string e = shaped_value(Role::x, {"e"}, columns, shape)->expression;
  EXPECT_EQ(value_of(e, "1 AS e"), "one");
  EXPECT_EQ(value_of(e, "2 AS e"), std::string(1, kUnknownMark) + "2");
  EXPECT_EQ(value_of(e, "NULL::INTEGER AS e"), "none");
  const std::string b = shaped_value(Role::x, {"b"}, columns, shape)->expression;
  for (const auto& [text, name] : std::vector<std::pair<std::string, std::string>>{
           {"0", "[0,10)"}, {" 9.99 ", "[0,10)"}, {"1e1", "[10,inf)"}, {"NA", "NA"}, {"", "none"}})
    EXPECT_EQ(value_of(b, sql_text(text) + " AS b"), name) << text;
  EXPECT_EQ(value_of(b, "'-1' AS b").front(), kUnknownMark);
  for (const std::string text : {"x", "inf", "1_0"})
    EXPECT_EQ(value_of(b, sql_text(text) + " AS b").front(), kUnreadableMark) << text;
  Category names({}, {}, {{"NA"}, true});
  EXPECT_EQ(names.number_of(std::string_view("a/\x01z")), kUnknown);
  EXPECT_EQ(names.number_of(std::string_view("\x02z")), kUnreadable);
  EXPECT_EQ(names.number_of(std::string_view(" NA")), kMissing);
  EXPECT_EQ(names.number_of(std::string_view(" a ")), 0);
  EXPECT_EQ(names.number_of(std::string_view("a")), 0);
}

TEST(Shaping, WholeNumbersAreAlikeInEveryType) {
  for (const std::string type : {"INTEGER", "BIGINT", "DOUBLE", "VARCHAR"}) {
    TableColumns columns({{"p", "p", type}, {"q", "q", type}});
    const auto value = shaped_value(Role::person, {"p", "q"}, columns, {});
    ASSERT_TRUE(value);
    EXPECT_EQ(value_of(value->expression, fmt::format("7::{0} AS p, (-3)::{0} AS q", type)), "7/-3") << type;
    EXPECT_EQ(value_of(value->expression, fmt::format("7::{0} AS p, NULL::{0} AS q", type)), "none") << type;
  }
}

TEST(Shaping, TakesAColumnForItselfBeforeItLooksForParts) {
  const TableColumns columns({{"a", "a", "VARCHAR"}, {"b", "b", "VARCHAR"}, {"a+b", "c", "VARCHAR"}});
  EXPECT_EQ(parts_of("a+b", columns), std::vector<std::string>{"a+b"});
  EXPECT_EQ(parts_of("b+a", columns), (std::vector<std::string>{"b", "a"}));
}

TEST(Shaping, NamesOfColumnsThatAreAlikeAreToldApart) {
  EXPECT_EQ(distinct_names({"a", "A", "a_2", "", "a"}), (std::vector<std::string>{"a", "A_3", "a_2", "_2", "a_4"}));
}

TEST(Shaping, PutsNamesOfSeveralPartsInOrderPartByPart) {
  const std::vector<std::string> names{"b/[100,inf)", "a\\/b/[0,20)", "b/[20,100)", "a/[100,inf)", "b/[0,20)"};
  EXPECT_EQ(places_in_order_of_parts(names), (std::vector<std::size_t>{4, 1, 3, 0, 2}));
}

}  // namespace
}  // namespace fairstep::internal
