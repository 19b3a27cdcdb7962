// The definition of every quantity, by listing all paths: slow, and written without a look at the recursions it judges.
#pragma once

#include <cstddef>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep::testing {

/// Sums over all paths (x_0,y_0,a_0, x_1,y_1,a_1, ...) of one group.
struct PathSums {
  double value = 0;                    ///< E[ sum_h discount^h r_h ]
  std::vector<double> value_per_step;  ///< [h] E[ discount^h r_h ]
  Tensor<double, 4> visited;           ///< [h,x,y,a] P(x_h = x, y_h = y, a_h = a)
  Tensor<double, 4> return_from;       ///< [h,x,y,a] E[ 1(x_h,y_h,a_h) sum_{t >= h} discount^(t-h) r_t ]
};

/// (4 |X|)^horizon paths: keep it small.
PathSums sum_over_paths(const Model& model, const Policy& policy, std::size_t g);

}  // namespace fairstep::testing
