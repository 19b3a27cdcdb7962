// Proofs that no table whose acceptance never falls earns more at the prices.
//
// The tree follows time, as it does for free tables where features are few (pricing_proof.cpp): a node has all steps
// before its own settled, so that it knows where people are. A step has few choices here, with one box for all entries
// as many as a chain has features and one, so that many features do no harm.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fairstep/optimise/common/best_first.hpp>
#include <fairstep/optimise/common/infinity.hpp>
#include <fairstep/optimise/pricing/pricing.hpp>

namespace fairstep {
namespace {

/// Nodes that take a unit of effort.
constexpr std::size_t kRisingNodes = 20;

}  // namespace

class Pricing::Rising {
 public:
  Rising(const Pricing& pricing, std::size_t block, const Box& box, const ProofOptions& options, Priced& best)
      : pricing_(pricing),
        n_(pricing.program_.shape()),
        groups_(pricing.program_.blocks[block].groups),
        box_(box),
        options_(options),
        best_(best),
        rows_(pricing.rows_in(box)),
        states_(groups_.size() * n_.states()),
        moved_(n_.features * kActions * states_),
        next_(states_ * (n_.features + 1)),
        pay_(n_.features * kActions),
        table_(box.lo.size()),
        gain_(n_.features),
        later_gain_(n_.features),
        somebody_(n_.features),
        level_(n_.features),
        promise_(n_.features) {
    for (const std::vector<std::size_t>& chain : pricing.program_.rules.chains)
      for (std::size_t i = 0; i < chain.size(); ++i) {
        order_.push_back(chain[i]);
        begins_.push_back(i == 0);
      }
    for (const std::size_t g : groups_) {
      error_ += 2 * pricing.worth_[g].error;
      const auto initial = pricing.program_.model->initial(g);
      mass_.insert(mass_.end(), initial.begin(), initial.end());
    }
    tables_ = table_;
  }

  /// `root` bounds the whole box.
  void run(double root) {
    tree_.push({root, 0, 0, 0});
    const auto done = [&](double bound) {
      return best_.nodes / kRisingNodes >= options_.max_effort || bound <= settled();
    };
    tree_.run(done, [&](const Node& node) { expand(node); });
    best_.bound = std::max(best_.value, tree_.bound());
  }

 private:
  struct Node {
    double bound, earned;
    std::size_t step, at;  ///< at: where its mass and its table are kept
  };

  [[nodiscard]] double settled() const { return std::max(best_.value + options_.tolerance, options_.enough); }

  /// What the policy that remembers from step h on earns by refusing mass[group,x,y], and by accepting it instead:
  /// adds to gain[x].
  double refused(std::size_t h, const double* mass, std::vector<double>& gain) const {
    double sum = 0;
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      const BeliefGrid& grid = pricing_.grids_[groups_[k]];
      const BeliefGrid::Worth& worth = pricing_.worth_[groups_[k]];
      for (std::size_t x = 0; x < n_.features; ++x) {
        const double* here = mass + k * n_.states() + kLabels * x;
        const double total = here[0] + here[1];
        if (total <= 0) continue;
        const auto [node, up] = grid.find(x, here[1] / total);
        const std::size_t at = h * grid.nodes() + node;
        sum += total * ((1 - up) * worth.refusing[at] + up * worth.refusing[at + 1]);
        gain[x] += total * ((1 - up) * worth.gain[at] + up * worth.gain[at + 1]);
      }
    }
    return sum;
  }

