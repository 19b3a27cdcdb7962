// What the report draws: a chart's specification by name, the table that it is drawn from, and what there is to see.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/page/table.hpp>
#include <fairstep/report/internal/evidence.hpp>

namespace fairstep::report {

using page::Cell;
using page::Column;
using page::kAsPower;
using page::kFewDecimals;
using page::Rounded;
using page::Table;

struct Panel {
  std::string id{};     ///< anchor, and name of downloads
  std::string chart{};  ///< a specification of report/src/charts
  std::string title{};  ///< what there is to see, from the numbers
  std::string how{};    ///< how to read it, one sentence; said once for all panels of a group that share it
  std::string note{};   ///< what is to be known of this one alone
  std::vector<std::pair<std::string, Cell>>
      parameters{};       ///< axis titles and ranges that the specification leaves open
  Table table{};          ///< what is drawn, and the CSV
  Table shown{};          ///< the same for people where the table itself would be too long; empty: the table
  std::string heading{};  ///< which of several it is: "FICO · DP · Pareto"
  bool first = false;     ///< begins a new row
  std::string choice{};   ///< of a group that shows one setting at a time: the setting's name; else empty
};

struct LegendEntry {
  std::string kind{};  ///< colour, dash and mark, as the style sheet has them
  std::string label{};
};

/// Panels that are read together.
struct Group {
  std::string id{};
  std::string heading{};
  std::string text{};
  std::vector<LegendEntry> legend{};
  std::vector<Panel> panels{};
  int columns = 2;  ///< of panels, where there is room
};

/// "FICO · DP"
[[nodiscard]] std::string short_name(const Setting& setting);

/// What a method and those that differ from it in nothing but lambda are called: "penalty", of "penalty, lambda 3".
[[nodiscard]] std::string family_of(const MethodRuns& method);

/// The methods of all settings in a legend, each kind once, and more entries.
[[nodiscard]] std::vector<LegendEntry> legend_of(const std::vector<Setting>& settings,
                                                 std::vector<LegendEntry> more = {});

/// The method itself, the penalty nearest to it and no constraint, as far as there are: what is seen side by side.
[[nodiscard]] std::vector<const MethodRuns*> side_by_side(const Setting& setting);
/// Their legend.
[[nodiscard]] std::vector<LegendEntry> side_by_side_legend(const std::vector<Setting>& settings,
                                                           std::vector<LegendEntry> more = {});

/// Places for labels that keep `apart` from each other, each as near to its own place as the order allows.
[[nodiscard]] std::vector<double> spread(const std::vector<double>& places, double apart);

/// Of a heat map: how many columns it has, and that only every so many of them carry a label, so that labels keep
/// apart.
void space_labels(Panel& panel);

/// A table with columns x, y and value, as a row for each y and a column for each x.
[[nodiscard]] Table pivoted(const Table& table, const std::string& corner, int decimals);

/// Labels at the ends of lines (or beside points): those nearer to each other than `apart` share one, "λ 0.3–3".
struct EndLabel {
  std::size_t of = 0;  ///< the number of the line that carries it
  std::string text{};
};
[[nodiscard]] std::vector<EndLabel> end_labels(const std::vector<std::pair<double, double>>& lambda_and_end,
                                               double apart);

/// Return against violation at the last update: the method, and the frontiers of the penalties.
[[nodiscard]] Group front(const Evidence& evidence);
/// Labels below points, in pixels: those that would meet become one, and none begins left of the plot.
struct PlacedPoint {
  double lambda = 0, x = 0, y = 0;
};
struct PointLabel {
  std::size_t of = 0;  ///< the number of the point that carries it
  std::string text{};
  double x = kUnknown;  ///< of its middle
};
[[nodiscard]] std::vector<PointLabel> point_labels(const std::vector<PlacedPoint>& points);

/// The paper's figure for one environment: frontier, violation and return over training, for each notion.
[[nodiscard]] std::vector<Group> paper_figures(const Evidence& evidence);
[[nodiscard]] Group price_of_fairness(const Evidence& evidence);
[[nodiscard]] Group gaps_by_step(const Evidence& evidence);
[[nodiscard]] Group gap_maps(const Evidence& evidence);
[[nodiscard]] Group learning_rates(const Evidence& evidence);
[[nodiscard]] Group relaxations(const Evidence& evidence);
[[nodiscard]] Group certificates(const Evidence& evidence);
/// An Error if a policy file is missing or damaged.
[[nodiscard]] Expected<Group> population(const Evidence& evidence);

/// The policies behind the slider: of the first repeat, since a mean of policies is none that anybody followed.
struct PolicyTable {
  std::string setting{}, setting_name{}, method{}, method_label{};
  std::vector<std::string> groups{}, features{};
  std::vector<std::uint64_t> k{};             ///< [l]
  std::vector<double> violation{};            ///< [l]
  std::vector<std::vector<double>> accept{};  ///< [l][g,h,x] flat
  std::size_t horizon = 0;
};
[[nodiscard]] Expected<std::vector<PolicyTable>> policies(const Evidence& evidence);

}  // namespace fairstep::report
