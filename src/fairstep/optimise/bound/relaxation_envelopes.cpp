// What is not linear, from above: products by their envelopes, squares by their tangents, each over the ranges of what
// enters them.
#include <algorithm>
#include <cmath>

#include <fairstep/optimise/bound/relaxation.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

void Relaxation::set_range(std::size_t variable, double low, double high) {
  Variable& v = variables_[variable];
  if (low > high) {  // nothing better than the cutoff is left
    empty_ = true;
    return;
  }
  v.low = low;
  v.high = high;
  lp_->set_variable_bounds(lp_variable_[variable], low, high);
  for (const Product& product : products_)
    if (product.a == variable || product.b == variable) write_product(product);
  for (const Tangent& tangent : tangents_)
    if (squares_[tangent.square].scale == variable) write_tangent(tangent);
}

std::size_t Relaxation::add_product(std::size_t a, std::size_t b) {
  const Range range = product_range({variables_[a].low, variables_[a].high}, {variables_[b].low, variables_[b].high});
  const std::size_t w = add_variable(range.low, range.high);
  require_product(a, b, w);
  return w;
}

void Relaxation::require_product(std::size_t a, std::size_t b, std::size_t w, bool of_difference) {
  const Product product{a, b, w, rows_.size(), of_difference};
  for (int i = 0; i < 4; ++i) add_row(-kInfinity, kInfinity, {{w, 1.0}, {a, 0.0}, {b, 0.0}});
  products_.push_back(product);
  write_product(product);
  watch(a);
  watch(b);
}

void Relaxation::watch(std::size_t variable) {
  if (std::find(watched_.begin(), watched_.end(), variable) == watched_.end()) watched_.push_back(variable);
}

/// McCormick's envelope of w = a b over the ranges of a and b:
/// (a - a0)(b - b0) >= 0, (a - a1)(b - b1) >= 0, (a - a0)(b - b1) <= 0, (a - a1)(b - b0) <= 0, each multiplied out.
void Relaxation::write_product(const Product& product) {
  const Variable& a = variables_[product.a];
  const Variable& b = variables_[product.b];
  struct Side {
    double at_a, at_b;
    bool above;
  };
  std::size_t r = product.first_row;
  for (const Side& side :
       {Side{a.low, b.low, true}, Side{a.high, b.high, true}, Side{a.low, b.high, false}, Side{a.high, b.low, false}}) {
    Row& row = rows_[r];
    row.entries[1].value = -side.at_b;
    row.entries[2].value = -side.at_a;
    const double rhs = -side.at_a * side.at_b;
    row.low = side.above ? rounded_down(rhs) : -kInfinity;
    row.high = side.above ? kInfinity : rounded_up(rhs);
    lp_->set_coefficient(lp_row_[r], lp_variable_[product.a], row.entries[1].value);
    lp_->set_coefficient(lp_row_[r], lp_variable_[product.b], row.entries[2].value);
    lp_->set_row_bounds(lp_row_[r], row.low, row.high);
    ++r;
  }
}

/// Where means may lie. A mean is an average of what the policy does in each cell, and there it does something between
/// the ends of its box.
Range Relaxation::range_of(std::span<const Mean> means) const {
  Range range{kInfinity, -kInfinity};
  const std::size_t features = program_.shape().features;
  const auto add = [&](const Term& top, const Term* bottom, const Box& box) {
    for (std::size_t x = 0; x < features; ++x)
      for (const double p : {box.lo[top.step * features + x], box.hi[top.step * features + x]})
        for (std::size_t y = 0; y < kLabels; ++y) {
          const auto of = [&](const std::vector<double>& weight) {
            return (1 - p) * weight[cell_of(x, y, 0)] + p * weight[cell_of(x, y, 1)];
          };
          const double whole = bottom != nullptr ? of(bottom->weight) : 1;
          if (whole <= 0) continue;
          range.low = std::min(range.low, of(top.weight) / whole);
          range.high = std::max(range.high, of(top.weight) / whole);
        }
  };
  for (const Mean& mean : means)
    for (std::size_t b = 0; b < program_.blocks.size(); ++b)
      for (const std::size_t g : program_.blocks[b].groups)
        for (const Term& top : program_.terms[g]) {
          if (top.functional != mean.numerator) continue;
          const Term* bottom = nullptr;
          for (const Term& term : program_.terms[g])
            if (mean.denominator && term.functional == *mean.denominator && term.step == top.step) bottom = &term;
          add(top, bottom, boxes_[b]);
        }
  return range;
}

