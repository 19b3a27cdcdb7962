// What an audit was made from, what is assumed about it, and what it does not cover.
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/blocks.hpp>
#include <fairstep/core/shared/text.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep::internal {

using page::CaptionedTable;
using page::Heading;
using page::List;
using page::Page;
using page::Paragraph;
using page::table_with;

namespace {

void add_files(Page& page, const AuditSource& source) {
  if (source.files.empty()) return;
  CaptionedTable table{"Files that were read", table_with({"file", "bytes", "last changed", "SHA-256"}, 1)};
  for (const SourceFile& file : source.files)
    table.table.rows.push_back({file.name, with_thousands(file.bytes), file.modified, file.sha256});
  table.table.columns[2].words = table.table.columns[3].words = true;
  page.add(std::move(table));
}

}  // namespace

void add_data(Page& page, const Audit& audit, const AuditSource& source) {
  page.add(Heading{"The data"});
  CaptionedTable table{"People and decisions", table_with({"group", "people", "decisions"}, 1)};
  for (std::size_t g = 0; g < audit.names.groups.size(); ++g)
    table.table.rows.push_back(
        {audit.names.groups[g], with_thousands(audit.people[g]), with_thousands(audit.decisions[g])});
  page.add(std::move(table));
  add_files(page, source);
  if (audit.part) page.add(Paragraph{fmt::format("Not all people: {}.", fairstep::in_words(*audit.part))});
  if (!audit.people_known)
    page.add(
        Paragraph{"There may be more people: these counts were made by a version that did not record whose first row "
                  "could not be used. Count the log anew."});
  if (audit.groups_in_doubt)
    page.add(
        Paragraph{"People at most: rows of some name no known group, or several, and whoever may be of several groups "
                  "counts in each of them."});
  if (!audit.log) return;
  const LogRecord& log = *audit.log;
  page.add(Paragraph{fmt::format("Counted from {} rows of {}.", with_thousands(log.rows), fmt::join(log.files, ", "))});
  if (log.censoring == Censoring::drop && audit.labels)
    page.add(Paragraph{"Some decisions have no label. They count by their features, see below."});
  if (log.censoring == Censoring::drop && !audit.labels)
    page.add(Paragraph{
        "Some decisions have no label. Acceptance rates include them. Rates and gaps that involve labels leave them "
        "out "
        "(drop) and are those of decisions whose label was seen; their bands hold whatever the other labels were."});
  if (log.censoring == Censoring::ignorable)
    page.add(Paragraph{
        fmt::format("Some decisions had no label. {} labels were drawn, assuming that within a group and feature the "
                    "refused would have been like the accepted (assume-ignorable). All that involves labels rests on "
                    "that assumption, and no band is given for it.",
                    with_thousands(log.imputed))});
  if (log.findings.empty()) {
    page.add(Paragraph{"Nothing in the log was out of order."});
    return;
  }
  CaptionedTable findings{"What was not as it should be", table_with({"kind", "column", "first in", "row", "rows"}, 3)};
  for (const Finding& finding : log.findings)
    findings.table.rows.push_back({std::string(fairstep::name_of(finding.anomaly)),
                                   finding.role.empty() ? "-" : finding.role, finding.file, with_thousands(finding.row),
                                   with_thousands(finding.rows)});
  page.add(std::move(findings));
}

/// What is assumed about labels, whether the log refutes it, and what comes of assuming less or more.
void add_labels(Page& page, const Audit& audit) {
  if (!audit.labels) return;
  const LabelAudit& labels = *audit.labels;
  page.add(Heading{"Labels follow features"});
  page.add(Paragraph{fmt::format(
      "Assumed: {}. {} of the decisions have no label{}.", labels_follow_features_in_words(),
      with_thousands(labels.unseen),
      labels.unseen == 0 ? "" : fmt::format(", of whom: {}", fairstep::in_words(labels.assumption.refused)))});
  page.add(Paragraph{fmt::format("Permutation tests of the assumption say: {}.", fairstep::name_of(labels.verdict))});
  List tests;
  for (const Diagnosed& test : labels.tests)
    if (test.verdict == Verdict::refuted) tests.items.push_back(test.sentence + ".");
  if (!tests.items.empty()) page.add(std::move(tests));
  CaptionedTable table{"Widest gap under each assumption about those whose label was not seen",
                       table_with({"notion", "step", "those without a label", "gap", "band"}, 3)};
  for (const LabelAudit::Rule& rule : labels.rules)
    for (const NotionGap& gap : rule.gaps)
      table.table.rows.push_back({fairstep::in_words(gap.notion), fmt::format("{}", gap.step), text_of(rule.refused),
                                  number(gap.gap), range(gap.band)});
  if (table.table.rows.empty()) return;
  page.add(std::move(table));
  page.add(Paragraph{
      "The gap is the one that there is if those whose label was not seen were like those whose label was. The bands "
      "of "
      "one assumption hold together; nothing is said of those of several together. Those of \"anything\" do not need "
      "labels to follow features."});
}

namespace {

constexpr std::size_t kMostCells = 40;

std::string cell_name(const Cell& cell, const Names& names) {
  return fmt::format("{}, {}, {}, {}", names.groups[cell.g], names.features[cell.x], names.labels[cell.y],
                     names.actions[cell.a]);
}

}  // namespace

void add_coverage(Page& page, const Audit& audit) {
  page.add(Heading{"What the data do not cover"});
  page.add(Paragraph{
      fmt::format("Cells are a group, feature, label and action. Nothing that is said about a cell that was never "
                  "seen rests on data; below {} decisions it rests on little.",
                  audit.coverage.threshold)});
  List list;
  for (const Cell& cell : audit.coverage.unseen) list.items.push_back("never seen: " + cell_name(cell, audit.names));
  for (const SeenCell& seen : audit.coverage.thin)
    list.items.push_back(fmt::format("{} decisions: {}", seen.decisions, cell_name(seen.cell, audit.names)));
  const std::size_t all = list.items.size();
  if (all > kMostCells) {
    list.items.resize(kMostCells);
    list.items.push_back(fmt::format("and {} more", all - kMostCells));
  }
  if (all == 0) list.items.emplace_back("Every cell was seen often enough.");
  page.add(std::move(list));
}

}  // namespace fairstep::internal
