// The part of Tables that becomes a History.
#include <algorithm>

#include <fairstep/core/history.hpp>
#include <fairstep/ingest/internal/tables.hpp>

namespace fairstep::internal {

void Tables::make_room_for_history(std::size_t groups, std::size_t features, std::size_t cells) {
  ended_.resize(cells * steps_);
  entered_.resize(cells / kActions * steps_);
  unseen_.resize(cells * kClassesBefore);
  at_top_.resize(cells * kClassesBefore);
  pairs_kept_ = pairs_kept_ && History::keeps_pairs({groups, 1, features});
  if (!pairs_kept_) return;
  pairs_.resize(cells * features_ * kLabels * kActions);
  after_pairs_.resize(cells * features_ * kLabels);
}

void Tables::raise_top(std::int64_t step) {
  if (step <= top_step_) return;
  top_step_ = step;
  for (std::size_t i = 0; i < unseen_.size(); ++i) unseen_[i] += at_top_[i];
  std::fill(at_top_.begin(), at_top_.end(), 0);
}

/// What is kept in the end depends on the log alone (history.cpp). Until then there is room for more
/// groups and features than there are, at most twice as many of each.
void Tables::limit_window_moves() {
  const std::size_t entries = groups_ * features_ * kLabels * kActions;
  constexpr std::size_t most = 4 * History::kMostEntries;
  window_moves_kept_ = window_moves_kept_ && window_moves_.size() <= most / std::max<std::size_t>(entries, 1);
  if (!window_moves_kept_) window_moves_.clear();
}

void Tables::add_window_move(std::int32_t from, std::size_t cell, std::size_t g, std::size_t x1, std::size_t y1) {
  if (!window_moves_kept_) return;
  const auto [found, is_new] = window_moves_.try_emplace(from);
  WindowMoves& moves = found->second;
  if (is_new) {
    limit_window_moves();
    if (!window_moves_kept_) return;
    moves.departures.resize(groups_ * features_ * kLabels * kActions);
    moves.arrivals.resize(groups_ * features_ * kLabels);
  }
  ++moves.departures[cell];
  ++moves.arrivals[(g * features_ + x1) * kLabels + y1];
}

void Tables::add_history(Tables& other, const std::vector<std::size_t>& group, const std::vector<std::size_t>& feature,
                         const std::vector<std::size_t>& step) {
  pairs_kept_ = pairs_kept_ && other.pairs_kept_;
  window_moves_kept_ = window_moves_kept_ && other.window_moves_kept_;
  raise_top(other.top_step_);
  if (!window_moves_kept_) window_moves_.clear();
  if (window_moves_kept_)
    for (const auto& entry : other.window_moves_) {
      WindowMoves& ours = window_moves_[entry.first];
      ours.departures.resize(groups_ * features_ * kLabels * kActions);
      ours.arrivals.resize(groups_ * features_ * kLabels);
    }
  std::vector<std::int64_t>& their_top = top_step_ == other.top_step_ ? at_top_ : unseen_;
  for (std::size_t g = 0; g < group.size(); ++g)
    for (std::size_t x = 0; x < feature.size(); ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        const std::size_t their_state = (g * other.features_ + x) * kLabels + y;
        const std::size_t our_state = (group[g] * features_ + feature[x]) * kLabels + y;
        for (std::size_t h = 0; h < step.size(); ++h)
          entered(group[g], feature[x], y, step[h]) += other.entered(g, x, y, h);
        if (window_moves_kept_)
          for (const auto& [from, theirs] : other.window_moves_)
            window_moves_[from].arrivals[our_state] += theirs.arrivals[their_state];
        for (std::size_t a = 0; a < kActions; ++a) {
          const std::size_t theirs = other.cell(g, x, y, a);
          const std::size_t ours = cell(group[g], feature[x], y, a);
          for (std::size_t h = 0; h < step.size(); ++h) ended(ours, step[h]) += other.ended(theirs, h);
          for (std::size_t k = 0; k < kClassesBefore; ++k) {
            unseen_[ours * kClassesBefore + k] += other.unseen_[theirs * kClassesBefore + k];
            their_top[ours * kClassesBefore + k] += other.at_top_[theirs * kClassesBefore + k];
          }
          if (window_moves_kept_)
            for (const auto& [from, moves] : other.window_moves_)
              window_moves_[from].departures[ours] += moves.departures[theirs];
          if (!pairs_kept_) continue;
          const std::size_t their_cells = other.features_ * kLabels * kActions;
          const std::size_t our_cells = features_ * kLabels * kActions;
          for (std::size_t x1 = 0; x1 < feature.size(); ++x1)
            for (std::size_t i = 0; i < kLabels * kActions; ++i)
              pairs_[ours * our_cells + feature[x1] * kLabels * kActions + i] +=
                  other.pairs_[theirs * their_cells + x1 * kLabels * kActions + i];
          for (std::size_t x1 = 0; x1 < feature.size(); ++x1)
            for (std::size_t y1 = 0; y1 < kLabels; ++y1)
              after_pairs_[ours * features_ * kLabels + feature[x1] * kLabels + y1] +=
                  other.after_pairs(theirs, x1, y1);
        }
      }
  limit_window_moves();
}

}  // namespace fairstep::internal
