#include <fairstep/estimate/participation.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/grounds.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/text.hpp>

namespace fairstep {
namespace {

// As doubles: sums of several groups may add up to more than a count can hold.
double sum(std::span<const std::int64_t> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double part_of(double part, double whole) { return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0; }

/// How many came and went, over all groups.
struct Traffic {
  double decisions = 0;
  double left_out = 0;   ///< rows of the log that are in no table of states
  double joined = 0;     ///< after the first step
  double left = 0;       ///< before the last
  double came_back = 0;  ///< decisions after a gap
};

Traffic traffic_of(const Counts& counts) {
  const Shape n = counts.shape();
  Traffic all;
  for (std::size_t g = 0; g < n.groups; ++g) {
    const double people = sum(counts.first().block(g));
    const double moves = sum(counts.transitions().block(g));
    const double decisions = sum(counts.visits().block(g));
    const double came_back = decisions - moves - people;  // neither a first decision nor right after one
    const double last = sum(counts.visits().block(g, n.horizon - 1));
    all.decisions += decisions;
    all.came_back += came_back;
    all.joined += people - sum(counts.visits().block(g, 0));  // all decisions of the first step are first ones
    all.left += decisions - last - moves - came_back;
  }
  if (counts.log()) {
    const LogGrounds log = grounds_of(*counts.log());
    all.left_out = static_cast<double>(log.lost) + static_cast<double>(log.unlabelled);
  }
  return all;
}

/// Of each cell, of the decisions before the last step.
void fill_leaving(const Counts& counts, std::size_t g, std::span<double> leave) {
  const Shape n = counts.shape();
  std::vector<double> decisions(n.cells());
  for (std::size_t h = 0; h + 1 < n.horizon; ++h)
    for (std::size_t cell = 0; cell < n.cells(); ++cell)
      decisions[cell] += static_cast<double>(counts.visits().block(g, h)[cell]);
  double all = 0, left = 0;
  for (std::size_t cell = 0; cell < n.cells(); ++cell) {
    const double ended = decisions[cell] - sum(counts.transitions().block(g).subspan(cell * n.states(), n.states()));
    leave[cell] = part_of(ended, decisions[cell]);
    all += decisions[cell];
    left += ended;
  }
  for (std::size_t cell = 0; cell < n.cells(); ++cell)
    if (decisions[cell] == 0) leave[cell] = part_of(left, all);
}

void fill_first_step(const Counts& counts, std::size_t g, std::span<double> first_step) {
  const bool by_step = counts.history() && !counts.history()->arrivals.empty();
  double all = 0;
  for (std::size_t h = 0; h < first_step.size(); ++h) {
    const double went_on = by_step ? sum(counts.history()->arrivals.block(g, h)) : 0;
    first_step[h] = by_step || h == 0 ? sum(counts.visits().block(g, h)) - went_on : 0;
    all += first_step[h];
  }
  for (double& came : first_step) came = part_of(came, all);
  if (all == 0) first_step[0] = 1;
}

std::string whole_number(double n) { return internal::with_thousands(static_cast<std::int64_t>(n)); }

}  // namespace

TakingPart taking_part(const Counts& counts) {
  const Shape n = counts.shape();
  TakingPart result;
  const Traffic traffic = traffic_of(counts);
  // Rows that were left out may be all that people seem to miss.
  if (traffic.joined + traffic.left <= traffic.left_out || n.horizon == 1) return result;
  if (traffic.came_back + traffic.left_out > kMostGaps * traffic.decisions) {
    result.why_not = fmt::format(
        "people join late or leave early, but who does is not estimated: {} decisions come after a gap and "
        "{} rows were left out, together more than {} % of {} decisions",
        whole_number(traffic.came_back), whole_number(traffic.left_out), 100 * kMostGaps,
        whole_number(traffic.decisions));
    return result;
  }
  if (traffic.joined > 0 && (!counts.history() || counts.history()->arrivals.empty())) {
    result.why_not =
        "people join late, but who does is not estimated: the counts do not say at which step (they have no history by "
        "step)";
    return result;
  }
  result.gaps = static_cast<std::int64_t>(traffic.came_back);
  Participation& made = result.participation.emplace();
  made.leave = Tensor<double, 4>(extents_of(kCellAxes, n));
  made.first_step = Tensor<double, 2>(extents_of(kFirstStepAxes, n));
  for (std::size_t g = 0; g < n.groups; ++g) {
    fill_leaving(counts, g, made.leave.block(g));
    fill_first_step(counts, g, made.first_step.block(g));
  }
  return result;
}

}  // namespace fairstep
