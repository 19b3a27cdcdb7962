#include <fairstep/certify/plan.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include <fairstep/certify/sets.hpp>
#include <fairstep/core/split.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep {
namespace {

constexpr std::int64_t kLargestFactor = std::int64_t{1} << 40;

/// As many times the people, who earn what those counted did.
CountsSpec times(CountsSpec more, std::int64_t factor) {
  more.history.reset();  // no bound asks for it, and it must add up to the counts
  for (std::int64_t& n : more.first.flat()) n *= factor;
  for (std::int64_t& n : more.visits.flat()) n *= factor;
  for (std::int64_t& n : more.transitions.flat()) n *= factor;
  for (std::int64_t& n : more.by_period.flat()) n *= factor;
  for (double& sum : more.reward_sum.flat()) sum *= static_cast<double>(factor);
  for (double& sum : more.reward_squares.flat()) sum *= static_cast<double>(factor);
  if (!more.log || !more.log->lost) return more;
  Lost& lost = *more.log->lost;
  for (const auto table : {lost.first.flat(), lost.first_in_doubt.flat(), lost.decisions.flat(), lost.cells.flat(),
                           lost.transitions.flat()})
    for (std::int64_t& n : table) n *= factor;
  return more;
}

/// Parts that have grown are those of another log, which has a fingerprint of its own.
Expected<void> call_parts_of_one_log(Counts& design, Counts& audit) {
  const std::string log = fingerprint(design);
  for (Counts* counts : {&design, &audit}) {
    Part part = counts->part().value();
    part.logs = {log};
    if (auto ok = counts->mark(std::move(part)); !ok) return ok;
  }
  return {};
}

/// The same counts of a log of which every row could be used.
CountsSpec without_losses(CountsSpec complete) {
  if (complete.log && complete.log->lost) complete.log->lost = Lost::none(complete.shape());
  return complete;
}

/// As many visits of a cell in a period, at the least, as next states were seen from there.
void add_visits_left(CountsSpec& part, std::size_t g, std::size_t k, std::size_t cell) {
  const std::size_t states = part.shape().states();
  const auto seen = part.kernel(g, k).subspan(cell * states, states);
  std::int64_t left = std::accumulate(seen.begin(), seen.end(), std::int64_t{0});
  const std::size_t first = part.periods.pooled() ? 0 : part.periods.list[k].first_step;
  for (std::size_t h = first; h < part.periods.end(k, part.horizon); ++h) left -= part.visits.block(g, h)[cell];
  part.visits.block(g, first)[cell] += std::max<std::int64_t>(0, left);
}

/// About so large a part of the people, without what gaps do not depend on.
CountsSpec fraction(CountsSpec part, double share) {
  const auto scale = [share](std::span<std::int64_t> table) {
    for (std::int64_t& n : table) n = static_cast<std::int64_t>(std::floor(static_cast<double>(n) * share));
  };
  std::optional<Lost> lost;
  if (part.log) lost = std::move(part.log->lost);
  part.history.reset();
  part.log.reset();
  std::fill(part.reward_sum.flat().begin(), part.reward_sum.flat().end(), 0.0);
  std::fill(part.reward_squares.flat().begin(), part.reward_squares.flat().end(), 0.0);
  scale(part.first.flat());
  scale(part.transitions.flat());
  scale(part.by_period.flat());
  part.sum_over_periods();
  scale(part.visits.flat());
  const Shape n = part.shape();
  // Rounded down one by one, visits may lack what first states and transitions have.
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        std::int64_t arrived = part.first(g, x, y);
        for (std::size_t cell = 0; cell < n.cells(); ++cell)
          arrived += part.transitions.block(g)[cell * n.states() + x * kLabels + y];
        for (std::size_t a = 0; a < kActions; ++a) {
          for (std::size_t k = 0; k < n.periods; ++k) add_visits_left(part, g, k, cell_of(x, y, a));
          arrived -= part.visits_of(g, x, y, a);
        }
        part.visits(g, n.horizon - 1, x, y, 0) += std::max<std::int64_t>(0, arrived);
      }
  if (!lost) return part;
  for (const auto table : {lost->first.flat(), lost->first_in_doubt.flat(), lost->decisions.flat(), lost->cells.flat(),
                           lost->transitions.flat()})
    scale(table);
  part.log.emplace().lost = std::move(lost);
  return part;
}

constexpr double kShares[] = {0.05, 0.1, 0.2, 0.3, 0.5};

