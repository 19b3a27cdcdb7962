// A proof of prices by how far tables can move people: entries are settled one by one, wherever a chord gives most
// away.
#include <algorithm>
#include <utility>

#include <fairstep/optimise/common/best_first.hpp>
#include <fairstep/optimise/pricing/affine_bound.hpp>
#include <fairstep/optimise/pricing/pricing.hpp>

namespace fairstep {
namespace {

/// Multiplications that take a unit of effort.
constexpr std::size_t kWorkPerUnit = 40'000;
/// Tables near the bound are looked at in the first nodes, and in every so many later ones.
constexpr std::size_t kNodesWithLook = 16;
/// Of the tolerance, what ranges are narrowed for: they are those of tables that are worth more than this leaves.
constexpr double kCutoffShare = 0.25;

}  // namespace

void Pricing::prove_by_reach(std::size_t block, const Box& box, const ProofOptions& options, Priced& best) {
  struct Node {
    double bound;
    Box box;
    Reach reach;
  };
  AffineBound affine(program_, block, reward_, deadline_);
  best.nodes = best.effort = 0;
  if (affine.least_work() / kWorkPerUnit > options.max_effort) return;
  BestFirst<Node> tree;
  tree.push({best.bound, box, affine.first_reach()});
  std::size_t work = 0;
  const auto settled = [&] { return std::max(best.value + options.tolerance, options.enough); };
  const auto done = [&](double bound) { return work / kWorkPerUnit >= options.max_effort || bound <= settled(); };
  tree.run(done, [&](Node node) {
    const double cutoff = settled() - (1 - kCutoffShare) * options.tolerance;
    const AffineBound::Result here = affine.bound({cutoff, settled()}, node.box, node.reach);
    work += here.work;
    node.bound = std::min(node.bound, std::max(here.bound, cutoff));
    ++best.nodes;
    const bool look = best.nodes <= kNodesWithLook || best.nodes % kNodesWithLook == 0;
    if (look && !here.accept.empty()) keep_better(ascend(block, box, here.accept), best);
    if (node.bound <= settled() || here.given_away <= 0) {
      tree.set_aside(node.bound);
      return;
    }
    // The entry may have been settled meanwhile, in a later round than that of the bound.
    if (node.box.lo[here.entry] < node.box.hi[here.entry]) {
      Node other = node;
      other.box.lo[here.entry] = other.box.hi[here.entry];
      tree.push(std::move(other));
      node.box.hi[here.entry] = node.box.lo[here.entry];
    }
    tree.push(std::move(node));
  });
  best.bound = std::max(best.value, tree.bound());
  best.effort = 1 + work / kWorkPerUnit;
}

}  // namespace fairstep
