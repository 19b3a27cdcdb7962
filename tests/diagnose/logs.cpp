#include "diagnose/logs.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include <fairstep/core/policy.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep::testing {
namespace {

Model model_of(std::uint64_t number, Rng& rng) {
  const auto horizon = static_cast<std::size_t>(3 + rng() % 8);
  switch (number % 5) {
    case 0: {
      FicoOptions options;
      options.horizon = horizon;
      return unwrap(make_fico(options));
    }
    case 1: {
      SyntheticOptions options;
      options.horizon = horizon;
      return unwrap(make_synthetic(options));
    }
    case 2: {
      LendingOptions options;
      options.horizon = horizon;
      return unwrap(make_lending(options));
    }
    default: {
      RandomOptions options;
      options.seed = 1 + number;
      options.horizon = number % 5 == 3 ? horizon : 2 * horizon;
      options.features = 1 + rng() % 6;
      options.groups = 2 + rng() % 2;
      options.successors = rng() % 2 == 0 ? 0 : 1 + rng() % (2 * options.features);
      options.participation = rng() % 2 == 0;
      return unwrap(make_random(options));
    }
  }
}

/// Each entry of its own: never, always, or anything between.
Policy policy_for(const Model& model, Rng& rng) {
  const Shape& n = model.shape();
  Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  for (double& p : accept.flat()) {
    const std::uint64_t kind = rng() % 4;
    p = kind == 0 ? 0 : kind == 1 ? 1 : rng.uniform();
  }
  return unwrap(Policy::make(std::move(accept)));
}

}  // namespace

Counts obeying_log(std::uint64_t number) {
  Rng rng(number, 0x6F626579);
  const Model model = model_of(number, rng);
  const Policy policy = policy_for(model, rng);
  SimulateOptions options;
  // From 8 people to 20,000, evenly by size.
  options.crowd = {static_cast<std::uint64_t>(8 * std::pow(2500.0, rng.uniform())), rng() % 2 == 0};
  options.seed = number;
  options.history = true;
  return unwrap(simulate_people(model, policy, options));
}

Counts breaching_log(std::uint64_t people, const Breach& breach, std::uint64_t seed) {
  const Model model = unwrap(make_fico());
  const Shape& n = model.shape();
  CountsSpec counts = CountsSpec::zeros(n.horizon, model.names());
  HistoryCounter history(n);
  Rng rng(seed, 0x627265616B);
  const auto draw = [&](std::span<const double> row) {
    double left = rng.uniform() * std::accumulate(row.begin(), row.end(), 0.0);
    std::size_t s = 0;
    while (s + 1 < row.size() && (left -= row[s]) >= 0) ++s;
    return s;
  };
  for (std::uint64_t person = 0; person < people; ++person) {
    const std::size_t g = person % 2;
    std::size_t s = draw(model.initial(g));
    ++counts.first(g, s / kLabels, s % kLabels);
    std::size_t before = 0;
    for (std::size_t h = 0; h < n.horizon; ++h) {
      const std::size_t a = rng.uniform() < breach.peek ? s % kLabels : rng.uniform() < 0.5 ? 1 : 0;
      ++counts.visits(g, h, s / kLabels, s % kLabels, a);
      history.add({g, h, s / kLabels, s % kLabels, a}, h > 0);
      if (h + 1 == n.horizon || (h > 0 && before == 0 && rng.uniform() < breach.grudge)) break;
      std::size_t next = draw({model.kernel(g, 0).row(kActions * s + a), n.states()});
      if (2 * h >= n.horizon && rng.uniform() < breach.shift) next = 0;
      if (h > 0 && before == 1 && rng.uniform() < breach.memory) next = 0;
      ++counts.transitions(g, s / kLabels, s % kLabels, a, next / kLabels, next % kLabels);
      before = a;
      s = next;
    }
  }
  counts.history = history.finish();
  return made(std::move(counts));
}

}  // namespace fairstep::testing
