#include <fairstep/optimise/pricing/affine_bound.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace fairstep {
namespace {

/// Rounds of looking ahead and planning back at the most, and what a round must close of the gap for another one.
constexpr int kRounds = 4;
constexpr double kWorthARound = 0.3;
/// Prices on what is missing to the cutoff, as shares of the one at which the width of a range would pay for the whole
/// gap: the one for all ranges, and those that are tried for a range that matters.
constexpr double kPrice = 0.2;
constexpr double kSharpPrices[] = {0, 0.05, 0.2, 0.8};
/// The gap is taken to be at least this share of what can be paid at all, so that prices stay finite.
constexpr double kLeastGap = 1e-6;
/// What a state takes besides going through its successors, in multiplications.
constexpr std::size_t kWorkBesides = 10;
/// No constant is forgotten in the size of rounding: what is summed is smaller than this many such terms.
constexpr double kSlack = 64;

/// accept * s for accept in a box, s in [L,U], is at most accept' * s + given.
struct Chord {
  double accept, given;
  Chord(double low, double high, double lo, double hi) {
    const double share = high <= 0 ? 0 : low >= 0 ? 1 : high / (high - low);
    accept = lo + (hi - lo) * share;
    given = high <= 0 || low >= 0 ? 0 : (hi - lo) * std::max(-share * low, (1 - share) * high);
  }
};

}  // namespace

/// Recursions side by side: what each is paid by the way, and what it makes of where people are.
struct AffineBound::Lanes {
  std::size_t count;
  std::vector<double> weight;     ///< [lane] of the block's rewards
  std::vector<double> value;      ///< [group,x,y,lane]
  std::vector<double> constant;   ///< [lane]
  std::vector<double> magnitude;  ///< [lane] of all that was summed
  // Of the step in hand:
  std::vector<double> refusing, gain;            ///< [group,x,y,lane]
  std::vector<double> low, high, accept, given;  ///< [x,lane]

  Lanes(std::size_t lanes, std::size_t states, std::size_t features)
      : count(lanes),
        weight(lanes, 0.0),
        value(states * lanes, 0.0),
        constant(lanes, 0.0),
        magnitude(lanes, 0.0),
        refusing(states * lanes),
        gain(states * lanes),
        low(features * lanes),
        high(features * lanes),
        accept(features * lanes),
        given(features * lanes) {}
};

AffineBound::AffineBound(const Program& program, std::size_t block, const std::vector<std::vector<double>>& reward,
                         const Deadline& deadline)
    : program_(program),
      n_(program.shape()),
      groups_(program.blocks[block].groups),
      reward_(reward),
      deadline_(deadline),
      states_(groups_.size() * n_.states()) {
  for (const std::size_t g : groups_)
    for (std::size_t h = 0; h < n_.horizon; ++h) {
      double most = 0;
      for (std::size_t cell = 0; cell < n_.cells(); ++cell)
        most = std::max(most, std::abs(reward_[g][h * n_.cells() + cell]));
      most_paid_ += most;
    }
  std::size_t successors = 0;
  for (const std::size_t g : groups_) {
    const KernelView kernel = program.model->kernel(g, 0);
    for (std::size_t s = 0; s < n_.states(); ++s)
      for (std::size_t next = 0; next < n_.states(); ++next)
        successors += kernel.row(s * kActions)[next] != 0 || kernel.row(s * kActions + 1)[next] != 0 ? 1 : 0;
  }
  work_of_state_ = kWorkBesides + kActions * (successors / states_ + 1);
}

std::size_t AffineBound::least_work() const {
  const std::size_t lanes = groups_.size() * n_.features * Reach::kDirections;
  return lanes * states_ * work_of_state_ * n_.horizon * (n_.horizon - 1) / 2;
}

