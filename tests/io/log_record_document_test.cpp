// The record of a log in a counts document: it comes back as it was written, and what is wrong with it is named.
#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/io/files.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

/// A counts document of two groups, three steps and two features, with everything that a record can say.
nlohmann::json counts_document() {
  std::ifstream file(FAIRSTEP_SOURCE_DIR "/tests/io/good/counts-of-a-log.json");
  return nlohmann::json::parse(file);
}

nlohmann::json full_record() { return counts_document().at("log"); }

Expected<Document> with_record(const nlohmann::json& record) {
  nlohmann::json document = counts_document();
  document["log"] = record;
  return parse_document(document.dump());
}

TEST(LogRecordDocument, IsReadKeyByKey) {
  const Counts counts = std::get<Counts>(testing::unwrap(with_record(full_record())));
  ASSERT_TRUE(counts.log());
  const LogRecord& log = *counts.log();
  EXPECT_EQ(log.files, (std::vector<std::string>{"a.csv", "b.csv"}));
  EXPECT_EQ(log.columns, (std::vector<std::pair<std::string, std::string>>{{"person", "id"}, {"x", "score"}}));
  EXPECT_EQ(log.bins, (std::vector{0, 0.5}));
  EXPECT_EQ(log.first_step, 1);
  EXPECT_EQ(log.rows, 12);
  EXPECT_EQ(log.censoring, Censoring::ignorable);
  EXPECT_EQ(log.imputed, 2);
  EXPECT_EQ(log.findings,
            (std::vector<Finding>{{Anomaly::malformed, "", 1, "a.csv", 3}, {Anomaly::missing, "y", 2, "b.csv", 5}}));
  EXPECT_EQ(log.unlabelled(0, 0, 0, 1), 1);
  EXPECT_EQ(log.unlabelled(1, 2, 0, 0), 2);
  ASSERT_TRUE(log.unlabelled_rows && log.unlabelled_rows->lost);
  EXPECT_EQ(log.unlabelled_rows->first(0, 0), 1);
  EXPECT_EQ(log.unlabelled_rows->lost->decisions(1, 2), 2);
  EXPECT_EQ(log.unlabelled_rows->lost->cells(1, 0, 0), 3);
  EXPECT_EQ(log.unlabelled_rows->lost->transitions(1, 1, 1), 4);
  ASSERT_TRUE(log.lost);
  EXPECT_EQ(log.lost->first(1), 1);
  EXPECT_EQ(log.lost->first_in_doubt(0), 1);
  EXPECT_EQ(log.lost->decisions(1, 2), 3);
  EXPECT_EQ(log.lost->cells(1, 0, 1, 0), 3);
  EXPECT_EQ(log.lost->transitions(1, 0, 1, 0), 4);
  EXPECT_EQ(log.excluded, (std::vector<Excluded>{{"red", 4}}));
  EXPECT_EQ(log.unrecorded_people, 1);
  EXPECT_EQ(log.window, "month");
  ASSERT_EQ(log.windows.size(), 1U);
  EXPECT_EQ(log.windows[0].from, "2024-07-01");
  EXPECT_EQ(log.windows[0].decisions(0, 1, 0), 3);
  EXPECT_EQ(log.windows[0].unlabelled(0, 1), 1);
}

TEST(LogRecordDocument, ComesBackAsItWasWritten) {
  const Counts counts = std::get<Counts>(testing::unwrap(with_record(full_record())));
  EXPECT_EQ(std::get<Counts>(testing::unwrap(parse_document(to_text(counts)))), counts);
}

TEST(LogRecordDocument, WithoutWhatIsOptionalComesBackAsItWasWritten) {
  nlohmann::json record = full_record();
  for (const char* key : {"bins", "imputed", "unlabelled", "unlabelled_rows", "lost", "excluded", "unrecorded_people",
                          "window", "windows"})
    record.erase(key);
  record["censored"] = "no";
  record["findings"] = nlohmann::json::array();
  const Counts counts = std::get<Counts>(testing::unwrap(with_record(record)));
  EXPECT_TRUE(counts.log()->unlabelled.empty());
  EXPECT_TRUE(counts.log()->windows.empty());
  EXPECT_FALSE(counts.log()->lost);  // a file of an older version
  const std::string text = to_text(counts);
  EXPECT_EQ(text.find("\"imputed\""), std::string::npos);
  EXPECT_EQ(std::get<Counts>(testing::unwrap(parse_document(text))), counts);
}

