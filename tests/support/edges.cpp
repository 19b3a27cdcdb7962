#include "support/edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <fairstep/core/rng.hpp>

#include "support/models.hpp"

namespace fairstep::testing {
namespace {

bool coin(Rng& rng) { return rng.uniform() < 0.5; }

template <class T, std::size_t kSize>
T one_of(Rng& rng, const std::array<T, kSize>& all) {
  return all[static_cast<std::size_t>(rng.uniform() * static_cast<double>(kSize))];
}

/// A distribution over the states whose label is allowed. An extreme one has nearly everybody in one state.
void draw_row(std::span<double> row, Rng& rng, bool extreme, bool may_be_unqualified, bool may_be_qualified) {
  double sum = 0;
  for (std::size_t s = 0; s < row.size(); ++s) {
    const bool allowed = s % kLabels == 0 ? may_be_unqualified : may_be_qualified;
    const double part = extreme ? one_of(rng, std::array{0.0, 1e-300, 1e-12, 1e-9}) : 0.05 + rng.uniform();
    row[s] = allowed ? part : 0;
    sum += row[s];
  }
  if (!extreme) {
    for (double& p : row) p /= sum;
    return;
  }
  // The first state that may be takes the rest: 1 - 1e-12, or so.
  const std::size_t features = row.size() / kLabels;
  std::size_t main = static_cast<std::size_t>(rng.uniform() * static_cast<double>(features)) * kLabels;
  if (!may_be_unqualified || (may_be_qualified && coin(rng))) ++main;
  row[main] = 1 - (sum - row[main]);
}

}  // namespace

std::string describe(const Edges& e) {
  std::string text = std::to_string(e.groups) + " groups, " + std::to_string(e.features) + " features, horizon " +
                     std::to_string(e.horizon) + ", discount " + std::to_string(e.discount);
  if (e.extreme_rows) text += ", rows of almost 0 and 1";
  if (e.lacking == Lacking::qualified_at_first) text += ", nobody qualified at first";
  if (e.lacking == Lacking::qualified_ever) text += ", nobody ever qualified";
  if (e.lacking == Lacking::either_in_turn) text += ", labels in turn";
  if (e.reward_scale != 1) text += e.reward_scale > 1 ? ", huge rewards" : ", tiny rewards";
  if (e.equal_groups) text += ", equal groups";
  return text + ", " + name_of(e.notion) + " " + std::to_string(e.limit) + ", floor " + std::to_string(e.floor);
}

Edges draw_edges(std::uint64_t seed, std::size_t longest) {
  Rng rng(seed, 601);
  Edges e;
  e.groups = coin(rng) ? 2 : 3;
  e.features = coin(rng) ? 1 : 2 + static_cast<std::size_t>(2 * rng.uniform());
  e.horizon = coin(rng) ? 1 : 1 + static_cast<std::size_t>(rng.uniform() * static_cast<double>(longest));
  e.discount = coin(rng) ? 1 : one_of(rng, std::array{1e-12, 0.5, 1 - 1e-12});
  e.extreme_rows = coin(rng);
  e.lacking =
      coin(rng)
          ? Lacking::none
          : one_of(rng, std::array{Lacking::qualified_at_first, Lacking::qualified_ever, Lacking::either_in_turn});
  e.reward_scale = coin(rng) ? 1 : one_of(rng, std::array{1e9, 1e-9});
  e.equal_groups = rng.uniform() < 0.25;
  e.notion = one_of(rng, std::array{Notion::dp, Notion::eqopt, Notion::eqodds});
  e.limit = one_of(rng, std::array{0.0, 1e-12, 0.1, 1.0});
  e.floor = coin(rng) ? 0 : one_of(rng, std::array{0.5, 0.1, 1e-12});
  return e;
}

Model edge_model(const Edges& e, std::uint64_t seed) {
  Rng rng(seed, 602);
  ModelSpec spec;
  spec.horizon = e.horizon;
  spec.discount = e.discount;
  spec.share.assign(e.groups, 1.0 / static_cast<double>(e.groups));
  if (e.extreme_rows) {  // hardly anybody is in any group but the first
    spec.share.assign(e.groups, 1e-12);
    spec.share[0] = 1 - 1e-12 * static_cast<double>(e.groups - 1);
  }
  for (std::size_t g = 0; g < e.groups; ++g) spec.names.groups.push_back(std::string("g").append(std::to_string(g)));
  for (std::size_t x = 0; x < e.features; ++x)
    spec.names.features.push_back(std::string("x").append(std::to_string(x)));
  spec.initial = Tensor<double, 3>({e.groups, e.features, kLabels});
  spec.transition = Tensor<double, 6>({e.groups, e.features, kLabels, kActions, e.features, kLabels});
  spec.reward = Tensor<double, 4>({e.groups, e.features, kLabels, kActions});
  const std::uint64_t stream = rng();
  for (std::size_t g = 0; g < e.groups; ++g) {
    Rng own(stream, e.equal_groups ? 0 : g);
    const Lacking lacking = g + 1 == e.groups || e.equal_groups ? e.lacking : Lacking::none;
    draw_row(spec.initial.block(g), own, e.extreme_rows, true, lacking == Lacking::none);
    for (std::size_t x = 0; x < e.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          const bool to_unqualified = lacking != Lacking::either_in_turn || y == 1;
          const bool to_qualified = lacking == Lacking::either_in_turn ? y == 0 : lacking != Lacking::qualified_ever;
          draw_row(spec.transition.block(g, x, y, a), own, e.extreme_rows && coin(own), to_unqualified, to_qualified);
          spec.reward(g, x, y, a) = e.reward_scale * (2 * own.uniform() - 1);
        }
  }
  return unwrap(Model::make(std::move(spec)));
}

Policy edge_policy(const Model& model, std::uint64_t seed) {
  Rng rng(seed, 603);
  const Shape& n = model.shape();
  Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  for (double& p : accept.flat())
    p = coin(rng) ? rng.uniform() : one_of(rng, std::array{0.0, 1e-12, 0.5, 1 - 1e-12, 1.0});
  return unwrap(Policy::make(std::move(accept), model.names().groups));
}

double size_of(const Model& model) {
  const Range rewards = model.reward_range();
  return static_cast<double>(model.shape().horizon) * std::max(std::abs(rewards.low), std::abs(rewards.high));
}

}  // namespace fairstep::testing
