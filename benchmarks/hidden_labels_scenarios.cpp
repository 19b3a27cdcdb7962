// What certificates give where labels are seen for the accepted only, beside the same log with all of its labels: how
// wide the widest range of P(a=1 | y=1) is as data grow, and the bound on the gap of equal opportunity.
//
//   hidden_labels_scenarios
//
// The same number of people of each group. The policy that is certified is fixed beforehand: the best one without a gap
// of equal opportunity. In fico labels follow features, and decisions look at the feature and at coins alone.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/unlabelled.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "certified_gaps.hpp"
#include "scenario.hpp"

namespace {

using fairstep::CertifyOptions;
using fairstep::Counts;
using fairstep::CountsSpec;
using fairstep::kActions;
using fairstep::kLabels;
using fairstep::LabelAssumption;
using fairstep::Model;
using fairstep::Notion;
using fairstep::Policy;
using fairstep::Refused;
using fairstep::RefusedRule;
using fairstep::Shape;
using fairstep::bench::fair_policy;
using fairstep::bench::must;
using fairstep::bench::row;

constexpr double kDelta = 0.05;

/// The same people, without the labels of those who were refused. Of steps it is not known which ended at a refusal, so
/// that all are among those without a label at one end; certificates by features add them to the others anyway.
Counts without_labels_of_refused(const Counts& counts) {
  const Shape n = counts.shape();
  CountsSpec spec = CountsSpec::zeros(n.horizon, counts.names());
  fairstep::LogRecord log;
  log.files = {"simulated"};
  log.columns = {{"x", "x"}};
  log.censoring = fairstep::Censoring::drop;
  log.unlabelled = fairstep::Tensor<std::int64_t, 4>({n.groups, n.horizon, n.features, kActions});
  log.unlabelled_rows = fairstep::UnlabelledRows::zeros(n);
  log.lost = fairstep::Lost::none(n);
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        log.unlabelled_rows->first(g, x) += counts.first()(g, x, y);
        for (std::size_t h = 0; h < n.horizon; ++h) {
          spec.visits(g, h, x, y, 1) = counts.visits()(g, h, x, y, 1);
          log.unlabelled(g, h, x, 0) += counts.visits()(g, h, x, y, 0);
        }
        for (std::size_t a = 0; a < kActions; ++a)
          for (std::size_t s = 0; s < n.states(); ++s)
            log.unlabelled_rows->transitions(g, x, a, s / kLabels) += counts.transitions().block(g, x, y, a)[s];
      }
  spec.log = std::move(log);
  return must(Counts::make(std::move(spec)));
}

struct Bound {
  double gap = 0;    ///< at most, at the worst step
  double width = 0;  ///< of the widest range of P(a=1 | y=1)
};

Bound bound(const Counts& counts, const Policy& policy, std::optional<LabelAssumption> labels) {
  CertifyOptions options;
  options.delta = kDelta;
  options.notions = {Notion::eqopt};
  options.labels = labels;
  const auto found = must(certify(counts, policy, options));
  Bound made{worst_gap(found.gap), 0};
  for (const fairstep::Range& range : found.tpr->range.flat())
    made.width = std::max(made.width, range.high - range.low);
  return made;
}

/// Who was accepted in the log.
struct Practice {
  std::string name;
  Policy policy;
};

std::vector<Practice> practices(const Model& model, const Policy& certified) {
  const Shape& n = model.shape();
  const auto by_feature = [&](double lowest, double highest) {
    fairstep::Tensor<double, 2> accept({n.horizon, n.features});
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x)
        accept(h, x) = lowest + (highest - lowest) * static_cast<double>(x) / static_cast<double>(n.features - 1);
    return must(Policy::make_group_independent(accept));
  };
  return {{"a coin", by_feature(0.5, 0.5)},
          {"by score, from 0.1 to 0.9", by_feature(0.1, 0.9)},
          {"the policy itself", certified}};
}

}  // namespace

int main() {
  const Model model = must(fairstep::make_fico());
  const Policy policy = fair_policy(model, Notion::eqopt);
  for (const Practice& practice : practices(model, policy))
    for (int power = 14; power <= 20; power += 2) {
      const std::uint64_t people = std::uint64_t{1} << power;
      const Counts full = must(simulate_counts(model, practice.policy, {{people, true}, 1, 0, 1}));
      const Counts hidden = without_labels_of_refused(full);
      const Bound states = bound(full, policy, std::nullopt);
      const Bound all = bound(full, policy, LabelAssumption{});
      const auto under = [&](const RefusedRule& rule) { return bound(hidden, policy, LabelAssumption{rule}); };
      const Bound design = under({});
      const Bound odds = under({Refused::odds, 2});
      const Bound anything = under({Refused::anything, 1});
      row("practice", practice.name, "people", people, "delta", kDelta, "states", states.width, "all", all.width,
          "by_design", design.width, "odds_2", odds.width, "anything", anything.width, "states_gap", states.gap,
          "all_gap", all.gap, "by_design_gap", design.gap, "odds_2_gap", odds.gap, "anything_gap", anything.gap);
    }
}
