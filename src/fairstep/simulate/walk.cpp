#include <fairstep/simulate/walk.hpp>

#include <cmath>
#include <limits>
#include <numeric>

namespace fairstep {

Expected<WalkTables> WalkTables::make(const Model& model, const Policy& policy, const Crowd& crowd) {
  const Shape& n = model.shape();
  WalkTables tables;
  tables.horizon_ = n.horizon;
  tables.states_ = n.groups * n.states();
  tables.participation_ = model.spec().participation.has_value();
  tables.people_per_start_ = crowd.per_group ? crowd.people : std::numeric_limits<std::uint64_t>::max();
  if (tables.states_ >= std::numeric_limits<std::uint32_t>::max() / n.horizon)
    return fail("groups x steps x states is " + std::to_string(tables.states_) + " x " + std::to_string(n.horizon) +
                    ", expected fewer than 2^32 to walk person by person",
                "", "simulate counts instead");

  // [h,state]; nobody decides about those who are not there.
  for (std::size_t h = 0; h < n.horizon; ++h) {
    for (std::size_t state = 0; state < tables.states_; ++state) {
      const std::size_t g = state / n.states();
      const double p = policy.accept(g, h, state % n.states() / kLabels);
      tables.accept_below_.push_back(static_cast<std::uint64_t>(std::ldexp(p, 63)));
    }
    tables.accept_below_.push_back(0);
  }

  // [place]; leaving is one more outcome beside the successors of those who stay.
  std::vector<double> weight(n.states() + 1);
  std::vector<std::uint32_t> outcome(n.states() + 1);
  outcome.back() = tables.absent();
  for (std::size_t g = 0; g < n.groups; ++g) {
    std::iota(outcome.begin(), outcome.end() - 1, static_cast<std::uint32_t>(g * n.states()));
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      const double leave = tables.participation_ ? model.spec().participation->leave.block(g)[cell] : 0;
      const double* const row = model.kernel(g).row(cell);
      // The row is taken in proportion, as everywhere, and `leave` is what it says.
      const double sum = std::accumulate(row, row + n.states(), 0.0);
      for (std::size_t s1 = 0; s1 < n.states(); ++s1) weight[s1] = (1 - leave) * (row[s1] / sum);
      weight.back() = leave;
      tables.successor_.push_back(append_alias(weight, outcome, tables.slots_));
    }
  }
  for (std::size_t a = 0; a < kActions; ++a)
    tables.successor_.push_back(append_alias(std::vector{1.0}, std::vector{tables.absent()}, tables.slots_));

  // [first step, state] of one group, or of all with the groups' shares.
  std::vector<double> start_weight(n.horizon * tables.states_);
  std::vector<std::uint32_t> start_outcome(start_weight.size());
  std::iota(start_outcome.begin(), start_outcome.end(), 0U);
  const auto fill_group = [&](std::size_t g, double share) {
    for (std::size_t h = 0; h < n.horizon; ++h) {
      const double enters = tables.participation_ ? model.spec().participation->first_step(g, h) : (h == 0 ? 1 : 0);
      for (std::size_t s = 0; s < n.states(); ++s)
        start_weight[h * tables.states_ + g * n.states() + s] = share * enters * model.initial(g)[s];
    }
  };
  for (std::size_t g = 0; g < n.groups; ++g) {
    fill_group(g, crowd.per_group ? 1 : model.share(g));
    if (!crowd.per_group) continue;
    tables.start_.push_back(append_alias(start_weight, start_outcome, tables.start_slots_));
    fill_group(g, 0);
  }
  if (!crowd.per_group) tables.start_.push_back(append_alias(start_weight, start_outcome, tables.start_slots_));
  return tables;
}

std::uint32_t WalkTables::start(std::uint64_t person, std::uint64_t word) const {
  const AliasPick picked = pick(start_slots_.data(), start_[person / people_per_start_], word);
  return start_slots_[picked.slot].outcome[picked.side];
}

}  // namespace fairstep
