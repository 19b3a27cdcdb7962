#pragma once

#include <limits>

namespace fairstep {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace fairstep
