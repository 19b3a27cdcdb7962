#include "answers/comparison.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/feature_order.hpp>

#include "answers/evaluation_json.hpp"
#include "answers/falls.hpp"
#include "answers/nested.hpp"

namespace fairstep::cli {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

page::Column word_column(const std::string& name) { return {name, name, 4, page::Rounded::nearest, true}; }

page::Column plain_column(const std::string& name) { return {name, name}; }

double widest_gap(const Evaluation& evaluation, Notion notion) {
  const std::vector<StepGap>& steps = of_notion(evaluation.gap, notion);
  const auto h = worst_step(steps);
  return h ? steps[*h].gap : kUndefined;
}

page::CaptionedTable summary(const std::vector<ComparedPolicy>& policies, const std::vector<std::string>& names) {
  page::CaptionedTable made{
      "Values, and their difference to the first; the widest gap of all steps; cells (group, step, feature) that "
      "are decided otherwise than by the first, and which share of decisions that changes",
      {}};
  made.table.columns = {word_column("policy"), plain_column("value"), plain_column("difference")};
  for (const Notion notion : all_of<Notion>()) made.table.columns.push_back(plain_column(name_of(notion)));
  made.table.columns.push_back({"cells", "cells", 0});
  made.table.columns.push_back(plain_column("changed"));
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const ComparedPolicy& it = policies[i];
    std::vector<page::Cell> row{names[i], it.evaluation.value, it.evaluation.value - policies.front().evaluation.value};
    for (const Notion notion : all_of<Notion>()) row.emplace_back(widest_gap(it.evaluation, notion));
    row.emplace_back(static_cast<double>(it.from_first.cells.size()));
    row.emplace_back(it.from_first.changed_share);
    made.table.rows.push_back(std::move(row));
  }
  return made;
}

/// A row for each step, a column for each policy and whatever `columns` names; `at(policy, column, step)`.
template <class At>
page::CaptionedTable by_step(std::string caption, std::size_t horizon, const std::vector<std::string>& columns,
                             const At& at) {
  page::CaptionedTable made{std::move(caption), {}};
  made.table.columns.push_back(word_column("step"));
  for (const std::string& name : columns) made.table.columns.push_back(plain_column(name));
  for (std::size_t h = 0; h < horizon; ++h) {
    std::vector<page::Cell> row{std::to_string(h)};
    for (std::size_t i = 0; i < columns.size(); ++i) row.emplace_back(at(i, h));
    made.table.rows.push_back(std::move(row));
  }
  return made;
}

/// The same as lines.
page::Chart lines_of(const page::CaptionedTable& table) {
  page::Chart chart{table.caption, "step", {}, {}};
  for (std::size_t c = 1; c < table.table.columns.size(); ++c)
    chart.series.push_back({table.table.columns[c].label, {}, {}});
  for (const std::vector<page::Cell>& row : table.table.rows) {
    chart.places.push_back(std::get<std::string>(row.front()));
    for (std::size_t c = 1; c < row.size(); ++c) {
      const double value = std::get<double>(row[c]);
      chart.series[c - 1].values.push_back(value);
      chart.series[c - 1].bands.push_back({value, value});
    }
  }
  return chart;
}

/// Steps in a row at which a group with a feature is accepted alike by each of two policies.
struct Stay {
  Difference cell{};
  Stretch steps{};
  double people = 0;   ///< under the first, added up over these steps
  double changed = 0;  ///< likewise
};

/// Those that change most decisions first.
std::vector<Stay> stays_of(std::vector<Difference> cells) {
  std::sort(cells.begin(), cells.end(), [](const Difference& a, const Difference& b) {
    return std::tuple(a.group, a.feature, a.step) < std::tuple(b.group, b.feature, b.step);
  });
  std::vector<Stay> stays;
  for (const Difference& cell : cells) {
    const bool goes_on = !stays.empty() && stays.back().cell.group == cell.group &&
                         stays.back().cell.feature == cell.feature && stays.back().steps.last + 1 == cell.step &&
                         stays.back().cell.first == cell.first && stays.back().cell.second == cell.second;
    if (!goes_on) stays.push_back({cell, {cell.step, cell.step}});
    Stay& stay = stays.back();
    stay.steps.last = cell.step;
    stay.people += cell.people_first;
    stay.changed += cell.changed();
  }
  std::sort(stays.begin(), stays.end(), [](const Stay& a, const Stay& b) {
    return std::tuple(b.changed, a.cell.group, a.cell.feature, a.steps.first) <
           std::tuple(a.changed, b.cell.group, b.cell.feature, b.steps.first);
  });
  return stays;
}

