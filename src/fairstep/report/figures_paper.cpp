// The paper's figures: for each environment six panels, return against violation and both over training.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <fairstep/report/internal/comparison.hpp>
#include <fairstep/report/internal/figure.hpp>
#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/verdicts.hpp>

namespace fairstep::report {
namespace {

/// The least interval that holds some numbers.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void add(const Band& band) {
    add(band.mean);
    add(band.low);
    add(band.high);
  }
  [[nodiscard]] double width() const { return high > low ? high - low : 1; }
};

bool shown(const MethodRuns& method) { return method.kind != Kind::literal; }

double lambda_of(const MethodRuns& method) { return method.about.lambda; }

/// Which of the methods carry a label, and what it says; "" for the others.
std::vector<std::string> labels_of(const std::vector<const MethodRuns*>& methods, const std::vector<double>& end,
                                   double apart) {
  std::vector<std::string> labels(methods.size());
  std::vector<std::pair<double, double>> penalties;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < methods.size(); ++i)
    if (methods[i]->kind == Kind::penalty) {
      penalties.emplace_back(lambda_of(*methods[i]), end[i]);
      which.push_back(i);
    }
  for (const EndLabel& label : end_labels(penalties, apart)) labels[which[label.of]] = label.text;
  return labels;
}

/// The plot of charts/pareto.mjs, in its pixels.
constexpr double kPlotWidth = 232, kPlotHeight = 190;

std::string pareto_title(const Setting& setting, const ExperimentRecord& plan) {
  if (setting.find(Kind::ours) == nullptr || setting.find(Kind::penalty) == nullptr) return "Return against violation";
  switch (verdicts::equal_violation(setting, plan).ruling) {
    case Ruling::holds:
      return "The method lies above the penalty baseline's frontier";
    case Ruling::tie:
      return "The method lies on the penalty baseline's frontier";
    case Ruling::fails:
      return "The method lies below the penalty baseline's frontier";
    case Ruling::undecided:
      break;
  }
  if (compare(setting, plan.certificate_gap).curve.value_gain.count == 0)
    return "The method violates less than any penalty weight";
  return "Above or below the penalty baseline's frontier: undecided";
}

Panel pareto(const Setting& setting, const ExperimentRecord& plan) {
  Panel made;
  made.id = "pareto-" + setting.id;
  made.chart = "pareto";
  made.heading = short_name(setting) + " · Pareto";
  made.title = pareto_title(setting, plan);
  made.how =
      "Frontier: up is more return, left is fairer. Crosses are final policies with 95 % intervals, numbers beside "
      "them are "
      "lambda; small dots are the method's earlier updates; the thin line is the best possible on the true model. The "
      "axis of the violation is a square root, so that small ones can be told apart.";
  made.table.columns = {{"method", "method"},
                        {"role", "point"},
                        {"k", "k", kAsPower},
                        {"violation", "violation"},
                        {"violation_low", "from"},
                        {"violation_high", "to"},
                        {"value", "return"},
                        {"value_low", "from"},
                        {"value_high", "to"},
                        {"kind", ""},
                        {"label", ""},
                        {"label_at", ""}};
  Extent x, y;
  x.add(0);
  std::vector<const MethodRuns*> methods;
  for (const MethodRuns& method : setting.methods) {
    if (!shown(method)) continue;
    methods.push_back(&method);
    x.add(final_violation(method));
    y.add(final_value(method));
  }
  if (setting.frontier)
    for (const FrontierPoint& point : setting.frontier->points)
      if (!point.parity_gap.empty()) {
        double sum = 0;
        for (const double gap : point.parity_gap) sum += std::isnan(gap) ? 0 : gap;  // nobody is no violation
        const double average = sum / static_cast<double>(point.parity_gap.size());
        made.table.rows.push_back({"best on the true model", fmt::format("limit {:g}", point.limit), kUnknown, average,
                                   kUnknown, kUnknown, point.value, kUnknown, kUnknown, "optimum", "", kUnknown});
        x.add(average);
        y.add(point.value);
      }
  const double pad = 0.1 * y.width();  // and below it room for labels
  const double x_most = x.high + 0.04 * x.width();
  std::vector<PointLabel> labels(methods.size());
  std::vector<std::size_t> penalties;
  std::vector<PlacedPoint> places;
  for (std::size_t i = 0; i < methods.size(); ++i)
    if (methods[i]->kind == Kind::penalty) {
      penalties.push_back(i);
      places.push_back({lambda_of(*methods[i]),
                        kPlotWidth * std::sqrt(std::max(0.0, final_violation(*methods[i]).mean) / x_most),
                        kPlotHeight * (final_value(*methods[i]).mean - y.low) / (y.width() + 2.7 * pad)});
    }
  for (PointLabel& label : point_labels(places)) {
    const std::size_t of = penalties[label.of];
    label.x = std::pow(label.x / kPlotWidth, 2) * x_most;
    labels[of] = std::move(label);
  }
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const MethodRuns& method = *methods[i];
    const std::size_t last = method.updates() - 1;
    if (method.kind == Kind::ours)
      for (const std::size_t l : thinned(last)) {
        const Band violation = method.band(l, [](const UpdateRecord& update) { return update.violation; });
        const Band value = method.band(l, [](const UpdateRecord& update) { return update.value; });
        made.table.rows.push_back({method.about.label, "update", static_cast<double>(method.repeats[0].updates[l].k),
                                   violation.mean, violation.low, violation.high, value.mean, value.low, value.high,
                                   name_of(method.kind), "", kUnknown});
      }
    const Band violation = final_violation(method);
    const Band value = final_value(method);
    made.table.rows.push_back({method.about.label, "final", static_cast<double>(method.repeats[0].updates[last].k),
                               violation.mean, violation.low, violation.high, value.mean, value.low, value.high,
                               name_of(method.kind), labels[i].text, labels[i].x});
  }
  made.table.grouped = true;
  made.parameters = {{"xMax", x_most}, {"yMin", y.low - 1.7 * pad}, {"yMax", y.high + pad}};
  return made;
}