void AffineBound::step_back(std::size_t h, const Box& box, const Reach& reach, Lanes& lanes) {
  const std::size_t count = lanes.count;
  const bool last = h + 1 == n_.horizon;
  std::fill(lanes.low.begin(), lanes.low.end(), 0.0);
  std::fill(lanes.high.begin(), lanes.high.end(), 0.0);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const std::size_t g = groups_[k];
    for (std::size_t s = 0; s < n_.states(); ++s) {
      const std::size_t work = count * (last ? kWorkBesides : work_of_state_);
      work_ += work;
      deadline_.work(work);
      double* const refusing = lanes.refusing.data() + (k * n_.states() + s) * count;
      double* const gain = lanes.gain.data() + (k * n_.states() + s) * count;
      const double* pay = reward_[g].data() + h * n_.cells() + s * kActions;
      for (std::size_t t = 0; t < count; ++t) {
        refusing[t] = pay[0] * lanes.weight[t];
        gain[t] = pay[1] * lanes.weight[t];
      }
      if (!last) {
        const KernelView kernel = program_.model->kernel(g, h);
        const double *refused = kernel.row(s * kActions), *accepted = kernel.row(s * kActions + 1);
        for (std::size_t next = 0; next < n_.states(); ++next) {
          const double p = refused[next], q = accepted[next];
          if (p == 0 && q == 0) continue;
          const double* value = lanes.value.data() + (k * n_.states() + next) * count;
          for (std::size_t t = 0; t < count; ++t) {
            refusing[t] += p * value[t];
            gain[t] += q * value[t];
          }
        }
      }
      for (std::size_t t = 0; t < count; ++t) gain[t] -= refusing[t];
    }
    for (std::size_t x = 0; x < n_.features; ++x) {
      const double* zero = lanes.gain.data() + (k * n_.states() + state_of(x, 0)) * count;
      const double* one = zero + count;
      for (std::size_t t = 0; t < count; ++t) {
        const Reach::Ends ends = reach.ends(reach.place(h, k, x), zero[t], one[t]);
        lanes.low[x * count + t] += ends.low;
        lanes.high[x * count + t] += ends.high;
        lanes.magnitude[t] += ends.size;
      }
    }
  }
  for (std::size_t x = 0; x < n_.features; ++x)
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t i = x * count + t, entry = h * n_.features + x;
      const Chord chord(lanes.low[i], lanes.high[i], box.lo[entry], box.hi[entry]);
      lanes.accept[i] = chord.accept;
      lanes.given[i] = chord.given;
      lanes.constant[t] += chord.given;
    }
  for (std::size_t s = 0; s < states_; ++s) {
    const double* accept = lanes.accept.data() + s % n_.states() / kLabels * count;
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t i = s * count + t;
      lanes.value[i] = lanes.refusing[i] + accept[t] * lanes.gain[i];
    }
  }
}

/// From the values at a step to what they come to from the start on, in lanes.constant and rounded up.
void AffineBound::back_to_start(std::size_t h, const Box& box, const Reach& reach, Lanes& lanes) {
  while (h-- > 0) step_back(h, box, reach, lanes);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const auto initial = program_.model->initial(groups_[k]);
    for (std::size_t s = 0; s < n_.states(); ++s)
      for (std::size_t t = 0; t < lanes.count; ++t)
        lanes.constant[t] += initial[s] * lanes.value[(k * n_.states() + s) * lanes.count + t];
  }
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double share = kSlack * epsilon * static_cast<double>(n_.horizon * n_.cells() * groups_.size());
  for (std::size_t t = 0; t < lanes.count; ++t) lanes.constant[t] += share * lanes.magnitude[t];
}

/// Narrows the reach, step after step. With what there is to go, also to tables that are worth the cutoff.
bool AffineBound::look_ahead(double cutoff, const Box& box, const ToGo* to_go, Reach& reach) {
  const std::size_t count = groups_.size() * n_.features * Reach::kDirections;
  const double open = to_go == nullptr ? 1 : std::max(to_go->all - cutoff, kLeastGap * most_paid_);
  for (std::size_t h = 1; h < n_.horizon; ++h) {
    Lanes lanes(count, states_, n_.features);
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t cell = t / Reach::kDirections, i = t % Reach::kDirections;
      const std::size_t k = cell / n_.features, x = cell % n_.features, place = reach.place(h, k, x);
      if (to_go != nullptr) {
        const double price = kPrice * std::max(0.0, reach.width(place, i)) / open;
        lanes.weight[t] = price;
        for (std::size_t s = 0; s < states_; ++s) lanes.value[s * count + t] = price * to_go->value[h * states_ + s];
        lanes.constant[t] = price * (to_go->constant[h] - cutoff);
        lanes.magnitude[t] = price * (4 * most_paid_ + to_go->magnitude[h] + std::abs(cutoff));
      }
      const std::array<double, kLabels> direction = reach.direction(place, i);
      for (std::size_t y = 0; y < kLabels; ++y) {
        lanes.value[(k * n_.states() + state_of(x, y)) * count + t] += direction[y];
        lanes.magnitude[t] += std::abs(direction[y]);
      }
    }
    back_to_start(h, box, reach, lanes);
    for (std::size_t t = 0; t < count; ++t)
      reach.narrow(reach.place(h, 0, 0) + t / Reach::kDirections, t % Reach::kDirections, lanes.constant[t]);
    for (std::size_t cell = 0; cell < groups_.size() * n_.features; ++cell)
      for (std::size_t i = 0; i < Reach::kDirections / 2; ++i)
        if (reach.width(reach.place(h, 0, 0) + cell, i) < 0) return false;
  }
  return true;
}

