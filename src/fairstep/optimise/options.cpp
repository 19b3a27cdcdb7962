#include <string>

#include <fmt/format.h>

#include <fairstep/core/mention.hpp>
#include <fairstep/optimise/policy_class.hpp>
#include <fairstep/optimise/proof_budget.hpp>

namespace fairstep {

Expected<void> check(const ProofBudget& proof) {
  if (!(proof.gap >= 0)) return fail_option("gap", fmt::format(" is {}, expected 0 or more", proof.gap));
  if (!(proof.time_limit > 0))
    return fail_option("time_limit", fmt::format(" is {}, expected more than 0 seconds", proof.time_limit));
  return {};
}

Expected<void> check(const PolicyClass& policies) {
  if (!(policies.floor >= 0 && policies.floor <= 1))
    return fail_option("floor", fmt::format(" is {}, expected a probability between 0 and 1", policies.floor));
  if (policies.floor_kind == FloorKind::two_sided && policies.floor > 0.5)
    return fail_option(
        "floor", fmt::format(" is {}, expected at most 0.5: no policy keeps both actions above it", policies.floor));
  if (policies.min_seen > 0 && policies.floor > 0)
    return fail(fmt::format("{} and {} contradict each other: a floor takes every decision", option("min_seen"),
                            option("floor")),
                {}, "leave one of them out");
  if (policies.min_seen > 0 && policies.has_rules())
    return fail(
        fmt::format("{} cannot be combined with {} policies: what was never seen may be all that keeps the rule",
                    option("min_seen"), rules_in_words(policies)),
        {}, "leave one of them out");
  if (!policies.is_monotone() && !policies.order.empty())
    return fail_option("order", " is given, but no policy that would rise with the features", {},
                       "ask for " + flag("monotone") + " or " + flag("threshold"));
  if (!policies.is_monotone() && policies.monotone_in > 0)
    return fail_option("monotone_in", " is given, but no policy that would rise with the features", {},
                       "ask for " + flag("monotone") + " or " + flag("threshold"));
  return {};
}

PolicyClass without_rules(PolicyClass policies) {
  policies.monotone = policies.threshold = policies.stationary = false;
  policies.order.clear();
  policies.monotone_in = 0;
  return policies;
}

std::string rules_in_words(const PolicyClass& policies) {
  std::string words = policies.threshold ? "threshold" : policies.monotone ? "monotone" : "";
  if (policies.stationary) words += words.empty() ? "stationary" : " and stationary";
  return words;
}

}  // namespace fairstep
