// What a certificate says that days can refute: how far apart groups are at most, the ends of their rates, and the
// policy.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/audit/audit.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

struct Certified {
  Counts counts;  ///< that it was made from: names and steps
  Policy policy;
  std::vector<std::pair<Rate, Tensor<double, 3>>> gaps{};  ///< [g,g,h] at most so far apart
  std::vector<std::pair<Rate, Tensor<Range, 2>>> rates{};  ///< [g,h]
};

/// Of a certificate that holds: `check_certificate` says whether it does, and is to be asked first.
[[nodiscard]] Expected<Certified> read_certified(std::string_view certificate);

}  // namespace fairstep
