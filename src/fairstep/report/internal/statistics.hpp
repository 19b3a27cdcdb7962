// Means over repeats, and how sure they are.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace fairstep::report {

/// The mean over repeats and the 95 % Student-t interval of that mean. Of one repeat there is a mean and no interval;
/// of none, nothing (NaN). Values that are NaN are left out.
struct Band {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  std::size_t count = 0;

  /// Half of the interval's width; NaN if there is none.
  [[nodiscard]] double half_width() const { return (high - low) / 2; }
};

[[nodiscard]] Band band_of(std::span<const double> values);

/// The 97.5 % quantile of Student's t with so many degrees of freedom, at least 1; to four digits.
[[nodiscard]] double student_t(std::size_t freedom);

}  // namespace fairstep::report
