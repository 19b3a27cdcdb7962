#include <fairstep/report/plots.hpp>

#include <utility>

#include <fairstep/io/json.hpp>
#include <fairstep/report/internal/assets.hpp>
#include <fairstep/report/internal/content.hpp>
#include <fairstep/report/internal/html.hpp>

namespace fairstep {

Expected<PlotPlan> plots(const std::filesystem::path& folder) {
  const auto evidence = report::gather(folder);
  if (!evidence) return tl::unexpected(evidence.error());
  const auto groups = report::groups_of(*evidence);
  if (!groups) return tl::unexpected(groups.error());
  PlotPlan made;
  JsonWriter json(report::kForCharts);
  json.array(JsonWriter::Lines::tight);
  for (const report::Group& group : *groups) {
    if (group.panels.empty()) continue;
    if (!made.names.empty()) json.line();
    json.object().field("id", group.id).field("columns", group.columns).key("legend").array();
    for (const auto& entry : group.legend) json.array().value(entry.kind).value(entry.label).end();
    json.end().key("panels").array();
    made.names.push_back(group.id);
    for (const report::Panel& panel : group.panels) {
      if (&panel != &group.panels.front()) json.line();
      json.object().field("id", panel.id).field("heading", panel.heading).key("data");
      write(json, panel);
      json.end();
      made.names.push_back(panel.id);
    }
    json.end().end();
  }
  json.end();
  made.json = std::move(json).text();
  return made;
}

std::string plot_script() {
  return std::string(report::assets::script()) +
         "\nconst [, , plan, folder] = process.argv;\nawait globalThis.fairstepPlot(plan, folder, await "
         "import('node:fs/promises'));\n";
}

}  // namespace fairstep
