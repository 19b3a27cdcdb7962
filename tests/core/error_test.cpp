#include <fairstep/core/error.hpp>

#include <gtest/gtest.h>

#include <fairstep/core/mention.hpp>

#include "in_brackets.hpp"

namespace fairstep {
namespace {

using testing::in_brackets;

TEST(Error, AboutAnOptionSaysWhichAndPointsNowhere) {
  const Error error =
      fail_option("limit", "[h=2] is 5, expected at most 1", "/parity/0/limit/2", "see " + option("gap")).value();
  EXPECT_EQ(error.option, "limit");
  EXPECT_EQ(error.message, "limit[h=2] is 5, expected at most 1");
  const Error told = spelled(renamed(error, "limit", "limit_per_step"), in_brackets);
  EXPECT_EQ(told.message, "<limit_per_step||>[h=2] is 5, expected at most 1");
  EXPECT_EQ(told.hint, "see <gap||>");
  EXPECT_EQ(told.pointer, "");
}

TEST(Error, InAFileNamesIt) {
  const Error error = fail_in_file("runs/a.json", "it is a folder", "see " + option("output")).value();
  EXPECT_EQ(error.file, "runs/a.json");
  EXPECT_EQ(error.message, "it is a folder");
  EXPECT_EQ(error.pointer, "");
  EXPECT_EQ(spelled(error, in_brackets).hint, "see <output||>");
}

TEST(Error, OutOfAFileIsAboutItsKey) {
  Error error = fail_option("limit", " is 5", "/parity/0/limit", "see " + option("gap")).value();
  error.file = "fair.json";
  const Error told = spelled(error, in_brackets);
  EXPECT_EQ(told.message, "limit is 5");
  EXPECT_EQ(told.pointer, "/parity/0/limit");
  EXPECT_EQ(told.hint, "see <gap||>");  // what one may do about it has nothing to do with the file
}

TEST(Error, AboutNoOptionKeepsItsPlace) {
  const Error error = fail("visits[g=0] is -1", "/visits/0").value();
  EXPECT_EQ(spelled(error, in_brackets).pointer, "/visits/0");
  EXPECT_EQ(in_input("counts", error).input, "counts");
}

}  // namespace
}  // namespace fairstep
