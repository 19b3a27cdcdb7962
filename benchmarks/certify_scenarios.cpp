// What a certificate takes and gives: its time, and how tight it is as data grow, beside the truth, the paper's lemmas
// and a bootstrap on the same counts.
//
//   certify_scenarios
//
// Times are CPU time of one thread, the least of several; `evaluations` is a multiple of one exact evaluation in the
// same run.
// Data: the same number of people of each group, who met the policy that is certified: the best one without a gap.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/document.hpp>
#include <fairstep/check/check.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/estimate/literal_relaxation.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "certified_gaps.hpp"
#include "scenario.hpp"

namespace {

using fairstep::CertifyOptions;
using fairstep::Counts;
using fairstep::Model;
using fairstep::Notion;
using fairstep::Policy;
using fairstep::bench::bootstrap_dp;
using fairstep::bench::fair_policy;
using fairstep::bench::least_seconds;
using fairstep::bench::must;
using fairstep::bench::row;
using fairstep::bench::worst_dp;

constexpr double kDelta = 0.05;

Counts counts_of(const Model& model, const Policy& policy, std::uint64_t people) {
  return must(simulate_counts(model, policy, {{people, true}, 1, 0, 1}));
}

/// The lemma's c_hat and d_hat for one update at k = people.
struct Lemmas {
  double dp = 0, eqopt = 0;
};
Lemmas lemmas(const Counts& counts, std::uint64_t people) {
  const auto worst = fairstep::worst_cells(must(estimate(counts)));
  const fairstep::AtEpisode at{counts.shape(), people, kDelta};
  const double epsilon = fairstep::paper_epsilon(at);
  return {fairstep::c_hat(worst.visits, at, epsilon), fairstep::d_hat(worst, at, epsilon)};
}

void tightness(const std::string& name, const Model& model) {
  const Policy policy = fair_policy(model, Notion::dp);
  const auto truth = must(evaluate(model, policy));
  double true_eqopt = 0;
  for (const auto& step : truth.gap.eqopt) true_eqopt = std::max(true_eqopt, step.gap);
  for (int power = 10; power <= 26; power += 2) {
    const std::uint64_t people = std::uint64_t{1} << power;
    const Counts counts = counts_of(model, policy, people);
    const auto worst = [&](Notion notion, bool followed) {
      CertifyOptions options;
      options.delta = kDelta;
      options.notions = {notion};
      options.followed = followed;
      return worst_gap(must(certify(counts, policy, options)).gap);
    };
    CertifyOptions options;
    options.delta = kDelta;
    options.value = fairstep::KnownRewards{model.spec().reward, model.spec().share, model.spec().discount};
    const auto lemma = lemmas(counts, people);
    row("tightness", name, "people", people, "delta", kDelta, "dp", worst(Notion::dp, false), "dp_followed",
        worst(Notion::dp, true), "dp_truth", worst_dp(truth), "dp_bootstrap", bootstrap_dp(counts, policy), "dp_lemma",
        lemma.dp, "eqopt", worst(Notion::eqopt, false), "eqopt_truth", true_eqopt, "eqopt_lemma", lemma.eqopt, "value",
        *must(certify(counts, policy, options)).value, "value_truth", truth.value);
  }
}

void time_of(const std::string& name, const Model& model) {
  const auto& n = model.shape();
  fairstep::Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  for (std::size_t i = 0; i < accept.size(); ++i) accept.flat()[i] = static_cast<double>(i % 7) / 7;
  const Policy policy = must(Policy::make(accept));
  const Counts counts = counts_of(model, policy, 1 << 18);
  CertifyOptions options;
  options.value = fairstep::KnownRewards{model.spec().reward, model.spec().share, model.spec().discount};
  const auto certificate = must(certify(counts, policy, options));
  const double certifying = least_seconds(9, [&] { must(certify(counts, policy, options)); });
  const std::string text = to_text(certificate, counts,
                                   {{"counts.json", to_text(counts)},
                                    {"policy.json", to_text(policy)},
                                    fairstep::InputText{"model.json", to_text(model)}});
  std::size_t mismatches = 0;
  const double checking =
      least_seconds(3, [&] { mismatches = must(fairstep::check_certificate(text)).mismatches.size(); });
  row("time", name, "certify", certifying, "evaluations", certifying / fairstep::bench::evaluation_time(model), "check",
      checking, "holds", mismatches == 0);
}

}  // namespace

int main() {
  time_of("fico (5 features, 8 steps)", must(fairstep::make_fico()));
  fairstep::RandomOptions options;
  options.features = 10;
  options.horizon = 8;
  time_of("random (10 features, 8 steps)", must(fairstep::make_random(options)));
  tightness("fico", must(fairstep::make_fico()));
  tightness("synthetic", must(fairstep::make_synthetic()));
}
