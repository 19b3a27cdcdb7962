// Step by step: the gaps of the last policies, and how they came about, update by update.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <fairstep/report/internal/comparison.hpp>
#include <fairstep/report/internal/figure.hpp>
#include <fairstep/report/internal/numbers.hpp>

namespace fairstep::report {
namespace {

Band gap_at(const Setting& setting, const MethodRuns& method, std::size_t l, std::size_t h) {
  return method.band(l, [&](const UpdateRecord& update) {
    const std::vector<double>& gaps = setting.gaps(update);
    return h < gaps.size() ? gaps[h] : kUnknown;
  });
}

double allowed_at(const UpdateRecord& update, std::size_t h) {
  const auto entry = [h](const std::vector<double>& list) {
    return list.empty() ? 0 : list[std::min(h, list.size() - 1)];
  };
  return entry(update.limit) + entry(update.relaxation);
}

struct Worst {
  std::size_t step = 0;
  double gap = 0;
};

Worst worst_step(const Setting& setting, const MethodRuns& method) {
  Worst worst;
  for (std::size_t h = 0; h < setting.model->shape().horizon; ++h) {
    const double gap = gap_at(setting, method, method.updates() - 1, h).mean;
    if (gap > worst.gap) worst = {h, gap};
  }
  return worst;
}

Panel last_gaps(const Setting& setting) {
  Panel made;
  made.id = "steps-" + setting.id;
  made.chart = "steps";
  made.heading = short_name(setting) + " · last gaps";
  made.how =
      "The gap between groups at each step under the final policies, with 95 % intervals, on a square-root axis so "
      "that small ones can be told apart; the grey rule is what the limit and its relaxation allowed.";
  made.table.columns = {
      {"method", "method"},           {"step", "step", 0}, {"mean", "gap"}, {"low", "from", 4, Rounded::down},
      {"high", "to", 4, Rounded::up}, {"kind", ""}};
  double most = 0;
  const std::size_t horizon = setting.model->shape().horizon;
  for (const MethodRuns* method : side_by_side(setting))
    for (std::size_t h = 0; h < horizon; ++h) {
      const Band band = gap_at(setting, *method, method->updates() - 1, h);
      made.table.rows.push_back(
          {method->about.label, static_cast<double>(h), band.mean, band.low, band.high, name_of(method->kind)});
      most = std::max({most, band.mean, std::isnan(band.high) ? 0 : band.high});
    }
  if (const MethodRuns* ours = setting.find(Kind::ours)) {
    for (std::size_t h = 0; h < horizon; ++h)
      made.table.rows.push_back(
          {"allowed", static_cast<double>(h),
           ours->band(ours->updates() - 1, [&](const UpdateRecord& update) { return allowed_at(update, h); }).mean,
           kUnknown, kUnknown, "allowed"});
    const Worst mine = worst_step(setting, *ours);
    made.title = fmt::format("Worst step: the method {} (step {})", fixed(mine.gap, 3), mine.step);
    if (const MethodRuns* free = setting.find(Kind::unconstrained)) {
      const Worst other = worst_step(setting, *free);
      made.title += fmt::format(", unconstrained {} (step {})", fixed(other.gap, 3), other.step);
    }
  } else {
    made.title = "Gaps at the last update, step by step";
  }
  made.table.grouped = true;
  made.parameters = {{"yTitle", setting.measure + " gap"}, {"yMax", 1.06 * most}};
  return made;
}

double widest(const Setting& setting) {
  double most = 0;
  for (const MethodRuns* method : side_by_side(setting))
    for (std::size_t l = 0; l < method->updates(); ++l)
      for (std::size_t h = 0; h < setting.model->shape().horizon; ++h) {
        const double gap = gap_at(setting, *method, l, h).mean;
        if (gap > most) most = gap;
      }
  return most;
}

Panel gap_map(const Setting& setting, const MethodRuns& method, double scale) {
  Panel made;
  made.id = fmt::format("map-{}-{}", setting.id, name_of(method.kind));
  made.chart = "heat";
  made.heading = fmt::format("{} · {}", short_name(setting), method.about.label);
  made.how =
      "The fuller the colour, the wider the gap, on one scale for the three methods; a dot marks a cell whose whole "
      "interval is above what limit and relaxation allowed.";
  made.table.columns = {{"x", "k"}, {"y", "step"}, {"value", "gap"}, {"allowed", "allowed"}, {"mark", ""}};
  std::size_t over = 0;
  double most = 0;
  std::string where;
  for (const std::size_t l : thinned(method.updates(), 40))
    for (std::size_t h = 0; h < setting.model->shape().horizon; ++h) {
      const Band band = gap_at(setting, method, l, h);
      const double gap = band.mean;
      const double allowed =
          method.kind == Kind::ours
              ? method.band(l, [&](const UpdateRecord& update) { return allowed_at(update, h); }).mean
              : kUnknown;
      const std::string k = as_power(method.repeats[0].updates[l].k);
      const bool above = (std::isnan(band.low) ? gap : band.low) > allowed + 1e-9;
      over += above ? 1U : 0U;
      if (gap > most) {
        most = gap;
        where = fmt::format("step {}, k = {}", h, k);
      }
      made.table.rows.push_back({k, fmt::format("{}", h), gap, allowed, above ? 1.0 : 0.0});
    }
  made.title = fmt::format("Gaps up to {} ({}), {} at the end", fixed(most, 3), where,
                           fixed(worst_step(setting, method).gap, 3));
  if (over > 0) made.title += fmt::format("; {} above what was allowed", over);
  made.shown = pivoted(made.table, "step", 3);
  made.table.grouped = true;
  made.parameters = {{"xTitle", "updated at episode k"}, {"yTitle", "step"}, {"most", scale}, {"valueTitle", "gap"}};
  space_labels(made);
  return made;
}

}  // namespace

std::vector<const MethodRuns*> side_by_side(const Setting& setting) {
  std::vector<const MethodRuns*> found;
  for (const MethodRuns* method :
       {setting.find(Kind::ours), setting.nearest_penalty(), setting.find(Kind::unconstrained)})
    if (method != nullptr) found.push_back(method);
  return found;
}

std::vector<LegendEntry> side_by_side_legend(const std::vector<Setting>& settings, std::vector<LegendEntry> more) {
  std::vector<LegendEntry> made;
  for (const Kind kind : {Kind::ours, Kind::penalty, Kind::unconstrained})
    for (const Setting& setting : settings)
      if (const MethodRuns* method = setting.find(kind)) {
        made.push_back({name_of(kind), kind == Kind::penalty ? family_of(*method) + " with the nearest violation"
                                                             : method->about.label});
        break;
      }
  made.insert(made.end(), more.begin(), more.end());
  return made;
}

void space_labels(Panel& panel) {
  std::vector<std::string> seen;
  for (const std::vector<Cell>& row : panel.table.rows)
    if (const auto& x = std::get<std::string>(row[0]); std::find(seen.begin(), seen.end(), x) == seen.end())
      seen.push_back(x);
  panel.parameters.emplace_back("columns", static_cast<double>(seen.size()));
  panel.parameters.emplace_back("every", std::ceil(static_cast<double>(seen.size()) / 11));
}

Table pivoted(const Table& table, const std::string& corner, int decimals) {
  Table made;
  made.columns.push_back({"y", corner, 0});
  std::vector<std::string> heads;
  for (const std::vector<Cell>& row : table.rows) {
    const auto& x = std::get<std::string>(row[0]);
    const auto& y = std::get<std::string>(row[1]);
    auto column = std::find(heads.begin(), heads.end(), x);
    if (column == heads.end()) {
      made.columns.push_back({x, x, decimals});
      column = heads.insert(heads.end(), x);
    }
    auto line = std::find_if(made.rows.begin(), made.rows.end(),
                             [&](const std::vector<Cell>& there) { return std::get<std::string>(there[0]) == y; });
    if (line == made.rows.end()) line = made.rows.insert(line, std::vector<Cell>{y});
    line->resize(std::max(line->size(), static_cast<std::size_t>(column - heads.begin()) + 2), Cell(kUnknown));
    (*line)[static_cast<std::size_t>(column - heads.begin()) + 1] = row[2];
  }
  return made;
}

Group gaps_by_step(const Evidence& evidence) {
  Group group{"steps", "Gaps at every step", "", {}, {}};
  group.text =
      "The paper reports the average over steps; a policy can be fair on average and unfair at one step. These are the "
      "gaps at each step of the final policies: the method, the penalty weight whose average is nearest, and no "
      "constraint.";
  if (!evidence.settings.empty()) {
    group.legend = side_by_side_legend(evidence.settings, {{"allowed", "limit plus relaxation"}});
  }
  for (const Setting& setting : evidence.settings) group.panels.push_back(last_gaps(setting));
  return group;
}

Group gap_maps(const Evidence& evidence) {
  Group group{"maps", "Gaps at every step and every update", "", {}, {}, 3};
  group.text = "How each gap came down, or did not: steps from top to bottom, updates from left to right.";
  for (const Setting& setting : evidence.settings) {
    const double scale = widest(setting);
    for (const MethodRuns* method : side_by_side(setting)) group.panels.push_back(gap_map(setting, *method, scale));
  }
  return group;
}

}  // namespace fairstep::report
