// An audit in short, and how its numbers are shown.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/blocks.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shared/text.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep::internal {

using page::Heading;
using page::List;
using page::Page;

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4f}", value); }
std::string at_most(double bound) { return round_up_text(bound, 4); }
std::string range(const Range& band) {
  const std::string low = band.low > 0 ? round_down_beside(band.low, 0, 4) : round_down_text(band.low, 4);
  if (std::isinf(band.high)) return low + " or more";
  return fmt::format("{} to {}", low, band.high < 0 ? round_up_beside(band.high, 0, 4) : at_most(band.high));
}

std::string range(const Range& band, bool differ) {
  if (differ && band.low == 0) return "above 0 to " + at_most(band.high);
  if (differ && band.high == 0) return round_down_text(band.low, 4) + " to below 0";
  return range(band);
}

std::string in_words(Rate rate) {
  switch (rate) {
    case Rate::accept:
      return "accepted, of all: P(a=1)";
    case Rate::tpr:
      return "accepted, of the qualified: P(a=1 | y=1)";
    case Rate::fpr:
      return "accepted, of the unqualified: P(a=1 | y=0)";
  }
  return {};
}

bool by_episode(const Audit& audit) { return audit.episode && audit.horizon > 1; }

bool leaves_labels_out(const Audit& audit) {
  if (!audit.log || audit.log->censoring != Censoring::drop || audit.labels) return false;
  const auto unlabelled = audit.log->unlabelled.flat();
  return std::any_of(unlabelled.begin(), unlabelled.end(), [](std::int64_t n) { return n > 0; });
}

std::string who_is_apart(const NotionGap& gap, const Names& names) {
  return fmt::format("{} above {}", names.groups[gap.above], names.groups[gap.below]);
}

namespace {

/// Per notion: how far the furthest groups were apart, which ones, and where.
std::string widest_in_words(const std::vector<const NotionGap*>& steps, const Audit& audit) {
  const Notion notion = steps.front()->notion;
  const NotionGap* worst = nullptr;
  for (const NotionGap* gap : steps)
    if (!std::isnan(gap->gap) && (worst == nullptr || gap->gap > worst->gap)) worst = gap;
  if (worst == nullptr)
    return fmt::format("{}: no step at which two groups could be compared.", fairstep::in_words(notion));
  const auto shown = std::count_if(steps.begin(), steps.end(), [](const NotionGap* gap) { return gap->differ; });
  const bool of_labelled = notion != Notion::dp && leaves_labels_out(audit);
  return fmt::format(
      "{}: {}the widest gap between two groups was {} ({}; band {}{}), at step {}. Groups are shown to differ at {} of "
      "{} steps.",
      fairstep::in_words(notion), of_labelled ? "among decisions whose label was seen, " : "", number(worst->gap),
      who_is_apart(*worst, audit.names), range(worst->band, worst->differ),
      of_labelled ? ", whatever the other labels were" : "", worst->step, shown, audit.horizon);
}

void add_gaps_in_short(List& list, const Audit& audit) {
  std::vector<Notion> seen;
  for (const NotionGap& gap : audit.gaps) {
    if (std::find(seen.begin(), seen.end(), gap.notion) != seen.end()) continue;
    seen.push_back(gap.notion);
    std::vector<const NotionGap*> steps;
    for (const NotionGap& other : audit.gaps)
      if (other.notion == gap.notion) steps.push_back(&other);
    list.items.push_back(widest_in_words(steps, audit));
  }
  if (by_episode(audit)) {
    const NotionGap& gap = audit.episode->gap;
    list.items.push_back(fmt::format("{} over the whole episode: the widest gap between two groups was {} ({}band {}).",
                                     fairstep::in_words(Notion::dp), number(gap.gap),
                                     std::isnan(gap.gap) ? std::string() : who_is_apart(gap, audit.names) + "; ",
                                     range(gap.band, gap.differ)));
  }
}

void add_ratios_in_short(List& list, const Audit& audit) {
  for (const RatioNotion notion : all_of<RatioNotion>()) {
    const NotionRatio* worst = nullptr;
    for (const NotionRatio& ratio : audit.ratios)
      if (ratio.notion == notion && !std::isnan(ratio.ratio) && (worst == nullptr || ratio.ratio < worst->ratio))
        worst = &ratio;
    if (worst == nullptr) continue;
    list.items.push_back(fmt::format("{}: the least was {} ({} to {}; band {}), at step {}.",
                                     fairstep::in_words(notion), number(worst->ratio), audit.names.groups[worst->group],
                                     audit.names.groups[worst->beside], range(worst->band), worst->step));
  }
}

void add_set_apart(List& list, const Audit& audit) {
  if (audit.set_apart.empty()) return;
  std::string groups;
  for (const std::size_t g : audit.set_apart)
    groups +=
        fmt::format("{}{} ({})", groups.empty() ? "" : ", ", audit.names.groups[g], with_thousands(audit.people[g]));
  list.items.push_back(fmt::format(
      "Set apart, being of fewer than {} people: {}. What was observed of them is in the tables of rates; they are "
      "compared with no other group.",
      audit.small, groups));
}

}  // namespace

void add_summary(Page& page, const Audit& audit) {
  page.add(Heading{"In short"});
  List list;
  if (const LossShare loss = audit.log ? loss_share(*audit.log) : LossShare{}; loss.lost > 0)
    list.items.push_back(
        fmt::format("Of {} rows of the log {} ({:.3g} %) were lost: they could not be used. Rates are those of the "
                    "others, and bands allow for whatever these would have said. The data, below, say why.",
                    with_thousands(loss.of), with_thousands(loss.lost), 100 * loss.share()));
  add_gaps_in_short(list, audit);
  add_ratios_in_short(list, audit);
  add_set_apart(list, audit);
  const bool needs_labels =
      std::any_of(audit.gaps.begin(), audit.gaps.end(), [](const NotionGap& gap) { return gap.notion != Notion::dp; });
  if (audit.labels && (needs_labels || audit.gaps.empty()))
    list.items.push_back(fmt::format(
        "What needs labels is so if these follow features{}; the log says of the former: {}.",
        audit.labels->unseen == 0
            ? ""
            : fmt::format(" and, for the {} decisions without one, {}", with_thousands(audit.labels->unseen),
                          fairstep::in_words(audit.labels->assumption.refused)),
        fairstep::name_of(audit.labels->verdict)));
  for (const AuditedRate& rate : audit.rates) {
    if (!rate.known)
      list.items.push_back(
          fmt::format("{}: cannot be known from this log, because labels are censored and those decisions were "
                      "left out.",
                      in_words(rate.rate)));
    else if (!rate.without_bands.empty())
      list.items.push_back(fmt::format("{}: no band can be given, so that all are 0 to 1: {}.", in_words(rate.rate),
                                       rate.without_bands));
  }
  if (audit.policy) {
    double worst = 0;
    for (const auto& step : audit.policy->gaps) worst = std::max(worst, step.at_most);
    list.items.push_back(
        fmt::format("The policy would have had an estimated return of {} a person; its gaps are at most {} in "
                    "every population that the data allow, whatever rows that were left out would have said.",
                    number(audit.policy->value), at_most(worst)));
  }
  list.items.push_back(fmt::format(
      "Of {} cells (group, feature, label, action) {} were never seen and {} fewer than {} times.",
      audit.coverage.cells, audit.coverage.unseen.size(), audit.coverage.thin.size(), audit.coverage.threshold));
  page.add(std::move(list));
}

}  // namespace fairstep::internal
