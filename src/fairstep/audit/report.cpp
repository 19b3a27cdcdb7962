// The audit in words and tables.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shared/text.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep {
namespace {

using internal::with_thousands;
using page::CaptionedTable;
using page::Chart;
using page::Charts;
using page::Heading;
using page::List;
using page::Page;
using page::Paragraph;
using page::Series;
using page::table_with;

constexpr std::size_t kMostCells = 40;

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4f}", value); }
std::string at_most(double bound) { return round_up_text(bound, 4); }
/// A band rounded outwards. Where it leaves 0 out, that can be seen.
std::string range(const Range& band) {
  return fmt::format("{} to {}", band.low > 0 ? round_down_beside(band.low, 0, 4) : round_down_text(band.low, 4),
                     band.high < 0 ? round_up_beside(band.high, 0, 4) : at_most(band.high));
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

/// Whether there is more to say of the whole episode than of its only step.
bool by_episode(const Audit& audit) { return audit.episode && audit.horizon > 1; }

/// Whether rates given the label are of those decisions alone whose label was seen; bands are of all.
bool leaves_labels_out(const Audit& audit) {
  if (!audit.log || audit.log->censoring != Censoring::drop || audit.labels) return false;
  const auto unlabelled = audit.log->unlabelled.flat();
  return std::any_of(unlabelled.begin(), unlabelled.end(), [](std::int64_t n) { return n > 0; });
}

void add_summary(Page& page, const Audit& audit) {
  page.add(Heading{"In short"});
  List list;
  if (const LossShare loss = audit.log ? loss_share(*audit.log) : LossShare{}; loss.lost > 0)
    list.items.push_back(
        fmt::format("Of {} rows of the log {} ({:.3g} %) were lost: they could not be used. Rates are those of the "
                    "others, and bands allow for whatever these would have said. The data, below, say why.",
                    with_thousands(loss.of), with_thousands(loss.lost), 100 * loss.share()));
  std::vector<Notion> seen;
  for (const NotionGap& gap : audit.gaps) {
    if (std::find(seen.begin(), seen.end(), gap.notion) != seen.end()) continue;
    seen.push_back(gap.notion);
    const NotionGap* worst = nullptr;
    std::size_t shown = 0;
    for (const NotionGap& other : audit.gaps) {
      if (other.notion != gap.notion) continue;
      if (other.band.low > 0) ++shown;
      if (!std::isnan(other.gap) && (worst == nullptr || other.gap > worst->gap)) worst = &other;
    }
    if (worst == nullptr) {
      list.items.push_back(fmt::format("{}: no step at which two groups could be compared.", in_words(gap.notion)));
      continue;
    }
    const bool of_labelled = gap.notion != Notion::dp && leaves_labels_out(audit);
    list.items.push_back(fmt::format(
        "{}: {}the widest gap between two groups was {} (band {}{}), at step {}. Groups are shown to differ at {} of "
        "{} "
        "steps.",
        in_words(gap.notion), of_labelled ? "among decisions whose label was seen, " : "", number(worst->gap),
        range(worst->band), of_labelled ? ", whatever the other labels were" : "", worst->step, shown, audit.horizon));
  }
  if (by_episode(audit))
    list.items.push_back(fmt::format("{} over the whole episode: the widest gap between two groups was {} (band {}).",
                                     in_words(Notion::dp), number(audit.episode->gap.gap),
                                     range(audit.episode->gap.band)));
  if (audit.labels && seen != std::vector{Notion::dp})
    list.items.push_back(
        fmt::format("What needs labels is so if these follow features{}; the log says of the former: {}.",
                    audit.labels->unseen == 0
                        ? ""
                        : fmt::format(" and, for the {} decisions without one, {}",
                                      with_thousands(audit.labels->unseen), in_words(audit.labels->assumption.refused)),
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

std::vector<std::string> steps_of(const Audit& audit) {
  std::vector<std::string> steps;
  for (std::size_t h = 0; h < audit.horizon; ++h) steps.push_back(fmt::format("{}", h));
  return steps;
}

/// A line for each group; `at(g, place)` has its rate there.
template <class At>
Chart chart_of_groups(const Audit& audit, std::string caption, std::string places_are, std::vector<std::string> places,
                      const At& at) {
  Chart chart{std::move(caption), std::move(places_are), std::move(places), {}};
  for (std::size_t g = 0; g < audit.names.groups.size(); ++g) {
    Series& series = chart.series.emplace_back();
    series.name = audit.names.groups[g];
    for (std::size_t i = 0; i < chart.places.size(); ++i) {
      const Observed observed = at(g, i);
      series.values.push_back(observed.rate);
      series.bands.push_back(observed.band);
    }
  }
  return chart;
}

void add_picture(Page& page, const Audit& audit) {
  Charts charts;
  for (const AuditedRate& rate : audit.rates)
    if (rate.known)
      charts.charts.push_back(chart_of_groups(audit, in_words(rate.rate), "step", steps_of(audit),
                                              [&](std::size_t g, std::size_t h) { return rate.steps(g, h); }));
  if (!charts.charts.empty()) page.add(std::move(charts));
}

/// What is assumed about labels, whether the log refutes it, and what comes of assuming less or more.
void add_labels(Page& page, const Audit& audit) {
  if (!audit.labels) return;
  const LabelAudit& labels = *audit.labels;
  page.add(Heading{"Labels follow features"});
  page.add(Paragraph{
      fmt::format("Assumed: {}. {} of the decisions have no label{}.", labels_follow_features_in_words(),
                  with_thousands(labels.unseen),
                  labels.unseen == 0 ? "" : fmt::format(", of whom: {}", in_words(labels.assumption.refused)))});
  page.add(Paragraph{fmt::format("Permutation tests of the assumption say: {}.", fairstep::name_of(labels.verdict))});
  List tests;
  for (const Diagnosed& test : labels.tests)
    if (test.verdict == Verdict::refuted) tests.items.push_back(test.sentence + ".");
  if (!tests.items.empty()) page.add(std::move(tests));
  CaptionedTable table{"Widest gap under each assumption about those whose label was not seen",
                       table_with({"notion", "step", "those without a label", "gap", "band"}, 3)};
  for (const LabelAudit::Rule& rule : labels.rules)
    for (const NotionGap& gap : rule.gaps)
      table.table.rows.push_back(
          {in_words(gap.notion), fmt::format("{}", gap.step), text_of(rule.refused), number(gap.gap), range(gap.band)});
  if (table.table.rows.empty()) return;
  page.add(std::move(table));
  page.add(Paragraph{
      "The gap is the one that there is if those whose label was not seen were like those whose label was. The bands "
      "of "
      "one assumption hold together; nothing is said of those of several together. Those of \"anything\" do not need "
      "labels to follow features."});
}

void add_data(Page& page, const Audit& audit) {
  page.add(Heading{"The data"});
  CaptionedTable table{"People and decisions", table_with({"group", "people", "decisions"}, 1)};
  for (std::size_t g = 0; g < audit.names.groups.size(); ++g)
    table.table.rows.push_back(
        {audit.names.groups[g], with_thousands(audit.people[g]), with_thousands(audit.decisions[g])});
  page.add(std::move(table));
  if (audit.part) page.add(Paragraph{fmt::format("Not all people: {}.", in_words(*audit.part))});
  if (!audit.people_known)
    page.add(
        Paragraph{"There may be more people: these counts were made by a version that did not record whose first row "
                  "could not be used. Count the log anew."});
  if (audit.groups_in_doubt)
    page.add(
        Paragraph{"People at most: rows of some name no known group, or several, and whoever may be of several groups "
                  "counts in each of them."});
  if (!audit.log) return;
  const LogRecord& log = *audit.log;
  page.add(Paragraph{fmt::format("Counted from {} rows of {}.", with_thousands(log.rows), fmt::join(log.files, ", "))});
  if (log.censoring == Censoring::drop && audit.labels)
    page.add(Paragraph{"Some decisions have no label. They count by their features, see below."});
  if (log.censoring == Censoring::drop && !audit.labels)
    page.add(Paragraph{
        "Some decisions have no label. Acceptance rates include them. Rates and gaps that involve labels leave them "
        "out "
        "(drop) and are those of decisions whose label was seen; their bands hold whatever the other labels were."});
  if (log.censoring == Censoring::ignorable)
    page.add(Paragraph{
        fmt::format("Some decisions had no label. {} labels were drawn, assuming that within a group and feature the "
                    "refused would have been like the accepted (assume-ignorable). All that involves labels rests on "
                    "that assumption, and no band is given for it.",
                    with_thousands(log.imputed))});
  if (log.findings.empty()) {
    page.add(Paragraph{"Nothing in the log was out of order."});
    return;
  }
  CaptionedTable findings{"What was not as it should be", table_with({"kind", "column", "first in", "row", "rows"}, 3)};
  for (const Finding& finding : log.findings)
    findings.table.rows.push_back({std::string(name_of(finding.anomaly)), finding.role.empty() ? "-" : finding.role,
                                   finding.file, with_thousands(finding.row), with_thousands(finding.rows)});
  page.add(std::move(findings));
}

void add_rates(Page& page, const Audit& audit) {
  page.add(Heading{"Rates by step and group"});
  for (const AuditedRate& rate : audit.rates) {
    if (!rate.known) continue;
    const bool by_features = audit.labels && rate.rate != Rate::accept;
    CaptionedTable table{in_words(rate.rate),
                         table_with({"step", "group", by_features ? "labels seen" : "decisions", "rate", "band"}, 2)};
    for (std::size_t h = 0; h < audit.horizon; ++h)
      for (std::size_t g = 0; g < audit.names.groups.size(); ++g) {
        const Observed& observed = rate.steps(g, h);
        table.table.rows.push_back({fmt::format("{}", h), audit.names.groups[g], with_thousands(observed.decisions),
                                    number(observed.rate), range(observed.band)});
      }
    page.add(std::move(table));
  }
  if (!by_episode(audit)) return;
  CaptionedTable table{"accepted, of all, over the whole episode: the mean of the steps",
                       table_with({"group", "decisions", "rate", "band"}, 1)};
  for (std::size_t g = 0; g < audit.names.groups.size(); ++g) {
    const Observed& observed = audit.episode->accept[g];
    table.table.rows.push_back(
        {audit.names.groups[g], with_thousands(observed.decisions), number(observed.rate), range(observed.band)});
  }
  page.add(std::move(table));
}

/// Who is compared, by how much they differ, and whether that is shown.
std::vector<page::Cell> row_of(const PairGap& pair, const Names& names) {
  const bool shown = pair.band.low > 0 || pair.band.high < 0;
  return {fmt::format("{} - {}", names.groups[pair.first], names.groups[pair.second]), number(pair.difference),
          range(pair.band), shown ? "yes" : "no"};
}

void add_gaps(Page& page, const Audit& audit) {
  page.add(Heading{"Gaps by step and pair of groups"});
  for (const AuditedRate& rate : audit.rates) {
    if (!rate.known) continue;
    CaptionedTable table{"Difference of: " + in_words(rate.rate),
                         table_with({"step", "pair", "difference", "band", "shown to differ"}, 2)};
    for (const PairGap& pair : audit.pairs) {
      if (pair.rate != rate.rate) continue;
      std::vector<page::Cell> row = row_of(pair, audit.names);
      row.insert(row.begin(), page::Cell(fmt::format("{}", pair.step)));
      table.table.rows.push_back(std::move(row));
    }
    page.add(std::move(table));
  }
  if (!by_episode(audit)) return;
  CaptionedTable table{"Difference over the whole episode: accepted, of all",
                       table_with({"pair", "difference", "band", "shown to differ"}, 1)};
  for (const PairGap& pair : audit.episode->pairs) table.table.rows.push_back(row_of(pair, audit.names));
  page.add(std::move(table));
}

void add_windows(Page& page, const Audit& audit) {
  if (!audit.log || audit.log->windows.empty()) return;
  page.add(Heading{"Over the calendar"});
  page.add(
      Paragraph{fmt::format("Decisions of all steps, by windows of a length of one {}. These bands hold together among "
                            "themselves with probability {}, also if the same people are in a window at several steps.",
                            audit.log->window, one_minus_text(audit.delta))});
  std::vector<std::string> windows;
  for (const auto& window : audit.log->windows) windows.push_back(window.from);
  Charts charts;
  for (const AuditedRate& rate : audit.rates)
    if (rate.known)
      charts.charts.push_back(chart_of_groups(audit, in_words(rate.rate), "from", windows,
                                              [&](std::size_t g, std::size_t w) { return rate.windows[w][g]; }));
  page.add(std::move(charts));
  for (const AuditedRate& rate : audit.rates) {
    if (!rate.known) continue;
    CaptionedTable table{in_words(rate.rate), table_with({"from", "group", "decisions", "rate", "band"}, 2)};
    for (std::size_t w = 0; w < rate.windows.size(); ++w)
      for (std::size_t g = 0; g < audit.names.groups.size(); ++g) {
        const Observed& observed = rate.windows[w][g];
        table.table.rows.push_back({audit.log->windows[w].from, audit.names.groups[g],
                                    with_thousands(observed.decisions), number(observed.rate), range(observed.band)});
      }
    page.add(std::move(table));
  }
}

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
        {in_words(step.notion), fmt::format("{}", step.step), number(step.gap), at_most(step.at_most)});
  if (policy.episode && audit.horizon > 1)
    gaps.table.rows.push_back(
        {in_words(policy.episode->notion), "all", number(policy.episode->gap), at_most(policy.episode->at_most)});
  page.add(std::move(gaps));
}

std::string cell_name(const Cell& cell, const Names& names) {
  return fmt::format("{}, {}, {}, {}", names.groups[cell.g], names.features[cell.x], names.labels[cell.y],
                     names.actions[cell.a]);
}

void add_coverage(Page& page, const Audit& audit) {
  page.add(Heading{"What the data do not cover"});
  page.add(Paragraph{
      fmt::format("Cells are a group, feature, label and action. Nothing that is said about a cell that was never "
                  "seen rests on data; below {} decisions it rests on little.",
                  audit.coverage.threshold)});
  List list;
  for (const Cell& cell : audit.coverage.unseen) list.items.push_back("never seen: " + cell_name(cell, audit.names));
  for (const SeenCell& seen : audit.coverage.thin)
    list.items.push_back(fmt::format("{} decisions: {}", seen.decisions, cell_name(seen.cell, audit.names)));
  const std::size_t all = list.items.size();
  if (all > kMostCells) {
    list.items.resize(kMostCells);
    list.items.push_back(fmt::format("and {} more", all - kMostCells));
  }
  if (all == 0) list.items.emplace_back("Every cell was seen often enough.");
  page.add(std::move(list));
}

void add_diagnosis(Page& page, const Audit& audit) {
  page.add(Heading{"Does the log refute the model?"});
  page.add(Paragraph{
      fmt::format("What a policy would have done is said under a model: one kernel for all steps, in which nothing but "
                  "group, feature, label and decision matters. Permutation tests at level {} in all say: {}.",
                  audit.diagnosis.level, fairstep::name_of(audit.diagnosis.verdict))});
  List list;
  for (const Diagnosed& answer : audit.diagnosis.answers)
    if (is_assumption(answer.question) && answer.verdict == Verdict::refuted)
      list.items.push_back(fmt::format("{} (p {}; a rate could be off by {}).", answer.sentence,
                                       round_up_text(*answer.adjusted, 4), round_up_text(*answer.effect, 3)));
  if (!list.items.empty()) page.add(std::move(list));
}

void add_method(Page& page, const Audit& audit) {
  page.add(Heading{"Method"});
  page.add(
      Paragraph{fmt::format("Each band of a rate is the exact binomial interval of Clopper and Pearson at level 1 - {} "
                            "/ {}: with {} of them (rates x "
                            "groups x steps), all hold together with probability at least {} (union bound). The band "
                            "of a difference is what the two "
                            "rates' bands leave possible, so that differences of all pairs at all steps hold at the "
                            "same time, at no further cost.",
                            audit.delta, audit.intervals, audit.intervals, one_minus_text(audit.delta))});
  if (by_episode(audit))
    page.add(Paragraph{
        "Over the whole episode every step counts alike, and a band is the mean of the bands of the steps: it "
        "holds with them, however the decisions about a person depend on each other."});
  if (audit.labels)
    page.add(Paragraph{fmt::format(
        "Rates given the label are of all decisions: one at a feature counts as so much of a person with the label as "
        "the feature says. The share of the qualified at each group and feature is in its interval (Robbins) with half "
        "of the error that these rates are allowed, and given the shares each band is Robbins' interval for decisions "
        "that count in parts, with a quarter; it is the widest that shares within their intervals{} leave possible, "
        "cut "
        "to that of \"anything\", which has the last quarter: the interval of Clopper and Pearson for labels seen at "
        "the "
        "step, with every other label as bad as can be.",
        audit.labels->assumption.refused.are == Refused::odds ? " and the odds" : "")});
  if (audit.window_intervals > 0 && audit.horizon > 1)
    page.add(Paragraph{fmt::format(
        "Each band of a window is the rate and sqrt({} ln(2 / d) / 2n) on either side, d being {} / {} and n "
        "the decisions: Hoeffding's inequality for people who are there up to {} times.",
        audit.horizon, audit.delta, audit.window_intervals, audit.horizon)});
  page.add(Paragraph{"All of it rests on the following. Steps count from 0."});
  page.add(List{assumptions_of(audit)});
}

Page page_of(const Audit& audit, const AuditSource& source) {
  Page page{"Audit of " + source.data, {}};
  page.add(
      Paragraph{fmt::format("fairstep {}{}. {}", source.version,
                            source.policy.empty() ? "" : ", policy " + source.policy, assumptions_of(audit).back())});
  add_summary(page, audit);
  add_picture(page, audit);
  add_data(page, audit);
  add_labels(page, audit);
  add_gaps(page, audit);
  add_rates(page, audit);
  add_windows(page, audit);
  add_policy(page, audit);
  add_coverage(page, audit);
  add_diagnosis(page, audit);
  add_method(page, audit);
  return page;
}

}  // namespace

std::string to_markdown(const Audit& audit, const AuditSource& source) {
  return page::as_markdown(page_of(audit, source));
}

std::string to_html(const Audit& audit, const AuditSource& source) { return page::as_html(page_of(audit, source)); }

}  // namespace fairstep
