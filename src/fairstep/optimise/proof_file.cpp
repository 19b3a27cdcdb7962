#include <fairstep/optimise/proof_file.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairstep/core/mention.hpp>
#include <fairstep/prove/write.hpp>

namespace fairstep {
namespace {

Expected<void> refuse(const Text& what) {
  return fail(Text("a proof file is not written for ").append(what).append(" yet"));
}

}  // namespace

Expected<void> check_can_be_written(const Fairness& fairness, const SolveOptions& options) {
  if (!options.proof.wanted) return fail("a proof file is asked for, and no proof is");
  if (options.method == Method::penalty) return refuse("penalties");
  if (options.method == Method::myopic) return refuse("policies that look at one step at a time");
  const PolicyClass& policies = options.policies;
  if (policies.has_rules()) return refuse(rules_in_words(policies) + " policies");
  if (policies.deterministic) return refuse("deterministic policies");
  if (policies.min_seen > 0) return refuse("decisions that have to be seen");
  if (options.method == Method::unconstrained) return {};
  if (fairness.aggregate_dp || fairness.aggregate_eqopt) return refuse("limits on the whole episode");
  if (!fairness.moments.empty()) return refuse("rows of a fairness file");
  if (!fairness.ratios.empty()) return refuse("ratios");
  if (std::any_of(fairness.parity.begin(), fairness.parity.end(),
                  [](const StepwiseParity& parity) { return parity.doubt.has_value(); }))
    return refuse("a model in doubt");
  return {};
}

Expected<prove::Proof> proof_of(const prove::Trace& trace, const SolveResult& result, const Model& model,
                                const Fairness& fairness, const SolveOptions& options,
                                const std::string& model_sha256) {
  if (auto ok = check_can_be_written(fairness, options); !ok) return tl::unexpected(ok.error());
  if (trace.nodes.empty() || result.outcome == Outcome::unknown)
    return fail("nothing was proven that a proof file could say");
  prove::ToProve wanted{.asked = {.floor = options.policies.floor,
                                  .two_sided = options.policies.floor_kind == FloorKind::two_sided,
                                  .group_independent = options.policies.group_independent}};
  if (options.method != Method::unconstrained)
    for (const StepwiseParity& parity : fairness.parity) {
      wanted.asked.parity.push_back(parity);
      std::vector<double>& limit = wanted.asked.parity.back().limit;
      if (limit.size() == 1) limit.assign(model.shape().horizon, limit[0]);
    }
  if (fairness.capacity) {
    wanted.asked.capacity = fairness.capacity->share;
    if (wanted.asked.capacity.size() == 1)
      wanted.asked.capacity.assign(model.shape().horizon, wanted.asked.capacity[0]);
  }
  if (result.solution) {
    wanted.policy = result.solution->policy;
    wanted.value = result.bounds.lower;
    wanted.bound = result.bounds.upper;
    wanted.allowed = options.proof.gap * std::abs(result.bounds.lower);
  }
  return prove::write_proof(trace, wanted, model, model_sha256);
}

}  // namespace fairstep
