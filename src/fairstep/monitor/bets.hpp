// Bets against a claim about rates, day after day. If the claim is true on every day nobody's capital is expected to
// grow, however the rates change from day to day: that it ever reaches 1/alpha has probability at most alpha (Ville),
// so one may look after each day. docs/guarantees.md has the proof.
//
// The capital is in many parts: each bets on a rate of its own and with a stake of its own, so that nobody has to know
// beforehand how far apart the rates are. Nor when that begins: a share is put in each day, and what is not put in as
// yet cannot be lost. All is rounded down.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace fairstep {

/// What was seen of a group at a step on a day. Up to `missing` more decisions were made, of which nobody knows what
/// they were: the capital is then the least that it can be.
struct Tally {
  std::int64_t accepted = 0, decisions = 0, missing = 0;

  friend bool operator==(const Tally&, const Tally&) = default;
};

/// A part of a capital by its logarithm, kept so that what is there is never more than what was won.
class Capital {
 public:
  void put_in(double amount);
  void multiply(double log_gain, double at_stake);
  [[nodiscard]] double log() const { return log_; }

 private:
  double log_ = -std::numeric_limits<double>::infinity();
};

/// What is put in when: on the t-th day 1/sqrt(t) - 1/sqrt(t+1) of the capital at the start, which is 1.
class Reserve {
 public:
  /// What goes in on the next day.
  [[nodiscard]] double take();
  [[nodiscard]] double left() const;

 private:
  double days_ = 0;
};

/// Against: on every day the first group's rate is at most `bound` above the second's. A day on which one of them has
/// no decision says nothing.
class PairBets {
 public:
  /// 0 <= bound < 1
  explicit PairBets(double bound);
  void play(const Tally& first, const Tally& second);
  /// Of the capital, which starts at 1.
  [[nodiscard]] double log_evidence() const;

 private:
  struct Bet {
    double first = 0, second = 0;  ///< rates, `bound` apart, at which nothing is won
    double excess = 0;             ///< what it bets that they are further apart
    Capital capital{};
  };
  Reserve reserve_{};
  std::vector<Bet> bets_{};
};

/// Against: on every day the rate is at most `bound`.
class RateBets {
 public:
  /// 0 <= bound < 1
  explicit RateBets(double bound);
  void play(const Tally& tally);
  [[nodiscard]] double log_evidence() const;

 private:
  struct Bet {
    double stake = 0;
    Capital capital{};
  };
  double bound_;
  Reserve reserve_{};
  std::vector<Bet> bets_{};
};

/// The same decisions, with those refused counted: their rate is at most 1 - p where the other is at least p.
[[nodiscard]] inline Tally refused(const Tally& tally) {
  return {tally.decisions - tally.accepted, tally.decisions, tally.missing};
}

}  // namespace fairstep
