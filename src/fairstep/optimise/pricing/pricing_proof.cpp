// Proofs that no table earns more at the prices, by branch and bound over policies that remember.
//
// Where there are few features the tree follows time: once the first steps are settled, what they lead to is known
// without any memory of them, so that a policy which remembers only what comes after is bound enough. Its values are
// worked out once for all nodes. With many features a step has too many choices. What that does not prove soon is
// bounded by how far tables can move people (reach_proof.cpp), which takes longer for a node and needs far fewer. Last,
// entries are settled one by one, wherever memory matters most.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fairstep/optimise/common/best_first.hpp>
#include <fairstep/optimise/common/infinity.hpp>
#include <fairstep/optimise/pricing/pricing.hpp>

namespace fairstep {
namespace {

/// Nodes that take a unit of effort where the tree follows time; elsewhere it is one.
constexpr std::size_t kQuickNodes = 20;
/// Steps with more features than this have too many choices.
constexpr std::size_t kFewFeatures = 10;
/// What the quick nodes get before the slow ones are begun: about what one of those takes.
constexpr std::size_t kFirstEffort = 500;
/// Where memory matters alike, the entry with more at stake is settled first: it counts this much.
constexpr double kStake = 0.1;

}  // namespace

/// The tree that follows time. A node has all steps before its own settled.
class Pricing::Stepwise {
 public:
  Stepwise(const Pricing& pricing, std::size_t block, const Box& box, const ProofOptions& options, Priced& best)
      : pricing_(pricing),
        n_(pricing.program_.shape()),
        groups_(pricing.program_.blocks[block].groups),
        box_(box),
        options_(options),
        best_(best),
        states_(groups_.size() * n_.states()),
        ahead_(n_.features * 2 * states_),
        next_(states_ * (n_.features + 1)),
        pay_(n_.features * 2),
        choice_(box.lo.size()),
        order_(n_.features),
        regret_(n_.features),
        somebody_(n_.features) {
    for (const std::size_t g : groups_) {
      error_ += 2 * pricing.worth_[g].error;
      const auto initial = pricing.program_.model->initial(g);
      mass_.insert(mass_.end(), initial.begin(), initial.end());
    }
    chosen_ = choice_;
  }

  /// `root` bounds the whole box.
  void run(double root) {
    best_.nodes = 0;
    tree_.push({root, 0, 0, 0});
    const auto done = [&](double bound) {
      return best_.nodes / kQuickNodes >= options_.max_effort || bound <= settled();
    };
    tree_.run(done, [&](const Node& node) { expand(node); });
    best_.bound = std::max(best_.value, tree_.bound());
    best_.effort = 1 + best_.nodes / kQuickNodes;
  }

 private:
  struct Node {
    double bound, earned;
    std::size_t step, at;  ///< at: where its mass and its choices are kept
  };

  [[nodiscard]] double settled() const { return std::max(best_.value + options_.tolerance, options_.enough); }

  /// What the policy that remembers from step h on makes of mass[group,x,y], by values[h,node].
  template <class Values>
  double worth(std::size_t h, std::size_t k, std::size_t x, const double* mass, const Values& values) const {
    const double total = mass[0] + mass[1];
    if (total <= 0) return 0;
    const BeliefGrid& grid = pricing_.grids_[groups_[k]];
    const auto [node, up] = grid.find(x, mass[1] / total);
    const double* at = values(groups_[k]).data() + h * grid.nodes() + node;
    return total * ((1 - up) * at[0] + up * at[1]);
  }

