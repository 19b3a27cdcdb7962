// What the chance behind k successes in n trials can be: the interval of Clopper and Pearson, which is exact at every
// n; and one for trials of which several may belong to one person.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairstep/core/model.hpp>

namespace fairstep {

/// Holds the chance with probability at least 1 - delta, delta / 2 on either side; [0,1] without a trial.
[[nodiscard]] Range binomial_interval(std::int64_t successes, std::int64_t trials, double delta);

/// The same when up to `missing` more trials were made whose outcome is not known: it holds whatever they were, since
/// the low end falls with every failure more and the high end rises with every success more.
[[nodiscard]] Range binomial_interval(std::int64_t successes, std::int64_t trials, std::int64_t missing, double delta);

/// Of trials of which up to `each` belong to the same person, in whatever way these depend on each other; people are
/// independent. Holds the mean of the trials' chances. By Hoeffding's inequality for each person's first trial, second
/// trial and so on, put together by the convexity of exp: P(successes - mean >= t) <= exp(-2 t^2 / (each trials)).
[[nodiscard]] Range recurring_interval(std::int64_t successes, std::int64_t trials, std::int64_t missing,
                                       std::size_t each, double delta);

}  // namespace fairstep
