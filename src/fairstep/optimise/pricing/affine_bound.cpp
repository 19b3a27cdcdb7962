#include <fairstep/optimise/pricing/affine_bound.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <utility>

#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {
namespace {

/// Directions in which the reach is known: evenly around the plane.
constexpr std::size_t kDirections = 8;

struct Unit {
  double zero, one;
};

const std::array<Unit, kDirections>& directions() {
  static const std::array<Unit, kDirections> units = [] {
    std::array<Unit, kDirections> all{};
    for (std::size_t i = 0; i < kDirections; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i) / kDirections;
      all[i] = {std::cos(angle), std::sin(angle)};
    }
    return all;
  }();
  return units;
}

}  // namespace

/// Recursions side by side, each with what it is paid by the way and what is to be had from a step on.
struct AffineBound::Lanes {
  std::size_t count = 0;
  std::vector<double> weight{};    ///< [t] of the block's rewards
  std::vector<double> value{};     ///< [group,x,y,t] by where people are
  std::vector<double> constant{};  ///< [t]
  std::vector<double> magnitude{};  ///< [t] no value is greater
  // Of the last step: [x,t], and [group,x,y,t] for the gains
  std::vector<double> low{}, high{}, accept{}, given{};
  std::vector<double> refusing{}, gain{};

  Lanes(std::size_t lanes, std::size_t states)
      : count(lanes), weight(lanes, 0.0), value(states * lanes, 0.0), constant(lanes, 0.0), magnitude(lanes, 0.0) {}
};

/// The value-to-go of the block itself at every step.
struct AffineBound::Plan {
  std::vector<double> value{};     ///< [h,group,x,y]
  std::vector<double> constant{};  ///< [h]
  double bound = kInfinity;
};

AffineBound::AffineBound(const Program& program, std::size_t block, const std::vector<std::vector<double>>& reward,
                         const Deadline& deadline)
    : program_(program),
      n_(program.shape()),
      groups_(program.blocks[block].groups),
      reward_(reward),
      deadline_(deadline) {
  const std::size_t states = n_.states();
  magnitude_.assign(n_.horizon + 1, 0.0);
  for (std::size_t h = n_.horizon; h-- > 0;) {
    double most = 0;
    for (const std::size_t g : groups_)
      for (std::size_t c = 0; c < n_.cells(); ++c) most = std::max(most, std::abs(reward_[g][h * n_.cells() + c]));
    magnitude_[h] = magnitude_[h + 1] + most * static_cast<double>(groups_.size());
  }
  // What a coin would lead to is about where people are.
  scale_.resize(n_.horizon * groups_.size() * states);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const auto initial = program.model->initial(groups_[k]);
    std::vector<double> mass(initial.begin(), initial.end()), next(states);
    for (std::size_t h = 0; h < n_.horizon; ++h) {
      for (std::size_t s = 0; s < states; ++s)
        scale_[(h * groups_.size() + k) * states + s] = mass[s] > 0 ? mass[s] : 1;
      if (h + 1 == n_.horizon) break;
      const KernelView kernel = program.model->kernel(groups_[k], h);
      std::fill(next.begin(), next.end(), 0.0);
      for (std::size_t c = 0; c < n_.cells(); ++c) {
        const double* row = kernel.row(c);
        for (std::size_t s = 0; s < states; ++s) next[s] += 0.5 * mass[c / kActions] * row[s];
      }
      std::swap(mass, next);
    }
  }
}

std::size_t AffineBound::place(std::size_t h, std::size_t k, std::size_t x) const {
  return (h * groups_.size() + k) * n_.features + x;
}

/// Of d0 * mass at y=0 and d1 * mass at y=1: a sum of two neighbouring directions.
double AffineBound::most(const Reach& reach, std::size_t at, double d0, double d1) const {
  const double zero = d0 * scale_[2 * at], one = d1 * scale_[2 * at + 1];
  if (zero == 0 && one == 0) return 0;
  constexpr double kRoot = std::numbers::sqrt2;
  // Eighths of a turn: |zero| = |one| divides the quadrants.
  const double a = std::abs(zero), b = std::abs(one);
  static_assert(kDirections == 8);
  const std::size_t axis = a >= b ? (zero > 0 ? 0 : 4) : (one > 0 ? 2 : 6);
  const std::size_t diagonal = one >= 0 ? (zero >= 0 ? 1 : 3) : (zero >= 0 ? 7 : 5);
  const double along = std::abs(a - b), across = kRoot * std::min(a, b);
  const double* most = reach.data() + at * kDirections;
  return along * most[axis] + (across > 0 ? across * most[diagonal] : 0.0);
}

