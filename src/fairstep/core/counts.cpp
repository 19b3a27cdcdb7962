#include <fairstep/core/counts.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/add.hpp>
#include <fairstep/core/shared/check_features.hpp>
#include <fairstep/core/shared/checks.hpp>

namespace fairstep {
namespace {

using internal::check_tally;
using internal::Field;

std::int64_t sum(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

Expected<void> check_rewards(const Field& field, const Tensor<double, 4>& tensor, const CountsSpec& counts,
                             double low) {
  constexpr double most = std::numeric_limits<double>::max();
  const Shape n = counts.shape();
  if (auto ok = internal::check_extents(field, tensor, kCellAxes, n); !ok) return ok;
  if (auto ok = internal::check_entries(field, tensor, kCellAxes, low, most,
                                        low < 0 ? "a finite number" : "a finite number that is not negative");
      !ok)
    return ok;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const auto cell = internal::unflatten(i, tensor.extents());
    if (tensor.flat()[i] != 0 && counts.visits_of(cell[0], cell[1], cell[2], cell[3]) == 0)
      return internal::fail_at(field, kCellAxes, cell,
                               fmt::format("is {} after no visit, expected 0", tensor.flat()[i]));
  }
  return {};
}

/// n numbers with these squares cannot add up to more than sqrt(n squares) in size. Both were added up in doubles, and
/// squares of tiny numbers are 0.
Expected<void> check_squares(const CountsSpec& counts, std::span<const std::size_t, 4> cell) {
  const auto [g, x, y, a] = std::array{cell[0], cell[1], cell[2], cell[3]};
  const auto visits = static_cast<long double>(counts.visits_of(g, x, y, a));
  const long double sum = counts.reward_sum(g, x, y, a);
  const long double squares = counts.reward_squares(g, x, y, a);
  if (sum * sum <= visits * squares * 1.000001L + visits * visits * 1e-300L) return {};
  return internal::fail_at(
      {"reward_sum", counts.names.groups}, kCellAxes, cell,
      fmt::format("is {}, more than {} rewards with squares of {} in all can add up to", counts.reward_sum(g, x, y, a),
                  counts.visits_of(g, x, y, a), counts.reward_squares(g, x, y, a)));
}

/// A successor is seen at most once per decision before the last step.
Expected<void> check_successors(const CountsSpec& counts, std::span<const std::size_t, 4> cell) {
  const auto [g, x, y, a] = std::array{cell[0], cell[1], cell[2], cell[3]};
  const std::int64_t visits = counts.visits_of(g, x, y, a) - counts.visits(g, counts.horizon - 1, x, y, a);
  const std::int64_t successors = counts.successors_of(g, x, y, a);
  if (successors <= visits) return {};
  return internal::fail_at(
      {"transitions", counts.names.groups}, kCellAxes, cell,
      fmt::format("adds up to {}, expected at most {} (its visits before the last step)", successors, visits));
}

/// Whoever is first seen in a state, or seen to come there, has a decision taken there.
Expected<void> check_arrivals(const CountsSpec& counts, std::size_t g, std::size_t x, std::size_t y) {
  const Shape n = counts.shape();
  std::uint64_t decided = 0;  // unsigned: each sum is below 2^63, and two of them still fit
  for (std::size_t a = 0; a < kActions; ++a) decided += static_cast<std::uint64_t>(counts.visits_of(g, x, y, a));
  auto arrived = static_cast<std::uint64_t>(counts.first(g, x, y));
  for (std::size_t cell = 0; cell < n.cells(); ++cell)
    arrived += static_cast<std::uint64_t>(counts.transitions.block(g)[cell * n.states() + state_of(x, y)]);
  if (arrived <= decided) return {};
  // The step is in the middle of visits[g,h,x,y,a]: a sum over steps has no pointer of its own.
  return fail(fmt::format("visits of x={},y={} in group {} add up to {}, expected at least {} (first seen there, and "
                          "transitions to there)",
                          x, y, counts.names.groups[g], decided, arrived),
              fmt::format("/visits/{}", g));
}

Expected<void> check_same_names(const Names& ours, const Names& theirs) {
  const auto compare = [](const char* key, const std::vector<std::string>& here,
                          const std::vector<std::string>& there) -> Expected<void> {
    if (here == there) return {};
    return fail(fmt::format("{} are {}, expected {} as in the counts added to", key, fmt::join(there, ", "),
                            fmt::join(here, ", ")),
                fmt::format("/{}", key));
  };
  if (auto ok = compare("groups", ours.groups, theirs.groups); !ok) return ok;
  if (auto ok = compare("features", ours.features, theirs.features); !ok) return ok;
  if (auto ok = compare("labels", ours.labels, theirs.labels); !ok) return ok;
  return compare("actions", ours.actions, theirs.actions);
}

std::string kernel_in_words(const CountsSpec& counts) {
  return counts.periods.pooled() ? "successors over all steps"
                                 : "successors by period: " + in_words(counts.periods, counts.horizon);
}

Expected<void> check_same_periods(const CountsSpec& ours, const CountsSpec& theirs) {
  if (ours.periods == theirs.periods) return {};
  return fail(fmt::format("{}, expected {} as in the counts added to", kernel_in_words(theirs), kernel_in_words(ours)),
              "/periods");
}

/// The sums of all periods.
Tensor<std::int64_t, 6> over_all_steps(const CountsSpec& counts) {
  const Shape n = counts.shape();
  Tensor<std::int64_t, 6> all(extents_of(kTransitionAxes, n));
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t k = 0; k < n.periods; ++k) {
      const auto seen = counts.by_period.block(g, k);
      const auto sums = all.block(g);
      std::transform(seen.begin(), seen.end(), sums.begin(), sums.begin(), std::plus<>{});
    }
  return all;
}

/// A successor by period is seen at most once per decision at a step of the period, and all of them are the
/// transitions.
Expected<void> check_by_period(const CountsSpec& counts) {
  if (counts.periods.pooled()) {
    if (counts.by_period.empty()) return {};
    return fail("by_period is given without periods", "/transitions");
  }
  const Shape n = counts.shape();
  const Field field("transitions", counts.names.groups);
  if (auto ok = check_tally(field, counts.by_period, with_periods(kTransitionAxes), n); !ok) return ok;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t k = 0; k < n.periods; ++k)
      for (std::size_t cell = 0; cell < n.cells(); ++cell) {
        std::int64_t visits = 0;
        for (std::size_t h = counts.periods.list[k].first_step; h < counts.periods.end(k, n.horizon); ++h)
          visits += counts.visits.block(g, h)[cell];
        const std::int64_t seen = sum(counts.by_period.block(g, k).subspan(cell * n.states(), n.states()));
        if (seen > visits)
          return internal::fail_at(
              field, with_periods(kCellAxes),
              std::array{g, k, cell / (kLabels * kActions), cell / kActions % kLabels, cell % kActions},
              fmt::format("adds up to {}, expected at most {} (its visits at the steps of the period)", seen, visits));
      }
  if (over_all_steps(counts) == counts.transitions) return {};
  return fail("transitions by period do not add up to those over all steps", "/transitions");
}

