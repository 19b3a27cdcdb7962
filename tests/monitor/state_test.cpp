#include <fairstep/monitor/state.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/sha256.hpp>
#include <fairstep/io/seal.hpp>

#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

namespace fs = std::filesystem;
using testing::unwrap;

class State : public ::testing::Test {
 protected:
  State() : folder(temporary / "state") {}

  static MonitorQuestion question() {
    MonitorQuestion question;
    question.groups = {"a", "b"};
    question.labels = {"bad", "good"};
    question.actions = {"no", "yes"};
    question.horizon = 1;
    question.limit = 0.1;
    question.reading = {{"map", {"x=score", "y=paid"}}, {"censored", {"drop"}}};
    return question;
  }

  static MonitorDay day(std::int64_t first, std::int64_t second) {
    MonitorDay day;
    day.date = "2026-11-19";
    day.logs = {{"log.csv", sha256(std::to_string(first))}};
    day.rows = 1000;
    day.people = {500, 500};
    RateTallies& tallies = day.rates.emplace_back(RateTallies{Rate::accept, Tensor<Tally, 2>({2, 1})});
    tallies.steps(0, 0) = {first, 500, 0};
    tallies.steps(1, 0) = {second, 500, 2};
    return day;
  }

  /// Three days, of which the last one is an alarm.
  MonitorState three_days() {
    MonitorState state = unwrap(MonitorState::begin(question(), {}));
    const auto lock = open_state(folder);
    EXPECT_TRUE(lock.has_value());
    for (const auto& [first, second] : {std::pair{250, 240}, {260, 250}, {400, 200}})
      EXPECT_TRUE(state.add(folder, day(first, second)).has_value());
    return state;
  }

  std::string text(const std::string& name) const {
    std::ifstream in(folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary | std::ios::trunc) << text;
  }

  testing::TemporaryFolder temporary{};
  fs::path folder;
};

TEST_F(State, IsReadAsItWasLeft) {
  const MonitorState left = three_days();
  const MonitorState read = unwrap(MonitorState::read(folder));
  EXPECT_EQ(read.days(), left.days());
  EXPECT_EQ(read.claims(), left.claims());
  EXPECT_EQ(read.fingerprint(), left.fingerprint());
  EXPECT_EQ(read.fingerprint(), sha256(text("000003.json")));
  ASSERT_EQ(read.days().back().alarms.size(), 1U);
  const std::size_t claim = read.days().back().alarms.front();
  EXPECT_EQ(read.claims()[claim].first, 0U);
  EXPECT_EQ(read.standings()[claim].alarm, 3U);
  EXPECT_EQ(read.question().reading.front().first, "censored");  // by the alphabet
}

TEST_F(State, AnAlarmStaysWhateverComesLater) {
  MonitorState state = three_days();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(state.add(folder, day(100 + i, 400)).has_value());
  const MonitorState read = unwrap(MonitorState::read(folder));
  const std::size_t claim = read.days()[2].alarms.front();
  EXPECT_LT(read.standings()[claim].log_evidence, 0);
  EXPECT_EQ(read.standings()[claim].alarm, 3U);
}

TEST_F(State, AnyByteThatIsAnotherIsAnErrorThatNamesTheFile) {
  three_days();
  for (const std::string name : {"monitor.json", "000001.json", "000002.json", "000003.json"}) {
    const std::string whole = text(name);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ 1);
      put(name, changed);
      const auto read = MonitorState::read(folder);
      ASSERT_FALSE(read.has_value()) << name << " at " << i;
      EXPECT_NE(read.error().file.find(name), std::string::npos) << read.error().file << ": " << read.error().message;
    }
    put(name, whole);
  }
  EXPECT_TRUE(MonitorState::read(folder).has_value());
}

/// With a seal of its own.
std::string sealed_anew(const std::string& text, const std::string& from, const std::string& to) {
  std::string changed = text.substr(0, text.rfind(",\n  \"sha256\"")) + "\n}\n";
  const std::size_t at = changed.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return sealed(changed.replace(at, from.size(), to));
}

TEST_F(State, ADayThatWasMadeAnewDoesNotFitTheNext) {
  three_days();
  put("000002.json", sealed_anew(text("000002.json"), "[260]", "[261]"));
  const auto read = MonitorState::read(folder);
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(read.error().file.find("000003.json"), std::string::npos);
  EXPECT_EQ(read.error().message, "it does not follow the file before: that file's fingerprint is another");
}

TEST_F(State, AlarmsAreThoseThatTheDaysProve) {
  three_days();
  const std::string last = text("000003.json");
  const std::string alarm =
      "[\n    {\"claim\": \"limit\", \"rate\": \"accept\", \"step\": 0, \"group\": \"a\", \"above\": \"b\", "
      "\"at_most\": 0.1}\n  ]";
  put("000003.json", sealed_anew(last, alarm, "[]"));
  EXPECT_EQ(MonitorState::read(folder).error().message, "its decisions refute a claim, and there is no alarm");
  std::string other = alarm;
  other.replace(other.find("\"a\""), 3, "\"b\"").replace(other.rfind("\"b\""), 3, "\"a\"");
  put("000003.json", sealed_anew(last, alarm, other));
  EXPECT_FALSE(MonitorState::read(folder).has_value());
  put("000003.json", sealed_anew(last, "[200]", "[501]"));  // of 500
  EXPECT_EQ(MonitorState::read(folder).error().message, "it is not of the form that fairstep writes");
  put("000003.json", sealed_anew(last, "\"missing\": [", "\"missing\": \"none\", \"more\": ["));
  EXPECT_EQ(MonitorState::read(folder).error().message, "it is not of the form that fairstep writes");
}

TEST_F(State, ADayThatIsGoneIsMissed) {
  three_days();
  fs::remove(folder / "000002.json");
  EXPECT_EQ(MonitorState::read(folder).error().message, "there is no such file, and there is 000003.json");
  fs::remove(folder / "monitor.json");
  EXPECT_FALSE(MonitorState::exists(folder));
  const auto lock = open_state(folder);
  ASSERT_FALSE(lock.has_value());
  EXPECT_EQ(lock.error().message, "there is no such file, and there is 000003.json");
}

TEST_F(State, AFolderOfSomethingElseIsLeftAlone) {
  fs::create_directory(folder);
  put("diary.txt", "today");
  const auto lock = open_state(folder);
  ASSERT_FALSE(lock.has_value());
  EXPECT_EQ(lock.error().message, "there is diary.txt in it, which belongs to no state");
}

TEST_F(State, AFileOrANameTooLongIsAnErrorAndNoException) {
  std::ofstream(folder) << "a log";
  const auto of_file = open_state(folder);
  ASSERT_FALSE(of_file.has_value());
  EXPECT_EQ(of_file.error().message, "this is a file, expected the folder of a state");
  EXPECT_FALSE(open_state(temporary / std::string(300, 'n')).has_value());
}

}  // namespace
}  // namespace fairstep
