// Figures: a frame for the chart, what there is to see, how to read it, the table behind it, and ways to take it along.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/report/internal/html.hpp>
#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/page.hpp>

namespace fairstep::report {
namespace {

/// `how_id`: where the group says how to read it; empty: it is said here.
void write_panel(Html& html, const Panel& panel, const std::string& how_id) {
  html.open("figure", {{"id", panel.id},
                       {"class", panel.first ? "panel first" : "panel"},
                       {"data-chart", panel.chart},
                       {"data-choice", panel.choice}});
  const std::string caption = panel.id + "-is";
  html.open("figcaption", {{"id", caption}}).element("span", panel.heading, {{"class", "which"}}).text(" ");
  html.element("strong", panel.title).close();
  if (how_id.empty())
    html.open("div", {{"class", "chart"}, {"role", "img"}, {"aria-labelledby", caption}}).close();
  else
    html.open("div", {{"class", "chart"}, {"role", "img"}, {"aria-labelledby", caption}, {"aria-describedby", how_id}})
        .close();
  html.open("div");
  for (const auto& [name, value] : panel.parameters)
    if (name == "most") {
      html.open("p", {{"class", "ramp"}}).element("span", "0").open("span", {{"class", "bar"}}).close();
      html.element("span", fixed(std::get<double>(value), 3)).close();
    }
  if (how_id.empty() && !panel.how.empty()) html.element("p", panel.how, {{"class", "how"}});
  if (!panel.note.empty()) html.element("p", panel.note, {{"class", "how"}});
  html.close();
  html.open("details").element("summary", "Data");
  write_table(html, panel.shown.rows.empty() ? panel.table : panel.shown, panel.heading);
  html.close();
  JsonWriter json(kForCharts);
  write(json, panel);
  html.open("script", {{"type", "application/json"}}).raw(std::move(json).text()).close().close().line();
}

/// How to read panels, where several are read alike: said once.
std::vector<std::string> shared_ways(const Group& group) {
  std::vector<std::string> found;
  for (const Panel& panel : group.panels) {
    const auto alike = std::count_if(group.panels.begin(), group.panels.end(),
                                     [&](const Panel& other) { return other.how == panel.how; });
    if (alike > 1 && !panel.how.empty() && std::find(found.begin(), found.end(), panel.how) == found.end())
      found.push_back(panel.how);
  }
  return found;
}

/// Rates to a thousandth, two digits to the base 36 each: there are tens of thousands, and no eye or file asks for
/// more.
std::string in_thousandths(const std::vector<double>& rates) {
  static constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  text.reserve(2 * rates.size());
  for (const double rate : rates) {
    const auto whole = static_cast<std::size_t>(std::round(1000 * std::clamp(rate, 0.0, 1.0)));
    text += digits[whole / 36];
    text += digits[whole % 36];
  }
  return text;
}

}  // namespace

void write_group(Html& html, const Group& group) {
  if (group.panels.empty()) return;
  html.open("section", {{"id", group.id}, {"aria-labelledby", group.id + "-heading"}});
  html.element("h2", group.heading, {{"id", group.id + "-heading"}}).element("p", group.text);
  const bool choose = !group.panels.front().choice.empty();
  if (choose) html.open("p", {{"class", "controls"}, {"hidden", ""}, {"data-choose", group.id}}).close();
  write_panels(html, group);
  html.close().line();
}

void write_panels(Html& html, const Group& group) {
  if (!group.legend.empty()) {
    html.open("ul", {{"class", "legend"}, {"aria-label", "Legend"}});
    for (const LegendEntry& entry : group.legend)
      html.open("li", {{"data-kind", entry.kind}})
          .open("span", {{"class", "key " + entry.kind}})
          .close()
          .text(entry.label)
          .close();
    html.close();
  }
  const std::vector<std::string> shared = shared_ways(group);
  for (std::size_t i = 0; i < shared.size(); ++i)
    html.element("p", shared[i], {{"class", "how"}, {"id", fmt::format("{}-how-{}", group.id, i)}});
  html.open("div", {{"class", group.columns == 4 ? "panels four" : group.columns == 3 ? "panels three" : "panels"}});
  for (const Panel& panel : group.panels) {
    const auto at = std::find(shared.begin(), shared.end(), panel.how);
    write_panel(html, panel, at == shared.end() ? "" : fmt::format("{}-how-{}", group.id, at - shared.begin()));
  }
  html.close();
}

void write_policies(Html& html, const std::vector<PolicyTable>& tables) {
  if (tables.empty()) return;
  html.open("section", {{"id", "policies"}, {"aria-labelledby", "policies-heading"}});
  html.element("h2", "The policies", {{"id", "policies-heading"}});
  html.element("p",
               "Who is accepted, by step and feature, group beside group on one scale. The policies are those of the "
               "first repeat: a mean of policies is none that anybody followed.");
  html.open("figure", {{"id", "policy"}, {"class", "policy"}});
  html.open("figcaption")
      .element("span", "", {{"class", "which"}})
      .element("strong", "Policies, update by update")
      .close();
  html.open("div", {{"class", "controls"}, {"hidden", ""}}).close();
  html.open("div", {{"class", "maps"}}).close();
  html.element("p",
               "The fuller the colour, the higher the probability to accept. Move the slider with the arrow keys to go "
               "from update to update; \u201cdifference\u201d shows the first group minus each other.",
               {{"class", "how"}});
  html.open("details").element("summary", "Data");
  for (const PolicyTable& table : tables) {
    if (table.method != "ours" || table.accept.empty()) continue;
    Table last;
    last.columns = {{"group", "group"}, {"step", "step", 0}};
    for (const std::string& feature : table.features) last.columns.push_back({feature, "P(accept), " + feature, 3});
    for (std::size_t g = 0; g < table.groups.size(); ++g)
      for (std::size_t h = 0; h < table.horizon; ++h) {
        std::vector<Cell> row{table.groups[g], static_cast<double>(h)};
        for (std::size_t x = 0; x < table.features.size(); ++x)
          row.emplace_back(table.accept.back()[(g * table.horizon + h) * table.features.size() + x]);
        last.rows.push_back(std::move(row));
      }
    write_table(
        html, last,
        fmt::format("{}: {}, policy of k = {}", table.setting_name, table.method_label, as_power(table.k.back())));
  }
  html.close();
  // Many an update changes no policy, and methods begin alike.
  std::vector<std::string> policies;
  std::unordered_map<std::string, std::size_t> places;
  JsonWriter json(kForCharts);
  json.object(JsonWriter::Lines::tight).key("tables").array();
  for (const PolicyTable& table : tables) {
    if (&table != &tables.front()) json.line();
    json.object().field("setting", table.setting).field("settingName", table.setting_name);
    json.field("method", table.method).field("methodLabel", table.method_label).field("horizon", table.horizon);
    json.field("groups", table.groups).field("features", table.features).field("k", table.k);
    json.key("violation").array();
    for (const double violation : table.violation) json.value(violation);
    json.end().key("accept").array();
    for (const std::vector<double>& row : table.accept) {
      const auto [place, unseen] = places.try_emplace(in_thousandths(row), policies.size());
      if (unseen) policies.push_back(place->first);
      json.value(place->second);
    }
    json.end().end();
  }
  json.end().key("policies").array();
  for (const std::string& policy : policies) json.line().value(policy);
  json.end().end();
  html.open("script", {{"type", "application/json"}}).raw(std::move(json).text()).close().close().close().line();
}

}  // namespace fairstep::report
