#include <fairstep/core/counts.hpp>

#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairstep {
namespace {

std::int64_t sum(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

template <class T, std::size_t Rank>
Expected<void> check_extents(const Tensor<T, Rank>& tensor, const std::array<std::size_t, Rank>& expected,
                             const char* key) {
  if (tensor.extents() == expected) return {};
  return fail(
      fmt::format("{} has size {}, expected {}", key, fmt::join(tensor.extents(), " x "), fmt::join(expected, " x ")),
      fmt::format("/{}", key));
}

template <std::size_t Rank>
Expected<void> check_not_negative(const Tensor<std::int64_t, Rank>& tensor, const char* key) {
  for (const std::int64_t n : tensor.flat())
    if (n < 0)
      return fail(fmt::format("{} has the entry {}, expected counts of 0 or more", key, n), fmt::format("/{}", key));
  return {};
}

/// No total that anything later asks for may overflow: the sum of all entries of a tensor bounds each of them.
template <std::size_t Rank>
Expected<void> check_total(const Tensor<std::int64_t, Rank>& tensor, const char* key) {
  std::int64_t total = 0;
  for (const std::int64_t n : tensor.flat())
    if (__builtin_add_overflow(total, n, &total))
      return fail(fmt::format("{} adds up to more than 2^63 - 1", key), fmt::format("/{}", key));
  return {};
}

template <std::size_t Rank>
bool add_to(Tensor<std::int64_t, Rank>& to, const Tensor<std::int64_t, Rank>& from) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (__builtin_add_overflow(to.flat()[i], from.flat()[i], &to.flat()[i])) return false;
  return true;
}

template <std::size_t Rank>
void add_to(Tensor<double, Rank>& to, const Tensor<double, Rank>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to.flat()[i] += from.flat()[i];
}

}  // namespace

Counts Counts::zeros(std::size_t horizon, Names names) {
  const std::size_t groups = names.groups.size();
  const std::size_t features = names.features.size();
  Counts counts;
  counts.horizon = horizon;
  counts.names = std::move(names);
  counts.first = Tensor<std::int64_t, 3>({groups, features, kLabels});
  counts.visits = Tensor<std::int64_t, 5>({groups, horizon, features, kLabels, kActions});
  counts.transitions = Tensor<std::int64_t, 6>({groups, features, kLabels, kActions, features, kLabels});
  counts.reward_sum = Tensor<double, 4>({groups, features, kLabels, kActions});
  counts.reward_squares = Tensor<double, 4>({groups, features, kLabels, kActions});
  return counts;
}

std::int64_t Counts::people(std::size_t g) const { return sum(first.block(g)); }

std::int64_t Counts::visits_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const {
  std::int64_t total = 0;
  for (std::size_t h = 0; h < horizon; ++h) total += visits(g, h, x, y, a);
  return total;
}

std::int64_t Counts::successors_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const {
  return sum(transitions.block(g, x, y, a));
}

Expected<void> Counts::add(const Counts& other) {
  if (horizon != other.horizon)
    return fail(fmt::format("horizon is {}, expected {} as in the other counts", other.horizon, horizon), "/horizon");
  if (names != other.names)
    return fail("groups, features, labels or actions differ from those of the other counts", "/groups");
  Counts sums = *this;
  if (!add_to(sums.first, other.first) || !add_to(sums.visits, other.visits) ||
      !add_to(sums.transitions, other.transitions))
    return fail("the sum of the counts exceeds 2^63 - 1");
  add_to(sums.reward_sum, other.reward_sum);
  add_to(sums.reward_squares, other.reward_squares);
  if (auto ok = check(sums); !ok) return ok;
  *this = std::move(sums);
  return {};
}

Expected<void> check(const Counts& counts) {
  const Shape n = counts.shape();
  if (n.groups < 2) return fail(fmt::format("groups has {} names, expected at least 2", n.groups), "/groups");
  if (n.features < 1) return fail("features has 0 names, expected at least 1", "/features");
  if (n.horizon < 1) return fail("horizon is 0, expected at least 1", "/horizon");
  if (auto ok = check_extents(counts.first, {n.groups, n.features, kLabels}, "first"); !ok) return ok;
  if (auto ok = check_extents(counts.visits, {n.groups, n.horizon, n.features, kLabels, kActions}, "visits"); !ok)
    return ok;
  if (auto ok = check_extents(counts.transitions, {n.groups, n.features, kLabels, kActions, n.features, kLabels},
                              "transitions");
      !ok)
    return ok;
  if (auto ok = check_extents(counts.reward_sum, {n.groups, n.features, kLabels, kActions}, "reward_sum"); !ok)
    return ok;
  if (auto ok = check_extents(counts.reward_squares, counts.reward_sum.extents(), "reward_squares"); !ok) return ok;
  if (auto ok = check_not_negative(counts.first, "first"); !ok) return ok;
  if (auto ok = check_not_negative(counts.visits, "visits"); !ok) return ok;
  if (auto ok = check_not_negative(counts.transitions, "transitions"); !ok) return ok;
  if (auto ok = check_total(counts.first, "first"); !ok) return ok;
  if (auto ok = check_total(counts.visits, "visits"); !ok) return ok;
  if (auto ok = check_total(counts.transitions, "transitions"); !ok) return ok;

  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        // Whoever is seen in a state was first seen there or came from another step; each is one decision in it.
        std::int64_t decided = 0;
        for (std::size_t a = 0; a < kActions; ++a) {
          const std::int64_t visits = counts.visits_of(g, x, y, a);
          const std::int64_t successors = counts.successors_of(g, x, y, a);
          if (successors > visits)
            return fail(
                fmt::format("transitions[g={},x={},y={},a={}] has {} successors, expected at most its {} visits",
                            counts.names.groups[g], x, y, a, successors, visits),
                fmt::format("/transitions/{}/{}/{}/{}", g, x, y, a));
          for (const auto& [key, tensor] :
               {std::pair{"reward_sum", &counts.reward_sum}, {"reward_squares", &counts.reward_squares}}) {
            const double value = (*tensor)(g, x, y, a);
            if (!std::isfinite(value) || (visits == 0 && value != 0))
              return fail(
                  fmt::format("{}[g={},x={},y={},a={}] is {} after {} visits, expected {}", key, counts.names.groups[g],
                              x, y, a, value, visits, visits == 0 ? "0" : "a finite number"),
                  fmt::format("/{}/{}/{}/{}/{}", key, g, x, y, a));
          }
          decided += visits;
        }
        std::int64_t arrived = counts.first(g, x, y);
        for (std::size_t cell = 0; cell < n.cells(); ++cell)
          arrived += counts.transitions.block(g)[cell * n.states() + state_of(x, y)];
        if (arrived > decided)
          return fail(
              fmt::format("visits[g={},x={},y={}] are {}, expected at least the {} arrivals in first and transitions",
                          counts.names.groups[g], x, y, decided, arrived),
              "/visits");
      }
  return {};
}

}  // namespace fairstep
