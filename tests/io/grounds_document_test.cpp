// The key `rests_on` of an estimated model: what was seen, what was guessed, and of which log.
#include <optional>
#include <string>
#include <tuple>
#include <variant>

#include <gtest/gtest.h>

#include <fairstep/core/grounds.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/internal/documents.hpp>

#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using testing::unwrap;

constexpr Shape kOneFeature{2, 3, 1};

/// Grounds of two groups and one feature, with a log.
const std::string kGrounds = R"({
  "rests_on": {
    "people": [12, 11],
    "shares": "counted",
    "first": [10, 11],
    "successors": [
      [
        [[1, 2], [3, 4]]
      ],
      [
        [[5, 6], [7, 8]]
      ]
    ],
    "rewards": [
      [
        [[2, 3], [4, 5]]
      ],
      [
        [[6, 7], [8, 9]]
      ]
    ],
    "unvisited": "stay",
    "log": {"rows": 120, "lost": 3, "censored": "drop", "imputed": 0, "unlabelled": 9, "excluded": 4, "unrecorded_people": 2}
  }
}
)";

struct ReadGrounds {
  Grounds grounds{};
  std::optional<Error> error{};
};

ReadGrounds read_grounds(const std::string& document) {
  ReadGrounds result;
  const Json json = unwrap(parse_json(document));
  result.grounds = grounds_from(json.at("rests_on"), kOneFeature, {"a", "b"}, result.error);
  return result;
}

std::string with_word(const std::string& what, const std::string& by) {
  std::string text = kGrounds;
  return text.replace(text.find(what), what.size(), by);
}

TEST(GroundsDocument, HasEveryNumberInItsPlace) {
  const auto [grounds, error] = read_grounds(kGrounds);
  ASSERT_FALSE(error) << error->message;
  EXPECT_EQ(grounds.people, (std::vector<std::int64_t>{12, 11}));
  EXPECT_TRUE(grounds.shares_counted);
  EXPECT_EQ(grounds.first, (std::vector<std::int64_t>{10, 11}));
  EXPECT_EQ(grounds.successors(0, 0, 1, 0), 3);
  EXPECT_EQ(grounds.rewards(1, 0, 0, 1), 7);
  EXPECT_EQ(grounds.unvisited, Unvisited::stay);
  EXPECT_EQ(grounds.log, (LogGrounds{120, 3, Censoring::drop, 0, 9, 4, 2}));
}

TEST(GroundsDocument, AreWrittenAsTheyAreReadToTheLastByte) {
  JsonWriter json;
  json.object();
  write_grounds(json, read_grounds(kGrounds).grounds);
  json.end();
  EXPECT_EQ(std::move(json).text(), kGrounds);
}

/// The same, of a model in which labels follow features.
std::string with_labels() {
  return with_word("    \"log\"", R"(    "labels": {
      "are": "follow-features",
      "refused": "odds=2.5",
      "point": "low",
      "seen": [
        [7],
        [8]
      ],
      "unseen": [
        [1],
        [0]
      ]
    },
    "log")");
}

TEST(GroundsDocument, SayWhatIsAssumedAboutLabels) {
  const auto [grounds, error] = read_grounds(with_labels());
  ASSERT_FALSE(error) << error->message;
  ASSERT_TRUE(grounds.labels);
  EXPECT_EQ(grounds.labels->assumption.refused, (RefusedRule{Refused::odds, 2.5}));
  EXPECT_EQ(grounds.labels->point, RefusedPoint::low);
  EXPECT_EQ(grounds.labels->seen(1, 0), 8);
  EXPECT_EQ(grounds.labels->unseen(0, 0), 1);
  JsonWriter json;
  json.object();
  write_grounds(json, grounds);
  json.end();
  EXPECT_EQ(std::move(json).text(), with_labels());
}

