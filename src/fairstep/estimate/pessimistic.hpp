// A model in which every policy is worth no more than in truth, whatever the data did not show: what is best in it is
// the policy with the best guarantee. docs/guarantees.md, D, has the theorem.
#pragma once

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>

namespace fairstep {

/// [g,x,y,a] by how much rewards have to be lowered, when each of them lies within `range` in truth: by the radius of
/// its mean (none: rewards are known), by what the next row may be off by times the widest span of the values to go,
/// and by what the first state may be off by, spread over the steps. Of several periods the widest row counts.
[[nodiscard]] Tensor<double, 4> pessimism(const Model& model, const Radii& radii, const Range& range);

/// The estimate's model with rewards lowered so; it says that its rewards are not those estimated, and how sure it is.
/// `options` are those of the radii. An error if nothing is said of rewards, and these were counted.
[[nodiscard]] Expected<Model> pessimistic(const Model& model, const Radii& radii, const RadiiOptions& options);

}  // namespace fairstep
