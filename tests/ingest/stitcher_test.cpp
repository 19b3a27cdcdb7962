// Rows of a person that lie in several chunks, parts and threads.
#include <fairstep/ingest/internal/stitcher.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/ingest/internal/wire.hpp>

#include "columns.hpp"

namespace fairstep::internal {
namespace {

struct Log {
  std::vector<std::int64_t> people{};
  std::vector<std::int64_t> steps{};
};

/// Steps and groups are named by their numbers; there is one feature.
Vocabulary steps_and_groups() {
  Vocabulary names{Plan{}};
  for (const std::int64_t number : {0, 1, 2, 3, 4, 5}) {
    EXPECT_EQ(names.steps.number_of(number), number);
    EXPECT_EQ(names.groups.number_of(number), number);
  }
  EXPECT_EQ(names.features.number_of(std::int64_t{0}), 0);
  return names;
}

Renumbering same_numbers() { return {{0, 1, 2, 3, 4, 5}, {0}, {0, 1, 2, 3, 4, 5}}; }

/// Rows [from, to) of a log; everybody is of group 1.
void take(Stitcher& stitcher, Counters& counters, const Log& log, std::size_t from, std::size_t to, bool numbered) {
  Chunk chunk;
  chunk.begin(to - from);
  chunk.reward.assign(to - from, 0.25);
  std::vector<std::optional<std::int64_t>> numbers;
  std::vector<std::optional<std::string>> texts;
  for (std::size_t i = from; i < to; ++i) {
    chunk.step[i - from] = log.steps[i];
    chunk.h[i - from] = static_cast<std::int32_t>(log.steps[i]);
    chunk.g[i - from] = 1;
    chunk.x[i - from] = 0;
    chunk.y[i - from] = chunk.a[i - from] = 1;
    numbers.emplace_back(log.people[i]);
    texts.emplace_back(std::to_string(log.people[i]));
  }
  testing::Columns people;
  if (numbered)
    people.add(numbers);
  else
    people.add_texts(texts);
  stitcher.take(people.raw().front(), chunk, {from, nullptr}, counters);
}

struct Counted {
  std::string bytes{};
  bool disordered = false;
};

/// By several stitchers, which take the stretches between cuts in turn.
Counted counted_in_pieces(const Log& log, const std::vector<std::size_t>& cuts, std::size_t stitchers, bool numbered) {
  std::vector<Stitcher> all(stitchers, Stitcher(numbered, false));
  std::vector<Counters> counters;
  for (std::size_t i = 0; i < stitchers; ++i) counters.emplace_back(Plan{}).reserve(steps_and_groups());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    take(all[i % stitchers], counters[i % stitchers], log, cuts[i], cuts[i + 1], numbered);
  for (std::size_t i = stitchers - 1; i > 0; --i) {  // the last first: the order must not matter
    counters[0].add_totals(counters[i]);
    counters[0].add_tables(counters[i], same_numbers());
    if (all[i].disordered()) all[0].give_up();
    all[0].absorb(all[i], same_numbers());
  }
  all[0].finish(counters[0]);
  WireWriter wire;
  wire(counters[0]);
  return {std::move(wire).bytes(), all[0].disordered()};
}

TEST(Stitcher, WhereverALogIsCutAndWhoeverReadsThePiecesTheCountsAreTheSame) {
  Rng draw(7);
  for (const bool numbered : {true, false})
    for (int repeat = 0; repeat < 40; ++repeat) {
      Log log;
      for (std::int64_t person = 5; person < 14; ++person)  // texts too come in this order: 9 before 10
        for (std::int64_t step = 0; step < 6; ++step)
          if (draw.uniform() < 0.6) {
            log.people.push_back(person);
            log.steps.push_back(step);
          }
      const std::size_t rows = log.people.size();
      if (rows < 2) continue;
      const Counted whole = counted_in_pieces(log, {0, rows}, 1, numbered);
      EXPECT_FALSE(whole.disordered);
      std::vector<std::size_t> cuts{0};
      for (std::size_t i = 1; i < rows; ++i)
        if (draw.uniform() < 0.3) cuts.push_back(i);
      cuts.push_back(rows);
      for (const std::size_t stitchers : {1U, 2U, 3U})
        EXPECT_EQ(counted_in_pieces(log, cuts, stitchers, numbered).bytes, whole.bytes) << repeat << " " << stitchers;
    }
}

TEST(Stitcher, SeesThatPersonsDoNotRise) {
  for (const bool numbered : {true, false}) {
    EXPECT_TRUE(counted_in_pieces({{7, 9, 8}, {0, 0, 0}}, {0, 3}, 1, numbered).disordered);
    EXPECT_TRUE(counted_in_pieces({{7, 9, 8}, {0, 0, 0}}, {0, 1, 2, 3}, 1, numbered).disordered);
    EXPECT_TRUE(counted_in_pieces({{7, 9, 8}, {0, 0, 0}}, {0, 2, 3}, 2, numbered).disordered);
    EXPECT_TRUE(counted_in_pieces({{7, 9, 10, 7}, {0, 0, 0, 1}}, {0, 3, 4}, 2, numbered).disordered);
    EXPECT_FALSE(counted_in_pieces({{7, 9, 10}, {0, 0, 0}}, {0, 1, 2, 3}, 2, numbered).disordered);
  }
}

TEST(Stitcher, DoesNotDoubtWhatTheEngineHasSorted) {
  Stitcher stitcher(true, true);
  Counters counters{Plan{}};
  counters.reserve(steps_and_groups());
  take(stitcher, counters, {{9, 9, 7}, {0, 1, 0}}, 0, 3, true);
  stitcher.finish(counters);
  EXPECT_FALSE(stitcher.disordered());
  EXPECT_EQ(counters.each().front().totals().people, 2);
}

}  // namespace
}  // namespace fairstep::internal
