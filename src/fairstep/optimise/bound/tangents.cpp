#include <fairstep/optimise/bound/tangents.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {

void Tangents::add(std::size_t square, double c) {
  const Square& of = squares_[square];
  std::vector<Coefficient> entries{{of.e, 1.0}, {of.q, -2 * of.weight * c}};
  if (of.scale) entries.push_back({*of.scale, 0.0});
  tangents_.push_back({square, master_.add_row(-kInfinity, kInfinity, std::move(entries)), c});
  write(tangents_.back());
}

void Tangents::write(const Tangent& tangent) {
  const Square& square = squares_[tangent.square];
  const auto [low, high] = scale_of(square);
  const double weight = square.weight * tangent.c * tangent.c;
  double least = square.scale ? weight * low * high : -weight;
  least -= 1e-14 * square.weight * std::abs(tangent.c) * (1 + std::abs(tangent.c)) * (1 + high * high);
  if (square.scale) master_.set_entry(tangent.row, 2, square.per_scale * weight * (low + high));
  master_.set_row(tangent.row, least, kInfinity);
}

/// Where S may lie.
Range Tangents::scale_of(const Square& square) const {
  if (!square.scale) return {1, 1};
  const Range& range = master_.range(*square.scale);
  return {square.per_scale * range.low, square.per_scale * range.high};
}

void Tangents::rewrite(std::size_t variable) {
  for (const Tangent& tangent : tangents_)
    if (squares_[tangent.square].scale == variable) write(tangent);
}

bool Tangents::add_where_off(double precision) {
  bool added = false;
  for (std::size_t i = 0; i < squares_.size(); ++i) {
    const Square& square = squares_[i];
    const double q = master_.at(square.q), e = master_.at(square.e);
    const auto [low, high] = scale_of(square);
    const double s = square.scale ? square.per_scale * master_.at(*square.scale) : 1;
    const double chord = (low + high) * s - low * high;  // of S^2
    if (chord <= 0) continue;
    const double c = q / chord;
    if (square.weight * (2 * c * q - c * c * chord) - e <= precision / static_cast<double>(squares_.size())) continue;
    add(i, c);
    added = true;
  }
  return added;
}

bool Tangents::forget() {
  if (!master_.has_prices()) return false;
  std::vector<bool> out(master_.rows().size(), false);
  std::vector<Tangent> kept;
  const std::size_t first = out.size() - tangents_.size();  // nothing but tangents comes after them
  for (const Tangent& tangent : tangents_) {
    out[tangent.row] = master_.knew_row(tangent.row) && master_.price_of_row(tangent.row) == 0;
    if (!out[tangent.row]) kept.push_back({tangent.square, first + kept.size(), tangent.c});
  }
  if (kept.size() == tangents_.size()) return false;
  master_.remove_rows(out);
  tangents_ = std::move(kept);
  return true;
}

}  // namespace fairstep
