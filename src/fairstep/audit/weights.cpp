#include <fairstep/audit/weights.hpp>

#include <limits>

#include <fmt/format.h>

#include <fairstep/audit/label_rates.hpp>
#include <fairstep/core/mention.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/text.hpp>

namespace fairstep {
namespace {

/// Sums of weights over the accepted and the refused.
struct WeightOf {
  double accepted = 0, refused = 0;
};

WeightOf weight_of(Rate rate, const DecisionWeights& weights, std::size_t g, std::size_t h) {
  WeightOf sum;
  for (std::size_t y = 0; y <= DecisionWeights::kUnlabelled; ++y) {
    if (rate != Rate::accept && y != (rate == Rate::tpr ? 1U : 0U)) continue;
    sum.accepted += weights.sum(g, h, y, 1);
    sum.refused += weights.sum(g, h, y, 0);
  }
  return sum;
}

}  // namespace

Expected<void> check_weights(const DecisionWeights& weights, const Counts& counts, const AuditOptions& options,
                             bool policy) {
  const Shape n = counts.shape();
  if (!(weights.largest > 0)) return fail_option("largest_weight", fmt::format(" is {}", weights.largest));
  if (weights.sum.extents() != Tensor<double, 4>({n.groups, n.horizon, kLabels + 1, kActions}).extents() ||
      weights.squares.size() != n.groups)
    return fail("the weights are not those of these counts");
  if (policy)
    return fail_option("weight", ": what a policy would have done is said of people who each count once", {},
                       "leave out " + option("policy"));
  if (options.labels)
    return fail_option("weight", ": where labels follow features decisions have weights of their own", {},
                       "leave out " + option("labels", "follow-features"));
  if (counts.log() && !counts.log()->windows.empty())
    return fail_option("weight", ": calendar windows have no weights", {}, "leave the time out of " + option("map"));
  return {};
}

void weigh(Observed& observed, Rate rate, const DecisionWeights& weights, std::size_t g, std::size_t h) {
  const WeightOf sum = weight_of(rate, weights, g, h);
  const double all = sum.accepted + sum.refused;
  observed.rate = all > 0 ? sum.accepted / all : std::numeric_limits<double>::quiet_NaN();
}

void weigh(Observed& observed, Rate rate, const DecisionWeights& weights, std::size_t g, std::size_t h,
           std::int64_t lost, double delta) {
  weigh(observed, rate, weights, g, h);
  const WeightOf sum = weight_of(rate, weights, g, h);
  const double accepted = sum.accepted / weights.largest;
  const double refused = sum.refused / weights.largest;
  const auto more = static_cast<double>(lost);  // each of at most the largest weight
  observed.band = {lowest_share({}, accepted, refused + more, delta),
                   highest_share({}, accepted + more, refused, delta)};
}

WeightAudit audit_weights(const DecisionWeights& weights) {
  WeightAudit audited{weights.column, weights.largest, {}, {}, 0};
  double sum = 0, squares = 0;
  for (std::size_t g = 0; g < weights.squares.size(); ++g) {
    audited.total.push_back(weights.total(g));
    audited.effective.push_back(effective_decisions(audited.total[g], weights.squares[g]));
    sum += audited.total[g];
    squares += weights.squares[g];
  }
  audited.effective_of_all = effective_decisions(sum, squares);
  return audited;
}

std::string in_words(const WeightAudit& weights, std::int64_t decisions) {
  return fmt::format(
      "Rates are weighted: a decision counts by its \"{}\", which is at least 0 and at most {}, as was said "
      "beforehand. Kish's effective number of the {} decisions is {:.1f}: that describes the sample, and no band rests "
      "on it.",
      weights.column, weights.largest, internal::with_thousands(decisions), weights.effective_of_all);
}

}  // namespace fairstep
