// The audit as a page: what stands on it, and in which order.
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/blocks.hpp>
#include <fairstep/audit/weights.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep {
namespace {

using page::Page;
using page::Paragraph;

Page page_of(const Audit& audit, const AuditSource& source) {
  Page page{"Audit of " + source.data, {}};
  std::string first =
      fmt::format("fairstep {}{}. {}", source.version, source.policy.empty() ? "" : ", policy " + source.policy,
                  assumptions_of(audit).back());
  if (audit.weights)
    first += " " +
             in_words(*audit.weights, std::accumulate(audit.decisions.begin(), audit.decisions.end(), std::int64_t{0}));
  page.add(Paragraph{std::move(first)});
  internal::add_summary(page, audit);
  internal::add_limits(page, audit);
  internal::add_picture(page, audit);
  internal::add_data(page, audit, source);
  internal::add_labels(page, audit);
  internal::add_gaps(page, audit);
  internal::add_ratios(page, audit);
  internal::add_rates(page, audit);
  internal::add_windows(page, audit);
  internal::add_policy(page, audit);
  internal::add_coverage(page, audit);
  if (!audit.weights) internal::add_diagnosis(page, audit);
  internal::add_method(page, audit);
  return page;
}

}  // namespace

std::string to_markdown(const Audit& audit, const AuditSource& source) {
  return page::as_markdown(page_of(audit, source));
}

std::string to_html(const Audit& audit, const AuditSource& source) { return page::as_html(page_of(audit, source)); }

}  // namespace fairstep