/// The ranges that matter most are those of what accepting is worth itself: `main` has come to step h, and its open
/// entries get ranges of their own. An end is that of tables which do there what makes it hurt.
void AffineBound::sharpen(std::size_t h, double cutoff, const Box& box, const Reach& reach, double open, Lanes& main) {
  std::vector<std::size_t> disputed;
  for (std::size_t x = 0; x < n_.features; ++x)
    if (main.given[x] > 0) disputed.push_back(x);
  if (disputed.empty()) return;
  constexpr std::size_t prices = std::size(kSharpPrices);
  const std::size_t count = disputed.size() * 2 * prices;
  const double constant = main.constant[0];
  Lanes lanes(count, states_, n_.features);
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t x = disputed[t / (2 * prices)];
    const bool upper = t / prices % 2 == 0;
    const double end = (upper ? box.hi : box.lo)[h * n_.features + x];
    const double price = kSharpPrices[t % prices] * (main.high[x] - main.low[x]) / open;
    lanes.weight[t] = price;
    lanes.constant[t] = price * (constant - main.given[x] - cutoff);
    lanes.magnitude[t] = 4 * most_paid_ + price * (4 * most_paid_ + main.magnitude[0] + std::abs(cutoff));
    for (std::size_t s = 0; s < states_; ++s)
      lanes.value[s * count + t] = s % n_.states() / kLabels != x ? price * main.value[s]
                                                                  : price * (main.refusing[s] + end * main.gain[s]) +
                                                                        (upper ? main.gain[s] : -main.gain[s]);
  }
  back_to_start(h, box, reach, lanes);
  for (std::size_t i = 0; i < disputed.size(); ++i) {
    const std::size_t x = disputed[i];
    const double* upper = lanes.constant.data() + 2 * i * prices;
    main.high[x] = std::min(main.high[x], *std::min_element(upper, upper + prices));
    main.low[x] = std::max(main.low[x], -*std::min_element(upper + prices, upper + 2 * prices));
    const Chord chord(main.low[x], main.high[x], box.lo[h * n_.features + x], box.hi[h * n_.features + x]);
    main.constant[0] += chord.given - main.given[x];
    main.magnitude[0] += chord.given + main.given[x];
    main.given[x] = chord.given;
    main.accept[x] = chord.accept;
    for (std::size_t k = 0; k < groups_.size(); ++k)
      for (std::size_t y = 0; y < kLabels; ++y) {
        const std::size_t s = k * n_.states() + state_of(x, y);
        main.value[s] = main.refusing[s] + chord.accept * main.gain[s];
      }
  }
}

/// The value-to-go from the last step to the first. regret[h,x] is what a table loses at least that is at the upper end
/// of its box there, or less than 0 for the lower end; 0 if one cannot tell.
AffineBound::Result AffineBound::plan(double cutoff, const Box& box, const Reach& reach, ToGo& to_go,
                                      std::vector<double>& regret) {
  Result result;
  result.accept.resize(box.lo.size());
  regret.assign(box.lo.size(), 0.0);
  const double open = std::max(std::isfinite(to_go.all) ? to_go.all - cutoff : 0.0, kLeastGap * most_paid_);
  to_go.value.resize(n_.horizon * states_);
  to_go.constant.resize(n_.horizon);
  to_go.magnitude.resize(n_.horizon);
  Lanes main(1, states_, n_.features);
  main.weight[0] = 1;
  main.magnitude[0] = 4 * most_paid_;
  for (std::size_t h = n_.horizon; h-- > 0;) {
    step_back(h, box, reach, main);
    if (h > 0) sharpen(h, cutoff, box, reach, open, main);
    for (std::size_t x = 0; x < n_.features; ++x) {
      const std::size_t entry = h * n_.features + x;
      const double width = box.hi[entry] - box.lo[entry];
      result.accept[entry] = main.accept[x];
      regret[entry] = -width * (main.high[x] <= 0 ? main.high[x] : std::max(0.0, main.low[x]));
      if (main.given[x] > result.given_away) {
        result.given_away = main.given[x];
        result.entry = entry;
      }
    }
    std::copy(main.value.begin(), main.value.end(), to_go.value.begin() + static_cast<std::ptrdiff_t>(h * states_));
    to_go.constant[h] = main.constant[0];
    to_go.magnitude[h] = main.magnitude[0];
  }
  back_to_start(0, box, reach, main);
  result.bound = to_go.all = main.constant[0];
  return result;
}

AffineBound::Result AffineBound::bound(const Aim& aim, Box& box, Reach& reach) {
  Result best;
  const std::size_t before = work_;
  ToGo to_go;
  std::vector<double> regret;
  for (int round = 0; round < kRounds; ++round) {
    if (!look_ahead(aim.cutoff, box, round > 0 ? &to_go : nullptr, reach)) {
      best.bound = aim.cutoff;
      break;
    }
    Result now = plan(aim.cutoff, box, reach, to_go, regret);
    for (std::size_t i = 0; i < regret.size(); ++i)
      if (to_go.all - std::abs(regret[i]) < aim.cutoff) {
        if (regret[i] > 0) box.hi[i] = box.lo[i];
        if (regret[i] < 0) box.lo[i] = box.hi[i];
      }
    const double open = best.bound - aim.enough;
    if (now.bound < best.bound) best = std::move(now);
    if (best.bound <= aim.enough || best.bound - aim.enough > (1 - kWorthARound) * open) break;
  }
  best.work = work_ - before;
  return best;
}

}  // namespace fairstep
