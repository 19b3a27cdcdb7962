#include "answers/log_summary.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/rounding.hpp>

#include "answers/table.hpp"
#include "shell/failure.hpp"
#include "shell/quantity.hpp"

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
      return "one person and step, saying different things; all of them left out";
    case Anomaly::group_change:
      return "a person whose rows name different groups; all of them left out";
    case Anomaly::gap:
      return "back after missing steps; no transition counted";
  }
  return "";
}

std::string name_of(const Cell& cell, const Names& names) {
  return fmt::format("{} x={},y={},a={}", names.groups[cell.g], names.features[cell.x], cell.y, cell.a);
}

/// Rows of the log, lines that are none included.
std::int64_t rows_in(const LogRecord& record) {
  std::int64_t rows = record.rows;
  for (const Finding& finding : record.findings)
    if (finding.anomaly == Anomaly::malformed) rows += finding.rows;
  return rows;
}

std::string first_few(std::vector<std::string> parts) {
  const std::size_t all = parts.size();
  parts.resize(std::min(all, kFindingsShown));
  std::string text = fmt::format("{}", fmt::join(parts, "; "));
  if (all > kFindingsShown) text += fmt::format("; and {} more (--json has all)", all - kFindingsShown);
  return text;
}

}  // namespace

std::string in_words(const Cause& cause) {
  std::string text = in_words(cause.found);
  if (!cause.values.empty()) text += ": " + values_in_words(cause);
  if (!cause.mend.empty()) text += "; " + in_command(cause.mend);
  return text;
}

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

Json to_json(const std::vector<Cause>& causes) {
  Json list = Json::array();
  for (const Cause& cause : causes) {
    Json values = Json::array();
    for (const SeenValue& value : cause.values) values.push_back({{"value", value.text}, {"rows", value.rows}});
    Json found = to_json(std::vector{cause.found}).front();
    found["values"] = values;
    found["more_values"] = cause.more;
    found["mend"] = cause.mend.empty() ? Json() : Json(in_command(cause.mend));
    list.push_back(std::move(found));
  }
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
          "labels are missing: the {} decisions without a label are left out (--censored drop), so all "
          "that involves labels is about those whose label was seen",
          with_thousands(unlabelled));
    case Censoring::ignorable:
      return fmt::format(
          "labels are missing: {} of them were drawn as if, within a group and feature, the refused were "
          "like the accepted (--censored assume-ignorable); no number says whether that is so",
          with_thousands(record.imputed));
  }
  return {};
}

std::vector<std::string> log_warnings(const LogRecord& record) {
  std::vector<std::string> warnings;
  for (const Finding& finding : record.findings) warnings.push_back(in_words(finding));
  if (const LossShare loss = loss_share(record); loss.lost > 0)
    warnings.push_back(fmt::format("{} of {} rows ({} %) could not be used", with_thousands(loss.lost),
                                   with_thousands(loss.of), round_up_percent(loss.share(), 1)));
  if (std::string assumed = assumption(record); !assumed.empty()) warnings.push_back(std::move(assumed));
  if (std::string outside = losses_in_words(record, 0); !outside.empty()) warnings.push_back(std::move(outside));
  if (record.unrecorded_people > 0)
    warnings.push_back(
        fmt::format("{} of the people came without a record of their log: nobody knows what was left "
                    "out there",
                    with_thousands(record.unrecorded_people)));
  return warnings;
}

Missing missing_of(const Lost& lost, std::size_t g, std::int64_t lost_rows) {
  return {lost.first(g), std::min(total(lost.decisions.block(g)), lost_rows),
          std::min(total(lost.transitions.block(g)), 2 * lost_rows)};
}

std::string losses_in_words(const LogRecord& record, std::int64_t lost_rows) {
  std::string text;
  if (lost_rows > 0) {
    // Rows that lack nothing but a label are lost for states alone: of features they are counted.
    const std::int64_t rows = rows_in(record), unlabelled = total(record.unlabelled.flat());
    const auto share = [&](std::int64_t of) {
      return round_up_percent(static_cast<double>(of) / static_cast<double>(rows), 1);
    };
    std::vector<std::string> parts;
    if (const std::int64_t unusable = lost_rows - unlabelled; unusable > 0)
      parts.push_back(fmt::format("{} of {} rows ({} %) could not be used", with_thousands(unusable),
                                  with_thousands(rows), share(unusable)));
    if (unlabelled > 0)
      parts.push_back(fmt::format("{} of {} rows ({} %) have no label", with_thousands(unlabelled),
                                  with_thousands(rows), share(unlabelled)));
    text = fmt::format("left out: {}; the table has what may be missing at most, and the counts have it cell by cell",
                       fmt::join(parts, ", and "));
  }
  for (const Excluded& excluded : record.excluded)
    text += fmt::format("{}{} {} of group {}", text.empty() ? "outside of the study: " : "; outside of the study: ",
                        with_thousands(excluded.rows), excluded.rows == 1 ? "row" : "rows", excluded.group);
  return text;
}

Json losses_json(const LogRecord& record, std::int64_t lost_rows) {
  const std::int64_t rows = rows_in(record);
  Json first = Json::array(), in_doubt = Json::array(), decisions = Json::array(), successors = Json::array();
  for (std::size_t g = 0; g < record.lost->first.size(); ++g) {
    const Missing missing = missing_of(*record.lost, g, lost_rows);
    first.push_back(missing.first);
    in_doubt.push_back(record.lost->first_in_doubt(g));
    decisions.push_back(missing.decisions);
    successors.push_back(missing.successors);
  }
  return {
      {"rows", lost_rows},      {"share", rows == 0 ? 0.0 : static_cast<double>(lost_rows) / static_cast<double>(rows)},
      {"first", first},         {"first_in_doubt", in_doubt},
      {"decisions", decisions}, {"successors", successors}};
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