void AffineBound::step_back(std::size_t h, const Box& box, const Reach& reach, Lanes& lanes) const {
  const std::size_t T = lanes.count, states = n_.states(), G = groups_.size();
  const bool last = h + 1 == n_.horizon;
  lanes.low.assign(n_.features * T, 0.0);
  lanes.high.assign(n_.features * T, 0.0);
  lanes.accept.resize(n_.features * T);
  lanes.given.assign(n_.features * T, 0.0);
  lanes.refusing.resize(G * states * T);
  lanes.gain.resize(G * states * T);
  for (std::size_t k = 0; k < G; ++k) {
    const std::size_t g = groups_[k];
    const std::size_t work = T * n_.cells() * (last ? 4 : states);
    work_ += work;
    deadline_.work(work);
    for (std::size_t s = 0; s < states; ++s) {
      double* const q0 = lanes.refusing.data() + (k * states + s) * T;
      double* const q1 = lanes.gain.data() + (k * states + s) * T;
      const double* pay = reward_[g].data() + h * n_.cells() + 2 * s;
      for (std::size_t t = 0; t < T; ++t) q0[t] = pay[0] * lanes.weight[t], q1[t] = pay[1] * lanes.weight[t];
      if (!last) {
        const double* row0 = program_.model->kernel(g, h).row(2 * s);
        const double* row1 = program_.model->kernel(g, h).row(2 * s + 1);
        for (std::size_t s1 = 0; s1 < states; ++s1) {
          const double w0 = row0[s1], w1 = row1[s1];
          if (w0 == 0 && w1 == 0) continue;
          const double* v = lanes.value.data() + (k * states + s1) * T;
          for (std::size_t t = 0; t < T; ++t) q0[t] += w0 * v[t], q1[t] += w1 * v[t];
        }
      }
      for (std::size_t t = 0; t < T; ++t) q1[t] -= q0[t];
    }
    for (std::size_t x = 0; x < n_.features; ++x) {
      const double* d0 = lanes.gain.data() + (k * states + 2 * x) * T;
      const double* d1 = d0 + T;
      double* low = lanes.low.data() + x * T;
      double* high = lanes.high.data() + x * T;
      const std::size_t at = place(h, k, x);
      for (std::size_t t = 0; t < T; ++t) {
        high[t] += most(reach, at, d0[t], d1[t]);
        low[t] -= most(reach, at, -d0[t], -d1[t]);
      }
    }
  }
  for (std::size_t x = 0; x < n_.features; ++x) {
    const double lo = box.lo[h * n_.features + x], width = box.hi[h * n_.features + x] - lo;
    for (std::size_t t = 0; t < T; ++t) {
      const double L = lanes.low[x * T + t], U = lanes.high[x * T + t];
      const double r = U <= 0 ? 0 : L >= 0 ? 1 : U / (U - L);
      const double more = width * std::max({0.0, -r * L, (1 - r) * U});
      lanes.constant[t] += U <= 0 || L >= 0 ? 0 : more;
      lanes.given[x * T + t] = U <= 0 || L >= 0 ? 0 : more;
      lanes.accept[x * T + t] = lo + width * r;
    }
  }
  for (std::size_t k = 0; k < G; ++k)
    for (std::size_t s = 0; s < states; ++s)
      for (std::size_t t = 0; t < T; ++t) {
        const std::size_t i = (k * states + s) * T + t;
        lanes.value[i] = lanes.refusing[i] + lanes.accept[s / kLabels * T + t] * lanes.gain[i];
      }
}

/// From the values at step h to what they come to from the start, in lanes.constant.
void AffineBound::back_to_start(std::size_t h, const Box& box, const Reach& reach, Lanes& lanes) const {
  while (h-- > 0) step_back(h, box, reach, lanes);
  const std::size_t states = n_.states();
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const auto initial = program_.model->initial(groups_[k]);
    for (std::size_t s = 0; s < states; ++s)
      for (std::size_t t = 0; t < lanes.count; ++t)
        lanes.constant[t] += initial[s] * lanes.value[(k * states + s) * lanes.count + t];
  }
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double terms = 64 * epsilon * static_cast<double>(n_.horizon * n_.cells() * groups_.size());
  for (std::size_t t = 0; t < lanes.count; ++t) lanes.constant[t] += terms * lanes.magnitude[t];
}

