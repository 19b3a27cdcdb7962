#include <fairstep/check/sets.hpp>

#include <numbers>
#include <numeric>
#include <utility>

namespace fairstep::rigorous {
namespace {

const Interval kPi{down(std::numbers::pi_v<Real>), up(std::numbers::pi_v<Real>)};

/// ln n! - (n ln n - n + ln(2 pi n)/2), n >= 1: below 20 by the factorial itself, else by Stirling's series, whose
/// partial sums lie on either side.
Interval stirling_error(Real n) {
  if (n < 20) {
    Real factorial = 1;  // exact: 19! < 2^57
    for (int i = 2; static_cast<Real>(i) <= n; ++i) factorial *= static_cast<Real>(i);
    return log(factorial) - (Interval(n) * log(n) - n + log(Interval(2) * kPi * n) / 2);
  }
  const Interval inverse = Interval(1) / n;
  const Interval square = inverse * inverse;
  const Interval three = inverse * (Interval(1) / 12 - square * (Interval(1) / 360 - square * (Interval(1) / 1260)));
  const Interval next = inverse * square * square * square * (Interval(1) / 1680);
  return {(three - next).low, three.high};
}

/// ln b(k; n, k/n), 0 < k < n.
Interval log_at_mode(Real k, Real n) {
  return stirling_error(n) - stirling_error(k) - stirling_error(n - k) +
         log(Interval(n) / (Interval(2) * kPi * k * (Interval(n) - k))) / 2;
}

/// (1 + t) ln(1 + t) - t at a number t > -1. About t^2/2 for small t, of which nearly all digits are right.
Interval bend(Real t) { return (Interval(1) + t) * log1p(t) - t; }

/// x ln(x/m) + m - x, x > 0. Of x = 10^18 the terms by themselves have no digit behind the point; as m bend((x - m)/m)
/// all that is lost are digits of the difference. The bend falls up to 0 and rises from there.
Interval deviance(Real x, const Interval& m) {
  const Interval off = (Interval(x) - m) / m;
  const Interval at_low = bend(off.low);
  const Interval at_high = bend(off.high);
  const bool around_zero = off.low <= 0 && off.high >= 0;
  const Real least = around_zero ? 0 : std::max(Real{0}, std::min(at_low.low, at_high.low));
  return m * Interval(least, std::max(at_low.high, at_high.high));
}

/// n KL(k/n, p), by which ln b falls from there; also for k = 0 and k = n, where ln b is minus this.
Interval divergence(Real k, Real n, const Interval& p) {
  if (k == 0) return Interval(n) * (Interval(0) - log1p(Interval(0) - p));
  if (k == n) return Interval(n) * (Interval(0) - log(p));
  return deviance(k, Interval(n) * p) + deviance(n - k, Interval(n) * (Interval(1) - p));
}

/// The p > k/n at which the divergence is about `most`: halving, and Newton's steps where they stay inside. Nothing
/// rests on how good this is.
Real guess(Real k, Real n, Real most) {
  Real low = k / n;
  Real high = 1;
  Real p = std::min((low + 1) / 2, low + std::sqrt(most / (2 * n)));
  for (int turn = 0; turn < 200; ++turn) {
    const Real fall = divergence(k, n, p).low;
    (fall >= most ? high : low) = p;
    const Real next = p - (fall - most) * p * (1 - p) / (n * p - k);
    if (std::abs(next - p) < 1e-16L * (p - k / n)) break;
    p = next > low && next < high ? next : low + (high - low) / 2;
  }
  return p;
}

}  // namespace

/// A guess, moved outwards by what it lacks to a proof.
Real upper_end(Real k, Real n, const Interval& delta) {
  if (k == n) return 1;
  const Interval most = (k == 0 ? Interval(0) : log_at_mode(k, n)) - log(delta / (Interval(n) + 1));
  const Real near = guess(k, n, most.high);
  if (near >= 1) return 1;
  const Real slope = (n * near - k) / (near * (1 - near));
  const Real lacking = most.high - divergence(k, n, near).low;
  Real further = std::max(1e-18L, 1.01L * lacking / slope);
  while (near + further < 1 && divergence(k, n, near + further).low < most.high) further *= 2;
  return std::min(Real{1}, near + further);
}

Split split_of(const Question& q) {
  const bool counted = q.value == Question::Value::counted;
  const Interval delta = q.design ? Interval(q.delta) / 5 : Interval(q.delta);
  const Interval part = delta / static_cast<Real>(1 + (q.followed ? 1 : 0) + (counted ? 1 : 0));
  const Interval groups = static_cast<Real>(q.groups);
  const Interval cells = static_cast<Real>(q.cells);
  const Real rates = (q.dp ? 1 : 0) + (q.eqodds ? 2 : q.eqopt ? 1 : 0);
  Split split;
  if (q.labels) {
    const auto features = static_cast<Real>(q.features);
    const bool needed = q.eqopt || q.eqodds;
    split.rows = needed ? delta / 2 : delta;
    split.row = split.rows / (groups * (2 * features + 1));
    split.ball = split.row / 2;
    split.interval = split.ball / features;
    split.labels = needed ? delta / 2 : Interval(0);
    split.label = split.labels / (groups * features);
    return split;
  }
  split.rows = part;
  split.row = part / (groups * (cells * static_cast<Real>(q.periods()) + 1));
  split.ball = split.row / 2;
  split.interval = split.ball / static_cast<Real>(q.states);
  split.followed = part;
  split.tail = part / (groups * (2 * rates) * static_cast<Real>(q.horizon));
  split.rewards = part;
  split.reward = part / (groups * cells);
  if (!q.design) return split;
  const std::size_t steps = 2 * q.groups * q.horizon;  // both sides, for each group
  const Real questions =
      static_cast<Real>(steps * (q.groups - 1)) / 2 * rates + (q.value == Question::Value::none ? 0 : 1);
  const std::size_t followed = q.horizon - (q.value == Question::Value::counted ? 0 : 1);
  const std::size_t paths = 2 * q.groups * followed * q.states + (q.eqopt || q.eqodds ? steps : 0);
  split.directions = delta * 4;
  split.question = delta * (paths == 0 ? Interval(4) : Interval(16) / 5) / questions;
  if (paths > 0) split.path = delta * 4 / 5 / static_cast<Real>(paths);
  return split;
}

Interval log_binomial(Real k, Real n, const Interval& p) {
  return (k == 0 || k == n ? Interval(0) : log_at_mode(k, n)) - divergence(k, n, p);
}

bool rarely_so_few(Real k, Real n, Real p, const Interval& tail) {
  if (p >= 1) return true;  // no claim
  if (n == 0 || p <= up(k / n)) return false;
  const Interval rho = Interval(k) * (Interval(1) - p) / ((Interval(n) - k + 1) * p);
  const Interval rest = Interval(1) - rho;
  return rest.low > 0 && (log_binomial(k, n, p) - log(rest)).high <= log(tail).low;
}

Real radius(Real n, const Interval& log_sets, const Interval& delta) {
  if (n == 0) return 1;
  int j = 0;
  while (std::ldexp(Real{1}, j + 1) <= n) ++j;
  const Interval root = sqrt(sqrt(Interval(2)));
  const Interval c = (root + Interval(1) / root) / 2;
  const Interval all = log_sets - log(delta) + log(Interval(j + 1) * Interval(j + 2));
  return std::min(Real{1}, (c * sqrt(all / (Interval(2) * n))).high);
}

Real greatest_radius(Real least, Real most, const Interval& log_sets, const Interval& delta) {
  // It falls in n, but for steps up at powers of two, of which the first is the highest.
  Real power = 1;
  while (power <= least) power *= 2;
  const Real here = radius(least, log_sets, delta);
  return power > most ? here : std::max(here, radius(power, log_sets, delta));
}

RowSet set_of(std::vector<Real> seen, const Unknown& unknown, const Split& split) {
  RowSet row;
  row.seen = std::move(seen);
  row.all = std::accumulate(row.seen.begin(), row.seen.end(), Real{0});
  const auto states = row.seen.size();
  // ln(2^S - 2); beyond 60 states the 2 is less than what is rounded.
  const Interval log_sets = states <= 60 ? log(Interval(std::ldexp(Real{1}, static_cast<int>(states)) - 2))
                                         : Interval(static_cast<Real>(states)) * log(Interval(2));
  const Real least = row.all - unknown.in_doubt;  // surely there
  if (states == 1) {
    row.reach = 0;  // there is one distribution
  } else if (least > 0) {
    const Interval missing = Interval(unknown.missing) / (Interval(least) + unknown.missing);
    const Real reach = greatest_radius(least, row.all + unknown.missing, log_sets, split.ball);
    row.reach = std::min(Real{1}, unknown.missing == 0 ? reach : up(reach + missing.high));
  }
  const auto surely = [&](Real n) { return std::max(Real{0}, n - unknown.in_doubt); };
  for (const Real k : row.seen) {
    const Real others = row.all - k;
    const Interval share = row.all > 0 ? Interval(k) / row.all : Interval(0, 1);
    const Real most = k + unknown.missing;
    const Real most_others = others + unknown.missing;
    const Real high = upper_end(most, most + surely(others), split.interval);
    const Real low = down(1 - upper_end(most_others, most_others + surely(k), split.interval));
    row.gain.push_back(up(high - share.low));
    row.loss.push_back(std::max(Real{0}, k == 0 ? Real{0} : up(share.high - std::max(Real{0}, low))));
  }
  return row;
}

}  // namespace fairstep::rigorous
