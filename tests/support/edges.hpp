// Questions at the edge of what arithmetic stands: what is drawn here is unusual in several ways at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep::testing {

/// Whom a group lacks: a rate among the qualified, or among the others, is then a rate of nobody.
enum class Lacking {
  none,
  qualified_at_first,  ///< P(y=1) = 0 at the first step
  qualified_ever,      ///< P(y=1) = 0 at every step
  either_in_turn,      ///< all are unqualified, then all qualified, then all unqualified again, ...
};

/// What is unusual about a model, and about what is asked of a policy for it.
struct Edges {
  std::size_t groups = 2;
  std::size_t features = 2;
  std::size_t horizon = 3;
  double discount = 1;
  bool extreme_rows = false;  ///< rows of 1e-12, 1e-300, 0 and almost 1
  Lacking lacking = Lacking::none;
  double reward_scale = 1;
  bool equal_groups = false;
  Notion notion = Notion::dp;
  double limit = 0.1;
  double floor = 0;
};

/// "3 groups, 1 feature, horizon 200, rows of almost 0 and 1, ..."
std::string describe(const Edges& edges);

/// Any of the edges, each with a probability of about 1/2; the horizon is at most `longest`.
Edges draw_edges(std::uint64_t seed, std::size_t longest = 4);

/// The same for the same seed. The last group is the one that lacks somebody.
Model edge_model(const Edges& edges, std::uint64_t seed);

/// Accepts with probability 0, 1e-12, 1/2, 1 - 1e-12, 1 or anything else.
Policy edge_policy(const Model& model, std::uint64_t seed);

/// What anybody can earn or lose at most.
double size_of(const Model& model);

}  // namespace fairstep::testing