struct Quantity {
  const char* id;
  const char* name;
  double UpdateRecord::* field;
};

std::string curve_title(const Setting& setting, const Quantity& quantity) {
  const MethodRuns* ours = setting.find(Kind::ours);
  if (ours == nullptr) return fmt::format("{} over training", quantity.name);
  const MethodRuns* free = setting.find(Kind::unconstrained);
  const auto at = [&](const MethodRuns& method, std::size_t l) {
    return method.band(l, [&](const UpdateRecord& update) { return update.*quantity.field; }).mean;
  };
  const std::size_t last = ours->updates() - 1;
  if (quantity.field == &UpdateRecord::violation) {
    double most = 0;
    for (std::size_t l = 0; l <= last; ++l) most = std::max(most, at(*ours, l));
    const double end = at(*ours, last);
    std::string text = end < most ? fmt::format("Violation falls from {} to {}", fixed(most, 3), fixed(end, 3))
                                  : fmt::format("Violation ends at {}", fixed(end, 3));
    if (free != nullptr) text += fmt::format(" (unconstrained {})", fixed(at(*free, free->updates() - 1), 3));
    return text;
  }
  std::string text = fmt::format("Return {} from {} to {}", at(*ours, last) >= at(*ours, 0) ? "rises" : "falls",
                                 fixed(at(*ours, 0), 3), fixed(at(*ours, last), 3));
  if (free != nullptr) text += fmt::format(" (unconstrained {})", fixed(at(*free, free->updates() - 1), 3));
  return text;
}