  void expand(const Node& node) {
    const std::size_t h = node.step;
    const double* mass = mass_.data() + node.at * states_;
    std::copy_n(tables_.begin() + static_cast<std::ptrdiff_t>(node.at * table_.size()), table_.size(), table_.begin());
    std::fill(moved_.begin(), moved_.end(), 0.0);
    std::fill(pay_.begin(), pay_.end(), 0.0);
    std::fill(gain_.begin(), gain_.end(), 0.0);
    const double promised = node.earned + error_ + refused(h, mass, gain_);
    for (std::size_t x = 0; x < n_.features; ++x) {
      somebody_[x] = false;
      for (std::size_t k = 0; k < groups_.size(); ++k) {
        const double* here = mass + k * n_.states() + kLabels * x;
        somebody_[x] = somebody_[x] || here[0] + here[1] > 0;
        move(h, k, x, here);
      }
    }
    pricing_.deadline_.work(2 * n_.features * n_.cells() * groups_.size());
    promise(h);
    std::fill_n(next_.begin(), states_, 0.0);
    choose({h, node.bound, promised, node.earned}, 0, 0);
  }

  /// Mass of group k at x, moved on under either action.
  void move(std::size_t h, std::size_t k, std::size_t x, const double* mass) {
    const std::size_t g = groups_[k];
    for (std::size_t a = 0; a < kActions; ++a) {
      double* out = moved_.data() + (kActions * x + a) * states_ + k * n_.states();
      for (std::size_t y = 0; y < kLabels; ++y) {
        const std::size_t cell = cell_of(x, y, a);
        pay_[kActions * x + a] += mass[y] * pricing_.reward_[g][h * n_.cells() + cell];
        if (h + 1 == n_.horizon || mass[y] == 0) continue;
        const double* row = pricing_.program_.model->kernel(g, h).row(cell);
        for (std::size_t s = 0; s < n_.states(); ++s) out[s] += mass[y] * row[s];
      }
    }
  }

  /// The levels that each feature may be at, and what it and those after it gain at the most from there.
  void promise(std::size_t h) {
    double after = 0;  // of the chains after this one
    for (std::size_t end = order_.size(); end > 0;) {
      std::size_t begin = end - 1;
      while (!begins_[begin]) --begin;
      std::vector<double> levels;
      for (std::size_t i = begin; i < end; ++i)
        for (const double level : {lo(h, i), hi(h, i)}) levels.push_back(level);
      std::sort(levels.begin(), levels.end());
      levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
      for (std::size_t i = end; i-- > begin;) {
        std::vector<double>& level = level_[i];
        std::vector<double>& promised = promise_[i];
        level.clear();
        for (const double l : levels)
          if (l >= lo(h, i) && l <= hi(h, i)) level.push_back(l);
        promised.assign(level.size(), 0.0);
        double most = -kInfinity;
        for (std::size_t l = level.size(); l-- > 0;) {
          most = std::max(most, gain_[order_[i]] * level[l] + (i + 1 < end ? best_from(i + 1, level[l]) : after));
          promised[l] = most;
        }
      }
      after = promise_[begin].front();
      end = begin;
    }
  }

  [[nodiscard]] double lo(std::size_t h, std::size_t i) const { return box_.lo[h * n_.features + order_[i]]; }
  [[nodiscard]] double hi(std::size_t h, std::size_t i) const { return box_.hi[h * n_.features + order_[i]]; }
  /// The first level of the i-th feature that is not below `least`.
  [[nodiscard]] std::size_t first_level(std::size_t i, double least) const {
    return static_cast<std::size_t>(std::lower_bound(level_[i].begin(), level_[i].end(), least) - level_[i].begin());
  }
  [[nodiscard]] double best_from(std::size_t i, double least) const { return promise_[i][first_level(i, least)]; }

  /// What is the same for all rows of a node, and what the features up to here have earned.
  struct Row {
    std::size_t step;
    double bound, promised, earned;
  };