/// People in counts that came without a record.
Expected<void> add_unrecorded(LogRecord& record, const CountsSpec& without) {
  if (__builtin_add_overflow(record.unrecorded_people, sum(without.first.flat()), &record.unrecorded_people))
    return fail("the people add up to more than a count can hold", "/log/unrecorded_people");
  return {};
}

/// Records are joined. Where only one of the two has a record it stays, and says how many people it does not speak for.
Expected<void> join_logs(const CountsSpec& ours, const CountsSpec& theirs, CountsSpec& both) {
  if (ours.log && theirs.log) {
    auto record = merge(*ours.log, *theirs.log, both.shape());
    if (!record) return tl::unexpected(record.error());
    both.log = std::move(*record);
    return {};
  }
  if (ours.log) return add_unrecorded(*both.log, theirs);
  if (!theirs.log) return {};
  both.log = theirs.log;
  return add_unrecorded(*both.log, ours);
}

void add_rewards(Tensor<double, 4>& to, const Tensor<double, 4>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to.flat()[i] += from.flat()[i];
}

Expected<void> check_spec(const CountsSpec& counts) {
  if (auto ok = internal::check_names(counts.names); !ok) return ok;
  const std::vector<std::string>& groups = counts.names.groups;
  const Shape n = counts.shape();
  if (auto ok = internal::check_horizon(n); !ok) return ok;
  if (auto ok = check_tally({"first", groups}, counts.first, kInitialAxes, n); !ok) return ok;
  if (auto ok = check_tally({"visits", groups}, counts.visits, kVisitsAxes, n); !ok) return ok;
  if (auto ok = check(counts.periods, n); !ok) return ok;
  if (auto ok = check_tally({"transitions", groups}, counts.transitions, kTransitionAxes, n); !ok) return ok;
  if (auto ok = check_by_period(counts); !ok) return ok;
  constexpr double lowest = std::numeric_limits<double>::lowest();
  if (auto ok = check_rewards({"reward_sum", groups}, counts.reward_sum, counts, lowest); !ok) return ok;
  if (auto ok = check_rewards({"reward_squares", groups}, counts.reward_squares, counts, 0); !ok) return ok;

  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          if (auto ok = check_successors(counts, std::array{g, x, y, a}); !ok) return ok;
          if (auto ok = check_squares(counts, std::array{g, x, y, a}); !ok) return ok;
        }
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        if (auto ok = check_arrivals(counts, g, x, y); !ok) return ok;
  if (counts.log)
    if (auto ok = check(*counts.log, n, groups); !ok) return ok;
  if (auto ok = internal::check_features(counts); !ok) return ok;
  if (counts.part)
    if (auto ok = check(*counts.part); !ok) return ok;
  if (counts.history) return check(*counts.history, counts);
  return {};
}

}  // namespace

