#include <fairstep/certify/two_samples.hpp>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>

#include <fairstep/core/part.hpp>
#include <fairstep/core/shape.hpp>

namespace fairstep {
namespace {

constexpr std::size_t kFirst = 0;

std::span<const std::int64_t> draws(const Counts& counts, std::size_t g, std::size_t row) {
  if (row == kFirst) return counts.first().block(g);
  const std::size_t states = counts.shape().states();
  const std::size_t cells = counts.shape().cells();
  return counts.kernel(g, (row - 1) / cells).subspan((row - 1) % cells * states, states);
}

}  // namespace

TwoSamples::TwoSamples(const Counts& design, const Counts& audit, const Lost& lost, const Policy& policy,
                       const Estimate& audit_estimate, const Balls& sets, std::size_t g)
    : audit_(audit),
      lost_(lost),
      estimate_(audit_estimate),
      sets_(sets),
      group_(g),
      horizon_(audit.horizon()),
      states_(audit.shape().states()),
      accept_(policy.group(g)),
      design_((1 + audit.shape().periods * audit.shape().cells()) * states_),
      planned_(1 + audit.shape().periods * audit.shape().cells()),
      mass_(horizon_ * states_) {
  assert(design.part() && sets.boxes);
  const double share = design.part()->split.share;
  for (std::size_t row = 0; row < rows(); ++row) {
    const auto counted = draws(design, g, row);
    const auto all = static_cast<double>(std::accumulate(counted.begin(), counted.end(), std::int64_t{0}));
    planned_[row] = all * (1 - share) / share;
    for (std::size_t s = 0; s < states_; ++s)
      design_[row * states_ + s] = all == 0 ? 1 / static_cast<double>(states_) : static_cast<double>(counted[s]) / all;
  }
  std::copy_n(design_.begin(), states_, mass_.begin());
  for (std::size_t t = 0; t + 1 < horizon_; ++t)
    for (std::size_t s = 0; s < states_; ++s)
      for (std::size_t a = 0; a < kActions; ++a) {
        const double here = mass(t)[s] * acts(t, s, a);
        if (here == 0) continue;
        const auto next = this->design(row_of(t, s, a));
        for (std::size_t s1 = 0; s1 < states_; ++s1) mass_[(t + 1) * states_ + s1] += here * next[s1];
      }
}

std::span<const std::int64_t> TwoSamples::seen(std::size_t row) const { return draws(audit_, group_, row); }

std::int64_t TwoSamples::in_doubt(std::size_t row) const { return row == kFirst ? lost_.first_in_doubt(group_) : 0; }

std::int64_t TwoSamples::missing(std::size_t row) const {
  return row == kFirst ? lost_.first(group_) : lost_.transitions.block(group_)[(row - 1) % audit_.shape().cells()];
}

RowSet TwoSamples::set(std::size_t row) const {
  const ModelSpec& spec = estimate_.model.spec();
  if (row == kFirst)
    return {spec.initial.block(group_), sets_.boxes->initial_low.block(group_), sets_.boxes->initial_high.block(group_),
            sets_.initial[group_]};
  const std::size_t cells = audit_.shape().cells();
  const std::size_t k = (row - 1) / cells;
  const std::size_t cell = (row - 1) % cells;
  const auto of = [&](const ByPeriod<double, 6>& table) {
    return table.of(group_, k).subspan(cell * states_, states_);
  };
  return {of(spec.transition), of(sets_.boxes->low), of(sets_.boxes->high), sets_.row.of(group_, k)[cell]};
}

}  // namespace fairstep
