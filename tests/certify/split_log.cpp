#include "split_log.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include <fairstep/core/split.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep::testing {
namespace {

std::size_t one_of(std::size_t n, Rng& rng) { return static_cast<std::size_t>(rng.uniform() * static_cast<double>(n)); }

void fill_nasty(std::span<double> row, std::size_t kind, Rng& rng) {
  std::fill(row.begin(), row.end(), 0.0);
  const std::size_t one = one_of(row.size(), rng);
  const std::size_t other = (one + 1 + one_of(row.size() - 1, rng)) % row.size();
  if (kind < 3) {  // certain, nearly certain, of two states
    const double rest = kind == 0 ? 0 : kind == 1 ? 0.05 * rng.uniform() : rng.uniform();
    row[one] = 1 - rest;
    row[other] = rest;
    return;
  }
  double sum = 0;
  for (double& p : row) sum += p = kind == 3 ? 0.05 + rng.uniform() : 1e-6 + std::pow(rng.uniform(), 8);
  for (double& p : row) p /= sum;
}

double nasty_entry(Rng& rng) {
  constexpr double entries[] = {0, 0.01, 0.5, 0.99, 1};
  const std::size_t i = one_of(8, rng);
  return i < 5 ? entries[i] : rng.uniform();
}

Names names_for(const Shape& shape) {
  Names names;
  for (std::size_t g = 0; g < shape.groups; ++g) names.groups.push_back(std::string("g").append(std::to_string(g)));
  for (std::size_t x = 0; x < shape.features; ++x) names.features.push_back(std::string("x").append(std::to_string(x)));
  return names;
}

std::size_t draw_state(std::span<const double> row, double chance) {
  std::size_t s = 0;
  for (; s + 1 < row.size() && chance >= row[s]; ++s) chance -= row[s];
  return s;
}

}  // namespace

Model nasty_model(std::uint64_t seed, const Shape& shape) {
  Rng rng(seed, 81);
  const auto [groups, horizon, features, periods] = shape;
  ModelSpec spec;
  spec.horizon = horizon;
  for (std::size_t k = 0; k < periods && periods > 1; ++k)
    spec.periods.list.push_back({std::string("from ").append(std::to_string(k)), k});
  spec.names = names_for(shape);
  spec.discount = seed % 3 == 0 ? 0.9 : 1;
  double sum = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    spec.share.push_back(0.05 + rng.uniform());
    sum += spec.share.back();
  }
  for (double& share : spec.share) share /= sum;
  spec.initial = Tensor<double, 3>({groups, features, kLabels});
  spec.transition = ByPeriod<double, 6>({groups, features, kLabels, kActions, features, kLabels}, periods);
  spec.reward = Tensor<double, 4>({groups, features, kLabels, kActions});
  for (std::size_t g = 0; g < groups; ++g) {
    fill_nasty(spec.initial.block(g), 1 + one_of(4, rng), rng);
    for (std::size_t x = 0; x < features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          for (std::size_t k = 0; k < periods; ++k) fill_nasty(spec.transition.of(g, k, x, y, a), one_of(5, rng), rng);
          spec.reward(g, x, y, a) = 2 * rng.uniform() - 1;
        }
  }
  return unwrap(Model::make(std::move(spec)));
}

Policy nasty_policy(std::uint64_t seed, const Shape& shape) {
  Rng rng(seed, 82);
  Tensor<double, 3> accept({shape.groups, shape.horizon, shape.features});
  for (double& p : accept.flat()) p = nasty_entry(rng);
  return unwrap(Policy::make(std::move(accept)));
}

std::vector<Person> draw_crowd(const Model& model, const Policy& policy, const std::vector<std::size_t>& people,
                               Presence presence, Rng& rng) {
  const Shape& n = model.shape();
  std::vector<Person> crowd;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t i = 0; i < people[g]; ++i) {
      Person person;
      const bool open = presence == Presence::open;
      std::size_t s = draw_state(model.initial(g), rng.uniform());
      for (std::size_t h = open && rng.uniform() < 0.5 ? one_of(n.horizon, rng) : 0; h < n.horizon; ++h) {
        const std::size_t x = s / kLabels, y = s % kLabels;
        const std::size_t a = rng.uniform() < policy.accept(g, h, x) ? 1 : 0;
        person.push_back({g, h, x, y, a, model.spec().reward(g, x, y, a)});
        // Whom it serves ill leaves sooner.
        if (open && rng.uniform() < (y == 1 && a == 0 ? 0.4 : 0.1)) break;
        s = draw_state(model.spec().transition.of(g, model.periods().of(h), x, y, a), rng.uniform());
      }
      crowd.push_back(std::move(person));
    }
  return crowd;
}

void call_parts(Parts& parts, double share) {
  const std::string log = fingerprint(parts.design);
  const auto part = [&](PartRole role) { return Part{role, {share, 1}, {log}}; };
  const auto call = [&](const Counts& counts, PartRole role) {
    return changed(counts, [&](CountsSpec& spec) { spec.part = part(role); });
  };
  parts = {call(parts.design, PartRole::design), call(parts.audit, PartRole::audit)};
}

std::vector<std::size_t> draw_design(const std::vector<std::size_t>& people, double share, Rng& rng) {
  std::vector<std::size_t> design;
  for (const std::size_t all : people) {
    std::size_t& here = design.emplace_back(0);
    for (std::size_t i = 0; i < all; ++i) here += rng.uniform() < share ? 1 : 0;
  }
  return design;
}

double looks(const Model& model, const Policy& policy, Looks by) {
  const Evaluation found = unwrap(evaluate(model, policy));
  if (by == Looks::value) return -found.value;
  double worst = 0;
  for (const StepGap& step : by == Looks::dp ? found.gap.dp : found.gap.eqodds)
    if (!std::isnan(step.gap)) worst = std::max(worst, step.gap);
  return worst;
}

Policy pick_policy(const Counts& counts, const Model& rewards, Looks by, int candidates, Rng& rng) {
  const Shape n = counts.shape();
  EstimateOptions how;
  how.share = rewards.spec().share;
  ModelSpec spec = unwrap(estimate(counts, how)).model.spec();
  spec.reward = rewards.spec().reward;
  const Model model = unwrap(Model::make(std::move(spec)));
  Tensor<double, 3> best({n.groups, n.horizon, n.features});
  double least = 1e300;
  const auto consider = [&](const Tensor<double, 3>& accept) {
    const double looks_like = looks(model, unwrap(Policy::make(accept)), by);
    if (looks_like >= least) return;
    least = looks_like;
    best = accept;
  };
  for (int i = 0; i < candidates; ++i) {
    Tensor<double, 3> accept = best;
    for (double& p : accept.flat()) p = nasty_entry(rng);
    consider(accept);
  }
  for (int i = 0; i < candidates; ++i) {
    Tensor<double, 3> accept = best;
    double& entry = accept.flat()[one_of(accept.size(), rng)];
    const double step = std::pow(10, -3 * rng.uniform()) * (2 * rng.uniform() - 1);
    entry = std::clamp(entry + step, 0.0, 1.0);
    consider(accept);
  }
  return unwrap(Policy::make(std::move(best)));
}

}  // namespace fairstep::testing
