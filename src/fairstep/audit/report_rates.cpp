// Rates, gaps and ratios: pictures and tables.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/blocks.hpp>
#include <fairstep/audit/internal/parts.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shared/text.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep::internal {

using page::CaptionedTable;
using page::Charts;
using page::Heading;
using page::Page;
using page::Paragraph;
using page::table_with;

std::vector<std::string> steps_of(const Audit& audit) {
  std::vector<std::string> steps;
  for (std::size_t h = 0; h < audit.horizon; ++h) steps.push_back(fmt::format("{}", h));
  return steps;
}

void add_picture(Page& page, const Audit& audit) {
  Charts charts;
  for (const AuditedRate& rate : audit.rates)
    if (rate.known)
      charts.charts.push_back(chart_of_groups(audit, in_words(rate.rate), "step", steps_of(audit),
                                              [&](std::size_t g, std::size_t h) { return rate.steps(g, h); }));
  if (!charts.charts.empty()) page.add(std::move(charts));
}

namespace {

/// Groups, the greatest rate first; those without one last.
std::vector<std::size_t> by_rate(std::size_t groups, const auto& rate_of) {
  std::vector<std::size_t> order(groups);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double first = rate_of(a), second = rate_of(b);
    if (std::isnan(first) != std::isnan(second)) return std::isnan(second);
    return first > second || (!(second > first) && a < b);
  });
  return order;
}

/// Who is compared, by how much they differ, and whether that is shown. The greater rate first, so that no difference
/// is negative.
std::vector<page::Cell> row_of(const PairGap& pair, const Names& names, bool tests) {
  const bool turned = pair.difference < 0;
  const Range band = turned ? Range{-pair.band.high, -pair.band.low} : pair.band;
  const auto& [above, below] = turned ? std::pair(pair.second, pair.first) : std::pair(pair.first, pair.second);
  std::vector<page::Cell> row{fmt::format("{} - {}", names.groups[above], names.groups[below]),
                              number(std::abs(pair.difference)), range(band, pair.differ)};
  if (tests) row.emplace_back(std::isnan(pair.p) ? "-" : round_up_short(pair.p, 2));
  row.emplace_back(pair.differ ? "yes" : "no");
  return row;
}

/// The widest first, those that cannot be compared last.
void sort_by_size(std::vector<PairGap>& pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const PairGap& a, const PairGap& b) {
    const double first = std::abs(a.difference), second = std::abs(b.difference);
    if (std::isnan(first) != std::isnan(second)) return std::isnan(second);
    if (first > second || second > first) return first > second;
    return a.first < b.first || (a.first == b.first && a.second < b.second);
  });
}

}  // namespace

void add_rates(Page& page, const Audit& audit) {
  page.add(Heading{"Rates by step and group"});
  for (const AuditedRate& rate : audit.rates) {
    if (!rate.known) continue;
    const bool by_features = audit.labels && rate.rate != Rate::accept;
    CaptionedTable table{in_words(rate.rate),
                         table_with({"step", "group", by_features ? "labels seen" : "decisions", "rate", "band"}, 2)};
    for (std::size_t h = 0; h < audit.horizon; ++h)
      for (const std::size_t g :
           by_rate(audit.names.groups.size(), [&](std::size_t group) { return rate.steps(group, h).rate; })) {
        const Observed& observed = rate.steps(g, h);
        table.table.rows.push_back({fmt::format("{}", h), audit.names.groups[g], with_thousands(observed.decisions),
                                    number(observed.rate), range(observed.band)});
      }
    page.add(std::move(table));
  }
  if (!by_episode(audit)) return;
  CaptionedTable table{"accepted, of all, over the whole episode: the mean of the steps",
                       table_with({"group", "decisions", "rate", "band"}, 1)};
  for (const std::size_t g :
       by_rate(audit.names.groups.size(), [&](std::size_t group) { return audit.episode->accept[group].rate; })) {
    const Observed& observed = audit.episode->accept[g];
    table.table.rows.push_back(
        {audit.names.groups[g], with_thousands(observed.decisions), number(observed.rate), range(observed.band)});
  }
  page.add(std::move(table));
}

