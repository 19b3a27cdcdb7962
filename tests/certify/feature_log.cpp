#include "feature_log.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fairstep/core/log_record.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/shape.hpp>

#include "support/models.hpp"

namespace fairstep::testing {
namespace {

double uniform(std::mt19937_64& engine) { return std::uniform_real_distribution<double>(0, 1)(engine); }

void draw_distribution(std::span<double> row, std::mt19937_64& engine) {
  double sum = 0;
  for (double& p : row) sum += p = 0.05 + uniform(engine);
  for (double& p : row) p /= sum;
}

std::size_t draw_from(std::span<const double> row, std::mt19937_64& engine) {
  double left = uniform(engine);
  for (std::size_t x = 0; x + 1 < row.size(); ++x) {
    left -= row[x];
    if (left < 0) return x;
  }
  return row.size() - 1;
}

}  // namespace

Names names_of_features(std::size_t features) {
  Names names;
  names.groups = {"a", "b"};
  for (std::size_t x = 0; x < features; ++x) names.features.push_back(std::to_string(x));
  return names;
}

LogRecord record_without_labels(const Shape& n) {
  LogRecord log;
  log.files = {"log.csv"};
  log.columns = {{"x", "x"}};
  log.censoring = Censoring::drop;
  log.unlabelled = Tensor<std::int64_t, 4>({n.groups, n.horizon, n.features, kActions});
  log.unlabelled_rows = UnlabelledRows::zeros(n);
  log.lost = Lost::none(n);
  return log;
}

double odds_times(double factor, double p) { return factor * p / (1 - p + factor * p); }

FeatureWorld FeatureWorld::drawn(std::uint64_t seed, std::size_t features, bool label_moves) {
  std::mt19937_64 engine(seed);
  FeatureWorld world{Tensor<double, 2>({2, features}), Tensor<double, 2>({2, features}),
                     Tensor<double, 5>({2, features, kLabels, kActions, features})};
  for (std::size_t g = 0; g < 2; ++g) {
    draw_distribution(world.first.block(g), engine);
    for (std::size_t x = 0; x < features; ++x) {
      world.qualified(g, x) = 0.05 + 0.9 * uniform(engine);
      for (std::size_t a = 0; a < kActions; ++a) {
        draw_distribution(world.next.block(g, x, 0, a), engine);
        draw_distribution(world.next.block(g, x, 1, a), engine);
        if (label_moves) continue;
        const auto row = world.next.block(g, x, 0, a);
        std::copy(row.begin(), row.end(), world.next.block(g, x, 1, a).begin());
      }
    }
  }
  return world;
}

Evaluation FeatureWorld::truth(const Policy& policy) const {
  const auto features = first.extents()[1];
  ModelSpec spec;
  spec.horizon = policy.horizon();
  spec.names = names_of_features(features);
  spec.share = {0.5, 0.5};
  spec.initial = Tensor<double, 3>({2, features, kLabels});
  spec.transition = Tensor<double, 6>({2, features, kLabels, kActions, features, kLabels});
  spec.reward = Tensor<double, 4>({2, features, kLabels, kActions});
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t x = 0; x < features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        const auto label = [&](std::size_t at) { return y == 1 ? qualified(g, at) : 1 - qualified(g, at); };
        spec.initial(g, x, y) = first(g, x) * label(x);
        for (std::size_t a = 0; a < kActions; ++a)
          for (std::size_t x1 = 0; x1 < features; ++x1)
            for (std::size_t y1 = 0; y1 < kLabels; ++y1)
              spec.transition(g, x, y, a, x1, y1) =
                  next(g, x, y, a, x1) * (y1 == 1 ? qualified(g, x1) : 1 - qualified(g, x1));
      }
  return unwrap(evaluate(unwrap(Model::make(std::move(spec))), policy));
}

Counts feature_log(const FeatureWorld& world, std::size_t horizon, int people, std::mt19937_64& engine,
                   const Treatment& treatment, const Labels& labels) {
  const std::size_t features = world.first.extents()[1];
  CountsSpec spec = CountsSpec::zeros(horizon, names_of_features(features));
  LogRecord log = record_without_labels(spec.shape());
  log.rows = people;
  for (std::size_t g = 0; g < 2; ++g)
    for (int i = 0; i < people; ++i) {
      struct {
        std::size_t x = 0, y = 0, a = 0;
        bool seen = false;
      } before;
      for (std::size_t h = 0; h < horizon; ++h) {
        const std::size_t x =
            draw_from(h == 0 ? world.first.block(g) : world.next.block(g, before.x, before.y, before.a), engine);
        const double chance = world.qualified(g, x);
        const bool one = labels ? labels(g, h, x, before.y == 1, chance, engine) : uniform(engine) < chance;
        const std::size_t y = one ? 1 : 0;
        const Decision decision = treatment(g, h, x, y);
        const std::size_t a = decision.accepted ? 1 : 0;
        if (decision.seen)
          ++spec.visits(g, h, x, y, a);
        else
          ++log.unlabelled(g, h, x, a);
        if (h == 0 && decision.seen)
          ++spec.first(g, x, y);
        else if (h == 0)
          ++log.unlabelled_rows->first(g, x);
        else if (before.seen && decision.seen)
          ++spec.transitions(g, before.x, before.y, before.a, x, y);
        else
          ++log.unlabelled_rows->transitions(g, before.x, before.a, x);
        before = {x, y, a, decision.seen};
      }
      // A table of states lacks whom the tables of features have.
      ++log.lost->first(g);
    }
  spec.log = std::move(log);
  return unwrap(Counts::make(std::move(spec)));
}

}  // namespace fairstep::testing
