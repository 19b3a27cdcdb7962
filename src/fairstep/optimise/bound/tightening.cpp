// Optimality-based bound tightening: how far can what enters a product be, in policies that are worth the cutoff?
#include <algorithm>
#include <cmath>

#include <fairstep/optimise/bound/relaxation.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {
namespace {

/// How precisely a range's end is worth knowing, relative to its width: roughly at first, better where that is enough.
constexpr double kRoughRange = 0.1;
constexpr double kRangePrecision = 0.02;

/// The variables whose ranges are to be narrowed, in the order of the products.
std::vector<std::size_t> targets_of(const Envelopes& envelopes, Tightening depth) {
  std::vector<std::size_t> targets;
  const auto want = [&](std::size_t variable) {
    if (std::find(targets.begin(), targets.end(), variable) == targets.end()) targets.push_back(variable);
  };
  for (const Envelopes::Product& product : envelopes.products()) {
    if (depth != Tightening::differences) want(product.a);
    if (depth == Tightening::everything || (depth != Tightening::rates && product.of_difference)) want(product.b);
  }
  return targets;
}

}  // namespace

double Relaxation::tighten(double cutoff, Tightening depth, const Deadline& deadline) {
  // A policy as good as the one that sets the cutoff must not be cut off by rounding.
  formulation_.set_cutoff(cutoff - 1e-12 * std::max(std::abs(cutoff), master_.range(Master::kValue).high));
  const double precision = depth == Tightening::differences ? kRoughRange : kRangePrecision;
  double most = 0;
  for (const std::size_t variable : targets_of(formulation_.envelopes(), depth)) {
    const double width = master_.range(variable).high - master_.range(variable).low;
    if (width < kNarrow || empty()) continue;
    for (const int sign : {1, -1}) {
      if (deadline.passed()) break;
      tighten_end(variable, sign, precision * width, deadline);
    }
    most = std::max(most, 1 - (master_.range(variable).high - master_.range(variable).low) / width);
  }
  formulation_.set_cutoff(-kInfinity);
  return most;
}

void Relaxation::tighten_end(std::size_t variable, int sign, double precision, const Deadline& deadline) {
  const std::vector<Coefficient> objective = formulation_.end_of_range(variable, sign);
  const Range known = master_.range(variable);
  // The master only grows: once it is this near the range's end, the end will not move.
  const double end = sign == 1 ? known.high : -known.low;
  const double bound = optimise({objective, precision, -kInfinity, end - precision}, deadline).bound;
  if (sign == 1)
    formulation_.set_range(variable, known.low, std::min(known.high, bound));
  else
    formulation_.set_range(variable, std::max(known.low, -bound), known.high);
}

}  // namespace fairstep