  /// Works out what each feature's choice earns, leads to and promises at this step, then goes through all choices.
  void expand(const Node& node) {
    const std::size_t h = node.step;
    const double* mass = mass_.data() + node.at * states_;
    std::copy_n(chosen_.begin() + static_cast<std::ptrdiff_t>(node.at * choice_.size()), choice_.size(),
                choice_.begin());
    std::fill(ahead_.begin(), ahead_.end(), 0.0);
    std::fill(pay_.begin(), pay_.end(), 0.0);
    double promised = node.earned + error_;
    for (std::size_t x = 0; x < n_.features; ++x) {
      const double ends[2] = {box_.lo[h * n_.features + x], box_.hi[h * n_.features + x]};
      double gain = 0;
      somebody_[x] = false;
      for (std::size_t k = 0; k < groups_.size(); ++k) {
        const double* here = mass + k * n_.states() + kLabels * x;
        somebody_[x] = somebody_[x] || here[0] + here[1] > 0;
        gain += worth(h, k, x, here, [&](std::size_t g) -> auto& { return pricing_.worth_[g].gain; });
        promised += worth(h, k, x, here, [&](std::size_t g) -> auto& { return pricing_.worth_[g].refusing; });
        for (std::size_t end = 0; end < 2; ++end) move(h, k, x, here, end, ends[end]);
      }
      const std::size_t better = gain > 0 ? 1 : 0;
      promised += ends[better] * gain;
      regret_[x] = std::abs(gain) * (ends[1] - ends[0]);
      choice_[h * n_.features + x] = static_cast<std::uint8_t>(better);
      order_[x] = x;
    }
    pricing_.deadline_.work(2 * n_.features * n_.cells() * groups_.size());
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return regret_[a] > regret_[b]; });
    std::fill_n(next_.begin(), states_, 0.0);
    choose(h, 0, std::min(promised, node.bound), node.earned);
  }

  /// Mass of group k at x, moved on with the entry at one of its ends.
  void move(std::size_t h, std::size_t k, std::size_t x, const double* mass, std::size_t end, double accept) {
    const std::size_t g = groups_[k];
    double* out = ahead_.data() + (2 * x + end) * states_ + k * n_.states();
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a) {
        const double moved = mass[y] * (a == 1 ? accept : 1 - accept);
        const std::size_t cell = cell_of(x, y, a);
        pay_[2 * x + end] += moved * pricing_.reward_[g][h * n_.cells() + cell];
        if (h + 1 == n_.horizon || moved == 0) continue;
        const double* row = pricing_.program_.model->kernel(g, h).row(cell);
        for (std::size_t s = 0; s < n_.states(); ++s) out[s] += moved * row[s];
      }
  }

  /// All choices at step h from the i-th feature on, in the order of what a wrong one costs, that may lead somewhere.
  void choose(std::size_t h, std::size_t i, double bound, double earned) {
    double* sum = next_.data() + i * states_;
    if (i == n_.features) {
      finish(h, bound, earned, sum);
      return;
    }
    const std::size_t x = order_[i], entry = h * n_.features + x;
    const std::uint8_t better = choice_[entry];
    for (const bool other : {false, true}) {
      if (other && (box_.lo[entry] == box_.hi[entry] || !somebody_[x])) break;
      const double left = other ? bound - regret_[x] : bound;
      if (left <= settled()) {
        tree_.set_aside(left);
        continue;
      }
      const std::size_t end = other ? 1 - better : better;
      choice_[entry] = static_cast<std::uint8_t>(end);
      const double* more = ahead_.data() + (2 * x + end) * states_;
      for (std::size_t s = 0; s < states_; ++s) sum[states_ + s] = sum[s] + more[s];
      choose(h, i + 1, left, earned + pay_[2 * x + end]);
    }
    choice_[entry] = better;
  }

  /// Step h is settled and has led to `mass`.
  void finish(std::size_t h, double bound, double earned, const double* mass) {
    ++best_.nodes;
    if (h + 1 == n_.horizon) {
      if (earned <= best_.value) return;
      best_.value = earned;
      best_.accept.resize(choice_.size());
      for (std::size_t i = 0; i < choice_.size(); ++i) best_.accept[i] = (choice_[i] != 0 ? box_.hi : box_.lo)[i];
      return;
    }
    pricing_.deadline_.work(states_ * (2 + n_.features));
    double later = earned + error_;
    for (std::size_t k = 0; k < groups_.size(); ++k)
      for (std::size_t x = 0; x < n_.features; ++x)
        later += worth(h + 1, k, x, mass + k * n_.states() + kLabels * x,
                       [&](std::size_t g) -> auto& { return pricing_.worth_[g].best; });
    bound = std::min(bound, later);
    if (bound <= settled()) {
      tree_.set_aside(bound);
      return;
    }
    tree_.push({bound, earned, h + 1, mass_.size() / states_});
    mass_.insert(mass_.end(), mass, mass + states_);
    chosen_.insert(chosen_.end(), choice_.begin(), choice_.end());
  }

  const Pricing& pricing_;
  const Shape& n_;
  const std::vector<std::size_t>& groups_;
  const Box& box_;
  const ProofOptions& options_;
  Priced& best_;
  std::size_t states_;  ///< of all groups
  BestFirst<Node> tree_{};
  std::vector<double> mass_{};          ///< [at][group,x,y]
  std::vector<std::uint8_t> chosen_{};  ///< [at][h,x] 1: the upper end
  double error_ = 0;
  // Of the node in hand:
  std::vector<double> ahead_, next_;  ///< [x,end][group,x,y] mass moved on, and its sums over the first features
  std::vector<double> pay_;           ///< [x,end]
  std::vector<std::uint8_t> choice_;
  std::vector<std::size_t> order_;
  std::vector<double> regret_;  ///< [x] what the worse end costs
  std::vector<bool> somebody_;  ///< [x] is there, so that the choice matters
};

