// How often there is a false alarm where groups are as far apart as the limit allows, over a thousand looks.
#include <cmath>
#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/monitor/bets.hpp>

namespace fairstep {
namespace {

constexpr double kDelta = 0.05;
constexpr double kLimit = 0.05;
constexpr int kLooks = 1000;
constexpr int kRuns = 1000;
/// A right test has more false alarms than this, in 1,000 runs at 0.05 each, with probability below 1e-6: P(Bin(1000,
/// 0.05) > 86) = 4e-7.
constexpr int kMostFalse = 86;

struct Day {
  std::int64_t first = 0, second = 0;  ///< people
  double low = 0;                      ///< the second group's rate; the first's is the limit above
};

struct Alarms {
  int bets = 0;
  int pooled = 0;  ///< of bets on the sums of all days, as if rates were the same on all
  int daily = 0;   ///< of a test for a sample whose size is fixed, made anew every day
};

/// `world` says who comes and at which rates, knowing the evidence so far.
Alarms alarms_in(const std::function<Day(int, double, Rng&)>& world, int looks, int runs) {
  Alarms alarms;
  Rng random(23);
  const auto accepted = [&](std::int64_t people, double rate) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < people; ++i) count += random.uniform() < rate ? 1 : 0;
    return count;
  };
  for (int run = 0; run < runs; ++run) {
    PairBets bets(kLimit);
    Tally first, second;
    bool alarm = false, pooled = false, daily = false;
    for (int look = 0; look < looks; ++look) {
      const Day day = world(look, bets.log_evidence(), random);
      const Tally one{accepted(day.first, day.low + kLimit), day.first, 0};
      const Tally other{accepted(day.second, day.low), day.second, 0};
      bets.play(one, other);
      alarm = alarm || bets.log_evidence() >= std::log(1 / kDelta);
      first.accepted += one.accepted, first.decisions += one.decisions;
      second.accepted += other.accepted, second.decisions += other.decisions;
      if (first.decisions == 0 || second.decisions == 0) continue;
      PairBets together(kLimit);
      together.play(first, second);
      pooled = pooled || together.log_evidence() >= std::log(1 / kDelta);
      const double p = static_cast<double>(first.accepted) / static_cast<double>(first.decisions);
      const double q = static_cast<double>(second.accepted) / static_cast<double>(second.decisions);
      const double deviation = std::sqrt(p * (1 - p) / static_cast<double>(first.decisions) +
                                         q * (1 - q) / static_cast<double>(second.decisions));
      daily = daily || (look >= 10 && p - q - kLimit > 1.645 * deviation);
    }
    alarms.bets += alarm ? 1 : 0;
    alarms.pooled += pooled ? 1 : 0;
    alarms.daily += daily ? 1 : 0;
  }
  return alarms;
}

Day same_every_day(int, double, Rng&) { return {20, 20, 0.4}; }

TEST(FalseAlarms, OverAThousandLooksAreNoMoreThanDeltaAtTheBoundOfTheClaim) {
  const Alarms alarms = alarms_in(same_every_day, kLooks, kRuns);
  EXPECT_LE(alarms.bets, kMostFalse);
  EXPECT_GE(alarms.daily, 300);  // looking every day is what an ordinary test does not bear
  RecordProperty("bets", alarms.bets);
  RecordProperty("daily", alarms.daily);
}

TEST(FalseAlarms, AreNoMoreThanDeltaWhereRatesChangeFromDayToDay) {
  // On good days the first group comes, and nearly everybody is accepted; on bad days the second, and nearly nobody.
  const auto world = [](int look, double, Rng&) { return look % 2 == 0 ? Day{40, 4, 0.9} : Day{4, 40, 0.05}; };
  const Alarms alarms = alarms_in(world, 200, 300);
  EXPECT_LE(alarms.bets, 35);     // P(Bin(300, 0.05) > 35) = 9e-7
  EXPECT_EQ(alarms.pooled, 300);  // on no day are they further apart than the limit; together they seem to be
}

TEST(FalseAlarms, AreNoMoreThanDeltaAgainstAnAdversaryWhoSeesTheEvidence) {
  const auto world = [](int, double evidence, Rng& random) {
    const double low = evidence > 1 ? 0.02 : evidence > 0 ? 0.45 : 0.9;
    const std::int64_t people = 1 + static_cast<std::int64_t>(random() % 30);
    return evidence > 0.5 ? Day{people, 1, low} : Day{3, people, low};
  };
  EXPECT_LE(alarms_in(world, 300, 300).bets, 35);
}

}  // namespace
}  // namespace fairstep
