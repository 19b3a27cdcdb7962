// Models whose kernel changes, and models with one kernel that are the same all the same.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep::testing {

/// A full random model with a kernel for each of the periods, every row positive.
Model changing_model(std::uint64_t seed, std::size_t groups, std::size_t features, std::size_t horizon,
                     const Periods& periods);

/// The same population with one kernel for all steps: feature h * X + x stands for x at step h, and whoever is there
/// goes on to a feature of step h + 1 as by the kernel of step h. Copies of the last step stay where they are.
Model in_copies(const Model& model);
/// The policy for it that does the same: whoever looks at copies of step t accepts as at step t.
Policy in_copies(const Policy& policy, const Model& model);

}  // namespace fairstep::testing
