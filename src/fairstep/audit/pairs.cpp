// Groups beside each other: differences and ratios of their rates, and the widest and the least of them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/parts.hpp>
#include <fairstep/audit/two_proportions.hpp>

namespace fairstep::internal {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

Rate rate_of(RatioNotion notion) { return notion == RatioNotion::dp ? Rate::accept : Rate::tpr; }

/// What the bands of two rates leave possible.
void from_bands(PairGap& pair, const Observed& first, const Observed& second, bool ratio) {
  pair.band = {first.band.low - second.band.high, first.band.high - second.band.low};
  pair.differ = pair.band.low > 0 || pair.band.high < 0;
  if (ratio) pair.ratio_band = quotient(first.band, second.band);
}

/// By the decisions themselves, so many comparisons being paid for as the levels say.
void from_decisions(PairGap& pair, const Outcomes& first, const Outcomes& second, const EachBand& each, double all,
                    bool ratio) {
  const Compared compared = compare(first, second, each.pair, ratio ? each.ratio : 0);
  pair.band = compared.difference;
  pair.differ = compared.differ;
  pair.p = std::min(1.0, compared.p * (all / each.pair));
  if (std::isnan(compared.p)) pair.p = kNotANumber;
  pair.ratio_band = compared.ratio;
}

/// Makes the widest gap at least that of these pairs.
void widen(NotionGap& widest, std::span<const PairGap> pairs) {
  for (const PairGap& pair : pairs) {
    const double size = std::abs(pair.difference);
    if (!std::isnan(size) && !(size <= widest.gap)) {
      widest.gap = size;
      widest.above = pair.difference >= 0 ? pair.first : pair.second;
      widest.below = pair.difference >= 0 ? pair.second : pair.first;
    }
    widest.differ = widest.differ || pair.differ;
    widest.band.low = std::max({widest.band.low, pair.band.low, -pair.band.high});
    widest.band.high = std::max({widest.band.high, pair.band.high, -pair.band.low});
  }
}

RatioBeside as_is(const PairGap& pair) { return {pair.first, pair.second, pair.ratio, pair.ratio_band}; }

/// Of the second beside the first.
RatioBeside turned(const PairGap& pair) {
  const auto inverse = [](double value) { return value > 0 ? 1 / value : std::numeric_limits<double>::infinity(); };
  return {pair.second,
          pair.first,
          // Beside a rate of 0 the one of these two is without end and the other 0.
          pair.ratio > 0                                  ? 1 / pair.ratio
          : std::isnan(pair.ratio) && pair.difference > 0 ? 0.0
                                                          : kNotANumber,
          {std::isinf(pair.ratio_band.high) ? 0 : inverse(pair.ratio_band.high), inverse(pair.ratio_band.low)}};
}

}  // namespace

std::vector<PairGap> gaps_of(const AuditedRate& rate, const Compare& compare, const Tensor<std::int64_t, 2>* lost,
                             const EachBand& each) {
  std::vector<PairGap> pairs;
  const std::size_t horizon = rate.steps.extents()[1];
  for (std::size_t h = 0; h < horizon; ++h)
    for (std::size_t i = 0; i < compare.groups.size(); ++i)
      for (std::size_t j = i + 1; j < compare.groups.size(); ++j) {
        PairGap pair;
        pair.rate = rate.rate;
        pair.step = h;
        pair.first = compare.groups[i];
        pair.second = compare.groups[j];
        const Observed& first = rate.steps(pair.first, h);
        const Observed& second = rate.steps(pair.second, h);
        pair.difference = first.rate - second.rate;
        const bool ratio = rate.rate != Rate::fpr && compare.has_ratio(pair.first, pair.second);
        if (ratio && second.rate > 0) pair.ratio = first.rate / second.rate;
        if (lost != nullptr && each.pair > 0)
          from_decisions(pair, {first.accepted, first.decisions, (*lost)(pair.first, h)},
                         {second.accepted, second.decisions, (*lost)(pair.second, h)}, each, compare.delta, ratio);
        else
          from_bands(pair, first, second, ratio);
        pairs.push_back(pair);
      }
  return pairs;
}