bool AffineBound::look_ahead(const Box& box, double cutoff, const Plan* plan, Reach& reach) const {
  const std::size_t G = groups_.size(), states = n_.states();
  const auto& units = directions();
  const bool fresh = reach.empty();
  if (fresh) {
    reach.assign(n_.horizon * G * n_.features * kDirections, kInfinity);
    for (std::size_t k = 0; k < G; ++k)
      for (std::size_t x = 0; x < n_.features; ++x)
        for (std::size_t i = 0; i < kDirections; ++i) {
          const auto initial = program_.model->initial(groups_[k]);
          const std::size_t at = place(0, k, x);
          const double v = units[i].zero * initial[2 * x] / scale_[2 * at] + units[i].one * initial[2 * x + 1] / scale_[2 * at + 1];
          reach[at * kDirections + i] = v + 1e-15 * 8;
        }
  }
  std::vector<double> shares = plan == nullptr ? std::vector<double>{0} : std::vector<double>{0.0, 0.1, 0.4};
  for (std::size_t h = 1; h < n_.horizon; ++h) {
    const std::size_t T = G * n_.features * kDirections * shares.size();
    Lanes lanes(T, G * states);
    const double open = plan == nullptr ? 1 : std::max(plan->bound - cutoff, 1e-6 * magnitude_[0]);
    for (std::size_t t = 0; t < T; ++t) {
      const std::size_t dir = t / shares.size() % kDirections, cell = t / (shares.size() * kDirections);
      const std::size_t k = cell / n_.features, x = cell % n_.features;
      const std::size_t at = place(h, k, x);
      const double share = shares[t % shares.size()];
      if (share > 0) {
        const double width = reach[at * kDirections + dir] + reach[at * kDirections + (dir + kDirections / 2) % kDirections];
        lanes.weight[t] = share * width / open;
        for (std::size_t i = 0; i < G * states; ++i)
          lanes.value[i * T + t] = lanes.weight[t] * plan->value[h * G * states + i];
        lanes.constant[t] = lanes.weight[t] * (plan->constant[h] - cutoff);
      }
      lanes.value[(k * states + 2 * x) * T + t] += units[dir].zero / scale_[2 * at];
      lanes.value[(k * states + 2 * x + 1) * T + t] += units[dir].one / scale_[2 * at + 1];
      lanes.magnitude[t] = 1 / scale_[2 * at] + 1 / scale_[2 * at + 1] + lanes.weight[t] * (4 * magnitude_[0] + std::abs(cutoff));
    }
    back_to_start(h, box, reach, lanes);
    for (std::size_t t = 0; t < T; ++t) {
      const std::size_t dir = t / shares.size() % kDirections, cell = t / (shares.size() * kDirections);
      double& known = reach[place(h, cell / n_.features, cell % n_.features) * kDirections + dir];
      known = std::min(known, lanes.constant[t]);
    }
    for (std::size_t i = 0; i < G * n_.features; ++i) {
      const double* most = reach.data() + (h * G * n_.features + i) * kDirections;
      for (std::size_t dir = 0; dir < kDirections / 2; ++dir)
        if (most[dir] + most[dir + kDirections / 2] < 0) return false;
    }
  }
  return true;
}

