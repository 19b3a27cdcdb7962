#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/log_record.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/estimate/claims.hpp>
#include <fairstep/monitor/monitor.hpp>

namespace fairstep {
namespace {

/// Decisions with this feature; those without a label count if the rate needs none.
void add(Tally& tally, Rate rate, const Counts& counts, std::size_t g, std::size_t h, std::size_t x) {
  const auto take = [&](std::size_t a, std::int64_t decisions) {
    tally.decisions += decisions;
    if (a == 1) tally.accepted += decisions;
  };
  for (std::size_t a = 0; a < kActions; ++a) {
    for (std::size_t y = 0; y < kLabels; ++y)
      if (rate == Rate::accept || (rate == Rate::tpr) == (y == 1)) take(a, counts.visits()(g, h, x, y, a));
    if (rate == Rate::accept && counts.log() && !counts.log()->unlabelled.empty())
      take(a, counts.log()->unlabelled(g, h, x, a));
  }
}

}  // namespace

Expected<MonitorDay> day_of(const Counts& counts, std::int64_t lost_rows, const MonitorQuestion& question,
                            const std::vector<Claim>& claims, const Certified* certified) {
  const Shape n = counts.shape();
  const Names& names = counts.names();
  if (names.groups != question.groups || names.labels != question.labels || names.actions != question.actions ||
      n.horizon != question.horizon)
    return fail("the log's names or steps are not those that are watched");
  if (certified != nullptr && names.features != certified->counts.names().features)
    return fail("the log's features are not those of the certificate");
  MonitorDay day;
  day.lost_rows = lost_rows;
  if (counts.log()) day.rows = counts.log()->rows;
  for (std::size_t g = 0; g < n.groups; ++g) day.people.push_back(counts.people(g));
  for (const Rate rate : rates_of(claims)) {
    const auto lost = lost_decisions(counts, rate != Rate::accept);
    if (!lost) return tl::unexpected(lost.error());
    RateTallies& tallies = day.rates.emplace_back(RateTallies{rate, Tensor<Tally, 2>({n.groups, n.horizon})});
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t h = 0; h < n.horizon; ++h) {
        tallies.steps(g, h).missing = (*lost)(g, h);
        for (std::size_t x = 0; x < n.features; ++x) add(tallies.steps(g, h), rate, counts, g, h, x);
      }
  }
  if (certified == nullptr) return day;
  const auto lost = lost_decisions(counts, false);
  if (!lost) return tl::unexpected(lost.error());
  day.by_feature = Tensor<Tally, 3>({n.groups, n.horizon, n.features});
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) {
        day.by_feature(g, h, x).missing = (*lost)(g, h);
        add(day.by_feature(g, h, x), Rate::accept, counts, g, h, x);
      }
  return day;
}

}  // namespace fairstep
