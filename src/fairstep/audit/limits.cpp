// What the data say of limits on gaps and ratios: proven to be kept, proven to be broken, or neither.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/parts.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/mention.hpp>

namespace fairstep {
namespace internal {
namespace {

Expected<void> not_looked_at(const char* what, const std::string& pointer) {
  return fail(fmt::format("an audit says nothing of {}, expected limits on gaps, on ratios and on the gap over the "
                          "episode (aggregate_dp)",
                          what),
              pointer);
}

bool looks_at(const AuditOptions& options, Notion notion) {
  return std::find(options.notions.begin(), options.notions.end(), notion) != options.notions.end();
}

Ruling of_gap(const NotionGap& gap, double limit) {
  if (gap.band.low > limit || (limit <= 0 && gap.differ)) return Ruling::beyond;
  return gap.band.high <= limit ? Ruling::within : Ruling::open;
}

Ruling of_ratio(const NotionRatio& ratio, double limit) {
  if (ratio.band.high < limit) return Ruling::beyond;
  return ratio.band.low >= limit ? Ruling::within : Ruling::open;
}

}  // namespace

Expected<void> check_limits(const AuditOptions& options, const Shape& n) {
  const Fairness& limits = options.limits;
  if (auto ok = check(limits, n); !ok) return ok;
  if (limits.capacity) return not_looked_at("capacity", "/capacity");
  if (!limits.moments.empty()) return not_looked_at("moments", "/moments");
  if (limits.aggregate_eqopt) return not_looked_at("the qualified over the whole episode", "/aggregate_eqopt");
  const auto needs = [&](Notion notion, const std::string& pointer) -> Expected<void> {
    if (looks_at(options, notion)) return {};
    return fail(fmt::format("there is a limit that needs {}, which is not audited", name_of(notion)), pointer,
                option("fairness", name_of(notion)));
  };
  for (std::size_t i = 0; i < limits.parity.size(); ++i)
    if (auto ok = needs(limits.parity[i].notion, fmt::format("/parity/{}/notion", i)); !ok) return ok;
  for (std::size_t i = 0; i < limits.ratios.size(); ++i) {
    if (auto ok = needs(notion_of(limits.ratios[i].notion), fmt::format("/ratios/{}/notion", i)); !ok) return ok;
    if (limits.ratios[i].reference != options.reference)
      return fail("the ratios of an audit have one reference, and this limit has another",
                  fmt::format("/ratios/{}/reference", i));
  }
  if (limits.aggregate_dp) return needs(Notion::dp, "/aggregate_dp");
  return {};
}

std::vector<Judged> judge(const Fairness& limits, const Audit& audit) {
  std::vector<Judged> judged;
  for (const StepwiseParity& parity : limits.parity)
    for (const NotionGap& gap : audit.gaps)
      if (gap.notion == parity.notion) {
        const double limit = limit_at(parity, gap.step);
        judged.push_back({name_of(gap.notion), gap.step, limit, gap.gap, gap.band, of_gap(gap, limit)});
      }
  for (const StepwiseRatio& asked : limits.ratios)
    for (const NotionRatio& ratio : audit.ratios)
      if (ratio.notion == asked.notion) {
        const double limit = limit_at(asked, ratio.step);
        judged.push_back({name_of(ratio.notion), ratio.step, limit, ratio.ratio, ratio.band, of_ratio(ratio, limit)});
      }
  if (limits.aggregate_dp && audit.episode) {
    const NotionGap& gap = audit.episode->gap;
    judged.push_back({over_the_episode(Notion::dp), gap.step, *limits.aggregate_dp, gap.gap, gap.band,
                      of_gap(gap, *limits.aggregate_dp)});
  }
  return judged;
}

}  // namespace internal

std::optional<Ruling> ruling_of(const Audit& audit) {
  std::optional<Ruling> worst;
  for (const Judged& judged : audit.judged) worst = std::max(worst.value_or(Ruling::within), judged.ruling);
  return worst;
}

}  // namespace fairstep
