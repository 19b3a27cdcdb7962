// The blocks of an audit's page, in the order in which they stand there, and how its numbers are shown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/audit/audit.hpp>
#include <fairstep/page/chart.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep::internal {

/// With four decimals; a dash for what is not known.
[[nodiscard]] std::string number(double value);
[[nodiscard]] std::string at_most(double bound);
/// A band rounded outwards. Where it leaves 0 out, that can be seen; one of a ratio may have no end.
[[nodiscard]] std::string range(const Range& band);
/// The same of a difference, which may end at 0 without having it inside.
[[nodiscard]] std::string range(const Range& band, bool differ);
[[nodiscard]] std::string in_words(Rate rate);

/// Whether there is more to say of the whole episode than of its only step.
[[nodiscard]] bool by_episode(const Audit& audit);
/// Whether rates given the label are of those decisions alone whose label was seen; bands are of all.
[[nodiscard]] bool leaves_labels_out(const Audit& audit);
/// "north above south"
[[nodiscard]] std::string who_is_apart(const NotionGap& gap, const Names& names);

[[nodiscard]] std::vector<std::string> steps_of(const Audit& audit);
/// A line for each group that is not set apart; `at(g, place)` has its rate there.
template <class At>
page::Chart chart_of_groups(const Audit& audit, std::string caption, std::string places_are,
                            std::vector<std::string> places, const At& at) {
  page::Chart chart{std::move(caption), std::move(places_are), std::move(places), {}};
  for (std::size_t g = 0; g < audit.names.groups.size(); ++g) {
    if (std::find(audit.set_apart.begin(), audit.set_apart.end(), g) != audit.set_apart.end()) continue;
    page::Series& series = chart.series.emplace_back();
    series.name = audit.names.groups[g];
    for (std::size_t i = 0; i < chart.places.size(); ++i) {
      const Observed observed = at(g, i);
      series.values.push_back(observed.rate);
      series.bands.push_back(observed.band);
    }
  }
  return chart;
}

void add_summary(page::Page& page, const Audit& audit);
void add_limits(page::Page& page, const Audit& audit);
void add_picture(page::Page& page, const Audit& audit);
void add_data(page::Page& page, const Audit& audit, const AuditSource& source);
void add_labels(page::Page& page, const Audit& audit);
void add_gaps(page::Page& page, const Audit& audit);
void add_ratios(page::Page& page, const Audit& audit);
void add_rates(page::Page& page, const Audit& audit);
void add_windows(page::Page& page, const Audit& audit);
void add_policy(page::Page& page, const Audit& audit);
void add_coverage(page::Page& page, const Audit& audit);
void add_diagnosis(page::Page& page, const Audit& audit);
void add_method(page::Page& page, const Audit& audit);

}  // namespace fairstep::internal
