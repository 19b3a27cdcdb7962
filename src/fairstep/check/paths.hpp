// How far people of the audit part can be from the paths that the design part says they take.
#pragma once

#include <cstddef>
#include <vector>

#include <fairstep/check/directions.hpp>
#include <fairstep/check/interval.hpp>

namespace fairstep::rigorous {

class Paths {
 public:
  /// At the first `steps` steps; each side of each range may fail with probability alpha.
  Paths(const Group& group, std::size_t steps, const Interval& alpha);

  /// [t][s] how far P(s_t = s) is from what the design part says.
  [[nodiscard]] const Drifts& drifts() const { return drifts_; }

  /// The answer to a question about this group alone.
  [[nodiscard]] Interval answer(const Payoffs& payoffs) const;

 private:
  Group group_;
  Interval alpha_{};
  Drifts drifts_{};
};

/// Nothing is paid up to step h, and there what the function says.
[[nodiscard]] Payoffs paid_at(std::size_t h, std::vector<Interval> payoff);

}  // namespace fairstep::rigorous
