// The key `history` of counts: which tables are written, and what is said of those that are wrong.
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/history.hpp>
#include <fairstep/io/internal/documents.hpp>

#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using testing::unwrap;

constexpr Shape kTwoSteps{2, 2, 1};  // two groups, one feature

std::string written(const History& history) {
  JsonWriter json;
  json.object();
  write_history(json, history);
  json.end();
  return std::move(json).text();
}

struct ReadHistory {
  History history{};
  std::optional<Error> error{};
};

ReadHistory read_history(const std::string& text) {
  ReadHistory result;
  result.history = history_from(unwrap(parse_json(text)), kTwoSteps, {"a", "b"}, result.error);
  return result;
}

History by_steps() {
  History history;
  history.departures = Tensor<std::int64_t, 5>({2, 2, 1, 2, 2});
  history.departures(0, 0, 0, 1, 1) = 3;
  history.arrivals = Tensor<std::int64_t, 4>({2, 2, 1, 2});
  history.arrivals(0, 1, 0, 1) = 3;
  return history;
}

TEST(HistoryDocument, WithoutTablesIsAnEmptyObject) {
  EXPECT_EQ(written({}), "{\n  \"history\": {}\n}\n");
  const auto [history, error] = read_history("{}");
  EXPECT_FALSE(error);
  EXPECT_EQ(history, History{});
}

TEST(HistoryDocument, WritesTheTablesThatAreThere) {
  EXPECT_EQ(written(by_steps()), R"({
  "history": {
    "departures": [
      [
        [[[0, 0], [0, 3]]],
        [[[0, 0], [0, 0]]]
      ],
      [
        [[[0, 0], [0, 0]]],
        [[[0, 0], [0, 0]]]
      ]
    ],
    "arrivals": [
      [
        [[0, 0]],
        [[0, 3]]
      ],
      [
        [[0, 0]],
        [[0, 0]]
      ]
    ]
  }
}
)");
}

TEST(HistoryDocument, EveryTableComesBack) {
  History history = by_steps();
  history.pairs = Tensor<std::int64_t, 7>({2, 1, 2, 2, 1, 2, 2});
  history.pairs(1, 0, 1, 0, 0, 1, 1) = 4;
  history.after_pairs = Tensor<std::int64_t, 6>({2, 1, 2, 2, 1, 2});
  history.after_pairs(1, 0, 1, 0, 0, 0) = 4;
  history.unseen = Tensor<std::int64_t, 5>({2, kClassesBefore, 1, 2, 2});
  history.unseen(0, 4, 0, 0, 1) = 5;
  for (const char* day : {"2024-01-01", "2024-02-01"}) {
    History::Window window{day, Tensor<std::int64_t, 4>({2, 1, 2, 2}), Tensor<std::int64_t, 3>({2, 1, 2})};
    window.departures(0, 0, 1, 1) = 2;
    window.arrivals(0, 0, 1) = 2;
    history.windows.push_back(window);
  }
  const std::string text = written(history);
  const auto [back, error] = read_history(unwrap(parse_json(text)).at("history").dump());
  EXPECT_FALSE(error);
  EXPECT_EQ(back, history);
}

TEST(HistoryDocument, AWindowIsOneLine) {
  History history;
  history.windows.push_back({"2024-01-01", Tensor<std::int64_t, 4>({2, 1, 2, 2}), Tensor<std::int64_t, 3>({2, 1, 2})});
  EXPECT_NE(
      written(history).find("{\"from\": \"2024-01-01\", \"departures\": [[[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]], "
                            "\"arrivals\": [[[0, 0]], [[0, 0]]]}"),
      std::string::npos)
      << written(history);
}

TEST(HistoryDocument, ATableOfAnotherSizeIsRefused) {
  // Arrivals of two groups, two steps, one feature: the second step of group b has no label for qualified.
  const auto [history, error] = read_history(R"({"arrivals": [[[[0, 0]], [[0, 0]]], [[[0, 0]], [[0]]]]})");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "history.arrivals[g=b,h=1,x1=0] has 1 entry, expected 2 (labels)");
  EXPECT_EQ(error->pointer, "/history/arrivals/1/1/0");
}

TEST(HistoryDocument, WindowsAreAListOfObjects) {
  const auto [history, error] = read_history(R"({"windows": {"from": "2024-01-01"}})");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "history.windows is an object, expected an array of objects");
  EXPECT_EQ(error->pointer, "/history/windows");
}

TEST(HistoryDocument, AWindowThatIsWrongIsNamedByItsPlace) {
  const auto [history, error] = read_history(
      R"({"windows": [{"from": "2024-01-01", "departures": [[[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]],
                       "arrivals": [[[0, 0]], [[0, 0]]]},
                      {"from": "2024-02-01", "arrivals": []}]})");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "missing key \"departures\" in history.windows[1]");
  EXPECT_EQ(error->pointer, "/history/windows/1");
}

TEST(HistoryDocument, AKeyThatNobodyKnowsIsRefused) {
  const auto [history, error] = read_history(R"({"departure": []})");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "unknown key \"departure\" in history");
  EXPECT_EQ(error->hint, "did you mean \"departures\"?");
}

}  // namespace
}  // namespace fairstep::internal