CountsSpec CountsSpec::zeros(std::size_t horizon, Names names, Periods periods) {
  CountsSpec counts;
  counts.horizon = horizon;
  counts.names = std::move(names);
  counts.periods = std::move(periods);
  const Shape n = counts.shape();
  counts.first = Tensor<std::int64_t, 3>(extents_of(kInitialAxes, n));
  counts.visits = Tensor<std::int64_t, 5>(extents_of(kVisitsAxes, n));
  counts.transitions = Tensor<std::int64_t, 6>(extents_of(kTransitionAxes, n));
  if (!counts.periods.pooled())
    counts.by_period = Tensor<std::int64_t, 7>(extents_of(with_periods(kTransitionAxes), n));
  counts.reward_sum = Tensor<double, 4>(extents_of(kCellAxes, n));
  counts.reward_squares = Tensor<double, 4>(extents_of(kCellAxes, n));
  return counts;
}

void CountsSpec::sum_over_periods() {
  if (!periods.pooled()) transitions = over_all_steps(*this);
}

Expected<void> CountsSpec::take_sums() {
  const Shape n = shape();
  if (auto ok = internal::check_names(names); !ok) return ok;
  if (auto ok = internal::check_horizon(n); !ok) return ok;
  if (auto ok = check(periods, n); !ok) return ok;
  const Field field("transitions", names.groups);
  if (auto ok = check_tally(field, by_period, with_periods(kTransitionAxes), n); !ok) return ok;
  sum_over_periods();
  return {};
}

std::int64_t CountsSpec::people(std::size_t g) const { return sum(first.block(g)); }

std::int64_t CountsSpec::visits_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const {
  std::int64_t total = 0;
  for (std::size_t h = 0; h < horizon; ++h) total += visits(g, h, x, y, a);
  return total;
}

std::int64_t CountsSpec::successors_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const {
  return sum(transitions.block(g, x, y, a));
}

