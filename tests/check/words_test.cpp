// What a certificate says in words follows from its contents. The maker's and the other checker's words are compared in
// tests/python/test_certificate_checkers.py.
#include <fairstep/check/words.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "small_question.hpp"

namespace fairstep::rigorous {
namespace {

using testing::small_question;

/// The first word of each, up to the colon.
std::vector<std::string> heads(const Question& q, const Json& counts) {
  std::vector<std::string> found;
  for (const std::string& text : assumptions_of(q, counts)) found.push_back(text.substr(0, text.find(':')));
  return found;
}

using Heads = std::vector<std::string>;

TEST(Words, AssumptionsAreThoseOfTheContents) {
  Question q = small_question();
  EXPECT_EQ(heads(q, Json::object()),
            (Heads{"One kernel", "Independent people", "First states", "Seeing is blind", "Labels are seen", "Complete",
                   "Any policy", "Staying", "Rewards", "Together"}));
  q.followed = true;
  q.value = Question::Value::counted;
  q.lost.any = true;
  const Json counts{
      {"log",
       {{"findings", {{{"kind", "missing"}, {"column", "y"}, {"rows", 12}}, {{"kind", "gap"}, {"rows", 3}}}},
        {"unlabelled", {1, {2, 4}}},
        {"unrecorded_people", 5},
        {"excluded", {{{"group", "z"}, {"rows", 6}}, {{"group", "é"}, {"rows", 1}}}}}}};
  EXPECT_EQ(heads(q, counts),
            (Heads{"One kernel", "Independent people", "First states", "Seeing is blind", "Labels are seen", "Left out",
                   "Unrecorded", "Unlabelled", "Found in the log", "Outside of the study", "Followed", "Chosen before",
                   "Staying", "Rewards", "Shares", "Together"}));
  const auto texts = assumptions_of(q, counts);
  EXPECT_EQ(texts[6].substr(0, 31), "Unrecorded: 5 of the people cou");
  EXPECT_EQ(texts[7].substr(0, 36), "Unlabelled: 7 decisions have no labe");
  EXPECT_EQ(texts[8], "Found in the log: missing y (12), gap (3).");
  EXPECT_EQ(
      texts[9],
      "Outside of the study: groups that were excluded by name, z (6), é (1). Nothing is said about these people.");
}

TEST(Words, ADesignPartComesWithAssumptionsOfItsOwn) {
  Question q = testing::small_question_of_two_parts();
  EXPECT_EQ(heads(q, Json::object()),
            (Heads{"One kernel", "Independent people", "First states", "Seeing is blind", "Labels are seen", "Complete",
                   "Two parts", "Apart", "Chosen apart", "Any treatment", "Staying", "Rewards", "Together"}));
  q.followed = true;
  q.value = Question::Value::counted;
  EXPECT_EQ(heads(q, Json::object()), (Heads{"One kernel", "Independent people", "First states", "Seeing is blind",
                                             "Labels are seen", "Complete", "Two parts", "Apart", "Chosen apart",
                                             "Followed", "Chosen before", "Staying", "Rewards", "Shares", "Together"}));
  EXPECT_EQ(assumptions_of(q, Json::object())[13],
            "Shares: the value is that of a population whose groups have the shares of the people counted in the "
            "design part. That these are the true shares is not certified.");
}

TEST(Words, TheStatementNamesTheValueAndWhatWasLeftOut) {
  Question q = small_question();
  const auto ends = [&](const std::string& with) {
    const std::string text = statement_of(q);
    return text.ends_with("is at most certified_gap" + with + ".");
  };
  EXPECT_TRUE(ends(""));
  q.value = Question::Value::known;
  EXPECT_TRUE(ends(", and the value of the policy is at least certified_value"));
  q.lost.any = true;
  EXPECT_TRUE(
      ends(", and the value of the policy is at least certified_value, whatever the rows that were left out would have "
           "said"));
}

}  // namespace
}  // namespace fairstep::rigorous
