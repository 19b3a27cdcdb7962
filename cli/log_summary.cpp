#include "log_summary.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "quantity.hpp"
#include "table.hpp"

namespace fairstep::cli {
namespace {

/// At most so many cells are named in text.
constexpr std::size_t kFindingsShown = 12;

const char* meaning(Anomaly anomaly) {
  switch (anomaly) {
    case Anomaly::malformed:
      return "no row of a table; left out";
    case Anomaly::missing:
      return "no value; left out";
    case Anomaly::unreadable:
      return "not a number; left out";
    case Anomaly::unknown:
      return "not one of the known values; left out";
    case Anomaly::out_of_range:
      return "outside of the steps; left out";
    case Anomaly::out_of_order:
      return "below the step of the person's row before; put in order";
    case Anomaly::duplicate:
      return "the same again; left out";
    case Anomaly::conflict:
      return "the same person and step, saying otherwise; the first row counts";
    case Anomaly::group_change:
      return "not the person's first group; left out";
    case Anomaly::gap:
      return "back after missing steps; no transition counted";
  }
  return "";
}

std::string name_of(const Cell& cell, const Names& names) {
  return fmt::format("{} x={},y={},a={}", names.groups[cell.g], names.features[cell.x], cell.y, cell.a);
}

std::string first_few(std::vector<std::string> parts) {
  const std::size_t all = parts.size();
  parts.resize(std::min(all, kFindingsShown));
  std::string text = fmt::format("{}", fmt::join(parts, "; "));
  if (all > kFindingsShown) text += fmt::format("; and {} more (--json has all)", all - kFindingsShown);
  return text;
}

}  // namespace

std::string in_words(const Finding& finding) {
  const bool label = finding.anomaly == Anomaly::missing && finding.role == "y";
  return fmt::format("{}{}: {} {}, the first is {} {} of {} ({})", fairstep::name_of(finding.anomaly),
                     finding.role.empty() ? "" : " " + finding.role, with_thousands(finding.rows),
                     finding.anomaly == Anomaly::malformed ? (finding.rows == 1 ? "line" : "lines")
                                                           : (finding.rows == 1 ? "row" : "rows"),
                     finding.anomaly == Anomaly::malformed ? "line" : "row", finding.row, finding.file,
                     label ? "a decision without a label" : meaning(finding.anomaly));
}

Json to_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings)
    list.push_back({{"kind", std::string(fairstep::name_of(finding.anomaly))},
                    {"column", finding.role.empty() ? Json() : Json(finding.role)},
                    {"rows", finding.rows},
                    {"file", finding.file},
                    {"row", finding.row}});
  return list;
}

std::string assumption(const LogRecord& record) {
  std::int64_t unlabelled = 0;
  for (const std::int64_t n : record.unlabelled.flat()) unlabelled += n;
  switch (record.censoring) {
    case Censoring::none:
      return {};
    case Censoring::drop:
      return fmt::format(
          "labels are censored: the {} decisions without a label are left out (--censored drop), so all "
          "that involves labels is about those whose label was seen",
          with_thousands(unlabelled));
    case Censoring::ignorable:
      return fmt::format(
          "labels are censored: {} of them were drawn as if, within a group and feature, the refused were "
          "like the accepted (--censored assume-ignorable); no number says whether that is so",
          with_thousands(record.imputed));
  }
  return {};
}

Json to_json(const Coverage& coverage) {
  Json unseen = Json::array();
  for (const Cell& cell : coverage.unseen) unseen.push_back({cell.g, cell.x, cell.y, cell.a});
  Json thin = Json::array();
  for (const SeenCell& seen : coverage.thin)
    thin.push_back({{"cell", {seen.cell.g, seen.cell.x, seen.cell.y, seen.cell.a}}, {"decisions", seen.decisions}});
  return {{"threshold", coverage.threshold}, {"cells", coverage.cells}, {"unseen", coverage.unseen.size()},
          {"thin", coverage.thin.size()},    {"unseen_cells", unseen},  {"thin_cells", thin}};
}

std::string in_words(const Coverage& coverage, const Names& names, std::size_t width) {
  std::string text =
      fmt::format("coverage: of {} cells (group, x, y, a), {} unseen and {} thin (fewer than {} decisions)",
                  coverage.cells, coverage.unseen.size(), coverage.thin.size(), coverage.threshold);
  std::vector<std::string> unseen, thin;
  for (const Cell& cell : coverage.unseen) unseen.push_back(name_of(cell, names));
  for (const SeenCell& seen : coverage.thin)
    thin.push_back(fmt::format("{} ({})", name_of(seen.cell, names), seen.decisions));
  text = wrap(text, width);
  if (!unseen.empty()) text += wrap("unseen: " + first_few(std::move(unseen)), width, 2);
  if (!thin.empty()) text += wrap("thin: " + first_few(std::move(thin)), width, 2);
  return text;
}

}  // namespace fairstep::cli
