#include <fairstep/ingest/internal/tables.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace fairstep::internal {

void RewardSum::add_other(double reward, std::int64_t times) {
  reward += 0.0;  // -0 is 0
  const auto bits = std::bit_cast<std::uint64_t>(reward);
  for (Counted& counted : counted_) {
    if (counted.times == 0) counted.reward = reward;
    if (std::bit_cast<std::uint64_t>(counted.reward) == bits) {
      counted.times += times;
      return;
    }
  }
  spill({reward, times});
}

void RewardSum::spill(const Counted& counted) {
  if (!sums_) sums_ = std::make_unique<Sums>();
  sums_->sum.add(counted.reward, static_cast<std::uint64_t>(counted.times));
  sums_->squares.add(counted.reward * counted.reward, static_cast<std::uint64_t>(counted.times));
}

void RewardSum::add(const RewardSum& other) {
  for (const Counted& counted : other.counted_)
    if (counted.times > 0) add(counted.reward, counted.times);
  if (!other.sums_) return;
  if (!sums_) sums_ = std::make_unique<Sums>();
  sums_->sum.add(other.sums_->sum);
  sums_->squares.add(other.sums_->squares);
}

RewardSum::Sums RewardSum::total() const {
  Sums total = sums_ ? *sums_ : Sums{};
  for (const Counted& counted : counted_) {
    total.sum.add(counted.reward, static_cast<std::uint64_t>(counted.times));
    total.squares.add(counted.reward * counted.reward, static_cast<std::uint64_t>(counted.times));
  }
  return total;
}

double RewardSum::sum() const { return total().sum.round(); }
double RewardSum::squares() const { return total().squares.round(); }

std::size_t Tables::entries(std::size_t groups, std::size_t features, std::size_t steps, bool by_step) {
  const std::size_t states = features * kLabels;
  return groups * states * kActions * (by_step ? steps * states : std::max(steps, states));
}

std::vector<std::int64_t>& Tables::new_window(std::int32_t from) {
  // There is room for at most twice as many groups as there are.
  windows_fit_ =
      windows_fit_ && windows_.size() < 2 * kMostWindowEntries / std::max<std::size_t>(groups_ * kWindowEntries, 1);
  return windows_fit_ || windows_.empty() ? windows_[from] : windows_.begin()->second;
}

void Tables::reserve(std::size_t groups, std::size_t features, std::size_t steps) {
  if (groups <= groups_ && features <= features_ && steps <= steps_) return;
  // A share more each time keeps the copies few: all of them together are as much work as a few of the last.
  const auto room = [](std::size_t now, std::size_t wanted) {
    return wanted <= now ? now : std::max(wanted, now + std::max(std::min(now, std::size_t{64}), now / 4));
  };
  Tables larger(by_step_);
  larger.groups_ = room(groups_, groups);
  larger.features_ = room(features_, features);
  larger.steps_ = room(steps_, steps);
  const std::size_t cells = larger.groups_ * larger.features_ * kLabels * kActions;
  larger.first_.resize(cells / kActions);
  larger.visits_.resize(cells * larger.steps_);
  larger.unlabelled_.resize(cells / kLabels * larger.steps_);
  larger.unlabelled_first_.resize(cells / (kLabels * kActions));
  larger.unlabelled_moves_.resize(cells / kLabels * larger.features_);
  larger.transitions_.resize(cells * larger.features_ * kLabels);
  if (by_step_) larger.moves_.resize(cells * larger.steps_ * larger.features_ * kLabels);
  larger.rewards_.resize(cells);
  larger.pairs_kept_ = pairs_kept_;
  larger.window_moves_kept_ = window_moves_kept_;
  larger.make_room_for_history(groups, features, cells);
  const auto same = [](std::size_t n) {
    std::vector<std::size_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
  };
  larger.add(*this, same(groups_), same(features_), same(steps_));
  *this = std::move(larger);
}

void Tables::add_moves(Tables& other, std::size_t theirs, std::size_t ours, const std::vector<std::size_t>& feature,
                       const std::vector<std::size_t>& step) {
  for (std::size_t h = 0; h < step.size(); ++h)
    for (std::size_t x1 = 0; x1 < feature.size(); ++x1)
      for (std::size_t y1 = 0; y1 < kLabels; ++y1)
        move_at(ours, step[h], feature[x1], y1) += other.move_at(theirs, h, x1, y1);
}

void Tables::add(Tables& other, const std::vector<std::size_t>& group, const std::vector<std::size_t>& feature,
                 const std::vector<std::size_t>& step) {
  for (std::size_t g = 0; g < group.size(); ++g)
    for (std::size_t x = 0; x < feature.size(); ++x) {
      for (std::size_t y = 0; y < kLabels; ++y) {
        first(group[g], feature[x], y) += other.first(g, x, y);
        for (std::size_t a = 0; a < kActions; ++a) {
          const std::size_t theirs = other.cell(g, x, y, a);
          const std::size_t ours = cell(group[g], feature[x], y, a);
          for (std::size_t h = 0; h < step.size(); ++h) visits(ours, step[h]) += other.visits(theirs, h);
          for (std::size_t x1 = 0; x1 < feature.size(); ++x1)
            for (std::size_t y1 = 0; y1 < kLabels; ++y1)
              transitions(ours, feature[x1], y1) += other.transitions(theirs, x1, y1);
          if (by_step_) add_moves(other, theirs, ours, feature, step);
          reward(ours).add(other.reward(theirs));
        }
      }
      unlabelled_first(group[g], feature[x]) += other.unlabelled_first(g, x);
      for (std::size_t a = 0; a < kActions; ++a) {
        for (std::size_t h = 0; h < step.size(); ++h)
          unlabelled(group[g], feature[x], a, step[h]) += other.unlabelled(g, x, a, h);
        for (std::size_t x1 = 0; x1 < feature.size(); ++x1)
          unlabelled_moves(group[g], feature[x], a, feature[x1]) += other.unlabelled_moves(g, x, a, x1);
      }
    }
  for (const auto& [from, theirs] : other.windows_) {
    std::vector<std::int64_t>& ours = window(from);
    constexpr std::size_t block = kWindowEntries;
    for (std::size_t g = 0; g < std::min(group.size(), theirs.size() / block); ++g)
      for (std::size_t i = 0; i < block; ++i) ours[group[g] * block + i] += theirs[g * block + i];
  }
  for (const auto& [theirs, sum] : other.weights_)
    weights_[{group[theirs.g], step[theirs.h], theirs.y, theirs.a}].add(sum);
  windows_fit_ = windows_fit_ && other.windows_fit_;
  add_history(other, group, feature, step);
}

}  // namespace fairstep::internal
