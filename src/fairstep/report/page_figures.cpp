// Figures: a frame for the chart, what there is to see, how to read it, the table behind it, and ways to take it along.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/page.hpp>

namespace fairstep::report {
namespace {

void write_buttons(Html& html, const std::string& name) {
  html.open("p", {{"class", "take"}, {"hidden", ""}});
  for (const char* format : {"CSV", "SVG", "PNG"})
    html.open("button", {{"type", "button"}, {"data-take", format}})
        .element("span", "download " + name + " as ", {{"class", "unseen"}})
        .text(format)
        .close();
  html.close();
}

/// `how_id`: where the group says how to read it; empty: it is said here.
void write_panel(Html& html, const Panel& panel, const std::string& how_id) {
  html.open("figure", {{"id", panel.id},
                       {"class", panel.first ? "panel first" : "panel"},
                       {"data-chart", panel.chart},
                       {"data-choice", panel.choice}});
  html.open("figcaption").element("span", panel.heading, {{"class", "which"}});
  html.element("strong", panel.title).close();
  const std::string label = "Chart. " + panel.heading + ". " + panel.title;
  if (how_id.empty())
    html.open("div", {{"class", "chart"}, {"role", "img"}, {"aria-label", label}}).close();
  else
    html.open("div", {{"class", "chart"}, {"role", "img"}, {"aria-label", label}, {"aria-describedby", how_id}})
        .close();
  html.open("div");
  for (const auto& [name, value] : panel.parameters)
    if (name == "most") {
      html.open("p", {{"class", "ramp"}}).element("span", "0").open("span", {{"class", "bar"}}).close();
      html.element("span", fixed(std::get<double>(value), 3)).close();
    }
  if (how_id.empty()) html.element("p", panel.how, {{"class", "how"}});
  if (!panel.note.empty()) html.element("p", panel.note, {{"class", "how"}});
  html.close();
  write_buttons(html, panel.heading);
  html.open("details").element("summary", "Data");
  write_table(html, panel.shown.rows.empty() ? panel.table : panel.shown, panel.heading);
  html.close();
  html.open("script", {{"type", "application/json"}}).raw(json_of(panel)).close().close().line();
}

/// How to read panels, where several are read alike: said once.
std::vector<std::string> shared_ways(const Group& group) {
  std::vector<std::string> found;
  for (const Panel& panel : group.panels) {
    const auto alike = std::count_if(group.panels.begin(), group.panels.end(),
                                     [&](const Panel& other) { return other.how == panel.how; });
    if (alike > 1 && std::find(found.begin(), found.end(), panel.how) == found.end()) found.push_back(panel.how);
  }
  return found;
}

}  // namespace

void write_group(Html& html, const Group& group) {
  if (group.panels.empty()) return;
  html.open("section", {{"id", group.id}, {"aria-labelledby", group.id + "-heading"}});
  html.element("h2", group.heading, {{"id", group.id + "-heading"}}).element("p", group.text);
  const bool choose = !group.panels.front().choice.empty();
  if (choose) html.open("p", {{"class", "controls"}, {"hidden", ""}, {"data-choose", group.id}}).close();
  if (!group.legend.empty()) {
    html.open("ul", {{"class", "legend"}, {"aria-label", "Legend"}});
    for (const LegendEntry& entry : group.legend)
      html.open("li").open("span", {{"class", "key " + entry.kind}}).close().text(entry.label).close();
    html.close();
  }
  const std::vector<std::string> shared = shared_ways(group);
  for (std::size_t i = 0; i < shared.size(); ++i)
    html.element("p", shared[i], {{"class", "how"}, {"id", fmt::format("{}-how-{}", group.id, i)}});
  html.open("div", {{"class", group.columns == 3 ? "panels three" : "panels"}});
  for (const Panel& panel : group.panels) {
    const auto at = std::find(shared.begin(), shared.end(), panel.how);
    write_panel(html, panel, at == shared.end() ? "" : fmt::format("{}-how-{}", group.id, at - shared.begin()));
  }
  html.close().close().line();
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
  write_buttons(html, "the policies");
  html.open("details").element("summary", "Data");
  for (const PolicyTable& table : tables) {
    if (table.method != "ours" || table.accept.empty()) continue;
    Table last;
    last.columns = {{"group", "group"}, {"step", "step", 0}};
    for (const std::string& feature : table.features) last.columns.push_back({feature, "P(accept), " + feature, 3});
    for (std::size_t g = 0; g < table.groups.size(); ++g)
      for (std::size_t h = 0; h < table.horizon; ++h) {
        std::vector<Cell> row{table.groups[g], static_cast<double>(h + 1)};
        for (std::size_t x = 0; x < table.features.size(); ++x)
          row.emplace_back(table.accept.back()[(g * table.horizon + h) * table.features.size() + x]);
        last.rows.push_back(std::move(row));
      }
    write_table(
        html, last,
        fmt::format("{}: {}, policy of k = {}", table.setting_name, table.method_label, episode(table.k.back())));
  }
  html.close();
  std::string json = "[";
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const PolicyTable& table = tables[i];
    const auto names = [](const std::vector<std::string>& list) {
      std::string text = "[";
      for (std::size_t j = 0; j < list.size(); ++j) text += (j == 0 ? "" : ",") + json_string(list[j]);
      return text + "]";
    };
    json += fmt::format("{}{{\"setting\":{},\"settingName\":{},\"method\":{},\"methodLabel\":{},\"horizon\":{},",
                        i == 0 ? "" : ",\n", json_string(table.setting), json_string(table.setting_name),
                        json_string(table.method), json_string(table.method_label), table.horizon);
    json += "\"groups\":" + names(table.groups) + ",\"features\":" + names(table.features) + ",\"k\":[";
    for (std::size_t l = 0; l < table.k.size(); ++l) json += (l == 0 ? "" : ",") + std::to_string(table.k[l]);
    json += "],\"violation\":[";
    for (std::size_t l = 0; l < table.violation.size(); ++l)
      json += (l == 0 ? "" : ",") + json_number(table.violation[l]);
    json += "],\"accept\":[";
    for (std::size_t l = 0; l < table.accept.size(); ++l) {
      json += l == 0 ? "\n[" : ",\n[";
      // Four decimals: there are tens of thousands, and no eye or file asks for more.
      for (std::size_t j = 0; j < table.accept[l].size(); ++j)
        json += (j == 0 ? "" : ",") + json_number(std::round(table.accept[l][j] * 1e4) / 1e4);
      json += "]";
    }
    json += "]}";
  }
  html.open("script", {{"type", "application/json"}}).raw(json + "]").close().close().close().line();
}

}  // namespace fairstep::report