/// e >= weight z^2 >= weight (2 c z S - c^2 S^2) for any c, as weight (z - c S)^2 >= 0; and S^2 lies below its chord.
void Relaxation::add_tangent(std::size_t square, double c) {
  std::vector<Coefficient> entries{{squares_[square].e, 1.0}, {squares_[square].q, -2 * squares_[square].weight * c}};
  if (squares_[square].scale) entries.push_back({*squares_[square].scale, 0.0});
  tangents_.push_back({square, add_row(-kInfinity, kInfinity, std::move(entries)), c});
  write_tangent(tangents_.back());
}

void Relaxation::write_tangent(const Tangent& tangent) {
  const Square& square = squares_[tangent.square];
  const auto [low, high] = scale_of(square);
  const double weight = square.weight * tangent.c * tangent.c;
  Row& row = rows_[tangent.row];
  row.low = square.scale ? weight * low * high : -weight;
  row.low -= 1e-14 * square.weight * std::abs(tangent.c) * (1 + std::abs(tangent.c)) * (1 + high * high);
  if (square.scale) {
    row.entries[2].value = square.per_scale * weight * (low + high);
    lp_->set_coefficient(lp_row_[tangent.row], lp_variable_[*square.scale], row.entries[2].value);
  }
  lp_->set_row_bounds(lp_row_[tangent.row], row.low, kInfinity);
}

/// Where S may lie.
Range Relaxation::scale_of(const Square& square) const {
  if (!square.scale) return {1, 1};
  return {square.per_scale * variables_[*square.scale].low, square.per_scale * variables_[*square.scale].high};
}

bool Relaxation::add_tangents(const LpSolution& solution, double precision) {
  bool added = false;
  for (std::size_t i = 0; i < squares_.size(); ++i) {
    const Square& square = squares_[i];
    const double q = solution.x[lp_variable_[square.q]];
    const double e = solution.x[lp_variable_[square.e]];
    const auto [low, high] = scale_of(square);
    const double s = square.scale ? square.per_scale * solution.x[lp_variable_[*square.scale]] : 1;
    const double chord = (low + high) * s - low * high;  // of S^2
    if (chord <= 0) continue;
    const double c = q / chord;
    if (square.weight * (2 * c * q - c * c * chord) - e <= precision / static_cast<double>(squares_.size())) continue;
    add_tangent(i, c);
    added = true;
  }
  return added;
}

void Relaxation::forget_tangents() {
  if (last_.price.empty()) return;
  std::vector<bool> out(lp_->rows(), false);
  std::vector<Tangent> kept;
  std::vector<double> price = last_.price;
  std::size_t gone = 0;
  const std::size_t first = rows_.size() - tangents_.size();  // nothing but tangents comes after them
  for (const Tangent& tangent : tangents_) {
    const std::size_t row = lp_row_[tangent.row];
    out[row] = row < price.size() && price[row] == 0;
    if (out[row]) {
      ++gone;
      continue;
    }
    const std::size_t to = first + kept.size();
    if (row < price.size()) price[row - gone] = price[row];
    rows_[to] = rows_[tangent.row];
    lp_row_[to] = row - gone;
    kept.push_back({tangent.square, to, tangent.c});
  }
  if (gone == 0) return;
  lp_->remove_rows(out);
  rows_.resize(first + kept.size());
  lp_row_.resize(rows_.size());
  price.resize(price.size() - gone);
  last_.price = std::move(price);
  tangents_ = std::move(kept);
}

}  // namespace fairstep