Panel curve(const Setting& setting, const Quantity& quantity) {
  Panel made;
  made.id = std::string(quantity.id) + "-" + setting.id;
  made.chart = "curve";
  made.heading = fmt::format("{} · {}", short_name(setting), quantity.name);
  made.title = curve_title(setting, quantity);
  made.how =
      "Over training: lines are means over repeats, shaded bands their 95 % intervals; numbers at the right are the "
      "penalty's lambda.";
  made.table.columns = {{"method", "method"},
                        {"k", "k", kAsPower},
                        {"mean", quantity.name},
                        {"low", "from", 4, Rounded::down},
                        {"high", "to", 4, Rounded::up},
                        {"repeats", "n", 0},
                        {"kind", ""},
                        {"label", ""}};
  Extent extent, bands;
  std::vector<const MethodRuns*> methods;
  std::vector<double> end;
  for (const MethodRuns& method : setting.methods) {
    if (!shown(method)) continue;
    methods.push_back(&method);
    for (std::size_t l = 0; l < method.updates(); ++l)
      extent.add(method.band(l, [&](const UpdateRecord& update) { return update.*quantity.field; }).mean);
    if (method.kind != Kind::penalty && method.kind != Kind::other_form)
      for (std::size_t l = 0; l < method.updates(); ++l)
        bands.add(method.band(l, [&](const UpdateRecord& update) { return update.*quantity.field; }));
    end.push_back(
        method.band(method.updates() - 1, [&](const UpdateRecord& update) { return update.*quantity.field; }).mean);
  }
  made.shown.columns = {{"method", "method"}, {"k", "k", kAsPower}, {"mean", quantity.name}};
  made.shown.grouped = true;
  // Bands are seen in full unless that would press the lines together.
  const double top = std::max(extent.high, std::min(bands.high, extent.high + 0.5 * extent.width()));
  const std::vector<std::string> labels = labels_of(methods, end, 0.07 * (extent.width() + top - extent.high));
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const std::vector<std::size_t> kept = thinned(methods[i]->updates());
    for (const std::size_t l : kept) {
      const Band band = methods[i]->band(l, [&](const UpdateRecord& update) { return update.*quantity.field; });
      made.table.rows.push_back({methods[i]->about.label, static_cast<double>(methods[i]->repeats[0].updates[l].k),
                                 band.mean, band.low, band.high, static_cast<double>(band.count),
                                 name_of(methods[i]->kind), l == kept.back() ? labels[i] : ""});
      made.shown.rows.push_back(
          {methods[i]->about.label, static_cast<double>(methods[i]->repeats[0].updates[l].k), with_band(band)});
    }
  }
  made.table.grouped = true;
  made.parameters = {{"yTitle", std::string(quantity.name)},
                     {"yMin", quantity.field == &UpdateRecord::violation ? 0.0 : extent.low - 0.02 * extent.width()},
                     {"yMax", top + 0.06 * extent.width()}};
  return made;
}

}  // namespace

std::string short_name(const Setting& setting) { return setting.environment + " · " + setting.measure; }

std::string family_of(const MethodRuns& method) {
  const std::string& label = method.about.label;
  return label.substr(0, label.rfind(", lambda "));
}

std::vector<LegendEntry> legend_of(const std::vector<Setting>& settings, std::vector<LegendEntry> more) {
  std::vector<LegendEntry> made;
  for (const Kind kind : {Kind::ours, Kind::unconstrained, Kind::penalty, Kind::other_form, Kind::variant}) {
    const bool by_lambda = kind == Kind::penalty || kind == Kind::other_form;
    for (const Setting& setting : settings)
      if (const MethodRuns* method = setting.find(kind)) {
        made.push_back({name_of(kind), by_lambda ? family_of(*method) + ", by lambda" : method->about.label});
        break;
      }
  }
  made.insert(made.end(), more.begin(), more.end());
  return made;
}

std::vector<EndLabel> end_labels(const std::vector<std::pair<double, double>>& lambda_and_end, double apart) {
  std::vector<std::size_t> order(lambda_and_end.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return lambda_and_end[a].second < lambda_and_end[b].second; });
  std::vector<EndLabel> labels;
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from + 1;
    while (to < order.size() && lambda_and_end[order[to]].second - lambda_and_end[order[from]].second < apart) ++to;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t i = from; i < to; ++i) {
      least = std::min(least, lambda_and_end[order[i]].first);
      most = std::max(most, lambda_and_end[order[i]].first);
    }
    labels.push_back({order[(from + to - 1) / 2],
                      to == from + 1 ? fmt::format("{:g}", least) : fmt::format("{:g}\u2013{:g}", least, most)});
    from = to;
  }
  return labels;
}

