// The different values of a column, whatever its type.
#include <fairstep/ingest/internal/category.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "columns.hpp"

namespace fairstep::internal {
namespace {

using NameList = std::vector<std::string>;

TEST(Category, AValueHasOneNumberWhateverItsType) {
  testing::Columns texts;
  texts.add_texts({"7", "a name that is long", "7"});
  const auto* text = texts.raw().front().as<duckdb_string_t>();
  Category category;
  EXPECT_EQ(category.number_of(std::int64_t{7}), 0);
  EXPECT_EQ(category.number_of(7.0), 0);
  EXPECT_EQ(category.number_of(text[0]), 0);
  EXPECT_EQ(category.number_of(text[1]), 1);
  EXPECT_EQ(category.number_of(text[1]), 1);
  EXPECT_EQ(category.number_of(std::string_view("7")), 0);
  EXPECT_EQ(category.number_of(std::int64_t{5000}), 2);
  EXPECT_EQ(category.number_of(5000.0), 2);
  EXPECT_EQ(category.number_of(0.5), 3);
  EXPECT_EQ(category.number_of(-0.0), 4);
  EXPECT_EQ(category.number_of(std::nan("")), kUnreadable);
  EXPECT_EQ(category.names(), (NameList{"7", "a name that is long", "5000", "0.5", "0"}));
}

TEST(Category, TakesNoOtherNamesThanThoseGiven) {
  Category category({"b", "a"}, {"c", "d"});
  EXPECT_EQ(category.number_of(std::string_view("a")), 1);
  EXPECT_EQ(category.number_of(std::string_view("c")), kExcluded);
  EXPECT_EQ(category.number_of(std::string_view("d")), kExcluded - 1);
  EXPECT_EQ(category.number_of(std::string_view("e")), kUnknown);
  EXPECT_EQ(category.names(), (NameList{"b", "a"}));
}

TEST(Category, KnowsSmallNumbersThatItHasSeenAndNothingElse) {
  Category category;
  for (const std::int64_t value : {3, 1, 2000}) EXPECT_GE(category.number_of(value), 0);
  std::vector<std::int32_t> numbers(2);
  const auto known = [&](const std::vector<std::int64_t>& values) {
    return category.known(values.data(), values.size(), numbers.data());
  };
  EXPECT_TRUE(known({1, 3}));
  EXPECT_EQ(numbers, (std::vector<std::int32_t>{1, 0}));
  EXPECT_FALSE(known({1, 2}));
  EXPECT_FALSE(known({1, 2000}));
  EXPECT_FALSE(known({1, -1}));
}

TEST(PlacesInOrder, NumbersGoBySizeAndAnythingElseByItsBytes) {
  EXPECT_EQ(places_in_order({"10", "9", "-1"}), (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(places_in_order({"10", "9", "x"}), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(places_in_order({"1.0", "1"}), (std::vector<std::size_t>{1, 0}));  // as large: by their bytes
}

TEST(ReadNumber, TakesDecimalNumbersAndNothingElse) {
  double number = 0;
  EXPECT_TRUE(read_number(" 0.25 ", number));
  EXPECT_EQ(number, 0.25);
  EXPECT_TRUE(read_number("-1e-3", number));
  EXPECT_EQ(number, -0.001);
  for (const char* text : {"", " ", "inf", "nan", "0x10", "1 2", "1e999", "1,5", "1."})
    EXPECT_EQ(read_number(text, number), std::string_view(text) == "1.") << text;
}

}  // namespace
}  // namespace fairstep::internal