void add_gaps(Page& page, const Audit& audit) {
  page.add(Heading{"Gaps by step and pair of groups"});
  const bool tests = audit.pair_tests > 0;
  for (const AuditedRate& rate : audit.rates) {
    if (!rate.known) continue;
    CaptionedTable table{"Difference of: " + in_words(rate.rate),
                         tests ? table_with({"step", "pair", "difference", "band", "p, adjusted", "shown to differ"}, 2)
                               : table_with({"step", "pair", "difference", "band", "shown to differ"}, 2)};
    for (std::size_t h = 0; h < audit.horizon; ++h) {
      std::vector<PairGap> pairs;
      std::copy_if(audit.pairs.begin(), audit.pairs.end(), std::back_inserter(pairs),
                   [&](const PairGap& pair) { return pair.rate == rate.rate && pair.step == h; });
      sort_by_size(pairs);
      for (const PairGap& pair : pairs) {
        std::vector<page::Cell> row = row_of(pair, audit.names, tests);
        row.insert(row.begin(), page::Cell(fmt::format("{}", h)));
        table.table.rows.push_back(std::move(row));
      }
    }
    page.add(std::move(table));
  }
  if (!by_episode(audit)) return;
  CaptionedTable table{"Difference over the whole episode: accepted, of all",
                       table_with({"pair", "difference", "band", "shown to differ"}, 1)};
  std::vector<PairGap> pairs = audit.episode->pairs;
  sort_by_size(pairs);
  for (const PairGap& pair : pairs) table.table.rows.push_back(row_of(pair, audit.names, false));
  page.add(std::move(table));
}

void add_ratios(Page& page, const Audit& audit) {
  if (audit.ratios.empty()) return;
  page.add(Heading{"Ratios by step and group"});
  page.add(Paragraph{fmt::format(
      "The rate of each group divided by that of {}. Below {} is what the four-fifths rule calls adverse impact.",
      audit.reference ? audit.names.groups[*audit.reference] + ", the reference" : "the group with the greatest rate",
      kFourFifths)});
  for (const RatioNotion notion : all_of<RatioNotion>()) {
    CaptionedTable table{std::string(fairstep::in_words(notion)), table_with({"step", "groups", "ratio", "band"}, 2)};
    for (std::size_t h = 0; h < audit.horizon; ++h)
      for (const RatioBeside& ratio : ratios_beside(audit, notion, h))
        table.table.rows.push_back(
            {fmt::format("{}", h),
             fmt::format("{} / {}", audit.names.groups[ratio.group], audit.names.groups[ratio.beside]),
             number(ratio.ratio), range(ratio.band)});
    if (!table.table.rows.empty()) page.add(std::move(table));
  }
}

void add_limits(Page& page, const Audit& audit) {
  if (audit.judged.empty()) return;
  page.add(Heading{"Are the limits kept?"});
  CaptionedTable table{"Limits, and what the data prove of them",
                       table_with({"limit on", "step", "limit", "found", "band", "limit kept"}, 1)};
  for (const Judged& judged : audit.judged)
    table.table.rows.push_back({judged.notion,
                                judged.step == audit.horizon ? std::string("all") : fmt::format("{}", judged.step),
                                fmt::format("{}", judged.limit), number(judged.found), range(judged.band),
                                judged.ruling == Ruling::within   ? std::string("yes")
                                : judged.ruling == Ruling::beyond ? std::string("no")
                                                                  : std::string("not decided")});
  page.add(std::move(table));
  page.add(
      Paragraph{"\"Yes\" and \"no\" are proven: a limit is kept if the whole band keeps it, and broken if the whole "
                "band breaks it. The bands hold together as the method, below, says."});
  if (!audit.set_apart.empty())
    page.add(
        Paragraph{"They are about the groups that are compared: nothing is said here of those that were set apart."});
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

}  // namespace fairstep::internal
