#include <fairstep/report/plots.hpp>

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
  made.json = "[";
  for (const report::Group& group : *groups) {
    if (group.panels.empty()) continue;
    if (made.json.size() > 1) made.json += ",\n";
    made.json += "{\"id\":" + report::json_string(group.id) + ",\"columns\":" + std::to_string(group.columns);
    made.json += ",\"legend\":[";
    for (std::size_t i = 0; i < group.legend.size(); ++i)
      made.json += (i == 0 ? "[" : ",[") + report::json_string(group.legend[i].kind) + "," +
                   report::json_string(group.legend[i].label) + "]";
    made.json += "],\"panels\":[";
    made.names.push_back(group.id);
    for (std::size_t i = 0; i < group.panels.size(); ++i) {
      const report::Panel& panel = group.panels[i];
      made.json += i == 0 ? "" : ",\n";
      made.json += "{\"id\":" + report::json_string(panel.id) + ",\"heading\":" + report::json_string(panel.heading);
      made.json += ",\"data\":" + report::json_of(panel) + "}";
    }
    made.json += "]}";
    for (const report::Panel& panel : group.panels) made.names.push_back(panel.id);
  }
  made.json += "]";
  return made;
}

std::string plot_script() {
  return std::string(report::assets::script()) +
         "\nconst [, , plan, folder] = process.argv;\nawait globalThis.fairstepPlot(plan, folder, await "
         "import('node:fs/promises'));\n";
}

}  // namespace fairstep
