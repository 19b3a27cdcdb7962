// How often a monitor has a false alarm over so many looks, and how soon it has a true one, beside tests for a sample
// of a fixed size: one made once, at a size planned beforehand, and one made anew at every look.
//
//   monitor_scenarios [--runs N]
//
// One step and two groups, of which equally many people come every day; the limit is 0.05, delta 0.05 for the one pair.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <fairstep/monitor/bets.hpp>

#include "scenario.hpp"

namespace {

using fairstep::PairBets;
using fairstep::Tally;
using fairstep::bench::row;

constexpr double kDelta = 0.05;
constexpr double kLimit = 0.05;
constexpr std::int64_t kPeople = 100;  ///< of each group, a day
/// Of a standard normal distribution: above it is 0.025 (a pair can be apart in two directions), and 0.1.
constexpr double kQuantile = 1.959964;
constexpr double kTenth = 1.281552;
constexpr double kLower = 0.4;  ///< the second group's rate

struct Alarm {
  int bets = 0, daily = 0;  ///< day of the first alarm in the direction of the gap; 0: none
};

/// Days until either has an alarm: on the first `quiet` days groups are `before` apart, then `after`.
Alarm run(double before, double after, int quiet, int looks, std::mt19937_64& random) {
  PairBets bets(kLimit), back(kLimit);
  std::int64_t first = 0, second = 0;
  Alarm alarm;
  for (int look = 1; look <= looks && (alarm.bets == 0 || alarm.daily == 0); ++look) {
    const double gap = look <= quiet ? before : after;
    const std::int64_t one = std::binomial_distribution<std::int64_t>(kPeople, kLower + gap)(random);
    const std::int64_t other = std::binomial_distribution<std::int64_t>(kPeople, kLower)(random);
    if (alarm.bets == 0) {
      const Tally a{one, kPeople, 0}, b{other, kPeople, 0};
      bets.play(a, b);
      back.play(b, a);
      if (std::max(bets.log_evidence(), back.log_evidence()) >= std::log(2 / kDelta)) alarm.bets = look;
    }
    first += one, second += other;
    const double n = static_cast<double>(kPeople) * look;
    const double p = static_cast<double>(first) / n, q = static_cast<double>(second) / n;
    const double deviation = std::sqrt((p * (1 - p) + q * (1 - q)) / n);
    if (alarm.daily == 0 && std::abs(p - q) - kLimit > kQuantile * deviation) alarm.daily = look;
  }
  return alarm;
}

/// Days that a test at one size needs to find the gap with probability 0.9.
double planned_days(double gap) {
  const double variance = (kLower + gap) * (1 - kLower - gap) + kLower * (1 - kLower);
  const double n = std::pow((kQuantile + kTenth) / (gap - kLimit), 2) * variance;
  return std::ceil(n / static_cast<double>(kPeople));
}

double quantile(std::vector<int> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = static_cast<int>(fairstep::bench::number_option(argc, argv, "--runs", 1000));
  std::mt19937_64 random(1);
  for (const int looks : {1, 10, 100, 1000}) {
    int bets = 0, daily = 0;
    for (int i = 0; i < runs; ++i) {
      const Alarm alarm = run(kLimit, kLimit, looks, looks, random);
      bets += alarm.bets > 0 ? 1 : 0;
      daily += alarm.daily > 0 ? 1 : 0;
    }
    row("part", "false", "looks", looks, "runs", runs, "monitor", bets, "daily", daily);
  }
  for (const int quiet : {0, 300})
    for (const double gap : {0.1, 0.15, 0.2, 0.3}) {
      std::vector<int> delay;
      int early = 0;
      for (int i = 0; i < runs / 5; ++i) {
        const Alarm alarm = run(0, gap, quiet, quiet + 2000, random);
        if (alarm.bets > 0 && alarm.bets <= quiet)
          ++early;
        else
          delay.push_back(alarm.bets == 0 ? 2000 : alarm.bets - quiet);
      }
      row("part", "delay", "quiet", quiet, "gap", gap, "runs", runs / 5, "early", early, "median", quantile(delay, 0.5),
          "most", quantile(delay, 0.9), "planned", planned_days(gap));
    }
}
