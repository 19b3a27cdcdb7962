// The sets around each row, and the tails of the binomial distribution, computed so that they are never too small.
#pragma once

#include <cstddef>
#include <vector>

#include <fairstep/check/interval.hpp>
#include <fairstep/check/question.hpp>

namespace fairstep::rigorous {

/// What each part may fail with.
struct Split {
  Interval rows{}, row{}, ball{}, interval{}, followed{}, tail{}, rewards{}, reward{};
  Interval directions{}, question{}, path{};  ///< if there is a design part
  Interval labels{}, label{};                 ///< if labels follow features
};
[[nodiscard]] Split split_of(const Question& question);

/// An upper end for k successes of n draws that surely is one, for all n at once: b(k; n, end) <= delta / (n+1).
[[nodiscard]] Real upper_end(Real k, Real n, const Interval& delta);

/// ln of the probability of k successes in n draws, 0 <= k <= n, 0 < p < 1.
[[nodiscard]] Interval log_binomial(Real k, Real n, const Interval& p);

/// Whether at most k successes in n draws surely have probability at most `tail` under p (and all larger p).
[[nodiscard]] bool rarely_so_few(Real k, Real n, Real p, const Interval& tail);

/// c sqrt((log_sets - ln delta + ln((j+1)(j+2))) / 2n), at most 1; rounded up.
[[nodiscard]] Real radius(Real n, const Interval& log_sets, const Interval& delta);

/// The greatest radius of all numbers of people from `least`, at least 1, to `most`.
[[nodiscard]] Real greatest_radius(Real least, Real most, const Interval& log_sets, const Interval& delta);

/// Who may belong to a row besides those counted, and how many of those counted may not.
struct Unknown {
  Real missing = 0;
  Real in_doubt = 0;  ///< at most as many as are missing
};

/// A row of counts and the set of distributions around it: within `reach` in total variation, and each entry within
/// its own ends.
struct RowSet {
  std::vector<Real> seen{};  ///< [s]
  Real all = 0;
  Real reach = 1;
  std::vector<Real> gain{};  ///< [s] how much more an entry can be
  std::vector<Real> loss{};  ///< [s] how much less
};
[[nodiscard]] RowSet set_of(std::vector<Real> seen, const Unknown& unknown, const Split& split);

}  // namespace fairstep::rigorous
