#include "options/proof_options.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "options/constraint_options.hpp"

namespace fairstep::cli {
namespace {

/// A model of the same people, to read limits for.
Model blank_model(const Counts& counts) {
  EstimateOptions how;
  how.share.assign(counts.shape().groups, 1 / static_cast<double>(counts.shape().groups));
  return estimate(Counts::make(CountsSpec::zeros(counts.horizon(), counts.names())).value(), how).value().model;
}

template <class E>
void add_once(std::vector<E>& list, E value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

/// What a certificate says nothing about.
Result<void> check_provable(const Fairness& asked) {
  const auto refuse = [](const std::string& what) {
    return usage(fmt::format("nothing is proven about {}", what),
                 "certify takes gaps, ratios and --aggregate-dp; a fairness file for it has these alone");
  };
  if (asked.capacity) return refuse("a capacity");
  if (!asked.moments.empty()) return refuse("rows of a fairness file");
  if (asked.aggregate_eqopt) return refuse("aggregate eqopt");
  return {};
}

/// More than any bound is missed by: there is none.
constexpr double kNoBound = 2;

/// Remembers the worst.
void note(std::optional<NotProven>& worst, NotProven missed) {
  const auto by = [](const NotProven& m) {
    return std::isnan(m.bound) ? kNoBound : m.at_least ? m.limit - m.bound : m.bound - m.limit;
  };
  if (by(missed) > 0 && (!worst || by(missed) > by(*worst))) worst = std::move(missed);
}

}  // namespace

bool Proof::limited() const { return !limits.parity.empty() || !limits.ratios.empty() || limits.aggregate_dp; }

void ProofOptions::declare(Options& options) {
  options.texts("--fairness", notions, "dp,eqopt,eqodds,dp-ratio,eqopt-ratio|FILE",
                "notions to certify, and ratios; or a fairness file, whose limits are then to be proven; left out: "
                "dp,eqopt,eqodds");
  options.number("--limit", limit,
                 "exit code 1 unless every gap is proven to be at most this, or every ratio to be at least this");
  options.text("--reference", reference, "GROUP",
               "for a ratio: the group that others are measured by; left out: whichever is treated best");
  options.number("--aggregate-dp", aggregate_dp,
                 "bound the gap between the groups' accepted shares over the whole episode as well; exit code 1 unless "
                 "it is proven to be at most this");
}

Result<Proof> ProofOptions::proof(const Counts& counts) const {
  ConstraintOptions constraints;
  constraints.notions = notions;
  if (notions.empty()) constraints.notions = {"dp", "eqopt", "eqodds"};
  constraints.limit = limit;
  constraints.reference = reference;
  constraints.aggregate_dp = aggregate_dp;
  auto asked = constraints.fairness("certify", blank_model(counts), false);
  if (!asked) return tl::unexpected(asked.error());
  if (auto ok = check_provable(*asked); !ok) return tl::unexpected(ok.error());
  Proof proof;
  for (const StepwiseParity& parity : asked->parity) add_once(proof.notions, parity.notion);
  proof.gaps = !proof.notions.empty();
  for (const StepwiseRatio& ratio : asked->ratios) {
    add_once(proof.ratios, ratio.notion);
    add_once(proof.notions, notion_of(ratio.notion));
    if (ratio.reference != asked->ratios.front().reference)
      return usage("ratios are beside several references, expected the same one for all",
                   "a certificate for each reference");
  }
  proof.aggregate_dp = asked->aggregate_dp.has_value();
  if (proof.aggregate_dp) add_once(proof.notions, Notion::dp);
  if (proof.notions.empty()) return usage("--fairness names nothing to certify, expected a notion or a ratio");
  std::sort(proof.notions.begin(), proof.notions.end());
  std::sort(proof.ratios.begin(), proof.ratios.end());
  if (!proof.ratios.empty()) proof.reference = asked->ratios.front().reference;

  std::error_code ignored;
  const auto files = std::ranges::count_if(
      notions, [&](const std::string& word) { return std::filesystem::is_regular_file(word, ignored); });
  if (files > 0 && notions.size() > 1)
    return usage("--fairness names a file and more, expected the file alone", "its limits are those to be proven");
  if (files > 0 || limit) {
    proof.limits.parity = std::move(asked->parity);
    proof.limits.ratios = std::move(asked->ratios);
    if (limit && proof.gaps) proof.gap_limit = limit;
  }
  proof.limits.aggregate_dp = asked->aggregate_dp;
  return proof;
}

std::vector<NotProven> not_proven(const Proof& proof, const Certificate& certificate) {
  std::optional<NotProven> gap, ratio;
  for (const StepwiseParity& parity : proof.limits.parity) {
    const std::vector<double>& steps = of_notion(certificate.gap, parity.notion);
    for (std::size_t h = 0; h < steps.size(); ++h)
      note(gap, {fmt::format("{} gap", name_of(parity.notion)), h, true, false, steps[h], limit_at(parity, h)});
  }
  for (const StepwiseRatio& asked : proof.limits.ratios) {
    const std::vector<double>& steps = steps_of(certificate.ratio, asked.notion);
    for (std::size_t h = 0; h < steps.size(); ++h)
      note(ratio, {fmt::format("{}", name_of(asked.notion)), h, true, true, steps[h], limit_at(asked, h)});
  }
  std::optional<NotProven> aggregate;
  if (proof.limits.aggregate_dp)
    note(aggregate,
         {"dp gap over the episode", 0, false, false, *certificate.aggregate_dp, *proof.limits.aggregate_dp});
  std::vector<NotProven> all;
  for (std::optional<NotProven>* each : {&gap, &ratio, &aggregate})
    if (*each) all.push_back(std::move(**each));
  return all;
}

std::string in_words(const NotProven& missed) {
  const std::string where = missed.per_step ? fmt::format(" at step {}", missed.step) : std::string();
  if (std::isnan(missed.bound)) return fmt::format("the {} may not exist{}", missed.what, where);
  return fmt::format("the {} may be {}{}", missed.what,
                     missed.at_least ? round_down_beside(missed.bound, missed.limit, 4)
                                     : round_up_beside(missed.bound, missed.limit, 4),
                     where);
}

}  // namespace fairstep::cli
