#include <fairstep/monitor/bets.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace fairstep {
namespace {

constexpr int kRates = 8;    ///< at which a pair is bet on
constexpr int kStakes = 11;  ///< each half of the one before; more against a small rate
/// A rate that is claimed to be 0 may as well be claimed to be at most this: what stands against it is finite then.
constexpr double kLeastRate = 1e-9;
constexpr double kUnit = std::numeric_limits<double>::epsilon();

/// Of what can be staked at most: 2^-0.5, 2^-1.5, ... No bet loses all on one decision.
double share_of(int k) { return std::exp2(-0.5 - k); }

double logarithm(std::int64_t times, double gain) {
  return times == 0 ? 0 : static_cast<double>(times) * std::log1p(gain);
}

template <class Bets>
double log_sum(const Reserve& reserve, const Bets& bets) {
  const double left = std::log(reserve.left());
  double greatest = left;
  for (const auto& bet : bets) greatest = std::max(greatest, bet.capital.log());
  double sum = std::exp(left - greatest);
  for (const auto& bet : bets) sum += std::exp(bet.capital.log() - greatest);
  // Exponentials are off by a few units, sums of many of them by more, and so is the logarithm.
  return greatest + std::log(sum) - 256 * kUnit * (1 + std::abs(greatest));
}

}  // namespace

void Capital::put_in(double amount) {
  const double more = std::log(amount);
  const double greater = std::max(log_, more);
  log_ = greater + std::log(std::exp(log_ - greater) + std::exp(more - greater)) - 16 * kUnit * (1 + std::abs(greater));
}

void Capital::multiply(double log_gain, double at_stake) {
  log_ += log_gain - 16 * kUnit * (at_stake + std::abs(log_));
}

double Reserve::take() {
  ++days_;
  // 1/sqrt(t) - 1/sqrt(t+1), without the difference of two numbers that are nearly the same.
  const double now = std::sqrt(days_), then = std::sqrt(days_ + 1);
  return (1 - 16 * kUnit) / (now * then * (now + then));
}

double Reserve::left() const { return (1 - 4 * kUnit) / std::sqrt(days_ + 1); }

PairBets::PairBets(double bound) {
  assert(bound >= 0 && bound < 1);
  for (int m = 0; m < kRates; ++m) {
    const double sine = std::sin(std::numbers::pi * (2 * m + 1) / (4 * kRates));
    const double second = (1 - bound) * sine * sine;
    const double first = std::nextafter(second + bound, 1.0);  // rounded, not less than `bound` apart
    for (int k = 0; k < kStakes; ++k) bets_.push_back({first, second, std::min(1 - first, second) * share_of(k), {}});
  }
}

void PairBets::play(const Tally& first, const Tally& second) {
  const auto all = [](const Tally& tally) { return static_cast<double>(tally.decisions + tally.missing); };
  if (all(first) == 0 || all(second) == 0) return;
  const double put_in = reserve_.take() / static_cast<double>(bets_.size());
  const auto seen = [](const Tally& tally) { return static_cast<double>(tally.decisions); };
  for (Bet& bet : bets_) {
    const double spread = bet.first * (1 - bet.first);
    const double other_spread = bet.second * (1 - bet.second);
    // Stakes of a decision: what is staked on either group is the same in all.
    const auto stake = [&](double n, double others, double mine, double theirs) {
      return others == 0 ? 0.0 : bet.excess * others / (mine * others + theirs * n);
    };
    // If decisions are missing, the stakes are what their number makes them: each gain is with the stake at which it
    // is least. Stakes rise with the other group's number and fall with their own.
    const double least = stake(all(first), seen(second), spread, other_spread);
    const double most = stake(seen(first), all(second), spread, other_spread);
    const double other_least = stake(all(second), seen(first), other_spread, spread);
    const double other_most = stake(seen(second), all(first), other_spread, spread);
    const double gains[] = {
        logarithm(first.accepted, (1 - bet.first) * least),
        logarithm(first.decisions - first.accepted + first.missing, -bet.first * most),
        logarithm(second.accepted + second.missing, -(1 - bet.second) * other_most),
        logarithm(second.decisions - second.accepted, bet.second * other_least),
    };
    double sum = 0;
    double size = all(first) * most + all(second) * other_most;
    for (const double gain : gains) sum += gain, size += std::abs(gain);
    bet.capital.put_in(put_in);
    bet.capital.multiply(sum, size);
  }
}

double PairBets::log_evidence() const { return log_sum(reserve_, bets_); }

RateBets::RateBets(double bound) : bound_(std::max(bound, kLeastRate)) {
  assert(bound >= 0 && bound < 1);
  // Where hardly anybody is accepted each refused one costs a share, so that shares have to be smaller.
  const int stakes = kStakes - 1 + static_cast<int>(std::ceil(-std::log2(std::min(bound_, 0.5))));
  for (int k = 0; k < stakes; ++k) bets_.push_back({share_of(k) / bound_, {}});
}

void RateBets::play(const Tally& tally) {
  if (tally.decisions + tally.missing == 0) return;
  const double put_in = reserve_.take() / static_cast<double>(bets_.size());
  for (Bet& bet : bets_) {
    const double won = logarithm(tally.accepted, (1 - bound_) * bet.stake);
    const double lost = logarithm(tally.decisions - tally.accepted + tally.missing, -bound_ * bet.stake);
    bet.capital.put_in(put_in);
    bet.capital.multiply(won + lost, won - lost);
  }
}

double RateBets::log_evidence() const { return log_sum(reserve_, bets_); }

}  // namespace fairstep
