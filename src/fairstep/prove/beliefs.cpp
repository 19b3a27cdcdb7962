#include <fairstep/prove/beliefs.hpp>

#include <algorithm>
#include <cmath>

namespace fairstep::prove {
namespace {

using rigorous::up;

/// A grid is at least this wide, so that its beliefs can be told apart.
constexpr double kLeastWidth = 1e-7;
/// How much an interval of beliefs grows beyond what made it grow, at first.
constexpr double kRoom = 1e-9;
/// People grow by no more than this over a whole episode: rows of a kernel add up to 1 within kSumTolerance.
constexpr Real kGrowth = 1.01L;

struct Reach {
  double low = 2, high = -1;
  [[nodiscard]] bool empty() const { return low > high; }
};

/// [x] beliefs that can come about. The next belief is a quotient of linear functions of this one, so the ends of an
/// interval lead to the ends of what it leads to. Nothing rests on it but how tight the bound is.
std::vector<Reach> reach_of(const Model& model, std::size_t g) {
  const std::size_t features = model.shape().features;
  std::vector<Reach> reach(features);
  for (std::size_t x = 0; x < features; ++x) {
    const double zero = model.initial(g)[state_of(x, 0)], one = model.initial(g)[state_of(x, 1)];
    if (zero + one > 0) reach[x] = {one / (zero + one), one / (zero + one)};
  }
  if (model.shape().horizon == 1) return reach;
  double room = kRoom;
  for (bool grew = true; grew; room *= 2) {
    grew = false;
    for (std::size_t k = 0; k < model.periods().number(); ++k) {
      const KernelView kernel = model.kernel(g, model.periods().pooled() ? 0 : model.periods().list[k].first_step);
      for (std::size_t x = 0; x < features; ++x) {
        if (reach[x].empty()) continue;
        const Reach from = reach[x];
        for (std::size_t a = 0; a < kActions; ++a)
          for (std::size_t x1 = 0; x1 < features; ++x1)
            for (const double b : {from.low, from.high}) {
              const auto mass = [&](std::size_t y1) {
                return (1 - b) * kernel.row(cell_of(x, 0, a))[state_of(x1, y1)] +
                       b * kernel.row(cell_of(x, 1, a))[state_of(x1, y1)];
              };
              const double zero = mass(0), one = mass(1);
              if (zero + one <= 0) continue;
              const double next = one / (zero + one);
              if (next < reach[x1].low) {
                reach[x1].low = std::max(0.0, next - room);
                grew = true;
              }
              if (next > reach[x1].high) {
                reach[x1].high = std::min(1.0, next + room);
                grew = true;
              }
            }
      }
    }
  }
  return reach;
}

/// At most w * v, for w in an interval.
Real times(const Interval& w, Real v) { return up((v >= 0 ? w.high : w.low) * v); }

Interval weight_of(double belief) { return Interval(1) - Interval(belief); }

}  // namespace

Beliefs::Beliefs(const Model& model, std::size_t g, std::size_t points) : model_(model) {
  const Shape& n = model.shape();
  const std::vector<Reach> reach = reach_of(model, g);
  for (std::size_t x = 0; x < n.features; ++x) {
    first_.push_back(nodes());
    if (reach[x].empty()) continue;
    double low = reach[x].low, high = reach[x].high;
    const bool narrow = high - low < kLeastWidth;
    if (narrow) {
      low = std::max(0.0, low - kLeastWidth / 2);
      high = std::min(1.0, low + 2 * kLeastWidth);
      low = std::min(low, high - kLeastWidth);
    }
    const std::size_t here = narrow ? 2 : points;
    for (std::size_t k = 0; k < here; ++k) {
      const double t = static_cast<double>(k) / static_cast<double>(here - 1);
      belief_.push_back(k == 0 ? low : k + 1 == here ? high : low + t * (high - low));
      feature_.push_back(x);
    }
  }
  first_.push_back(nodes());

  for (std::size_t k = 0; k < n.periods && n.horizon > 1; ++k) {
    const KernelView kernel = model.kernel(g, model.periods().pooled() ? 0 : model.periods().list[k].first_step);
    for (std::size_t node = 0; node < nodes(); ++node)
      for (std::size_t a = 0; a < kActions; ++a) {
        Landings landings;
        const double* zero = kernel.row(cell_of(feature_[node], 0, a));
        const double* one = kernel.row(cell_of(feature_[node], 1, a));
        const Interval b(belief_[node]), rest = weight_of(belief_[node]);
        for (std::size_t x1 = 0; x1 < n.features; ++x1) {
          const std::size_t s = state_of(x1, 0);
          if (zero[s] == 0 && zero[s + 1] == 0 && one[s] == 0 && one[s + 1] == 0) continue;
          land(x1, rest * Interval(zero[s]) + b * Interval(one[s]),
               rest * Interval(zero[s + 1]) + b * Interval(one[s + 1]), landings);
        }
        steps_.push_back(std::move(landings));
      }
  }
  for (std::size_t x = 0; x < n.features; ++x) {
    const double zero = model.initial(g)[state_of(x, 0)], one = model.initial(g)[state_of(x, 1)];
    if (zero + one > 0) land(x, Interval(zero), Interval(one), initial_);
  }
}

/// (unqualified, qualified) = lower * (1 - b, b) + upper * (1 - c, c) for neighbours b < c. A part that may be negative
/// is what it may be at the most, and the rest is astray.
void Beliefs::land(std::size_t x, const Interval& unqualified, const Interval& qualified, Landings& landings) const {
  const Interval all = unqualified + qualified;
  if (all.high <= 0) return;
  const std::size_t begin = first_[x], end = first_[x + 1];
  if (begin == end) {  // people where nobody can be, but for rounding
    landings.astray = up(landings.astray + all.high);
    return;
  }
  const auto belief = static_cast<double>((qualified.low + qualified.high) / (all.low + all.high));
  auto above =
      static_cast<std::size_t>(std::upper_bound(belief_.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                                                belief_.begin() + static_cast<std::ptrdiff_t>(end) - 1, belief) -
                               belief_.begin());
  const Interval b(belief_[above - 1]), c(belief_[above]);
  Landing landing{above - 1, (all * c - qualified) / (c - b), (qualified - all * b) / (c - b)};
  for (Interval* part : {&landing.lower, &landing.upper}) {
    if (part->low >= 0) continue;
    landings.astray = up(landings.astray - part->low);
    *part = {0, std::max(part->high, Real{0})};
  }
  landings.list.push_back(landing);
}

Real Beliefs::collect(const Landings& landings, const Real* values, Real greatest) {
  Real sum = up(landings.astray * greatest);
  for (const Landing& at : landings.list)
    sum = up(sum + up(times(at.lower, values[at.node]) + times(at.upper, values[at.node + 1])));
  return sum;
}

Real Beliefs::worth(const Values& values, std::size_t h, std::size_t x, const Interval& unqualified,
                    const Interval& qualified) const {
  Landings landings;
  land(x, unqualified, qualified, landings);
  return collect(landings, values.best.data() + h * nodes(), values.greatest[h]);
}

Real Beliefs::most(std::span<const Interval> pay, std::span<const double> lo, std::span<const double> hi,
                   Values& values) const {
  const Shape& n = model_.shape();
  for (std::vector<Real>* part : {&values.refused, &values.accepted, &values.best}) part->resize(n.horizon * nodes());
  values.greatest.resize(n.horizon);
  Real later = 0;  // nobody earns or loses more than this from the next step on
  for (std::size_t h = n.horizon; h-- > 0;) {
    const std::span<const Interval> here = pay.subspan(h * n.cells(), n.cells());
    const std::size_t period = h + 1 < n.horizon ? model_.periods().of(h) : 0;
    for (std::size_t node = 0; node < nodes(); ++node) {
      const std::size_t x = feature_[node], at = h * nodes() + node;
      const Interval rest = weight_of(belief_[node]), b(belief_[node]);
      Real by[kActions];
      for (std::size_t a = 0; a < kActions; ++a) {
        by[a] = up(times(rest, here[cell_of(x, 0, a)].high) + times(b, here[cell_of(x, 1, a)].high));
        if (h + 1 < n.horizon)
          by[a] = up(by[a] + collect(steps_[(period * nodes() + node) * kActions + a],
                                     values.best.data() + (h + 1) * nodes(), later));
      }
      Real best = 0;
      bool first = true;
      for (const double p : {lo[h * n.features + x], hi[h * n.features + x]}) {
        const Real worth = p == 0 ? by[0] : p == 1 ? by[1] : up(times(weight_of(p), by[0]) + times(Interval(p), by[1]));
        if (first || worth > best) best = worth;
        first = false;
      }
      values.refused[at] = by[0];
      values.accepted[at] = by[1];
      values.best[at] = best;
    }
    Real greatest = 0;
    for (const Interval& one : here) greatest = std::max({greatest, std::abs(one.low), std::abs(one.high)});
    later = up(later + up(kGrowth * greatest));
    values.greatest[h] = later;
  }
  return collect(initial_, values.best.data(), later);
}

void Beliefs::add_votes(const Values& values, std::span<const double> lo, std::span<const double> hi,
                        std::span<double> in_favour, std::span<double> against) const {
  const Shape& n = model_.shape();
  std::vector<double> here(nodes(), 0.0), next(nodes(), 0.0);
  const auto add = [](const Landings& landings, double mass, std::vector<double>& to) {
    for (const Landing& at : landings.list) {
      to[at.node] += mass * static_cast<double>(at.lower.high);
      to[at.node + 1] += mass * static_cast<double>(at.upper.high);
    }
  };
  add(initial_, 1, here);
  for (std::size_t h = 0; h < n.horizon; ++h) {
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t node = 0; node < nodes(); ++node) {
      if (here[node] == 0) continue;
      const std::size_t entry = h * n.features + feature_[node], at = h * nodes() + node;
      const auto gain = static_cast<double>(values.accepted[at] - values.refused[at]);
      const double p = gain > 0 ? hi[entry] : lo[entry];
      const double moved = here[node] * std::abs(gain) * (hi[entry] - lo[entry]);
      (gain > 0 ? in_favour : against)[entry] += moved;
      if (h + 1 == n.horizon) continue;
      const std::size_t from = (model_.periods().of(h) * nodes() + node) * kActions;
      if (p < 1) add(steps_[from], here[node] * (1 - p), next);
      if (p > 0) add(steps_[from + 1], here[node] * p, next);
    }
    std::swap(here, next);
  }
}

}  // namespace fairstep::prove
