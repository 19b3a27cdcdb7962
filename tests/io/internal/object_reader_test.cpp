#include <fairstep/io/internal/object_reader.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/fairness.hpp>

namespace fairstep::internal {
namespace {

/// What `read` finds wrong with an object that is read strictly.
template <class Read>
Error refused(const char* text, const Keys& keys, const Read& read) {
  std::optional<Error> error;
  const Json object = Json::parse(text);
  ObjectReader in(object, keys, error, "part", "/part");
  read(in);
  return error.value_or(Error{});
}

TEST(ObjectReader, OfADocumentTakesTheKeysNamedAndNoOthers) {
  const auto nothing = [](ObjectReader&) {};
  EXPECT_EQ(refused(R"({"a": 1})", {{"a"}, {"b"}}, nothing).message, "");
  EXPECT_EQ(refused(R"({"b": 1})", {{"a"}, {"b"}}, nothing).message, "missing key \"a\" in part");
  const Error unknown = refused(R"({"a": 1, "limt": 2})", {{"a"}, {"limit"}}, nothing);
  EXPECT_EQ(unknown.message, "unknown key \"limt\" in part");
  EXPECT_EQ(unknown.pointer, "/part/limt");
  EXPECT_EQ(unknown.hint, "did you mean \"limit\"?");
  EXPECT_EQ(refused("[]", {{}}, nothing).message, "part is an array, expected an object");
}

TEST(ObjectReader, OfADocumentDoesNotTakeNullForAValue) {
  const Error error = refused(R"({"a": null})", {{"a"}}, [](ObjectReader& in) {
    EXPECT_TRUE(in.has("a"));
    EXPECT_EQ(in.text("a"), "");
  });
  EXPECT_EQ(error.message, "part.a is null, expected a text");
  EXPECT_EQ(error.pointer, "/part/a");
}

TEST(ObjectReader, TakesAChoiceByItsWord) {
  std::optional<Error> error;
  const Json object = Json::parse(R"({"good": "eqopt", "bad": "eqop"})");
  ObjectReader in(object, error);
  EXPECT_EQ(in.choice<Notion>("good"), Notion::eqopt);
  EXPECT_FALSE(error);
  EXPECT_EQ(in.choice<Notion>("bad"), Notion{});
  EXPECT_EQ(error->message, "bad is the text \"eqop\", expected \"dp\", \"eqopt\" or \"eqodds\"");
  EXPECT_EQ(error->hint, "did you mean \"eqopt\"?");
}

// What the program itself wrote: other keys are left alone, null is what is not known, and only what is asked for
// without a fallback must be there.
TEST(ObjectReader, OfARecordAsksForNoMoreThanItReads) {
  std::optional<Error> error;
  const Json object = Json::parse(R"({"none": null, "n": 3, "list": [1, null, 2.5], "whole": [4, 5], "new": true,
                                      "inner": {"text": "t"}, "all": [{"n": 1}, {"n": 2}]})");
  ObjectReader in(object, error);
  EXPECT_FALSE(in.has("none"));
  EXPECT_EQ(in.number("none", -1), -1);
  EXPECT_EQ(in.text("absent", "fallback"), "fallback");
  EXPECT_EQ(in.whole("n"), 3U);
  const std::vector<double> list = in.numbers("list");
  ASSERT_EQ(list.size(), 3U);
  EXPECT_TRUE(std::isnan(list[1]));
  EXPECT_EQ(list[2], 2.5);
  EXPECT_EQ(in.wholes("whole"), (std::vector<std::uint64_t>{4, 5}));
  EXPECT_EQ(in.object("inner").text("text"), "t");
  std::vector<std::uint64_t> read;
  for (ObjectReader& entry : in.objects("all")) read.push_back(entry.whole("n"));
  EXPECT_EQ(read, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_FALSE(error);
}

TEST(ObjectReader, KeepsTheFirstThingThatIsWrongAndReadsNoFurther) {
  std::optional<Error> error;
  const Json object = Json::parse(R"({"inner": {"n": -1, "list": 7}, "all": [{}, 3], "text": "t"})");
  ObjectReader in(object, error);
  ObjectReader inner = in.object("inner");
  EXPECT_EQ(inner.whole("n"), 0U);
  EXPECT_EQ(error->message, "n is -1, expected a whole number of 0 or more");
  EXPECT_EQ(error->pointer, "/inner/n");
  EXPECT_TRUE(inner.numbers("list").empty());
  EXPECT_TRUE(in.objects("all").empty());
  EXPECT_EQ(in.text("text"), "");
  EXPECT_EQ(error->pointer, "/inner/n");

  error.reset();
  EXPECT_EQ(in.objects("all").size(), 2U);
  EXPECT_EQ(error->message, "/all/1 is 3, expected an object");
  error.reset();
  EXPECT_EQ(in.text("absent"), "");
  EXPECT_EQ(error->message, "missing key \"absent\"");
  EXPECT_EQ(error->pointer, "");
}

}  // namespace
}  // namespace fairstep::internal
