// What an estimated model rests on: which grounds are sound, what they say in words, and when there is nothing to
// solve.
#include <fairstep/core/grounds.hpp>

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/objections.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

const Shape kGroundShape{2, 3, 1};
const std::vector<std::string> kGroundGroups{"a", "b"};

/// Everything was seen ten times, but for what happens to the accepted of b with label 1.
Grounds some_grounds() {
  Grounds grounds;
  grounds.people = {12, 11};
  grounds.first = {10, 10};
  grounds.successors = Tensor<std::int64_t, 4>({2, 1, 2, 2});
  grounds.rewards = grounds.successors.pooled_table();
  for (std::int64_t& n : grounds.successors.flat()) n = 10;
  for (std::int64_t& n : grounds.rewards.flat()) n = 15;
  grounds.successors(1, 0, 1, 1) = 0;
  grounds.rewards(1, 0, 1, 1) = 0;
  grounds.log = LogGrounds{200, 20, Censoring::none, 0, 0, 0, 0};
  return grounds;
}

TEST(Grounds, ThatNoEstimateHasAreRefused) {
  EXPECT_TRUE(check(some_grounds(), kGroundShape, kGroundGroups));
  struct Wrong {
    std::function<void(Grounds&)> how;
    std::string message, pointer;
  };
  const std::vector<Wrong> all{
      {[](Grounds& g) { g.people = {12}; }, "rests_on.people has size 1, expected 2", "/rests_on/people"},
      {[](Grounds& g) { g.people[1] = -1; }, "rests_on.people[g=b] is -1, expected a count of 0 or more",
       "/rests_on/people/1"},
      {[](Grounds& g) { g.first[0] = 13; }, "rests_on.first[g=a] is 13, expected at most 12 (its people)",
       "/rests_on/first/0"},
      {[](Grounds& g) { g.successors = Tensor<std::int64_t, 4>({2, 1, 2, 1}); },
       "rests_on.successors has size 2 x 1 x 2 x 1, expected 2 x 1 x 2 x 2", "/rests_on/successors"},
      {[](Grounds& g) { g.rewards(1, 0, 0, 1) = -2; },
       "rests_on.rewards[g=b,x=0,y=0,a=1] is -2, expected a count of 0 or more", "/rests_on/rewards/1/0/0/1"},
      {[](Grounds& g) { g.successors(0, 0, 1, 0) = 16; },
       "rests_on.successors[g=a,x=0,y=1,a=0] is 16, expected at most 15 (the rewards seen there: each decision has "
       "one)",
       "/rests_on/successors/0/0/1/0"},
      {[](Grounds& g) { g.unvisited = Unvisited::error; },
       "rests_on.successors[g=b,x=0,y=1,a=1] is 0 under the rule \"error\", expected at least 1",
       "/rests_on/successors/1/0/1/1"},
      {[](Grounds& g) { g.gaps = -1; }, "rests_on.gaps is -1, expected a count of 0 or more", "/rests_on/gaps"},
      {[](Grounds& g) { g.log->lost = -1; }, "rests_on.log.lost is -1, expected a count of 0 or more",
       "/rests_on/log/lost"},
      {[](Grounds& g) { g.log->imputed = 3; }, "rests_on.log.imputed is 3 with labels censored \"no\", expected 0",
       "/rests_on/log/imputed"},
  };
  for (const Wrong& wrong : all) {
    Grounds grounds = some_grounds();
    wrong.how(grounds);
    const auto ok = check(grounds, kGroundShape, kGroundGroups);
    ASSERT_FALSE(ok) << wrong.message;
    EXPECT_EQ(ok.error().message, wrong.message);
    EXPECT_EQ(ok.error().pointer, wrong.pointer);
  }
}

TEST(Grounds, OfALogHaveWhatWasLostAndWhatWasAssumed) {
  LogRecord record;
  record.rows = 100;
  record.findings = {{Anomaly::malformed, "", 5, "log.csv", 1},
                     {Anomaly::missing, "x", 2, "log.csv", 4},
                     {Anomaly::missing, "y", 30, "log.csv", 5},
                     {Anomaly::duplicate, "", 7, "log.csv", 9},
                     {Anomaly::conflict, "", 4, "log.csv", 11}};
  record.censoring = Censoring::drop;
  record.unlabelled = Tensor<std::int64_t, 4>({2, 3, 1, 2});
  record.unlabelled(0, 0, 0, 0) = 30;
  record.excluded = {{"c", 6}};
  record.unrecorded_people = 2;
  const LogGrounds log = grounds_of(record);
  EXPECT_EQ(log, (LogGrounds{105, 11, Censoring::drop, 0, 30, 6, 2}));

  Grounds grounds = some_grounds();
  grounds.log = log;
  grounds.first[1] = 0;
  EXPECT_EQ(caveats(grounds, kGroundGroups),
            (std::vector<std::string>{
                "no first state of b was seen: it is taken as uniform",
                "30 decisions of the log had no label and are left out: all that involves labels is about those whose "
                "label was seen",
                "11 of the log's 105 rows could not be used (10.5 %)",
                "6 rows of the log are of groups that were put outside of the study",
                "2 people came without a record of their log: nobody knows what was left out there"}));
  grounds.log = LogGrounds{100, 0, Censoring::ignorable, 1, 0, 0, 0};
  EXPECT_EQ(caveats(grounds, kGroundGroups).back(),
            "1 label was drawn, as if within a group and feature the refused were like the accepted "
            "(assume-ignorable); no number says whether that is so");
  grounds.log.reset();
  grounds.first[1] = 10;
  grounds.rewards_given = true;
  EXPECT_EQ(
      caveats(grounds, kGroundGroups),
      std::vector<std::string>{"rewards were given, or lowered on purpose, and not estimated: values are about these"});
  grounds.rewards_given = false;
  EXPECT_TRUE(caveats(grounds, kGroundGroups).empty());
}