NotionGap widest(Notion notion, std::size_t h, const std::vector<PairGap>& pairs) {
  NotionGap widest{notion, h, kNotANumber, {0, 0}, false, 0, 0};
  const std::vector<Rate> rates = rates_of(notion);
  // The pairs of a rate at a step lie together, rates one after the other and their steps in order.
  for (const Rate rate : rates) {
    const auto [begin, end] =
        std::equal_range(pairs.begin(), pairs.end(), std::pair(rate, h), [](const auto& a, const auto& b) {
          const auto place = [](const auto& at) {
            if constexpr (requires { at.step; })
              return std::pair(at.rate, at.step);
            else
              return at;
          };
          return place(a) < place(b);
        });
    widen(widest, std::span(begin, end));
  }
  return widest;
}

NotionRatio least_ratio(RatioNotion notion, std::size_t h, const Compare& compare, const std::vector<PairGap>& pairs) {
  NotionRatio least{notion, h, kNotANumber, 0, 0, {}};
  const auto take = [&](const RatioBeside& ratio) {
    if (compare.reference && ratio.beside != *compare.reference) return;
    if (!std::isnan(ratio.ratio) && !(ratio.ratio >= least.ratio)) {
      least.ratio = ratio.ratio;
      least.group = ratio.group;
      least.beside = ratio.beside;
    }
    least.band = {std::min(least.band.low, ratio.band.low), std::min(least.band.high, ratio.band.high)};
  };
  least.band = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const PairGap& pair : pairs) {
    if (pair.rate != rate_of(notion) || pair.step != h || !compare.has_ratio(pair.first, pair.second)) continue;
    take(as_is(pair));
    take(turned(pair));
  }
  if (std::isinf(least.band.low)) least.band.low = 0;                        // nobody to compare
  if (!compare.reference) least.band.high = std::min(1.0, least.band.high);  // that of the best treated is 1
  return least;
}

std::vector<RatioBeside> ratios_beside(const Audit& audit, RatioNotion notion, std::size_t h) {
  std::vector<RatioBeside> beside;
  std::optional<std::size_t> line = audit.reference;
  for (const AuditedRate& rate : audit.rates) {
    if (line || !rate.known || rate.rate != rate_of(notion)) continue;
    for (const PairGap& pair : audit.pairs)
      if (pair.rate == rate.rate && pair.step == h)
        for (const std::size_t g : {pair.first, pair.second})
          if (!line || !(rate.steps(*line, h).rate >= rate.steps(g, h).rate)) line = g;
  }
  for (const PairGap& pair : audit.pairs) {
    if (pair.rate != rate_of(notion) || pair.step != h) continue;
    if (pair.second == line) beside.push_back(as_is(pair));
    if (pair.first == line) beside.push_back(turned(pair));
  }
  std::sort(beside.begin(), beside.end(), [](const RatioBeside& a, const RatioBeside& b) {
    if (std::isnan(a.ratio) != std::isnan(b.ratio)) return std::isnan(b.ratio);
    return a.ratio < b.ratio || (!(b.ratio < a.ratio) && a.group < b.group);
  });
  return beside;
}

EpisodeAudit audit_episode(const AuditedRate& accept, const Compare& compare) {
  EpisodeAudit episode;
  const auto [groups, horizon] = accept.steps.extents();
  AuditedRate whole;
  whole.rate = accept.rate;
  whole.steps = Tensor<Observed, 2>({groups, 1});
  for (std::size_t g = 0; g < groups; ++g) {
    Observed& mean = whole.steps(g, 0);
    for (std::size_t h = 0; h < horizon; ++h) {
      const Observed& step = accept.steps(g, h);
      mean.accepted += step.accepted;
      mean.decisions += step.decisions;
      mean.rate += step.rate / static_cast<double>(horizon);
    }
    mean.band = mean_band(horizon, [&, g](std::size_t h) { return accept.steps(g, h).band; });
    episode.accept.push_back(mean);
  }
  episode.pairs = gaps_of(whole, compare, nullptr, {});
  for (PairGap& pair : episode.pairs) pair.step = horizon;
  episode.gap = {Notion::dp, horizon, kNotANumber, {0, 0}, false, 0, 0};
  widen(episode.gap, episode.pairs);
  return episode;
}

}  // namespace fairstep::internal