AffineBound::Result AffineBound::plan_back(Box& box, double cutoff, const Reach& reach, Plan& plan) const {
  const std::size_t G = groups_.size(), states = n_.states(), all = G * states;
  Result result;
  result.accept.resize(n_.horizon * n_.features);
  Lanes main(1, all);
  main.weight[0] = 1;
  main.magnitude[0] = 4 * magnitude_[0];
  Plan next;
  next.value.resize(n_.horizon * all);
  next.constant.resize(n_.horizon);
  static const std::vector<double> shares{0.0, 0.05, 0.2, 0.8};
  std::vector<double> loss(n_.horizon * n_.features, 0.0);
  for (std::size_t h = n_.horizon; h-- > 0;) {
    const double before = main.constant[0];
    step_back(h, box, reach, main);
    std::vector<std::size_t> open;
    for (std::size_t x = 0; x < n_.features; ++x)
      if (main.given[x] > 0) open.push_back(x);
    if (h > 0 && !open.empty()) {
      const std::size_t T = open.size() * 2 * shares.size();
      Lanes lanes(T, all);
      const double worst = std::max(plan.bound < kInfinity ? plan.bound - cutoff : 0.0, 1e-4 * magnitude_[0]);
      for (std::size_t t = 0; t < T; ++t) {
        const std::size_t x = open[t / (2 * shares.size())];
        const bool up = t / shares.size() % 2 == 0;
        const double y = lanes.weight[t] = shares[t % shares.size()] * (main.high[x] - main.low[x]) / worst;
        const double p = (up ? box.hi : box.lo)[h * n_.features + x];
        for (std::size_t i = 0; i < all; ++i) lanes.value[i * T + t] = y * main.value[i];
        lanes.constant[t] = y * (main.constant[0] - main.given[x] - cutoff);
        for (std::size_t k = 0; k < G; ++k)
          for (std::size_t s = 2 * x; s < 2 * x + 2; ++s) {
            const std::size_t i = k * states + s;
            lanes.value[i * T + t] = y * (main.refusing[i] + p * main.gain[i]) + (up ? main.gain[i] : -main.gain[i]);
          }
        lanes.magnitude[t] = 4 * magnitude_[0] * (1 + y) + y * std::abs(cutoff);
      }
      back_to_start(h, box, reach, lanes);
      for (std::size_t i = 0; i < open.size(); ++i) {
        const std::size_t x = open[i];
        double U = main.high[x], L = main.low[x];
        for (std::size_t y = 0; y < shares.size(); ++y) {
          U = std::min(U, lanes.constant[2 * i * shares.size() + y]);
          L = std::max(L, -lanes.constant[(2 * i + 1) * shares.size() + y]);
        }
        const double lo = box.lo[h * n_.features + x], width = box.hi[h * n_.features + x] - lo;
        const double r = U <= 0 ? 0 : L >= 0 ? 1 : U / (U - L);
        const double more = U <= 0 || L >= 0 ? 0 : width * std::max({0.0, -r * L, (1 - r) * U});
        main.constant[0] += more - main.given[x];
        main.given[x] = more;
        main.accept[x] = lo + width * r;
        main.low[x] = L;
        main.high[x] = U;
        for (std::size_t k = 0; k < G; ++k)
          for (std::size_t s = 2 * x; s < 2 * x + 2; ++s) {
            const std::size_t j = k * states + s;
            main.value[j] = main.refusing[j] + main.accept[x] * main.gain[j];
          }
      }
    }
    (void)before;
    for (std::size_t x = 0; x < n_.features; ++x) {
      const std::size_t at = h * n_.features + x;
      result.accept[at] = main.accept[x];
      const double width = box.hi[at] - box.lo[at];
      // What the other end costs, where one is better for sure.
      loss[at] = main.high[x] <= 0 ? main.high[x] * width : main.low[x] >= 0 ? main.low[x] * width : 0;
      if (main.given[x] > result.given_away) {
        result.given_away = main.given[x];
        result.branch = at;
      }
    }
    std::copy(main.value.begin(), main.value.end(), next.value.begin() + static_cast<std::ptrdiff_t>(h * all));
    next.constant[h] = main.constant[0];
  }
  back_to_start(0, box, reach, main);
  next.bound = main.constant[0];
  result.bound = next.bound;
  for (std::size_t at = 0; at < loss.size(); ++at)
    if (loss[at] != 0 && next.bound - std::abs(loss[at]) < cutoff) (loss[at] > 0 ? box.lo : box.hi)[at] = (loss[at] > 0 ? box.hi : box.lo)[at];
  plan = std::move(next);
  return result;
}

AffineBound::Result AffineBound::bound(Box& box, double cutoff, double enough, Reach& reach,
                                       int rounds) const {
  const auto nothing = [&](Result result) {
    result.bound = cutoff;
    result.work = work_;
    return result;
  };
  work_ = 0;
  if (reach.empty() && !look_ahead(box, cutoff, nullptr, reach)) return nothing({});
  Plan plan;
  Result best;
  best.bound = kInfinity;
  for (int i = 0; i < rounds; ++i) {
    if (i > 0 && !look_ahead(box, cutoff, &plan, reach)) return nothing(std::move(best));
    Result now = plan_back(box, cutoff, reach, plan);
    const double before = best.bound - cutoff, after = now.bound - cutoff;
    if (now.bound < best.bound) best = std::move(now);
    if (best.bound <= enough || after > 0.7 * before) break;
  }
  best.work = work_;
  return best;
}

}  // namespace fairstep
