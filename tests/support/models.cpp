#include "support/models.hpp"

#include <string>

#include <fairstep/core/rng.hpp>

namespace fairstep::testing {
namespace {

template <class Row>
void fill_distribution(Row row, Rng& rng) {
  double sum = 0;
  for (double& p : row) sum += p = 0.05 + rng.uniform();
  for (double& p : row) p /= sum;
}

}  // namespace

Model random_model(std::uint64_t seed, std::size_t groups, std::size_t features, std::size_t horizon, double discount) {
  Rng rng(seed, 77);
  ModelSpec spec;
  spec.horizon = horizon;
  spec.discount = discount;
  for (std::size_t g = 0; g < groups; ++g) spec.names.groups.push_back(std::string("g").append(std::to_string(g)));
  for (std::size_t x = 0; x < features; ++x) spec.names.features.push_back(std::string("x").append(std::to_string(x)));
  spec.share.resize(groups);
  fill_distribution(std::span(spec.share), rng);
  spec.initial = Tensor<double, 3>({groups, features, kLabels});
  spec.transition = Tensor<double, 6>({groups, features, kLabels, kActions, features, kLabels});
  spec.reward = Tensor<double, 4>({groups, features, kLabels, kActions});
  for (std::size_t g = 0; g < groups; ++g) {
    fill_distribution(spec.initial.block(g), rng);
    for (std::size_t x = 0; x < features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          fill_distribution(spec.transition.block(g, x, y, a), rng);
          spec.reward(g, x, y, a) = 2 * rng.uniform() - 1;
        }
  }
  return unwrap(Model::make(std::move(spec)));
}

Policy random_policy(std::uint64_t seed, const Model& model) {
  Rng rng(seed, 78);
  const Shape& n = model.shape();
  Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  for (double& p : accept.flat()) p = rng.uniform();
  return unwrap(Policy::make(std::move(accept), model.names().groups));
}

Model hand_model() {
  ModelSpec spec;
  spec.horizon = 2;
  spec.names.groups = {"a", "b"};
  spec.names.features = {"low", "high"};
  spec.share = {0.75, 0.25};
  spec.initial = Tensor<double, 3>({2, 2, kLabels});
  spec.transition = Tensor<double, 6>({2, 2, kLabels, kActions, 2, kLabels});
  spec.reward = Tensor<double, 4>({2, 2, kLabels, kActions});
  for (std::size_t g = 0; g < 2; ++g) {
    // a: P(high) = 1/2, P(y=1 | low) = 1/4, P(y=1 | high) = 3/4.  b: everybody low, P(y=1) = 1/2.
    if (g == 0) {
      spec.initial(g, 0, 0) = 0.375;
      spec.initial(g, 0, 1) = 0.125;
      spec.initial(g, 1, 0) = 0.125;
      spec.initial(g, 1, 1) = 0.375;
    } else {
      spec.initial(g, 0, 0) = spec.initial(g, 0, 1) = 0.5;
    }
    for (std::size_t x = 0; x < 2; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        // Refused: stay as you are. Accepted and qualified: (high,1). Accepted and unqualified: (low,0) or (high,0),
        // even.
        spec.transition(g, x, y, 0, x, y) = 1;
        if (y == 1) {
          spec.transition(g, x, y, 1, 1, 1) = 1;
        } else {
          spec.transition(g, x, y, 1, 0, 0) = 0.5;
          spec.transition(g, x, y, 1, 1, 0) = 0.5;
        }
        spec.reward(g, x, y, 1) = y == 1 ? 1.0 : -0.5;
      }
  }
  return unwrap(Model::make(std::move(spec)));
}

}  // namespace fairstep::testing
