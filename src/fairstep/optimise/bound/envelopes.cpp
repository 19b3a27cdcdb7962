#include <fairstep/optimise/bound/envelopes.hpp>

#include <algorithm>
#include <cmath>

#include <fairstep/optimise/common/infinity.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

std::size_t Envelopes::add(std::size_t a, std::size_t b, bool of_difference) {
  const Range range = product_range(master_.range(a), master_.range(b));
  const std::size_t w = master_.add_variable(range.low, range.high);
  require(a, b, w, of_difference);
  return w;
}

void Envelopes::require(std::size_t a, std::size_t b, std::size_t w, bool of_difference) {
  const Product product{a, b, w, master_.rows().size(), of_difference};
  for (int i = 0; i < 4; ++i) master_.add_row(-kInfinity, kInfinity, {{w, 1.0}, {a, 0.0}, {b, 0.0}});
  products_.push_back(product);
  write(product);
}

void Envelopes::rewrite(std::size_t variable) {
  for (const Product& product : products_)
    if (product.a == variable || product.b == variable) write(product);
}

/// (a - a0)(b - b0) >= 0, (a - a1)(b - b1) >= 0, (a - a0)(b - b1) <= 0, (a - a1)(b - b0) <= 0, each multiplied out.
void Envelopes::write(const Product& product) {
  const Range a = master_.range(product.a), b = master_.range(product.b);
  struct Side {
    double at_a, at_b;
    bool above;
  };
  std::size_t r = product.first_row;
  for (const Side& side :
       {Side{a.low, b.low, true}, Side{a.high, b.high, true}, Side{a.low, b.high, false}, Side{a.high, b.low, false}}) {
    const double rhs = -side.at_a * side.at_b;
    master_.set_entry(r, 1, -side.at_b);
    master_.set_entry(r, 2, -side.at_a);
    master_.set_row(r, side.above ? rounded_down(rhs) : -kInfinity, side.above ? kInfinity : rounded_up(rhs));
    ++r;
  }
}

std::optional<Envelopes::Split> Envelopes::worst() const {
  std::optional<Split> worst;
  if (!master_.has_point()) return worst;
  double total = 0;
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const Product& product = products_[i];
    const double a = master_.at(product.a), b = master_.at(product.b), w = master_.at(product.w);
    double price = 0;
    for (std::size_t r = 0; r < 4; ++r) price = std::max(price, std::abs(master_.price_of_row(product.first_row + r)));
    const double gain = price * std::abs(w - a * b);
    total += gain;
    const Range& range = master_.range(product.a);
    if (range.high - range.low < kNarrow) continue;
    if (!worst || gain > worst->gain) worst = Split{i, a, gain, 0};
  }
  if (worst) worst->total = total;
  return worst;
}

}  // namespace fairstep
