#include "answers/fit_summary.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/json.hpp>

#include "answers/describe.hpp"
#include "answers/nested.hpp"
#include "answers/table.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

/// At most so many unvisited cells are named in text.
constexpr std::size_t kCellsShown = 24;

/// The median is over the cells with data; `seen` says how many each has.
Spread spread(std::span<const double> radii, std::span<const std::int64_t> seen) {
  std::vector<double> sorted;
  for (std::size_t i = 0; i < radii.size(); ++i)
    if (seen[i] > 0) sorted.push_back(radii[i]);
  std::sort(sorted.begin(), sorted.end());
  Spread result;
  result.largest = *std::max_element(radii.begin(), radii.end());
  const std::size_t half = sorted.size() / 2;
  if (!sorted.empty()) result.median = sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  return result;
}

/// As text; a dash if there is none.
std::string in_text(const std::optional<double>& radius) { return radius ? at_most(*radius) : "-"; }

Json or_null(const std::optional<double>& radius) { return radius ? Json(*radius) : Json(); }

/// `x=2,y=0,a=1`, and `x=2,y=0,a=1 (before)` of a period.
std::string name_of(const Cell& cell, const Periods& periods) {
  const std::string name = fmt::format("x={},y={},a={}", cell.x, cell.y, cell.a);
  return periods.pooled() ? name : fmt::format("{} ({})", name, periods.list[cell.period].name);
}

/// [g,x,y,a], and the period if there are several.
Json json_of(const Cell& cell, const Periods& periods) {
  Json indices{cell.g, cell.x, cell.y, cell.a};
  if (!periods.pooled()) indices.push_back(cell.period);
  return indices;
}

/// One list over the groups.
template <class Value>
Json per_group(const std::vector<GroupSummary>& groups, const Value& value) {
  Json list = Json::array();
  for (const GroupSummary& group : groups) list.push_back(value(group));
  return list;
}

std::string cells_in_words(const Estimate& estimate) {
  std::vector<std::string> parts;
  std::size_t group = estimate.model.shape().groups;
  for (const Cell& cell : std::span(estimate.unvisited_cells).first(std::min(kCellsShown, estimate.unvisited))) {
    parts.push_back((cell.g == group ? "" : estimate.model.names().groups[cell.g] + " ") +
                    name_of(cell, estimate.model.periods()));
    group = cell.g;
  }
  std::string text = fmt::format("no successor seen in {}", fmt::join(parts, "; "));
  if (estimate.unvisited > kCellsShown)
    text += fmt::format("; and {} more (--json has all)", estimate.unvisited - kCellsShown);
  return text;
}

}  // namespace

std::vector<GroupSummary> summarise(const Estimate& estimate, const Radii& radii) {
  const Shape& n = estimate.model.shape();
  std::vector<GroupSummary> groups(n.groups);
  for (std::size_t g = 0; g < n.groups; ++g) {
    GroupSummary& group = groups[g];
    const auto seen = estimate.successors.of_group(g);
    group.people = estimate.model.spec().rests_on->people[g];
    group.decisions = total(estimate.visits.block(g));
    group.successors = total(seen);
    group.unvisited = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), 0));
    const auto least = static_cast<std::size_t>(std::min_element(seen.begin(), seen.end()) - seen.begin());
    const std::size_t cell = least % n.cells();
    group.thinnest = {g, cell / (kLabels * kActions), cell / kActions % kLabels, cell % kActions, least / n.cells()};
    group.thinnest_seen = seen[least];
    group.initial_radius = radii.initial[g];
    group.row_radius = spread(radii.row.of_group(g), seen);
    if (!radii.reward.empty()) group.reward_radius = spread(radii.reward.block(g), estimate.visits.block(g));
  }
  return groups;
}

