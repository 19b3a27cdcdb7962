#include "support/changing.hpp"

#include <string>
#include <utility>

#include <fairstep/core/rng.hpp>

#include "support/models.hpp"

namespace fairstep::testing {

Model changing_model(std::uint64_t seed, std::size_t groups, std::size_t features, std::size_t horizon,
                     const Periods& periods) {
  ModelSpec spec = random_model(seed, groups, features, horizon).spec();
  Rng rng(seed, 79);
  spec.periods = periods;
  spec.transition = ByPeriod<double, 6>({groups, features, kLabels, kActions, features, kLabels}, periods.number());
  const std::size_t states = features * kLabels;
  for (std::size_t row = 0; row < spec.transition.all().size() / states; ++row) {
    double sum = 0;
    const auto entries = spec.transition.all().subspan(row * states, states);
    for (double& p : entries) sum += p = 0.05 + rng.uniform();
    for (double& p : entries) p /= sum;
  }
  return unwrap(Model::make(std::move(spec)));
}

Model in_copies(const Model& model) {
  const Shape& n = model.shape();
  ModelSpec spec = model.spec();
  spec.periods = {};
  const std::size_t copies = n.horizon * n.features;
  spec.names.features.clear();
  for (std::size_t f = 0; f < copies; ++f)
    spec.names.features.push_back("step " + std::to_string(f / n.features) + " x" + std::to_string(f % n.features));
  spec.initial = Tensor<double, 3>({n.groups, copies, kLabels});
  spec.transition = Tensor<double, 6>({n.groups, copies, kLabels, kActions, copies, kLabels});
  spec.reward = Tensor<double, 4>({n.groups, copies, kLabels, kActions});
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y) {
          const std::size_t here = h * n.features + x;
          if (h == 0) spec.initial(g, here, y) = model.spec().initial(g, x, y);
          for (std::size_t a = 0; a < kActions; ++a) {
            spec.reward(g, here, y, a) = model.spec().reward(g, x, y, a);
            if (h + 1 == n.horizon) {
              spec.transition(g, here, y, a, here, y) = 1;
              continue;
            }
            const auto row = model.spec().transition.of(g, model.periods().of(h), x, y, a);
            for (std::size_t x1 = 0; x1 < n.features; ++x1)
              for (std::size_t y1 = 0; y1 < kLabels; ++y1)
                spec.transition(g, here, y, a, (h + 1) * n.features + x1, y1) = row[state_of(x1, y1)];
          }
        }
  return unwrap(Model::make(std::move(spec)));
}

Policy in_copies(const Policy& policy, const Model& model) {
  const Shape& n = model.shape();
  Tensor<double, 3> accept({n.groups, n.horizon, n.horizon * n.features});
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t f = 0; f < n.horizon * n.features; ++f)
        accept(g, h, f) = policy.accept(g, f / n.features, f % n.features);
  return unwrap(Policy::make(std::move(accept), model.names().groups));
}

}  // namespace fairstep::testing
