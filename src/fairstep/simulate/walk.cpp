#include <fairstep/simulate/walk.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace fairstep {
namespace {

std::size_t count_positive(std::span<const double> weight) {
  return static_cast<std::size_t>(std::count_if(weight.begin(), weight.end(), [](double w) { return w > 0; }));
}

/// A period begins wherever one of either does.
Periods refined(const Periods& ours, const Periods& theirs) {
  Periods both = ours;
  for (const Period& period : theirs.list)
    if (std::none_of(both.list.begin(), both.list.end(),
                     [&](const Period& own) { return own.first_step == period.first_step; }))
      both.list.push_back(period);
  std::sort(both.list.begin(), both.list.end(),
            [](const Period& a, const Period& b) { return a.first_step < b.first_step; });
  return both;
}

}  // namespace

Expected<WalkTables> WalkTables::make(const Model& model, const Policy& policy, const SimulateOptions& options) {
  const Shape& n = model.shape();
  WalkTables tables;
  tables.horizon_ = n.horizon;
  tables.states_ = n.groups * n.states();
  tables.participation_ = model.spec().participation.has_value();
  tables.noise_ = !model.spec().reward_noise.empty();
  if (tables.states_ >= std::numeric_limits<std::uint32_t>::max() / n.horizon)
    return fail("the model has " + std::to_string(tables.states_) + " states (all groups) and " +
                    std::to_string(n.horizon) + " steps, expected a product below 2^32 to walk people one by one",
                {}, "simulate counts instead");
  tables.fill_accept(model, policy);
  tables.periods_ = refined(model.periods(), recorded_periods(model, options));
  for (std::size_t k = 0; k < tables.periods_.number(); ++k)
    tables.fill_rows(model, tables.periods_.pooled() ? 0 : tables.periods_.list[k].first_step);
  tables.fill_starts(model, options.crowd);
  return tables;
}

void WalkTables::fill_accept(const Model& model, const Policy& policy) {
  const Shape& n = model.shape();
  accept_below_.reserve(n.horizon * (states_ + 1));
  for (std::size_t h = 0; h < n.horizon; ++h) {
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t s = 0; s < n.states(); ++s)
        accept_below_.push_back(static_cast<std::uint64_t>(std::ldexp(policy.accept(g, h, s / kLabels), 63)));
    accept_below_.push_back(0);  // those who are not there
  }
}

/// Of the period that the step is in.
void WalkTables::fill_rows(const Model& model, std::size_t step) {
  const Shape& n = model.shape();
  // For each action of a state: its successors, and leaving as one more outcome.
  std::vector<double> weight[kActions] = {std::vector<double>(n.states() + 1), std::vector<double>(n.states() + 1)};
  std::vector<std::uint32_t> outcome(n.states() + 1);
  outcome.back() = absent();
  for (std::size_t g = 0; g < n.groups; ++g) {
    std::iota(outcome.begin(), outcome.end() - 1, static_cast<std::uint32_t>(g * n.states()));
    for (std::size_t s = 0; s < n.states(); ++s) {
      for (std::size_t a = 0; a < kActions; ++a) {
        const std::size_t cell = s * kActions + a;
        const double* const row = model.kernel(g, step).row(cell);
        const double leave = participation_ ? model.spec().participation->leave.block(g)[cell] : 0;
        // The row is taken in proportion, as everywhere, and `leave` is what it says.
        const double stay = (1 - leave) / std::accumulate(row, row + n.states(), 0.0);
        std::transform(row, row + n.states(), weight[a].begin(), [stay](double p) { return stay * p; });
        weight[a].back() = leave;
      }
      rows_.push_back({slots_.size(), std::max(count_positive(weight[0]), count_positive(weight[1]))});
      for (const auto& w : weight) append_alias(w, outcome, rows_.back().size, slots_);
    }
  }
  // Those who are not there stay where they are.
  rows_.push_back({slots_.size(), 1});
  slots_.insert(slots_.end(), kActions, {0, {absent(), absent()}});
}

void WalkTables::fill_starts(const Model& model, const Crowd& crowd) {
  const Shape& n = model.shape();
  std::vector<double> weight(n.horizon * states_);  // [h, state]
  std::vector<std::uint32_t> outcome(weight.size());
  std::iota(outcome.begin(), outcome.end(), 0U);
  const auto fill_group = [&](std::size_t g, double share) {
    for (std::size_t h = 0; h < n.horizon; ++h) {
      const double enters = participation_ ? model.spec().participation->first_step(g, h) : (h == 0 ? 1 : 0);
      for (std::size_t s = 0; s < n.states(); ++s)
        weight[h * states_ + g * n.states() + s] = share * enters * model.initial(g)[s];
    }
  };
  const auto append = [&] {
    StartRow& row = starts_.emplace_back();
    row.size = count_positive(weight);
    append_alias(weight, outcome, row.size, row.slots);
  };
  for (std::size_t g = 0; g < n.groups; ++g) {
    fill_group(g, crowd.per_group ? 1 : model.share(g));
    if (!crowd.per_group) continue;
    append();
    fill_group(g, 0);
  }
  if (!crowd.per_group) append();
  people_per_start_ = crowd.per_group ? crowd.people : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace fairstep