Json to_json(const Estimate& estimate, const Radii& radii) {
  const std::vector<GroupSummary> groups = summarise(estimate, radii);
  const Model& model = estimate.model;
  Json cells = Json::array();
  for (const Cell& cell : estimate.unvisited_cells) cells.push_back(json_of(cell, model.periods()));
  Json empty = Json::array();
  for (const std::size_t g : estimate.empty_groups) empty.push_back(model.names().groups[g]);
  Json radius = {{"initial", radii.initial},
                 {"largest", per_group(groups, [](const auto& group) { return group.row_radius.largest; })},
                 {"median", per_group(groups, [](const auto& group) { return or_null(group.row_radius.median); })}};
  Json reward;
  if (!radii.reward.empty())
    reward = {{"largest", per_group(groups, [](const auto& group) { return group.reward_radius.largest; })},
              {"median", per_group(groups, [](const auto& group) { return or_null(group.reward_radius.median); })}};
  Json body = {{"groups", model.names().groups},
               {"features", model.names().features},
               {"horizon", model.shape().horizon},
               {"share", model.spec().share},
               {"people", model.spec().rests_on->people},
               {"first_states", estimate.people},
               {"decisions", per_group(groups, [](const auto& group) { return group.decisions; })},
               {"successors", per_group(groups, [](const auto& group) { return group.successors; })},
               {"cells", estimate.successors.all().size()},
               {"unvisited", estimate.unvisited},
               {"unvisited_per_group", per_group(groups, [](const auto& group) { return group.unvisited; })},
               {"unvisited_cells", cells},
               {"empty_groups", empty},
               {"thinnest", per_group(groups,
                                      [&](const auto& group) {
                                        Json row = {{"x", group.thinnest.x},
                                                    {"y", group.thinnest.y},
                                                    {"a", group.thinnest.a},
                                                    {"successors", group.thinnest_seen}};
                                        if (!model.periods().pooled()) row["period"] = group.thinnest.period;
                                        return row;
                                      })},
               {"radius", radius},
               {"reward_radius", reward},
               {"delta_row", radii.delta_row}};
  if (!model.periods().pooled()) body["periods"] = to_json(model.periods());
  return body;
}

std::string to_text(const Estimate& estimate, const Radii& radii, std::size_t width) {
  Column name{"group", {}, true};
  Block seen{"seen", {{"people", {}}, {"decisions", {}}}};
  Block cells{"cells", {{"unvisited", {}}, {"thinnest", {}, true}, {"successors", {}}}};
  Block rows{"radius of", {{"first state", {}}, {"median row", {}}, {"largest", {}}}};
  Block rewards{"radius of reward", {{"median", {}}, {"largest", {}}}};
  const std::size_t number = estimate.model.shape().periods * estimate.model.shape().cells();
  const std::vector<GroupSummary> groups = summarise(estimate, radii);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const GroupSummary& group = groups[g];
    name.cells.push_back(estimate.model.names().groups[g]);
    seen.columns[0].cells.push_back(with_thousands(group.people));
    seen.columns[1].cells.push_back(with_thousands(group.decisions));
    cells.columns[0].cells.push_back(fmt::format("{} of {}", group.unvisited, number));
    cells.columns[1].cells.push_back(name_of(group.thinnest, estimate.model.periods()));
    cells.columns[2].cells.push_back(with_thousands(group.thinnest_seen));
    rows.columns[0].cells.push_back(in_text(group.initial_radius));
    rows.columns[1].cells.push_back(in_text(group.row_radius.median));
    rows.columns[2].cells.push_back(in_text(group.row_radius.largest));
    rewards.columns[0].cells.push_back(in_text(group.reward_radius.median));
    rewards.columns[1].cells.push_back(in_text(group.reward_radius.largest));
  }
  std::vector<Block> blocks{seen, cells, rows};
  if (!radii.reward.empty()) blocks.push_back(rewards);
  std::string text =
      fmt::format("{} people, {} decisions\n\n", with_thousands(total(estimate.model.spec().rests_on->people)),
                  with_thousands(total(estimate.visits.flat()))) +
      lay_out(name, blocks, width);
  if (estimate.unvisited > 0) text += "\n" + wrap(cells_in_words(estimate), width);
  return text;
}

std::vector<std::string> unseen(const Estimate& estimate, const std::string& rule) {
  std::vector<std::string> warnings;
  if (estimate.unvisited > 0 && estimate.model.shape().horizon > 1)  // in a single step nobody moves on
    warnings.push_back(fmt::format("{} of {} cells have no seen successor: their rows are guesses ({})",
                                   estimate.unvisited, estimate.successors.all().size(), rule));
  return warnings;
}

std::string radii_document(const Estimate& estimate, const Radii& radii, const RadiiOptions& options) {
  const Names& names = estimate.model.names();
  JsonWriter json;
  json.object().field("schema", "fairstep/radii/1");
  json.field("groups", names.groups).field("features", names.features);
  json.field("labels", names.labels).field("actions", names.actions);
  // Two files cannot be replaced at one moment: this tells whether they are of one run.
  json.field("model_sha256", sha256(fairstep::to_text(estimate.model)));
  json.field("delta", options.delta).field("delta_row", radii.delta_row);
  json.field("initial", radii.initial);
  if (estimate.model.periods().pooled()) {
    json.field("row", radii.row.pooled_table(), 2);
  } else {
    json.key("periods").array();
    for (const Period& period : estimate.model.periods().list)
      json.object(JsonWriter::Lines::one).field("name", period.name).field("first_step", period.first_step).end();
    json.end().field("row", radii.row.with_periods(), 2);
  }
  if (options.rewards) {
    json.field("reward_range", std::vector<double>{options.rewards->range.low, options.rewards->range.high});
    json.field("reward", radii.reward, 2);
  }
  json.end();
  return std::move(json).text();
}

}  // namespace fairstep::cli