TEST(GroundsDocument, NameWhatIsNoAssumptionAboutLabels) {
  using Case = std::tuple<std::string, std::string, std::string>;
  for (const auto& [what, by, pointer] : {Case{"odds=2.5", "odds=0.5", "/rests_on/labels/refused"},
                                          Case{"follow-features", "as-seen", "/rests_on/labels/are"},
                                          Case{"\"low\"", "\"middle\"", "/rests_on/labels/point"}}) {
    std::string text = with_labels();
    text.replace(text.find(what), what.size(), by);
    const auto [grounds, error] = read_grounds(text);
    ASSERT_TRUE(error) << by;
    EXPECT_EQ(error->pointer, pointer);
  }
}

TEST(GroundsDocument, KnowNoLogIfTheCountsKnewNone) {
  std::string text = kGrounds;
  const std::size_t comma = text.find(",\n    \"log\"");
  text.erase(comma, text.find("\n  }", comma) - comma);
  const auto [grounds, error] = read_grounds(text);
  ASSERT_FALSE(error) << error->message;
  EXPECT_FALSE(grounds.log);
}

TEST(GroundsDocument, SaySharesThatWereGivenAndEveryRuleOfGuessing) {
  const auto given = read_grounds(with_word("\"counted\"", "\"given\""));
  ASSERT_FALSE(given.error);
  EXPECT_FALSE(given.grounds.shares_counted);
  const auto uniform = read_grounds(with_word("\"stay\"", "\"uniform\""));
  ASSERT_FALSE(uniform.error);
  EXPECT_EQ(uniform.grounds.unvisited, Unvisited::uniform);
  const auto none = read_grounds(with_word("\"stay\"", "\"error\""));
  ASSERT_FALSE(none.error);
  EXPECT_EQ(none.grounds.unvisited, Unvisited::error);
}

TEST(GroundsDocument, NameTheWordsThatTheyKnow) {
  const auto shares = read_grounds(with_word("\"counted\"", "\"Counted\""));
  ASSERT_TRUE(shares.error);
  EXPECT_EQ(shares.error->message, "rests_on.shares is the text \"Counted\", expected \"counted\" or \"given\"");
  EXPECT_EQ(shares.error->pointer, "/rests_on/shares");

  const auto rule = read_grounds(with_word("\"stay\"", "\"zero\""));
  ASSERT_TRUE(rule.error);
  EXPECT_EQ(rule.error->message,
            "rests_on.unvisited is the text \"zero\", expected \"uniform\", \"stay\" or \"error\"");

  const auto censored = read_grounds(with_word("\"drop\"", "\"none\""));
  ASSERT_TRUE(censored.error);
  EXPECT_EQ(censored.error->message,
            "rests_on.log.censored is the text \"none\", expected \"no\", \"drop\" or \"assume-ignorable\"");
  EXPECT_EQ(censored.error->pointer, "/rests_on/log/censored");
}

TEST(GroundsDocument, HaveANumberForEachGroup) {
  const auto [grounds, error] = read_grounds(with_word("[10, 11]", "[10]"));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "rests_on.first has 1 entry, expected 2 (groups)");
  EXPECT_EQ(error->pointer, "/rests_on/first");
}

TEST(GroundsDocument, OfAModelComeBackWithIt) {
  const Model model = unwrap(read_model(FAIRSTEP_SOURCE_DIR "/tests/io/good/model-estimated.json"));
  ASSERT_TRUE(model.spec().rests_on);
  EXPECT_EQ(model.spec().rests_on->unvisited, Unvisited::stay);
  EXPECT_EQ(std::get<Model>(unwrap(parse_document(to_text(model)))).spec(), model.spec());
  ModelSpec bare = model.spec();
  bare.rests_on->log.reset();
  bare.rests_on->shares_counted = false;
  const Model without = unwrap(Model::make(bare));
  EXPECT_EQ(std::get<Model>(unwrap(parse_document(to_text(without)))).spec(), without.spec());
}

}  // namespace
}  // namespace fairstep::internal
