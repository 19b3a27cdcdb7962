#include <fairstep/optimise/internal/pricing.hpp>

#include <algorithm>
#include <cmath>
#include <queue>

#include <fairstep/evaluate/passes.hpp>

namespace fairstep {

Pricing::Pricing(const Program& program, std::size_t grid_points) : program_(program) {
  const Shape& n = program.shape();
  for (std::size_t g = 0; g < n.groups; ++g) {
    grids_.emplace_back(*program.model, g, grid_points);
    reward_.emplace_back(n.horizon * n.cells());
    advantage_.emplace_back();
    mass_.emplace_back(n.horizon * n.states());
  }
  next_.resize(n.groups * n.states());
  here_.resize(n.groups * n.states());
  q_.resize(n.groups * n.cells());
  gain_.resize(n.features);
}

void Pricing::set_prices(std::span<const double> price, double value_weight) {
  for (std::size_t g = 0; g < program_.shape().groups; ++g) price_rewards(program_, g, price, value_weight, reward_[g]);
}

Priced Pricing::ascend(std::size_t block, const Box& box, std::span<const double> start) {
  const Shape& n = program_.shape();
  const Model& model = *program_.model;
  Priced result;
  result.accept.assign(start.begin(), start.end());
  result.value = -std::numeric_limits<double>::infinity();
  // Each sweep is at least as good as the last; it ends when a sweep changes nothing. The cap is never met in practice.
  for (int sweep = 0; sweep < 50; ++sweep) {
    for (const std::size_t g : program_.blocks[block].groups)
      forward(model.kernel(g), model.initial(g), result.accept, mass_[g]);
    std::fill(next_.begin(), next_.end(), 0.0);
    bool changed = false;
    double total = 0;
    for (std::size_t h = n.horizon; h-- > 0;) {
      std::fill(gain_.begin(), gain_.end(), 0.0);
      for (const std::size_t g : program_.blocks[block].groups) {
        const KernelView kernel = model.kernel(g);
        const double* pay = reward_[g].data() + h * n.cells();
        double* q = q_.data() + g * n.cells();
        for (std::size_t cell = 0; cell < n.cells(); ++cell)
          q[cell] = pay[cell] + (h + 1 < n.horizon ? kernel.expect(cell, next_.data() + g * n.states()) : 0.0);
        for (std::size_t s = 0; s < n.states(); ++s)
          gain_[s / kLabels] += mass_[g][h * n.states() + s] * (q[2 * s + 1] - q[2 * s]);
      }
      for (std::size_t x = 0; x < n.features; ++x) {
        const std::size_t at = h * n.features + x;
        const double best = gain_[x] > 0 ? box.hi[at] : box.lo[at];
        changed = changed || best != result.accept[at];
        result.accept[at] = best;
      }
      for (const std::size_t g : program_.blocks[block].groups) {
        const double* q = q_.data() + g * n.cells();
        double* v = here_.data() + g * n.states();
        for (std::size_t s = 0; s < n.states(); ++s) {
          const double p = result.accept[h * n.features + s / kLabels];
          v[s] = (1 - p) * q[2 * s] + p * q[2 * s + 1];
          if (h == 0) total += mass_[g][s] * v[s];
        }
      }
      std::swap(here_, next_);
    }
    const double before = result.value;
    result.value = total;
    if (!changed || total <= before + 1e-15 * std::abs(before)) break;
  }
  return result;
}

double Pricing::remembering_bound(std::size_t block, const Box& box) {
  double total = 0;
  for (const std::size_t g : program_.blocks[block].groups)
    total += grids_[g].bound(reward_[g], box.lo, box.hi, advantage_[g], scratch_);
  return total;
}

Pricing::Votes Pricing::votes_of(std::size_t block, const Box& box) {
  Votes votes{std::vector<double>(box.lo.size(), 0.0), std::vector<double>(box.lo.size(), 0.0)};
  for (const std::size_t g : program_.blocks[block].groups)
    grids_[g].add_votes(advantage_[g], box.lo, box.hi, votes.in_favour, votes.against, scratch_);
  return votes;
}

std::vector<double> Pricing::majority(const Box& box, const Votes& votes) {
  std::vector<double> table(box.lo.size());
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = votes.in_favour[i] > votes.against[i] ? box.hi[i] : box.lo[i];
  return table;
}

Priced Pricing::search(std::size_t block, const Box& box, std::span<const std::vector<double>> starts) {
  remembering_bound(block, box);
  Priced best = ascend(block, box, majority(box, votes_of(block, box)));
  for (const std::vector<double>& start : starts) {
    Priced other = ascend(block, box, start);
    if (other.value > best.value) best = std::move(other);
  }
  return best;
}

Priced Pricing::prove(std::size_t block, const Box& box, std::span<const double> known, const ProofOptions& options) {
  struct Node {
    double bound;
    Box box;
    std::size_t branch;  ///< the entry where memory matters most
    double score;
    bool operator<(const Node& other) const { return bound < other.bound; }
  };
  Priced best;
  best.value = -std::numeric_limits<double>::infinity();
  const auto offer = [&](std::span<const double> table) {
    Priced found = ascend(block, box, table);
    if (found.value > best.value) {
      best.value = found.value;
      best.accept = std::move(found.accept);
    }
  };
  if (!known.empty()) offer(known);

  std::priority_queue<Node> open;
  double closed = -std::numeric_limits<double>::infinity();  // bounds of nodes that cannot be split further
  const auto settled = [&] { return std::max({closed, best.value + options.tolerance, options.enough}); };
  const auto visit = [&](Box node_box, double parent) {
    ++best.nodes;
    // A child's bound can only exceed its parent's by rounding.
    const double bound = std::min(parent, remembering_bound(block, node_box));
    if (bound <= settled()) {  // never split, so nobody asks where
      open.push({bound, {}, 0, 0});
      return;
    }
    const Votes votes = votes_of(block, node_box);
    // Ascents find the best table early or not at all; later ones are there for what is left.
    if (best.nodes <= 16 || best.nodes % 16 == 0) offer(majority(node_box, votes));
    std::size_t branch = 0;
    double score = -1;
    for (std::size_t i = 0; i < node_box.lo.size(); ++i) {
      if (node_box.lo[i] == node_box.hi[i]) continue;
      const double here = std::min(votes.in_favour[i], votes.against[i]);
      if (here > score) {
        score = here;
        branch = i;
      }
    }
    if (score <= 0)
      closed = std::max(closed, bound);
    else
      open.push({bound, std::move(node_box), branch, score});
  };
  visit(box, std::numeric_limits<double>::infinity());
  const auto proven = [&] { return std::max({best.value, closed, open.empty() ? closed : open.top().bound}); };
  while (!open.empty() && best.nodes < options.max_nodes) {
    const double bound = open.top().bound;
    if (bound <= settled()) break;
    Node node = open.top();
    open.pop();
    Box left = node.box;
    left.hi[node.branch] = left.lo[node.branch];
    node.box.lo[node.branch] = node.box.hi[node.branch];
    visit(std::move(left), bound);
    visit(std::move(node.box), bound);
  }
  best.bound = proven();
  return best;
}

}  // namespace fairstep