struct WrongKey {
  const char* pointer;
  const char* value;
  const char* message;
};

// Regression: the second wrong entry of a list was described by an error that was there already, which crashed.
TEST(LogRecordDocument, SaysWhichKeyIsWrong) {
  const WrongKey all[] = {
      {"/columns", "[1]", "log.columns is an array, expected an object of names"},
      {"/columns", "7", "log.columns is 7, expected an object of names"},
      {"/columns", R"({"x": 1, "y": 2})", "log.columns is an object, expected an object of names"},
      {"/bins", R"(["low", "high"])", "log.bins is an array, expected an array of numbers"},
      {"/bins", "1", "log.bins is 1, expected an array of numbers"},
      {"/findings", "{}", "log.findings is an object, expected an array of objects"},
      {"/findings/0/kind", R"("odd")",
       "log.findings[0].kind is the text \"odd\", expected a kind of anomaly, such as \"duplicate\""},
      {"/findings/1/rows", "1.5", "log.findings[1].rows is 1.5, expected a whole number"},
      {"/censored", R"("yes")", "log.censored is the text \"yes\", expected \"no\", \"drop\" or \"assume-ignorable\""},
      {"/rows", "1e30", "log.rows is 1e+30, expected a smaller whole number"},
      {"/windows", R"("all")", "log.windows is the text \"all\", expected an array of objects"},
      {"/windows/0/from", "2024", "log.windows[0].from is 2024, expected a text"},
      {"/windows/0/decisions", "[]", "log.windows[0].decisions has 0 entries, expected 2 (groups)"},
      {"/unlabelled", "[1, 2]", "log.unlabelled[g=white] is 1, expected an array of 3 (steps)"},
      {"/lost", "3", "log.lost is 3, expected an object"},
      {"/lost/first", "[1]", "log.lost.first has 1 entry, expected 2 (groups)"},
      {"/lost/first", "[1, -1]", "log.lost.first[g=black] is -1, expected a count of 0 or more"},
      {"/lost/decisions", "[1, 2]", "log.lost.decisions[g=white] is 1, expected an array of 3 (steps)"},
      {"/lost/cells/0/0/0/1", "0.5", "log.lost.cells[g=white,x=0,y=0,a=1] is 0.5, expected a whole number"},
      {"/excluded/0/rows", "0", "log.excluded[0] has 0 rows, expected at least one"},
      {"/excluded", "7", "log.excluded is 7, expected an array of objects"},
      {"/unrecorded_people", "-1", "log.unrecorded_people is -1, expected 0 or more"},
      {"/files", "[3]", "log.files[0] is 3, expected a name in quotes"},
      {"", "[]", "log is an array, expected an object"},
  };
  for (const WrongKey& wrong : all) {
    nlohmann::json record = full_record();
    record[nlohmann::json::json_pointer(wrong.pointer)] = nlohmann::json::parse(wrong.value);
    const auto document = with_record(record);
    ASSERT_FALSE(document) << wrong.message;
    EXPECT_EQ(document.error().message, wrong.message);
    EXPECT_EQ(document.error().pointer.find(std::string("/log") + wrong.pointer), 0U) << document.error().pointer;
  }
}

TEST(LogRecordDocument, SaysWhichKeyIsMissingOrUnknown) {
  nlohmann::json record = full_record();
  record["findings"][1].erase("row");
  EXPECT_EQ(with_record(record).error().message, "missing key \"row\" in log.findings[1]");
  record = full_record();
  record["windows"][0]["until"] = "2024-08-01";
  EXPECT_EQ(with_record(record).error().pointer, "/log/windows/0/until");
  record = full_record();
  record["lost"].erase("cells");
  EXPECT_EQ(with_record(record).error().message, "missing key \"cells\" in log.lost");
  record = full_record();
  record.erase("censored");
  EXPECT_EQ(with_record(record).error().message, "missing key \"censored\" in log");
}

}  // namespace
}  // namespace fairstep
