// What the rows of a person add to the tables, and what is charged for those that cannot be counted.
#include <fairstep/ingest/internal/counter.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/ingest/internal/wire.hpp>

namespace fairstep::internal {
namespace {

constexpr std::size_t kGroups = 2, kFeatures = 2, kSteps = 6;

/// Groups, features and steps are named by their numbers.
Counter counter_with_room(const Plan& plan = {}) {
  Vocabulary names{Plan{}};
  for (std::int64_t g = 0; g < static_cast<std::int64_t>(kGroups); ++g) EXPECT_EQ(names.groups.number_of(g), g);
  for (std::int64_t x = 0; x < static_cast<std::int64_t>(kFeatures); ++x) EXPECT_EQ(names.features.number_of(x), x);
  for (std::int64_t h = 0; h < static_cast<std::int64_t>(kSteps); ++h) EXPECT_EQ(names.steps.number_of(h), h);
  Counter counter(plan);
  counter.reserve(names);
  return counter;
}

Places same_places() {
  Places places;
  for (auto* axis : {&places.group, &places.feature}) axis->assign({0, 1});
  places.step.resize(kSteps);
  std::iota(places.step.begin(), places.step.end(), std::size_t{0});
  return places;
}

Lost lost_of(const Counter& counter) { return counter.ledger().charge({kGroups, kSteps, kFeatures}, same_places()); }

struct Decision {
  std::int32_t step, x;
  std::int8_t y, a;
};

/// Of group 1, from place 100 on, with a reward of 0.5 each.
std::vector<Row> rows_of(const std::vector<Decision>& decisions) {
  std::vector<Row> rows;
  for (const Decision& one : decisions)
    rows.push_back({100 + rows.size(), one.step, 0.5, one.step, 1, one.x, 0, one.y, one.a, true});
  return rows;
}

TEST(Counter, CountsAPersonByHand) {
  Counter counter = counter_with_room();
  std::vector<Row> rows = rows_of({{0, 0, 1, 1}, {1, 1, 0, 1}, {2, 1, 1, 0}});
  counter.count_person(rows);
  Tables& tables = counter.tables();
  const std::size_t one = tables.cell(1, 0, 1, 1), two = tables.cell(1, 1, 0, 1), three = tables.cell(1, 1, 1, 0);
  EXPECT_EQ(counter.totals().people, 1);
  EXPECT_EQ(tables.first(1, 0, 1), 1);
  EXPECT_EQ(tables.first(1, 1, 0), 0);
  EXPECT_EQ(tables.visits(one, 0), 1);
  EXPECT_EQ(tables.visits(two, 1), 1);
  EXPECT_EQ(tables.visits(three, 2), 1);
  EXPECT_EQ(tables.transitions(one, 1, 0), 1);
  EXPECT_EQ(tables.transitions(two, 1, 1), 1);
  EXPECT_EQ(tables.pairs(one, two), 1);
  EXPECT_EQ(tables.after_pairs(one, 1, 1), 1);
  EXPECT_EQ(tables.entered(1, 0, 1, 0), 1);
  EXPECT_EQ(tables.ended(three, 2), 1);
  EXPECT_EQ(tables.reward(one).sum(), 0.5);
  EXPECT_EQ(counter.totals().lost_rows, 0);
  EXPECT_TRUE(lost_of(counter).nothing());
}

TEST(Counter, AGapIsNoTransition) {
  Counter counter = counter_with_room();
  std::vector<Row> rows = rows_of({{0, 0, 1, 1}, {2, 1, 0, 1}});
  counter.count_person(rows);
  EXPECT_EQ(counter.tables().transitions(counter.tables().cell(1, 0, 1, 1), 1, 0), 0);
  EXPECT_EQ(counter.tables().entered(1, 1, 0, 2), 1);
  EXPECT_EQ(counter.findings()(Anomaly::gap, Role::row).rows, 1);
  EXPECT_EQ(counter.findings()(Anomaly::gap, Role::row).first, 101U);
}

TEST(Counter, ADecisionWithoutALabelIsChargedToBothLabels) {
  Counter counter = counter_with_room();
  std::vector<Row> rows = rows_of({{0, 0, 1, 1}, {1, 1, -1, 0}, {2, 0, 0, 1}});
  counter.count_person(rows);
  EXPECT_EQ(counter.tables().unlabelled(1, 1, 0, 1), 1);
  EXPECT_EQ(counter.findings()(Anomaly::missing, Role::y).first, 101U);
  EXPECT_EQ(counter.totals().lost_rows, 1);
  const Lost lost = lost_of(counter);
  EXPECT_EQ(lost.decisions(1, 1), 1);
  EXPECT_EQ(lost.decisions(1, 0) + lost.decisions(0, 1), 0);
  for (std::size_t y = 0; y < kLabels; ++y) EXPECT_EQ(lost.cells(1, 1, y, 0), 1);
  EXPECT_EQ(lost.cells(1, 1, 0, 1), 0);
  EXPECT_EQ(lost.transitions(1, 0, 1, 1), 1);  // what came after the first is not known
  EXPECT_EQ(lost.transitions(1, 1, 0, 0), 1);  // nor is what the third came from
  EXPECT_EQ(lost.first(1), 0);
}

TEST(Counter, ARowWithoutAStepMayBeAnywhereAndTheFirst) {
  Counter counter = counter_with_room();
  std::vector<Row> rows = rows_of({{0, 0, 1, 1}, {1, 1, 0, 1}});
  rows[1].h = kMissing;
  rows[1].usable = false;
  counter.count_person(rows);
  EXPECT_EQ(counter.totals().people, 1);
  EXPECT_EQ(counter.tables().first(1, 0, 1), 0);
  const Lost lost = lost_of(counter);
  EXPECT_EQ(lost.first(1), 1);
  for (std::size_t h = 0; h < kSteps; ++h) EXPECT_EQ(lost.decisions(1, h), 1) << h;
  EXPECT_EQ(lost.transitions(1, 0, 1, 1), 1);
}

TEST(Counter, RowsOfOneStepThatContradictEachOtherAreAllLost) {
  Counter counter = counter_with_room();
  std::vector<Row> rows = rows_of({{0, 0, 1, 1}, {1, 1, 0, 1}, {1, 0, 0, 1}, {3, 0, 0, 1}});
  counter.count_person(rows);
  EXPECT_EQ(counter.findings()(Anomaly::conflict, Role::row).rows, 2);
  EXPECT_EQ(counter.totals().lost_rows, 2);
  EXPECT_EQ(lost_of(counter).decisions(1, 1), 2);
  EXPECT_EQ(counter.findings()(Anomaly::gap, Role::row).first, 103U);
  EXPECT_EQ(lost_of(counter).transitions(1, 0, 1, 1), 1);
}

TEST(Counter, RowsOfExcludedPersonsAreCountedApart) {
  Plan plan;
  plan.excluded = {"c", "d"};
  Counter counter = counter_with_room(plan);
  std::vector<Row> rows = rows_of({{0, 0, 1, 1}, {1, 1, 0, 1}});
  rows[0].g = kExcluded - 1;
  rows[1].g = kMissing;
  for (Row& row : rows) row.usable = false;
  counter.count_person(rows);
  EXPECT_EQ(counter.excluded(), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(counter.totals().people + counter.totals().lost_rows, 0);
}

TEST(Counter, ARowOfNobodyIsChargedAndNotKept) {
  Counter counter = counter_with_room();
  Chunk chunk;
  chunk.begin(2);
  chunk.g = {1, 1};
  chunk.object(0, kMissing, Role::person);
  chunk.object(1, kUnknown, Role::a);
  EXPECT_FALSE(counter.keep_with_person(chunk, 0, 40));
  EXPECT_TRUE(counter.keep_with_person(chunk, 1, 41));
  EXPECT_EQ(counter.findings()(Anomaly::missing, Role::person).first, 40U);
  EXPECT_EQ(counter.findings()(Anomaly::unknown, Role::a).first, 41U);
  EXPECT_EQ(counter.totals().lost_rows, 1);
  EXPECT_EQ(lost_of(counter).first_in_doubt(1), 1);
}

TEST(Counter, DecisionsOfAWindowAreThoseOfItsDays) {
  Plan plan;
  plan.window = CalendarUnit{CalendarUnit::Kind::days, 10};
  Counter counter = counter_with_room(plan);
  std::vector<Row> rows = rows_of({{0, 0, 1, 1}, {1, 1, 0, 1}, {2, 0, -1, 0}});
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].day = static_cast<std::int32_t>(9 + i);
  counter.count_person(rows);
  ASSERT_EQ(counter.tables().windows().size(), 2U);
  const auto entry = [](std::size_t y, std::size_t a) {
    return (std::size_t{1} * 3 + y) * kActions + a;
  };  // of group 1
  EXPECT_EQ(counter.tables().window(0)[entry(1, 1)], 1);
  EXPECT_EQ(counter.tables().window(10)[entry(0, 1)], 1);
  EXPECT_EQ(counter.tables().window(10)[entry(Tables::kUnlabelled, 0)], 1);
  ASSERT_EQ(counter.tables().window_moves().size(), 1U);  // from the first to the second, out of the first window
  EXPECT_EQ(counter.tables().window_moves().begin()->first, 0);
}

/// Everything that the counter has, to be compared.
std::string bytes_of(Counter& counter) {
  WireWriter wire;
  wire(counter);
  return std::move(wire).bytes();
}

TEST(Counter, CountingInPlaceIsCountingPersonByPerson) {
  Rng draw(1);
  for (int repeat = 0; repeat < 50; ++repeat) {
    Chunk chunk;
    std::vector<std::int64_t> people;
    for (std::int64_t person = 0; person < 5; ++person)
      for (std::int64_t step = 0; step < static_cast<std::int64_t>(kSteps); ++step)
        if (draw.uniform() < 0.7) {
          people.push_back(person);
          chunk.step.push_back(step);
          chunk.h.push_back(static_cast<std::int32_t>(step));
          chunk.g.push_back(static_cast<std::int32_t>(person % 2));
          for (auto* column : {&chunk.x, &chunk.y, &chunk.a}) column->push_back(draw.uniform() < 0.5 ? 1 : 0);
          chunk.reward.push_back(draw.uniform());
        }
    chunk.rows = people.size();
    if (chunk.rows == 0) continue;
    Counter in_place = counter_with_room(), by_person = counter_with_room();
    in_place.count_in_place(people.data(), chunk, 0, chunk.rows, 1000);
    std::vector<Row> rows;
    for (std::size_t i = 0; i <= chunk.rows; ++i) {
      if (i == chunk.rows || (i > 0 && people[i] != people[i - 1])) {
        by_person.count_person(rows);
        rows.clear();
      }
      if (i < chunk.rows) rows.push_back(chunk.row(i, 1000 + i));
    }
    EXPECT_EQ(bytes_of(in_place), bytes_of(by_person)) << repeat;
  }
}

}  // namespace
}  // namespace fairstep::internal