/// What the people counted would prove in two parts; nothing if it was stopped, or if they have no say.
std::vector<SplitForecast> split_forecasts(const Counts& counts, const Policy& policy, CertifyOptions options,
                                           const Watch& watch) {
  options.value = std::monostate{};
  options.followed = false;
  std::vector<SplitForecast> forecasts;
  for (const double share : kShares) {
    auto design = Counts::make(fraction(counts.spec(), share));
    auto audit = Counts::make(fraction(counts.spec(), 1 - share));
    if (!design || !audit) return {};
    const auto part = [&, log = fingerprint(*design)](PartRole role) { return Part{role, {share, 0}, {log}}; };
    if (!design->mark(part(PartRole::design)) || !audit->mark(part(PartRole::audit))) return {};
    const auto found = certify(*audit, policy, options, {watch.stop, {}}, &*design);
    if (!found) return {};
    forecasts.push_back({share, worst_gap(found->gap)});
  }
  return forecasts;
}

/// The largest factor for which all sums still fit.
std::int64_t largest_factor(const Counts& counts) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto sum = [](std::span<const std::int64_t> table) {
    return std::accumulate(table.begin(), table.end(), std::int64_t{0});
  };
  std::int64_t all = std::max<std::int64_t>(1, sum(counts.visits().flat()));
  if (counts.log() && counts.log()->lost) {
    const Lost& lost = *counts.log()->lost;
    for (const auto table : {lost.first.flat(), lost.decisions.flat(), lost.cells.flat(), lost.transitions.flat()})
      all = std::max(all, sum(table));
  }
  return std::max<std::int64_t>(1, std::min(kLargestFactor, most / 4 / all));
}

/// The rows that people meet under the estimate, most doubt first; of counts and a policy that certify() took.
std::vector<RowPlan> rows_by_doubt(const Counts& counts, const Policy& policy, const CertifyOptions& options,
                                   bool two_parts, const std::stop_token& stop) {
  EstimateOptions how;
  how.share.assign(counts.shape().groups, 1 / static_cast<double>(counts.shape().groups));
  const auto found = estimate(counts, how);
  assert(found);
  Evaluation under(found->model.shape());
  evaluate_into(found->model, policy, under);
  const Shape n = counts.shape();
  const Balls sets = confidence_sets(counts, *found, *found->lost, split_delta(options, n, two_parts), stop);
  if (stop.stop_requested()) return {};  // half of the doubts would be in the wrong place
  std::vector<RowPlan> rows;
  for (std::size_t g = 0; g < n.groups; ++g) {
    const std::size_t begin = rows.size();
    rows.push_back({g, std::nullopt, found->people[g], 0, sets.initial[g]});
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          std::vector<double> met(n.periods);  // the last step has no successor
          for (std::size_t h = 0; h + 1 < n.horizon; ++h)
            met[counts.periods().of(h)] +=
                under.mass(g, h, x, y) * (a == 1 ? policy.accept(g, h, x) : 1 - policy.accept(g, h, x));
          for (std::size_t k = 0; k < n.periods; ++k) {
            const std::size_t cell = cell_of(x, y, a);
            if (met[k] > 0)
              rows.push_back(
                  {g, Cell{g, x, y, a, k}, found->successors.of(g, k)[cell], 0, met[k] * sets.row.of(g, k)[cell]});
          }
        }
    double all = 0;
    for (std::size_t i = begin; i < rows.size(); ++i) all += rows[i].doubt;
    for (std::size_t i = begin; i < rows.size(); ++i) rows[i].doubt /= all;
  }
  const auto key = [](const RowPlan& row) {
    const Cell cell = row.cell.value_or(Cell{});
    return std::tuple(-row.doubt, row.group, row.cell.has_value(), cell.x, cell.y, cell.a, cell.period);
  };
  std::sort(rows.begin(), rows.end(), [&](const RowPlan& a, const RowPlan& b) { return key(a) < key(b); });
  return rows;
}

std::int64_t more_of(std::int64_t seen, double scale) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(seen) * (scale - 1)));
}

double largest_estimated(const GapBounds& gaps) {
  double worst = 0;
  for (const auto* steps : {&gaps.dp, &gaps.eqopt, &gaps.eqodds})
    for (const double gap : *steps)
      if (gap > worst) worst = gap;  // a gap of nobody is NaN
  return worst;
}

}  // namespace

