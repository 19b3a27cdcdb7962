// The rows that limits on ratios become.
#include <algorithm>

#include <fairstep/optimise/bound/formulation.hpp>
#include <fairstep/optimise/bound/mean_range.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

/// With t the rate that the others are measured by, the greatest of all or the reference's:
///   N_i <= t D_i and N_i >= least t D_i
/// A policy that keeps every pair, r_j >= least r_i, has such a t, and one that misses some pair by an excess misses
/// these by no more than that. Only t D_i is bilinear, and not even that where D_i is a number.
void Formulation::add_ratio(const Ratio& ratio) {
  const auto reference = [&](std::size_t i) { return ratio.reference && i == *ratio.reference; };
  std::vector<Mean> measures = ratio.means;
  if (ratio.reference) measures = {ratio.means[*ratio.reference]};
  // Where the reference may be nobody, t may have to be 0 for the others' sake. Rates are sums of probabilities that
  // are 1 up to the tolerance of the kernel's rows.
  constexpr double kBeyond = 1e-6;
  const bool somebody =
      !ratio.reference || !measures[0].denominator || master_.range(functional(*measures[0].denominator)).low > 0;
  const Range range = range_of(program_, program_.boxes, measures);
  const std::size_t t = master_.add_variable(somebody ? range.low - kBeyond : -kBeyond, range.high + kBeyond);
  if (somebody) narrow_with_boxes(Among{t, measures, kBeyond});

  std::vector<std::size_t> products, denominators;
  for (std::size_t i = 0; i < ratio.means.size(); ++i) {
    const Mean& mean = ratio.means[i];
    const std::size_t top = functional(mean.numerator);
    // what t is multiplied by, as a variable of its own, and what is allowed per unit of it
    std::size_t product = t;
    double most = 1;
    std::vector<Coefficient> allowed;
    if (mean.denominator) {
      const std::size_t bottom = functional(*mean.denominator);
      product = add_product(t, bottom);
      products.push_back(product);
      denominators.push_back(*mean.denominator);
      most = master_.range(bottom).high;
      allowed = {{bottom, tolerance_}};
    }
    if (reference(i)) {
      make_elastic(master_.add_row(0, 0, {{top, 1.0}, {product, -1.0}}), most);
      continue;
    }
    if (!ratio.reference) make_elastic(master_.add_row(-kInfinity, 0, {{top, 1.0}, {product, -1.0}}), most);
    std::vector<Coefficient> entries{{top, 1.0}, {product, -ratio.least}};
    entries.insert(entries.end(), allowed.begin(), allowed.end());
    make_elastic(master_.add_row(mean.denominator ? 0 : -tolerance_, kInfinity, std::move(entries)), most);
  }
  relate_products(t, products, denominators);
}

}  // namespace fairstep
