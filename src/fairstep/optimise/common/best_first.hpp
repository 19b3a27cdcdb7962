// Branch and bound, best first: of all open nodes the one with the greatest bound is next, so that the bound of them
// all falls with every node.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {

/// A Node has a `bound` on all that is in it.
template <class Node>
class BestFirst {
 public:
  void push(Node node) {
    open_.push_back(std::move(node));
    std::push_heap(open_.begin(), open_.end(), is_worse);
  }

  /// What is not looked at again counts for the bound all the same.
  void set_aside(double bound) { aside_ = std::max(aside_, bound); }
  /// The greatest bound of what was set aside.
  [[nodiscard]] double aside() const { return aside_; }

  /// Nothing is open, and nothing was left half done.
  [[nodiscard]] bool finished() const { return open_.empty() && !cut_short_; }
  /// What nothing exceeds that is open or was set aside.
  [[nodiscard]] double bound() const { return std::max(aside_, open_.empty() ? -kInfinity : open_.front().bound); }

  /// Takes node after node, `expand(Node)`, which pushes what becomes of it, until nothing is open or `done(bound)`
  /// says of the next one's bound that it need not be looked at. A node that runs out of time is as open as it was: it
  /// ends the search and counts for its bound.
  template <class Done, class Expand>
  void run(const Done& done, const Expand& expand) {
    while (!open_.empty() && !done(open_.front().bound)) {
      std::pop_heap(open_.begin(), open_.end(), is_worse);
      Node node = std::move(open_.back());
      open_.pop_back();
      const double bound = node.bound;
      try {
        expand(std::move(node));
      } catch (const OutOfTime&) {
        cut_short_ = true;
        set_aside(bound);
        return;
      }
    }
  }

 private:
  static bool is_worse(const Node& one, const Node& other) { return one.bound < other.bound; }

  std::vector<Node> open_{};  ///< a heap, the greatest bound first
  double aside_ = -kInfinity;
  bool cut_short_ = false;
};

}  // namespace fairstep
