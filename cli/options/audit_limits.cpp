#include "options/audit_limits.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "options/constraint_options.hpp"

namespace fairstep::cli {
namespace {

bool is_file(const std::string& word) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(word, ignored);
}

void add_notion(std::vector<Notion>& notions, Notion notion) {
  if (std::find(notions.begin(), notions.end(), notion) == notions.end()) notions.push_back(notion);
}

}  // namespace

void AuditLimits::declare(Options& options) {
  options.texts("--fairness", notions, "dp,eqopt,eqodds,dp-ratio,eqopt-ratio|FILE",
                "notions to look at, or a fairness file, whose limits are then judged; left out: dp,eqopt,eqodds");
  options.number("--limit", limit,
                 "judge gaps, or ratios, by this: exit code 1 if the data prove that it is broken at some step");
  options.text("--reference", reference, "GROUP", "the group that ratios are to; left out: whichever is treated best");
}

Result<AuditQuestion> AuditLimits::question(const Counts& counts) const {
  const Names& names = counts.names();
  AuditQuestion question;
  if (reference) {
    const auto found = group_called("--reference", *reference, names);
    if (!found) return tl::unexpected(found.error());
    question.reference = *found;
  }
  ConstraintOptions constraints;
  constraints.notions = notions.empty() ? std::vector<std::string>{"dp", "eqopt", "eqodds"} : notions;
  constraints.limit = limit;
  auto asked = constraints.fairness("audit", names, counts.shape(), false);
  if (!asked) return tl::unexpected(asked.error());
  const bool of_file = std::any_of(notions.begin(), notions.end(), is_file);
  if (of_file && notions.size() > 1)
    return usage("--fairness names a file and more, expected the file alone", "its limits are those to be judged");
  for (const StepwiseParity& parity : asked->parity) add_notion(question.notions, parity.notion);
  for (const StepwiseRatio& ratio : asked->ratios) add_notion(question.notions, notion_of(ratio.notion));
  if (asked->aggregate_dp) add_notion(question.notions, Notion::dp);
  std::sort(question.notions.begin(), question.notions.end());
  if (question.notions.empty()) return usage("--fairness names nothing to audit, expected a notion or a ratio");
  // A file may name the reference, and so may the option; the same for all ratios.
  for (StepwiseRatio& ratio : asked->ratios) {
    if (!ratio.reference) ratio.reference = question.reference;
    if (!question.reference) question.reference = ratio.reference;
  }
  for (const StepwiseRatio& ratio : asked->ratios)
    if (ratio.reference != question.reference)
      return usage("ratios are to several references, expected the same one for all", "an audit for each reference");
  if (of_file || limit) question.limits = std::move(*asked);
  return question;
}

}  // namespace fairstep::cli