std::vector<PointLabel> point_labels(const std::vector<PlacedPoint>& points) {
  constexpr double letter = 6.4, apart = 5, line = 13;
  struct Cluster {
    std::vector<std::size_t> of;  ///< rising x
    double least, most;
  };
  std::vector<std::size_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return points[a].x < points[b].x; });
  const auto text = [](const Cluster& cluster) {
    return cluster.least == cluster.most ? fmt::format("{:g}", cluster.least)
                                         : fmt::format("{:g}\u2013{:g}", cluster.least, cluster.most);
  };
  const auto width = [&](const Cluster& cluster) {
    // A dash is three bytes of one letter.
    const std::size_t letters = text(cluster).size() - (cluster.least == cluster.most ? 0 : 2);
    return letter * static_cast<double>(letters);
  };
  const auto carrier = [](const Cluster& cluster) { return cluster.of[(cluster.of.size() - 1) / 2]; };
  const auto place = [&](const Cluster& cluster) {
    return std::max(points[carrier(cluster)].x, width(cluster) / 2);  // within the plot at its left end
  };
  const auto meet = [&](const Cluster& a, const Cluster& b) {
    return std::abs(place(a) - place(b)) < (width(a) + width(b)) / 2 + apart &&
           std::abs(points[carrier(a)].y - points[carrier(b)].y) < line;
  };
  std::vector<Cluster> clusters;
  for (const std::size_t i : order) {
    clusters.push_back({{i}, points[i].lambda, points[i].lambda});
    while (clusters.size() > 1 && meet(clusters[clusters.size() - 2], clusters.back())) {
      Cluster last = std::move(clusters.back());
      clusters.pop_back();
      Cluster& before = clusters.back();
      before.of.insert(before.of.end(), last.of.begin(), last.of.end());
      before.least = std::min(before.least, last.least);
      before.most = std::max(before.most, last.most);
    }
  }
  std::vector<PointLabel> made;
  for (const Cluster& cluster : clusters) made.push_back({carrier(cluster), text(cluster), place(cluster)});
  return made;
}

std::vector<double> spread(const std::vector<double>& places, double apart) {
  std::vector<std::size_t> order(places.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  // Blocks of labels that touch: each stands around the mean of its own places; those that meet become one.
  struct Block {
    double sum;
    std::size_t count;
  };
  std::vector<Block> blocks;
  const auto low = [&](const Block& block) {
    const auto n = static_cast<double>(block.count);
    return block.sum / n - apart * (n - 1) / 2;
  };
  for (const std::size_t i : order) {
    blocks.push_back({places[i], 1});
    while (blocks.size() > 1) {
      const Block& below = blocks[blocks.size() - 2];
      if (low(below) + apart * static_cast<double>(below.count) <= low(blocks.back())) break;
      const Block merged{below.sum + blocks.back().sum, below.count + blocks.back().count};
      blocks.pop_back();
      blocks.back() = merged;
    }
  }
  std::vector<double> made(places.size());
  std::size_t next = 0;
  for (const Block& block : blocks)
    for (std::size_t i = 0; i < block.count; ++i) made[order[next++]] = low(block) + apart * static_cast<double>(i);
  return made;
}

std::vector<Group> paper_figures(const Evidence& evidence) {
  std::vector<Group> made;
  for (std::size_t e = 0; e < evidence.plan.environments.size(); ++e) {
    Group group;
    std::vector<Setting> here;
    for (const Setting& setting : evidence.settings)
      if (setting.environment_number == e) here.push_back(setting);
    for (const Setting& setting : here) {
      if (group.panels.empty()) {
        group.id = "figure-" + setting.id.substr(0, setting.id.rfind('-'));
        group.legend = legend_of(here, {{"band", "95 % interval of the mean"}, {"optimum", "best on the true model"}});
      }
      group.panels.push_back(pareto(setting, evidence.plan));
      group.panels.push_back(curve(setting, {"violation", "violation", &UpdateRecord::violation}));
      group.panels.push_back(curve(setting, {"return", "return", &UpdateRecord::value}));
    }
    if (group.panels.empty()) continue;
    group.columns = 3;
    group.heading = evidence.plan.environments[e].label + ": frontier, violation and return";
    group.text = fmt::format(
        "The paper's figure for this environment, a row for each notion of fairness. Violation is the average over the "
        "{} steps of the gap between groups; both it and the return are exact under the true model.",
        evidence.plan.horizon);
    made.push_back(std::move(group));
  }
  return made;
}

}  // namespace fairstep::report