ModelSpec estimated_spec() {
  ModelSpec spec = testing::random_model(3, 2, 1, 3).spec();
  spec.names.groups = kGroundGroups;
  spec.rests_on = some_grounds();
  return spec;
}

std::vector<std::string> problems(ModelSpec spec) {
  const auto model = Model::make(std::move(spec));
  EXPECT_TRUE(model) << model.error().message;
  std::vector<std::string> found;
  for (const Objection& objection : objections(*model)) {
    EXPECT_FALSE(objection.remedy.empty());
    found.push_back(objection.problem);
  }
  return found;
}

TEST(Objections, AreMadeWhereNobodyWasSeenTwiceOrNothingIsEarned) {
  EXPECT_TRUE(problems(estimated_spec()).empty());
  ModelSpec spec = estimated_spec();
  for (std::int64_t& n : spec.rests_on->successors.block(1)) n = 0;
  EXPECT_EQ(problems(spec),
            std::vector<std::string>{"nobody of b was seen at two steps in a row: all of its rows are guesses"});
  for (std::int64_t& n : spec.rests_on->successors.flat()) n = 0;
  for (double& reward : spec.reward.flat()) reward = 0;
  EXPECT_EQ(problems(spec), (std::vector<std::string>{
                                "nobody was seen at two steps in a row: 8 of 8 rows are guesses, and so is everything "
                                "after the first step",
                                "all rewards are 0: no policy is worth more than another"}));
  // A model that was written down has its rows by decision, and one step needs none.
  ModelSpec written = spec;
  written.rests_on.reset();
  EXPECT_TRUE(problems(written).empty());
  ModelSpec single = spec;
  single.horizon = 1;
  single.participation.reset();
  EXPECT_EQ(problems(single), std::vector<std::string>{"all rewards are 0: no policy is worth more than another"});
}

TEST(Objections, AreMadeWhereALabelIsNobodys) {
  ModelSpec spec = estimated_spec();
  for (const std::size_t g : {0U, 1U})
    for (const std::size_t a : {0U, 1U}) {
      spec.rests_on->rewards(g, 0, 1, a) = 0;
      spec.rests_on->successors(g, 0, 1, a) = 0;
    }
  EXPECT_EQ(problems(spec),
            std::vector<std::string>{"nobody was ever seen qualified (label 1 never occurs): no rate of "
                                     "theirs can be compared"});
  // One person is enough, of either group.
  spec.rests_on->rewards(1, 0, 1, 0) = 1;
  EXPECT_TRUE(problems(spec).empty());
  // Where labels follow features, it is the labels seen that matter, and where people went.
  spec = estimated_spec();
  spec.rests_on->labels = LabelGrounds{{}, {}, Tensor<std::int64_t, 2>({2, 1}), Tensor<std::int64_t, 2>({2, 1}, 5)};
  EXPECT_EQ(problems(spec), std::vector<std::string>{"no label was seen: who is qualified is a guess everywhere"});
  spec.rests_on->labels->seen(0, 0) = 3;
  EXPECT_TRUE(problems(spec).empty());
  for (const std::size_t g : {0U, 1U}) {
    spec.initial(g, 0, 0) = 1;
    spec.initial(g, 0, 1) = 0;
    for (std::size_t cell = 0; cell < 4; ++cell) {
      const auto row = spec.transition.block(g).subspan(2 * cell, 2);
      row[0] = 1;
      row[1] = 0;
    }
  }
  EXPECT_EQ(problems(spec),
            std::vector<std::string>{"nobody was ever seen qualified (label 1 never occurs): no rate of "
                                     "theirs can be compared"});
}

TEST(Objections, RefuseWhatIsNothingButGuesses) {
  ModelSpec spec = estimated_spec();
  const auto refused = [](const ModelSpec& some) {
    const auto ok = refuse_guesswork(*Model::make(some));
    return ok ? std::string() : std::string(ok.error().message);
  };
  EXPECT_EQ(refused(spec), "");
  for (std::int64_t& n : spec.rests_on->successors.block(1)) n = 0;
  EXPECT_EQ(refused(spec), "");  // one group's are no guesses
  for (std::int64_t& n : spec.rests_on->successors.flat()) n = 0;
  EXPECT_EQ(
      refused(spec),
      "nobody was seen at two steps in a row: 8 of 8 rows are guesses, and so is everything after the first step");
  ModelSpec single = spec;
  single.horizon = 1;
  EXPECT_EQ(refused(single), "");
  for (std::int64_t& n : spec.rests_on->rewards.flat()) n = 0;
  EXPECT_EQ(refused(spec), "no decision was counted: nothing of the model was seen");
  spec.rests_on->log->unlabelled = 1200;
  EXPECT_EQ(refused(spec), "none of the log's 1,200 decisions has a label: nothing of the model was seen");
}

}  // namespace
}  // namespace fairstep