Priced Pricing::prove(std::size_t block, const Box& box, std::span<const double> known, const ProofOptions& options) {
  try {
    return prove_in_time(block, box, known, options);
  } catch (const OutOfTime&) {  // before there was any bound
    Priced nothing;
    nothing.value = -kInfinity;
    nothing.bound = kInfinity;
    return nothing;
  }
}

Priced Pricing::prove_in_time(std::size_t block, const Box& box, std::span<const double> known,
                              const ProofOptions& options) {
  if (rising()) return prove_rising(block, box, known, options);
  Priced best;
  best.value = -kInfinity;
  if (!known.empty()) best = ascend(block, box, known);
  const double root = remembering_bound(block, box);
  best.nodes = best.effort = 1;
  best.bound = root;
  if (root <= std::max(best.value + options.tolerance, options.enough)) return best;
  keep_better(ascend(block, box, majority(box, votes_of(block, box))), best);
  const bool by_memory = options.evidence != Evidence::reach, by_reach = options.evidence != Evidence::memory;
  const bool few = program_.shape().features <= kFewFeatures;
  std::size_t left = options.max_effort;
  // Each way of proving takes up what the last one left open.
  const auto go_on = [&](std::size_t effort, const auto& prove_it) {
    if (left == 0 || best.bound <= std::max(best.value + options.tolerance, options.enough)) return;
    ProofOptions part = options;
    part.max_effort = std::min(effort, left);
    const Priced before = best;
    prove_it(part);
    left -= std::min(left, best.effort);
    best.bound = std::min(best.bound, before.bound);
    best.nodes += before.nodes;
    best.effort += before.effort;
  };
  const auto along_time = [&](const ProofOptions& part) { Stepwise(*this, block, box, part, best).run(root); };
  if (by_memory && few) go_on(by_reach ? kFirstEffort : left / 2 + 1, along_time);
  if (by_reach)
    go_on(by_memory ? left / 2 : left, [&](const ProofOptions& part) { prove_by_reach(block, box, part, best); });
  if (by_memory && by_reach && few) go_on(left / 2, along_time);
  if (by_memory)
    go_on(left, [&](const ProofOptions& part) {
      try {
        best = prove_by_entries(block, box, best.accept, part);
      } catch (const OutOfTime&) {
        best.nodes = best.effort = 0;
      }
    });
  return best;
}

Priced Pricing::prove_by_entries(std::size_t block, const Box& box, std::span<const double> known,
                                 const ProofOptions& options) {
  struct Node {
    double bound;
    Box box;
    std::size_t branch;  ///< the entry where memory matters most
  };
  Priced best;
  best.value = -kInfinity;
  const auto offer = [&](std::span<const double> table) { keep_better(ascend(block, box, table), best); };
  if (!known.empty()) offer(known);

  BestFirst<Node> tree;  // set aside: nodes that cannot be split further
  const auto settled = [&] { return std::max({tree.aside(), best.value + options.tolerance, options.enough}); };
  const auto visit = [&](Box node_box, double parent) {
    ++best.nodes;
    // A child's bound can only exceed its parent's by rounding.
    const double bound = std::min(parent, remembering_bound(block, node_box));
    if (bound <= settled()) {  // never split, so nobody asks where
      tree.push({bound, {}, 0});
      return;
    }
    const Votes votes = votes_of(block, node_box);
    // Ascents find the best table early or not at all; later ones are there for what is left.
    if (best.nodes <= 16 || best.nodes % 16 == 0) offer(majority(node_box, votes));
    std::size_t branch = 0;
    double score = -1;
    for (std::size_t i = 0; i < node_box.lo.size(); ++i) {
      if (node_box.lo[i] == node_box.hi[i]) continue;
      const double less = std::min(votes.in_favour[i], votes.against[i]);
      const double here = less > 0 ? less + kStake * std::max(votes.in_favour[i], votes.against[i]) : 0;
      if (here > score) {
        score = here;
        branch = i;
      }
    }
    if (score <= 0)
      tree.set_aside(bound);
    else
      tree.push({bound, std::move(node_box), branch});
  };
  visit(box, kInfinity);
  const auto done = [&](double bound) { return best.nodes >= options.max_effort || bound <= settled(); };
  tree.run(done, [&](Node node) {
    Box left = node.box;
    left.hi[node.branch] = left.lo[node.branch];
    node.box.lo[node.branch] = node.box.hi[node.branch];
    visit(std::move(left), node.bound);
    visit(std::move(node.box), node.bound);
  });
  best.bound = std::max(best.value, tree.bound());
  best.effort = best.nodes;
  return best;
}

}  // namespace fairstep