  /// All rows of a step from the i-th feature on that may lead somewhere; those of its chain are at `least` or above.
  void choose(const Row& row, std::size_t i, double least) {
    double* sum = next_.data() + i * states_;
    if (i == order_.size()) {
      finish(row, sum);
      return;
    }
    const std::size_t x = order_[i];
    for (std::size_t l = begins_[i] ? 0 : first_level(i, least); l < level_[i].size(); ++l) {
      const double p = level_[i][l];
      const bool last = i + 1 == order_.size();
      const double rest = last ? 0 : begins_[i + 1] ? promise_[i + 1].front() : best_from(i + 1, p);
      Row more = row;
      more.promised += gain_[x] * p;
      more.bound = std::min(row.bound, more.promised + rest);
      if (more.bound <= settled()) {
        tree_.set_aside(more.bound);
      } else {
        more.earned += (1 - p) * pay_[kActions * x] + p * pay_[kActions * x + 1];
        const double* refused = moved_.data() + kActions * x * states_;
        const double* accepted = refused + states_;
        for (std::size_t s = 0; s < states_; ++s) sum[states_ + s] = sum[s] + (1 - p) * refused[s] + p * accepted[s];
        table_[row.step * n_.features + x] = p;
        choose(more, i + 1, p);
      }
      if (!somebody_[x]) break;  // its lowest level leaves the others the most room
    }
  }

  /// The step of the row is settled and has led to `mass`.
  void finish(const Row& row, const double* mass) {
    const std::size_t h = row.step;
    ++best_.nodes;
    if (h + 1 == n_.horizon) {
      if (row.earned <= best_.value) return;
      best_.value = row.earned;
      best_.accept = table_;
      return;
    }
    pricing_.deadline_.work(states_ * (2 + n_.features));
    std::fill(later_gain_.begin(), later_gain_.end(), 0.0);
    double later = row.earned + error_ + refused(h + 1, mass, later_gain_);
    later += rows_[h + 1].best(later_gain_);
    const double bound = std::min(row.bound, later);
    if (bound <= settled()) {
      tree_.set_aside(bound);
      return;
    }
    tree_.push({bound, row.earned, h + 1, mass_.size() / states_});
    mass_.insert(mass_.end(), mass, mass + states_);
    tables_.insert(tables_.end(), table_.begin(), table_.end());
  }

  const Pricing& pricing_;
  const Shape& n_;
  const std::vector<std::size_t>& groups_;
  const Box& box_;
  const ProofOptions& options_;
  Priced& best_;
  std::vector<RisingRows> rows_;
  std::size_t states_;                ///< of all groups
  std::vector<std::size_t> order_{};  ///< the features, chain after chain
  std::vector<bool> begins_{};        ///< [i] a chain
  BestFirst<Node> tree_{};
  std::vector<double> mass_{};    ///< [at][group,x,y]
  std::vector<double> tables_{};  ///< [at][h,x]
  double error_ = 0;
  // Of the node in hand:
  std::vector<double> moved_, next_;  ///< [x,a][group,x,y] mass moved on, and its sums over the first features
  std::vector<double> pay_;           ///< [x,a]
  std::vector<double> table_;
  std::vector<double> gain_, later_gain_;     ///< [x]
  std::vector<bool> somebody_;                ///< [x] is there, so that the choice matters
  std::vector<std::vector<double>> level_;    ///< [i] that the i-th feature may be at
  std::vector<std::vector<double>> promise_;  ///< [i] at each level or above it
};

Priced Pricing::prove_rising(std::size_t block, const Box& box, std::span<const double> known,
                             const ProofOptions& options) {
  Priced best;
  best.value = -kInfinity;
  if (!known.empty()) best = ascend(block, box, known);
  const double root = remembering_bound(block, box);
  best.nodes = best.effort = 1;
  best.bound = root;
  if (root <= std::max(best.value + options.tolerance, options.enough)) return best;
  Priced other = ascend(block, box, majority(box, votes_of(block, box)));
  if (other.value > best.value) {
    best.value = other.value;
    best.accept = std::move(other.accept);
  }
  Rising(*this, block, box, options, best).run(root);
  best.effort = 2 + best.nodes / kRisingNodes;
  return best;
}

}  // namespace fairstep
