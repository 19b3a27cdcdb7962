// Where two policies decide differently, and how many people that is about.
#pragma once

#include <cstddef>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep {

/// Shares that were worked out and written down may differ by this much.
inline constexpr double kSameShare = 1e-12;

/// A group at a step with a feature whose people two policies accept in different shares.
struct Difference {
  std::size_t group = 0, step = 0, feature = 0;
  double first = 0, second = 0;                ///< share accepted by either policy
  double people_first = 0, people_second = 0;  ///< who is there under either policy, as a share of all people

  /// Share of all people decided otherwise: there under the first policy, and as few changed as can be.
  [[nodiscard]] double changed() const { return people_first * (second > first ? second - first : first - second); }
};

struct Differences {
  std::vector<Difference> cells{};  ///< those that change most people first, then by group, step and feature
  std::vector<double> changed{};    ///< [h] share of all people that the second would decide otherwise
  double changed_share = 0;         ///< of all decisions under the first policy: the mean of `changed`
};

/// By how much the second policy differs from the first, among the people that the first one meets. Both must fit the
/// model, and the evaluations must be theirs. Shares that differ by no more than `rounding` are the same.
[[nodiscard]] Differences differences(const Model& model, const Policy& first, const Evaluation& of_first,
                                      const Policy& second, const Evaluation& of_second, double rounding = kSameShare);

}  // namespace fairstep
