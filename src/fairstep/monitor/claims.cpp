#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairstep/monitor/monitor.hpp>

namespace fairstep {
namespace {

/// Of a rate that is claimed to be above this and no more nothing can be refuted before so many people have come.
constexpr double kLeastEnd = 1e-9;
/// Each is played against day by day, and days are kept for ever.
constexpr std::size_t kMostClaims = std::size_t{1} << 14;

/// All ordered pairs of groups; `bound_of(i, j, h)` is what is claimed.
template <class BoundOf>
void add_pairs(ClaimKind kind, Rate rate, std::size_t groups, std::size_t steps, const BoundOf& bound_of,
               std::vector<Claim>& claims) {
  for (std::size_t h = 0; h < steps; ++h)
    for (std::size_t i = 0; i < groups; ++i)
      for (std::size_t j = 0; j < groups; ++j)
        if (const double bound = bound_of(i, j, h); i != j && bound < 1)
          claims.push_back({kind, rate, h, i, j, {}, false, bound, 0});
}

/// At most and at least, where that says anything.
void add_ends(const Claim& like, const Range& range, std::vector<Claim>& claims) {
  Claim claim = like;
  if (range.high < 1) {
    claim.bound = std::max(0.0, range.high);
    claims.push_back(claim);
  }
  if (range.low > kLeastEnd) {
    claim.at_least = true;
    claim.bound = std::min(1.0, range.low);
    claims.push_back(claim);
  }
}

std::vector<Claim> claims_of_limit(const MonitorQuestion& question) {
  std::vector<Rate> rates;
  for (const Notion notion : question.notions)
    for (const Rate rate : rates_of(notion))
      if (std::find(rates.begin(), rates.end(), rate) == rates.end()) rates.push_back(rate);
  std::vector<Claim> claims;
  for (const Rate rate : rates)
    add_pairs(
        ClaimKind::limit, rate, question.groups.size(), question.horizon,
        [&](std::size_t, std::size_t, std::size_t) { return *question.limit; }, claims);
  return claims;
}

/// The policy's groups may stand in another order.
std::size_t row_of(const Certified& certified, std::size_t g) {
  const std::vector<std::string>& names = certified.policy.group_names();
  const auto found = std::find(names.begin(), names.end(), certified.counts.names().groups[g]);
  return found == names.end() ? g : static_cast<std::size_t>(found - names.begin());
}

std::vector<Claim> claims_of_certificate(const Certified& certified) {
  const Shape n = certified.counts.shape();
  std::vector<Claim> claims;
  for (const auto& [rate, gaps] : certified.gaps)
    add_pairs(
        ClaimKind::certified_gap, rate, n.groups, n.horizon,
        [&table = gaps](std::size_t i, std::size_t j, std::size_t h) { return table(i, j, h); }, claims);
  for (const auto& [rate, ranges] : certified.rates)
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t h = 0; h < n.horizon; ++h)
        add_ends({ClaimKind::certified_rate, rate, h, g, {}, {}, false, 0, 0}, ranges(g, h), claims);
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) {
        const double accept = certified.policy.accept(row_of(certified, g), h, x);
        add_ends({ClaimKind::certified_policy, Rate::accept, h, g, {}, x, false, 0, 0}, {accept, accept}, claims);
      }
  return claims;
}

void share(std::vector<Claim>& claims, double delta) {
  for (Claim& claim : claims) claim.alarm_at = std::log(static_cast<double>(claims.size()) / delta);
}

}  // namespace

Expected<std::vector<Claim>> claims_of(const MonitorQuestion& question, const Certified* certified) {
  if (!(question.delta > 0 && question.delta < 1))
    return fail_option("delta", fmt::format(" is {}, expected more than 0 and less than 1", question.delta));
  if (question.limit && !(*question.limit >= 0 && *question.limit < 1))
    return fail_option("limit", fmt::format(" is {}, expected at least 0 and less than 1", *question.limit));
  if (question.limit && question.notions.empty()) return fail("no notion of fairness is asked for");
  std::vector<Claim> claims = question.limit ? claims_of_limit(question) : std::vector<Claim>{};
  std::vector<Claim> of_certificate = certified != nullptr ? claims_of_certificate(*certified) : std::vector<Claim>{};
  if (claims.size() + of_certificate.size() > kMostClaims)
    return fail(fmt::format("there are {} claims to watch, expected at most {}", claims.size() + of_certificate.size(),
                            kMostClaims),
                "", "watch fewer groups or steps, or one notion of fairness: " + option("fairness", "dp"));
  if (claims.empty() && of_certificate.empty()) return fail("there is nothing that days could refute");
  // Either kind with its half of delta, so that neither waits longer the more there are of the other.
  const bool both = !claims.empty() && !of_certificate.empty();
  const double delta = both ? question.delta / 2 : question.delta;
  share(claims, delta);
  share(of_certificate, delta);
  claims.insert(claims.end(), of_certificate.begin(), of_certificate.end());
  return claims;
}

std::vector<Rate> rates_of(const std::vector<Claim>& claims) {
  std::vector<Rate> rates;
  for (const Rate rate : all_of<Rate>())
    if (std::any_of(claims.begin(), claims.end(),
                    [&](const Claim& claim) { return claim.rate == rate && !claim.feature; }))
      rates.push_back(rate);
  return rates;
}

Ledger::Ledger(const std::vector<Claim>& claims) : claims_(claims), standings_(claims.size()) {
  for (const Claim& claim : claims_) {
    if (claim.second)
      pairs_.emplace_back(claim.bound);
    else  // 1 - bound, rounded so that no more is claimed
      singles_.emplace_back(claim.at_least ? std::nextafter(1 - claim.bound, 1.0) : claim.bound);
  }
}

std::vector<std::size_t> Ledger::play(const MonitorDay& day) {
  std::vector<std::size_t> refuted;
  auto pair = pairs_.begin();
  auto single = singles_.begin();
  const auto table_of = [&](Rate rate) -> const Tensor<Tally, 2>& {
    return std::find_if(day.rates.begin(), day.rates.end(), [&](const auto& t) { return t.rate == rate; })->steps;
  };
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    const Claim& claim = claims_[i];
    Standing& standing = standings_[i];
    if (claim.second) {
      const Tensor<Tally, 2>& table = table_of(claim.rate);
      pair->play(table(claim.first, claim.step), table(*claim.second, claim.step));
      standing.log_evidence = pair++->log_evidence();
    } else {
      const Tally& seen = claim.feature ? day.by_feature(claim.first, claim.step, *claim.feature)
                                        : table_of(claim.rate)(claim.first, claim.step);
      single->play(claim.at_least ? refused(seen) : seen);
      standing.log_evidence = single++->log_evidence();
    }
    standing.highest = std::max(standing.highest, standing.log_evidence);
    if (standing.log_evidence < claim.alarm_at || standing.alarm) continue;
    standing.alarm = day.number;
    refuted.push_back(i);
  }
  return refuted;
}

}  // namespace fairstep