Expected<Plan> plan(const Counts& counts, const Policy& policy, const CertifyOptions& options, double target,
                    const Watch& watch, const Certificate* known, const Counts* design) {
  if (options.labels)
    return fail_option("plan", " is asked for where labels follow features, expected one of them", {},
                       "a plan is about states with their labels");
  // No gap depends on a model that rewards are known from. It was compared with the data at hand; people who are only
  // imagined, with the same frequencies, would refute it sooner or later.
  CertifyOptions imagined = options;
  if (std::holds_alternative<KnownRewards>(options.value)) imagined.value = std::monostate{};
  Plan found;
  found.target = target;
  found.periods = counts.periods();
  found.people.assign(counts.shape().groups, 0);
  found.outcome = Plan::Outcome::unfinished;
  const auto unless_stopped = [&](const Error& error) -> Expected<Plan> {
    if (watch.stop.stop_requested()) return found;
    return tl::unexpected(error);
  };
  const auto gap_of = [&](CountsSpec audit, std::int64_t factor) -> Expected<double> {
    auto more = Counts::make(times(std::move(audit), factor));
    if (!more) return tl::unexpected(more.error());
    std::optional<Counts> more_design;
    if (design != nullptr) {
      auto made = Counts::make(times(design->spec(), factor));
      if (!made) return tl::unexpected(made.error());
      more_design = std::move(*made);
      if (auto ok = call_parts_of_one_log(*more_design, *more); !ok) return tl::unexpected(ok.error());
    }
    return certify(*more, policy, imagined, watch, more_design ? &*more_design : nullptr)
        .map([](const Certificate& certificate) { return worst_gap(certificate.gap); });
  };
  const auto gap_at = [&](std::int64_t factor) { return gap_of(counts.spec(), factor); };
  const auto now = known != nullptr ? Expected<Certificate>(*known) : certify(counts, policy, options, watch, design);
  if (!now) return unless_stopped(now.error());
  found.rows = rows_by_doubt(counts, policy, options, design != nullptr, watch.stop);
  if (!counts.part()) found.splits = split_forecasts(counts, policy, options, watch);
  double gap_low = worst_gap(now->gap);
  if (gap_low <= target) {
    found.enough = 1;
    found.outcome = Plan::Outcome::reached;
    return found;
  }
  found.not_enough = 1;
  if (largest_estimated(now->estimated_gap) >= target) {
    found.outcome = Plan::Outcome::too_far;
    return found;
  }

  // Factors that do not reach it and that do: doubled, then halved in between.
  const std::int64_t most =
      design == nullptr ? largest_factor(counts) : std::min(largest_factor(counts), largest_factor(*design));
  double gap_high = gap_low;
  const auto settle = [&](std::int64_t factor, double gap) {
    (gap <= target ? found.enough : found.not_enough) = factor;
    (gap <= target ? gap_high : gap_low) = gap;
  };
  while (found.enough == 0 && found.not_enough < most) {
    const std::int64_t factor = std::min(most, 2 * found.not_enough);
    const auto gap = gap_at(factor);
    if (!gap) return unless_stopped(gap.error());
    settle(factor, *gap);
  }
  if (found.enough == 0) {
    const auto complete = gap_of(without_losses(counts.spec()), most);
    if (!complete) return unless_stopped(complete.error());
    found.outcome = *complete > target ? Plan::Outcome::unseen : Plan::Outcome::left_out;
    return found;
  }
  while (found.enough - found.not_enough > std::max<std::int64_t>(1, found.not_enough / 256)) {
    const std::int64_t middle = found.not_enough + (found.enough - found.not_enough) / 2;
    const auto gap = gap_at(middle);
    if (!gap) return unless_stopped(gap.error());
    settle(middle, *gap);
  }
  // In between, the doubt falls with the root of the number of people.
  const double root_low = 1 / std::sqrt(static_cast<double>(found.not_enough));
  const double root_high = 1 / std::sqrt(static_cast<double>(found.enough));
  const double root = root_high + (root_low - root_high) * (target - gap_high) / (gap_low - gap_high);
  found.outcome = Plan::Outcome::possible;
  found.scale = 1 / (root * root);
  for (std::size_t g = 0; g < found.people.size(); ++g)
    found.people[g] = more_of(counts.people(g) + (design == nullptr ? 0 : design->people(g)), found.scale);
  for (RowPlan& row : found.rows) row.more = more_of(row.seen, found.scale);
  return found;
}

}  // namespace fairstep