Expected<Counts> Counts::make(CountsSpec spec) {
  if (auto ok = check_spec(spec); !ok) return tl::unexpected(ok.error());
  return Counts(std::move(spec));
}

Expected<void> Counts::mark(std::optional<Part> part) {
  if (part)
    if (auto ok = check(*part); !ok) return ok;
  spec_.part = std::move(part);
  return {};
}

std::int64_t Counts::everybody(std::size_t g) const {
  std::int64_t all = people(g);
  if (!log()) return all;
  std::int64_t unseen = log()->unlabelled_rows ? sum(log()->unlabelled_rows->first.block(g)) : 0;
  // Rows of nobody knows whom may be first rows, but nobody knows whether there are people behind them.
  if (log()->lost) unseen = std::max(unseen, log()->lost->first(g) - log()->lost->first_in_doubt(g));
  if (__builtin_add_overflow(all, unseen, &all)) return std::numeric_limits<std::int64_t>::max();
  return all;
}

Expected<Counts> Counts::by(const Periods& periods) const {
  if (auto ok = check(periods, shape()); !ok) return tl::unexpected(ok.error());
  CountsSpec spec = spec_;
  spec.periods = periods;
  if (periods.pooled()) {
    spec.by_period = {};
    return Counts(std::move(spec));
  }
  const auto begins = [](const Periods& some, std::size_t step) {
    return std::any_of(some.list.begin(), some.list.end(),
                       [step](const Period& period) { return period.first_step == step; });
  };
  for (const Period& period : periods.list)
    if (!begins(this->periods(), period.first_step))
      return fail(fmt::format("the counts have {}, expected a period that begins at step {}", kernel_in_words(spec_),
                              period.first_step),
                  "/periods", "count the log by these periods, or by step: " + option("kernel", "per-step"));
  spec.by_period = Tensor<std::int64_t, 7>(extents_of(with_periods(kTransitionAxes), spec.shape()));
  for (std::size_t g = 0; g < names().groups.size(); ++g)
    for (std::size_t k = 0; k < this->periods().number(); ++k) {
      const auto seen = kernel(g, k);
      const auto sum = spec.by_period.block(g, periods.of(this->periods().list[k].first_step));
      std::transform(seen.begin(), seen.end(), sum.begin(), sum.begin(), std::plus<>{});
    }
  return Counts(std::move(spec));
}

Counts Counts::tables() const {
  CountsSpec bare = spec_;
  bare.log.reset();
  bare.history.reset();
  bare.part.reset();
  return Counts(std::move(bare));
}

Expected<void> Counts::add(const Counts& other) {
  const CountsSpec& more = other.spec_;
  if (horizon() != more.horizon)
    return fail(fmt::format("horizon is {}, expected {} as in the counts added to", more.horizon, horizon()),
                "/horizon");
  if (auto ok = check_same_names(names(), more.names); !ok) return ok;
  if (auto ok = check_same_periods(spec_, more); !ok) return ok;
  auto both_parts = merge(part(), more.part);
  if (!both_parts) return tl::unexpected(both_parts.error());
  CountsSpec sums = spec_;
  sums.part = std::move(*both_parts);
  if (!internal::add_to(sums.first, more.first) || !internal::add_to(sums.visits, more.visits) ||
      !internal::add_to(sums.transitions, more.transitions) || !internal::add_to(sums.by_period, more.by_period))
    return fail(
        fmt::format("the counts add up to more than {}, the greatest count", std::numeric_limits<std::int64_t>::max()));
  add_rewards(sums.reward_sum, more.reward_sum);
  add_rewards(sums.reward_squares, more.reward_squares);
  if (auto ok = join_logs(spec_, more, sums); !ok) return ok;
  sums.history = history() && more.history ? merge(*history(), *more.history) : std::nullopt;
  if (auto ok = check_spec(sums); !ok) return ok;
  spec_ = std::move(sums);
  return {};
}

}  // namespace fairstep
