#include "support/brute_force.hpp"

#include <cmath>

namespace fairstep::testing {
namespace {

struct Visit {
  std::size_t x, y, a;
};

class Enumeration {
 public:
  Enumeration(const Model& model, const Policy& policy, std::size_t g, PathSums& sums)
      : model_(model), policy_(policy), g_(g), sums_(sums) {}

  /// Lists every way to go on from a path of probability `chance`.
  void extend(double chance) {
    const std::size_t h = path_.size();
    if (h == model_.shape().horizon) return record(chance);
    for (std::size_t x = 0; x < model_.shape().features; ++x)
      for (std::size_t y = 0; y < 2; ++y)
        for (std::size_t a = 0; a < 2; ++a) {
          const double state = h == 0 ? model_.spec().initial(g_, x, y) : arrives(path_.back(), x, y);
          const double action = a == 1 ? policy_.accept(g_, h, x) : 1 - policy_.accept(g_, h, x);
          if (state * action == 0) continue;
          path_.push_back({x, y, a});
          extend(chance * state * action);
          path_.pop_back();
        }
  }

 private:
  [[nodiscard]] double arrives(const Visit& from, std::size_t x1, std::size_t y1) const {
    const std::size_t from_step = path_.size() - 1;
    return model_.spec().transition.of(g_, model_.periods().of(from_step), from.x, from.y, from.a, x1)[y1];
  }

  void record(double chance) {
    for (std::size_t h = 0; h < path_.size(); ++h) {
      const Visit& at = path_[h];
      double from_here = 0;
      for (std::size_t t = h; t < path_.size(); ++t)
        from_here += std::pow(model_.discount(), static_cast<double>(t - h)) *
                     model_.spec().reward(g_, path_[t].x, path_[t].y, path_[t].a);
      sums_.visited(h, at.x, at.y, at.a) += chance;
      sums_.return_from(h, at.x, at.y, at.a) += chance * from_here;
      sums_.value_per_step[h] +=
          chance * std::pow(model_.discount(), static_cast<double>(h)) * model_.spec().reward(g_, at.x, at.y, at.a);
      if (h == 0) sums_.value += chance * from_here;
    }
  }

  const Model& model_;
  const Policy& policy_;
  std::size_t g_;
  PathSums& sums_;
  std::vector<Visit> path_{};
};

}  // namespace

PathSums sum_over_paths(const Model& model, const Policy& policy, std::size_t g) {
  const Shape& n = model.shape();
  PathSums sums{0, std::vector<double>(n.horizon), Tensor<double, 4>({n.horizon, n.features, 2, 2}),
                Tensor<double, 4>({n.horizon, n.features, 2, 2})};
  Enumeration(model, policy, g, sums).extend(1);
  return sums;
}

}  // namespace fairstep::testing
