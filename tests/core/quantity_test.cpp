#include <fairstep/core/quantity.hpp>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

TEST(ParseWhole, ReadsTheThreeWaysOfWriting) {
  EXPECT_EQ(parse_whole("0"), 0U);
  EXPECT_EQ(parse_whole("1000"), 1000U);
  EXPECT_EQ(parse_whole("1e6"), 1000000U);
  EXPECT_EQ(parse_whole("1E+6"), 1000000U);
  EXPECT_EQ(parse_whole("2.5e3"), 2500U);
  EXPECT_EQ(parse_whole("0e99"), 0U);
  EXPECT_EQ(parse_whole("2^18"), 262144U);
  EXPECT_EQ(parse_whole("10^12"), 1000000000000U);
  EXPECT_EQ(parse_whole("1^99999999999"), 1U);
}

TEST(ParseWhole, IsExactUpToTheLargest) {
  EXPECT_EQ(parse_whole("18446744073709551615"), 18446744073709551615U);  // 2^64 - 1
  EXPECT_EQ(parse_whole("2^63"), 9223372036854775808U);
  EXPECT_EQ(parse_whole("1.8446744073709551615e19"), 18446744073709551615U);
}

TEST(ParseWhole, RefusesWhatIsTooLarge) {
  for (const char* text : {"18446744073709551616", "2^64", "1e20", "2e19", "9^99999999999"})
    EXPECT_EQ(parse_whole(text), std::nullopt) << text;
}

TEST(ParseWhole, RefusesWhatIsNotWhole) {
  for (const char* text : {"", "-1", "+1", "1.5", "1.25e1", "1e-3", "1e", "e6", ".5e1", "5.e1", "2^", "^2", "2^-1",
                           "2^^2", "1,000", "0x10", " 1", "1 ", "many"})
    EXPECT_EQ(parse_whole(text), std::nullopt) << text;
}

TEST(ParseNumber, ReadsFiniteDecimalsOnly) {
  EXPECT_EQ(parse_number("0.5"), 0.5);
  EXPECT_EQ(parse_number("-1"), -1.0);
  EXPECT_EQ(parse_number("+2"), 2.0);
  EXPECT_EQ(parse_number("1e-3"), 0.001);
  for (const char* text : {"", "nan", "inf", "1e999", "0.5x", "0,5", " 1"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

TEST(SplitList, TakesPartsBetweenCommasAndNoEmptyOnes) {
  EXPECT_EQ(split_list("a"), std::vector<std::string>({"a"}));
  EXPECT_EQ(split_list("a,b c"), std::vector<std::string>({"a", "b c"}));
  for (const char* text : {"", ",", "a,", ",a", "a,,b"}) EXPECT_EQ(split_list(text), std::nullopt) << text;
}

TEST(ParseNumbers, TakesNumbersBetweenCommas) {
  EXPECT_EQ(parse_numbers("0.5"), std::vector<double>({0.5}));
  EXPECT_EQ(parse_numbers("0,-0.01,1e-3"), std::vector<double>({0, -0.01, 0.001}));
  for (const char* text : {"", "0,", "0;1", "0.1,x", "0,inf"}) EXPECT_EQ(parse_numbers(text), std::nullopt) << text;
}

// 0.07 is a third of 0.21, which doubles miss in the last digit.
TEST(ParseRange, TakesAListOrAsManyNumbersFromHereToThere) {
  EXPECT_EQ(parse_range("0,0.01,0.05"), std::vector<double>({0, 0.01, 0.05}));
  EXPECT_EQ(parse_range("0:0.21:4"), std::vector<double>({0, 0.07, 0.14, 0.21}));
  EXPECT_EQ(parse_range("1:0:2"), std::vector<double>({1, 0}));
  EXPECT_EQ(parse_range("0:1:10000")->size(), 10'000U);
  for (const char* text : {"", "0:1", "0:1:1", "0:1:2.5", "0:1:10001", "0:x:2", ":1:2", "0:1:2:3"})
    EXPECT_EQ(parse_range(text), std::nullopt) << text;
}

}  // namespace
}  // namespace fairstep
