#include "answers/shown/policy_page.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/feature_order.hpp>

#include "answers/falls.hpp"

namespace fairstep::cli {
namespace {

/// Lines that can be told apart in one picture.
constexpr std::size_t kMostLines = 6;

std::span<const double> at_step(const Policy& policy, std::size_t g, std::size_t h) {
  return policy.group(g).subspan(h * policy.features(), policy.features());
}

bool same(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::vector<Stretch> alike_steps(const Policy& policy, std::size_t g) {
  std::vector<Stretch> steps{{0, 0}};
  for (std::size_t h = 1; h < policy.horizon(); ++h)
    if (same(at_step(policy, g, h - 1), at_step(policy, g, h)))
      steps.back().last = h;
    else
      steps.push_back({h, h});
  return steps;
}

/// Neighbouring features that these groups are accepted by alike, at all steps; each by itself while there is room.
std::vector<Stretch> feature_rows(const Policy& policy, std::size_t g, std::size_t room) {
  std::vector<Stretch> rows{{0, 0}};
  const auto as_before = [&](std::size_t x) {
    for (std::size_t h = 0; h < policy.horizon(); ++h)
      if (policy.accept(g, h, x) != policy.accept(g, h, x - 1)) return false;
    return true;
  };
  for (std::size_t x = 1; x < policy.features(); ++x)
    if (policy.features() > room && as_before(x))
      rows.back().last = x;
    else
      rows.push_back({x, x});
  return rows;
}

std::string group_names(const Policy& policy, const AlikeGroups& alike, const Names& names) {
  if (policy.group_independent()) return "any group";
  std::vector<std::string> words;
  for (const std::size_t g : alike.groups) words.push_back(names.groups[g]);
  return fmt::format("{}", fmt::join(words, ", "));
}

page::CaptionedTable table_of(const Policy& policy, const AlikeGroups& alike, const Names& names, TableRoom room,
                              std::string& left_out) {
  const std::size_t g = alike.groups.front();
  const std::vector<Stretch> rows = feature_rows(policy, g, room.rows);
  page::CaptionedTable made{fmt::format("{}: share accepted at step", group_names(policy, alike, names)), {}};
  made.table.columns.push_back({"feature", "feature", 4, page::Rounded::nearest, true});
  const std::size_t columns = std::min(room.columns, alike.steps.size());
  for (std::size_t i = 0; i < columns; ++i) {
    page::Column column{alike.steps[i].in_steps(), alike.steps[i].in_steps()};
    column.shares = true;
    made.table.columns.push_back(std::move(column));
  }
  for (std::size_t i = 0; i < std::min(room.rows, rows.size()); ++i) {
    const auto& [first, last] = rows[i];
    std::vector<page::Cell> row{first == last ? names.features[first]
                                              : fmt::format("{} to {}", names.features[first], names.features[last])};
    for (std::size_t c = 0; c < columns; ++c) row.emplace_back(policy.accept(g, alike.steps[c].first, first));
    made.table.rows.push_back(std::move(row));
  }
  if (rows.size() > room.rows || alike.steps.size() > columns)
    left_out = fmt::format("shown here: {} of {} rows, {} of {} columns; --json and a page (-o page.html) have more",
                           std::min(room.rows, rows.size()), rows.size(), columns, alike.steps.size());
  return made;
}

page::Chart chart_of(const Policy& policy, const AlikeGroups& alike, const Names& names) {
  page::Chart chart{fmt::format("{}: share accepted at each feature, a line for each step or steps alike",
                                group_names(policy, alike, names)),
                    "feature",
                    names.features,
                    {}};
  const std::size_t lines = std::min(kMostLines, alike.steps.size());
  for (std::size_t i = 0; i < lines; ++i) {
    // The first, the last, and others evenly between them.
    const Stretch& steps = alike.steps[lines == 1 ? 0 : i * (alike.steps.size() - 1) / (lines - 1)];
    page::Series series{"step " + steps.in_steps(), {}, {}};
    for (std::size_t x = 0; x < policy.features(); ++x) {
      const double share = policy.accept(alike.groups.front(), steps.first, x);
      series.values.push_back(share);
      series.bands.push_back({share, share});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::string Stretch::in_steps() const {
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

std::vector<AlikeGroups> alike_groups(const Policy& policy) {
  std::vector<AlikeGroups> found;
  for (std::size_t g = 0; g < policy.groups(); ++g) {
    const auto like = std::find_if(found.begin(), found.end(), [&](const AlikeGroups& other) {
      return same(policy.group(other.groups.front()), policy.group(g));
    });
    if (like == found.end())
      found.push_back({{g}, alike_steps(policy, g)});
    else
      like->groups.push_back(g);
  }
  return found;
}

Names names_of(const Policy& policy) {
  Names names;
  names.groups = policy.group_names();
  for (std::size_t g = names.groups.size(); g < policy.groups(); ++g) names.groups.push_back(fmt::format("g={}", g));
  for (std::size_t x = 0; x < policy.features(); ++x) names.features.push_back(fmt::format("x={}", x));
  return names;
}

void add_policy(page::Page& page, const Policy& policy, const Names& names, TableRoom room) {
  if (const auto order = feature_order(names.features); order)
    if (std::string line = falls_line(names, policy, *order); !line.empty()) page.add(page::Paragraph{std::move(line)});
  page::Charts charts;
  const std::vector<AlikeGroups> all = alike_groups(policy);
  for (const AlikeGroups& alike : all) charts.charts.push_back(chart_of(policy, alike, names));
  page.add(std::move(charts));
  std::string left_out;
  for (const AlikeGroups& alike : all) page.add(table_of(policy, alike, names, room, left_out));
  if (!left_out.empty()) page.add(page::Paragraph{std::move(left_out)});
}

}  // namespace fairstep::cli
