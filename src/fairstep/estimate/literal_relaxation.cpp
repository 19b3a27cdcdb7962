#include <fairstep/estimate/literal_relaxation.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>

namespace fairstep {
namespace {

double as_double(std::uint64_t whole) { return static_cast<double>(whole); }

/// ln(factor k^2), for any k.
double log_with_k(double factor, std::uint64_t k) { return std::log(factor) + 2 * std::log(as_double(k)); }

/// The sum of the two largest: the largest sum over pairs.
double largest_pair(std::vector<double> terms) {
  assert(terms.size() >= 2);
  std::partial_sort(terms.begin(), terms.begin() + 2, terms.end(), std::greater<>{});
  return terms[0] + terms[1];
}

/// One group's term of d_hat; nothing if p_min is too small to say anything.
std::optional<double> eqopt_term(double visits, double qualified, const AtEpisode& at, double epsilon, double scale,
                                 Scaled what) {
  const auto h = as_double(at.shape.horizon);
  const auto s = as_double(at.shape.states());
  const auto cells = as_double(at.shape.cells());
  const double printed =
      std::sqrt((4 * std::numbers::ln2 + 2 * log_with_k(at.per_group(2) * cells / at.delta, at.k)) / visits);
  const double width = what == Scaled::widths ? scale * printed : printed;
  if (!(qualified > width)) return std::nullopt;
  const double spread = std::sqrt(2 * s * log_with_k(at.per_group(16) * cells / (epsilon * at.delta), at.k) / visits);
  return scale * (3 * h * spread + 3 * epsilon * h * s) / (qualified * (qualified - width));
}

}  // namespace

Tensor<std::int64_t, 4> counted(const Estimate& estimate, CountedBy by) {
  // Of one kernel for all steps: whoever learns knows no other.
  return by == CountedBy::visits ? estimate.visits : estimate.successors.pooled_table();
}

WorstCells worst_cells(const Estimate& estimate, CountedBy by) {
  const Shape& n = estimate.model.shape();
  const Tensor<std::int64_t, 4> seen = counted(estimate, by);
  WorstCells worst;
  for (std::size_t g = 0; g < n.groups; ++g) {
    const auto visits = seen.block(g);
    worst.visits.push_back(std::max<std::int64_t>(1, *std::min_element(visits.begin(), visits.end())));
    const auto rows = estimate.model.spec().transition.block(g);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      double qualified = 0;
      for (std::size_t x1 = 0; x1 < n.features; ++x1) qualified += rows[cell * n.states() + state_of(x1, 1)];
      least = std::min(least, qualified);
    }
    worst.qualified.push_back(least);
  }
  return worst;
}

double c_hat(std::span<const std::int64_t> least_visits, const AtEpisode& at, double epsilon, double scale) {
  assert(at.k >= 1 && at.delta > 0 && at.delta < 1 && epsilon > 0);
  const auto h = as_double(at.shape.horizon);
  const auto s = as_double(at.shape.states());
  const double log = log_with_k(at.per_group(8) * as_double(at.shape.cells()) * h / (epsilon * at.delta), at.k);
  std::vector<double> terms;
  for (const std::int64_t visits : least_visits)
    terms.push_back(h * std::sqrt(2 * s * log / static_cast<double>(std::max<std::int64_t>(1, visits))));
  return scale * (largest_pair(std::move(terms)) + 2 * epsilon * h * s);
}

double d_hat(const WorstCells& worst, const AtEpisode& at, double epsilon, double scale, Scaled what) {
  assert(at.k >= 1 && at.delta > 0 && at.delta < 1 && epsilon > 0);
  assert(worst.visits.size() == worst.qualified.size());
  std::vector<double> terms;
  for (std::size_t g = 0; g < worst.visits.size(); ++g) {
    const auto visits = static_cast<double>(std::max<std::int64_t>(1, worst.visits[g]));
    if (const auto term = eqopt_term(visits, worst.qualified[g], at, epsilon, scale, what)) terms.push_back(*term);
  }
  // A pair with a group that has no term counts 1, and the others may still be above that.
  const double otherwise = terms.size() < worst.visits.size() ? 1 : 0;
  return terms.size() < 2 ? 1 : std::max(otherwise, largest_pair(std::move(terms)));
}

double paper_eta(std::uint64_t k) {
  assert(k >= 1);
  return 1 / std::cbrt(as_double(k));
}

double paper_eta_two_sided(std::uint64_t k) { return std::min(0.5, paper_eta(k)); }

double paper_epsilon(const AtEpisode& at) {
  assert(at.k >= 1);
  return 1 / (as_double(at.k) * as_double(at.shape.horizon) * as_double(at.shape.states()));
}

}  // namespace fairstep
