#include <fairstep/certify/followed.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <fairstep/certify/sets.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/estimate/proportion.hpp>

namespace fairstep {
namespace {

/// Who was accepted, of how many, at a step.
struct Accepted {
  std::int64_t accepted = 0;
  std::int64_t people = 0;
};

Accepted accepted_at(const Counts& counts, std::size_t g, std::size_t h, FollowedRate rate) {
  Accepted seen;
  for (std::size_t x = 0; x < counts.shape().features; ++x)
    for (std::size_t y = 0; y < kLabels; ++y) {
      if ((rate == FollowedRate::tpr && y == 0) || (rate == FollowedRate::fpr && y == 1)) continue;
      seen.accepted += counts.visits()(g, h, x, y, 1);
      seen.people += counts.visits()(g, h, x, y, 0) + counts.visits()(g, h, x, y, 1);
    }
  return seen;
}

/// What the policy can do and what was done have nothing in common: then one of them is not what it is said to be. (By
/// chance that happens with less than delta, and a certificate that was not made is not wrong.)
Error contradiction(const Counts& counts, std::size_t g, std::size_t h, const Accepted& seen) {
  return {fmt::format("{} of {} people of group {} were accepted at step {}, which this policy does not do",
                      seen.accepted, seen.people, counts.names().groups[g], h),
          {},
          {},
          "the people counted met another policy, it seems: leave out the claim that they followed this one"};
}

}  // namespace

Expected<void> check_people(const Counts& counts, const Lost& lost) {
  const Shape n = counts.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h) {
      const std::int64_t people = counts.people(g) + lost.first(g);
      const std::int64_t there = accepted_at(counts, g, h, FollowedRate::accept).people;
      if (there > people)
        return fail(fmt::format("there are {} decisions about people of group {} at step {}, expected at most {}, one "
                                "for each of the people counted or lost",
                                there, counts.names().groups[g], h, people),
                    fmt::format("/visits/{}/{}", g, h), "these are no counts of people who followed one policy");
    }
  return {};
}

Tensor<std::int64_t, 2> astray(const Counts& counts, const Lost& lost) {
  const Shape n = counts.shape();
  Tensor<std::int64_t, 2> away({n.groups, n.horizon});
  for (std::size_t g = 0; g < n.groups; ++g) {
    const std::int64_t people = counts.people(g) + lost.first(g);
    std::int64_t sum = 0;
    for (std::size_t h = 0; h < n.horizon; ++h) {
      const std::int64_t there = accepted_at(counts, g, h, FollowedRate::accept).people;
      if (__builtin_add_overflow(sum, std::max<std::int64_t>(0, people - there), &sum))
        sum = std::numeric_limits<std::int64_t>::max();
      away(g, h) = sum;
    }
  }
  return away;
}

Expected<void> narrow_by_those_who_followed(RateBounds& bounds, const Counts& counts,
                                            const Tensor<std::int64_t, 2>& astray, FollowedRate rate,
                                            double delta_tail) {
  const auto [groups, steps] = bounds.range.extents();
  Expected<void> result;
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t h = 0; h < steps; ++h) {
      const Accepted seen = accepted_at(counts, g, h, rate);
      const Range ends = proportion_once(seen.accepted, seen.people, astray(g, h), delta_tail);
      Range& range = bounds.range(g, h);
      range.low = std::max(range.low, ends.low - kOutwards);
      range.high = std::min(range.high, ends.high + kOutwards);
      if (result && range.low > range.high) result = tl::unexpected(contradiction(counts, g, h, seen));
    }
  return result;
}

}  // namespace fairstep
