// What a policy would have done.
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/blocks.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep::internal {

using page::CaptionedTable;
using page::Charts;
using page::Heading;
using page::Page;
using page::Paragraph;
using page::table_with;

void add_policy(Page& page, const Audit& audit) {
  if (!audit.policy) return;
  const PolicyAudit& policy = *audit.policy;
  page.add(Heading{"What the policy would have done"});
  page.add(Paragraph{
      fmt::format("By a model: transitions and first states are estimated from the counts ({} of {} cells have no "
                  "seen successor and are taken as uniform). The ranges are over every model within the total "
                  "variation radii of the estimate, which hold together with probability {}, and whatever the rows "
                  "that were left out would have said. They assume that the next {} depends only on group, feature{} "
                  "and decision, and that people are independent of each other.",
                  policy.unvisited, policy.rows, one_minus_text(audit.delta), audit.labels ? "feature" : "state",
                  audit.labels ? "" : ", label")});
  page.add(Charts{{chart_of_groups(
      audit, "The policy: " + in_words(Rate::accept), "step", steps_of(audit),
      [&](std::size_t g, std::size_t h) { return Observed{0, 0, policy.accept(g, h), policy.accept_band(g, h)}; })}});
  CaptionedTable rates{"Accepted, of all: P(a=1)", table_with({"step", "group", "estimate", "range"}, 2)};
  for (std::size_t h = 0; h < audit.horizon; ++h)
    for (std::size_t g = 0; g < audit.names.groups.size(); ++g)
      rates.table.rows.push_back(
          {fmt::format("{}", h), audit.names.groups[g], number(policy.accept(g, h)), range(policy.accept_band(g, h))});
  page.add(std::move(rates));
  CaptionedTable gaps{"Widest gap between two groups", table_with({"notion", "step", "estimate", "at most"}, 2)};
  for (const auto& step : policy.gaps)
    gaps.table.rows.push_back(
        {fairstep::in_words(step.notion), fmt::format("{}", step.step), number(step.gap), at_most(step.at_most)});
  if (policy.episode && audit.horizon > 1)
    gaps.table.rows.push_back({fairstep::in_words(policy.episode->notion), "all", number(policy.episode->gap),
                               at_most(policy.episode->at_most)});
  page.add(std::move(gaps));
}

}  // namespace fairstep::internal