page::CaptionedTable where_different(const Model& model, const ComparedPolicy& other, const std::string& first,
                                     const std::string& second, std::size_t room) {
  const std::vector<Stay> stays = stays_of(other.from_first.cells);
  const std::size_t shown = std::min(room, stays.size());
  page::CaptionedTable made{
      fmt::format(
          "Where {} differs from {}{}: what either accepts, and who is there under {}, as a share of all people, "
          "on average over these steps",
          second, first, shown < stays.size() ? fmt::format(", the {} that change most", shown) : "", first),
      {}};
  made.table.columns = {word_column("group"), word_column("feature"), word_column("steps")};
  for (const std::string& name : {first, second}) {
    made.table.columns.push_back(plain_column(name));
    made.table.columns.back().shares = true;
  }
  made.table.columns.push_back(plain_column("people"));
  for (std::size_t i = 0; i < shown; ++i) {
    const Difference& cell = stays[i].cell;
    const auto steps = static_cast<double>(stays[i].steps.last - stays[i].steps.first + 1);
    made.table.rows.push_back({model.names().groups[cell.group], model.names().features[cell.feature],
                               stays[i].steps.in_steps(), cell.first, cell.second, stays[i].people / steps});
  }
  return made;
}

}  // namespace

std::vector<std::string> short_file_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const std::string& file : files) {
    names.push_back(std::filesystem::path(file).stem().string());
    seen.insert(names.back());
  }
  return seen.size() == files.size() ? names : files;
}

page::Page comparison_page(const std::string& file, const Model& model, const std::vector<ComparedPolicy>& policies,
                           TableRoom room) {
  std::vector<std::string> files;
  for (const ComparedPolicy& policy : policies) files.push_back(policy.file);
  const std::vector<std::string> names = short_file_names(files);
  const std::size_t horizon = model.shape().horizon;
  page::Page page;
  page.title = fmt::format("{}: {} policies, the first of them {}", file, policies.size(), files.front());
  page.add(summary(policies, names));
  if (const auto order = feature_order(model.names().features)) {
    page::List list;
    for (std::size_t i = 0; i < policies.size(); ++i)
      if (const std::string line = falls_line(model.names(), policies[i].policy, *order); !line.empty())
        list.items.push_back(names[i] + ": " + line);
    page.add(std::move(list));
  }
  std::vector<page::CaptionedTable> tables;
  for (const Notion notion : all_of<Notion>())
    tables.push_back(by_step(fmt::format("{} gap", name_of(notion)), horizon, names, [&](std::size_t i, std::size_t h) {
      return of_notion(policies[i].evaluation.gap, notion)[h].gap;
    }));
  for (std::size_t g = 0; g < model.shape().groups; ++g)
    tables.push_back(by_step(fmt::format("{} accepted", model.names().groups[g]), horizon, names,
                             [&](std::size_t i, std::size_t h) { return policies[i].evaluation.rates.accept(g, h); }));
  page::Charts charts;
  for (const page::CaptionedTable& table : tables) charts.charts.push_back(lines_of(table));
  page.add(std::move(charts));
  for (page::CaptionedTable& table : tables) page.add(std::move(table));
  for (std::size_t i = 1; i < policies.size(); ++i)
    if (policies[i].from_first.cells.empty())
      page.add(page::Paragraph{fmt::format("{} decides everywhere as {} does", names[i], names.front())});
    else
      page.add(where_different(model, policies[i], names.front(), names[i], room.rows));
  return page;
}

Json to_json(const Model& model, const std::vector<ComparedPolicy>& policies) {
  const Names& names = model.names();
  Json list = Json::array();
  const auto order = feature_order(names.features);
  for (const ComparedPolicy& it : policies) {
    Json gaps = Json::object();
    for (const Notion notion : all_of<Notion>()) {
      Json steps = Json::array();
      for (const StepGap& step : of_notion(it.evaluation.gap, notion)) steps.push_back(number_or_null(step.gap));
      gaps[name_of(notion)] = std::move(steps);
    }
    Json cells = Json::array();
    for (const Difference& cell : it.from_first.cells)
      cells.push_back({{"group", names.groups[cell.group]},
                       {"step", cell.step},
                       {"feature", names.features[cell.feature]},
                       {"accept", {cell.first, cell.second}},
                       {"people", {cell.people_first, cell.people_second}},
                       {"changed", cell.changed()}});
    list.push_back({{"file", it.file},
                    {"value", it.evaluation.value},
                    {"gap", gaps},
                    {"rates",
                     {{"accept", nested(it.evaluation.rates.accept)},
                      {"tpr", nested(it.evaluation.rates.tpr)},
                      {"fpr", nested(it.evaluation.rates.fpr)}}},
                    {"monotone", order ? falls_json(names, it.policy, *order) : Json()},
                    {"changed", it.from_first.changed},
                    {"changed_share", it.from_first.changed_share},
                    {"differs", cells}});
  }
  return {{"groups", names.groups}, {"horizon", model.shape().horizon}, {"policies", list}};
}

}  // namespace fairstep::cli
