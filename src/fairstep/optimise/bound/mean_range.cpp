#include <fairstep/optimise/bound/mean_range.hpp>

#include <algorithm>
#include <vector>

#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {
namespace {

/// What a term is in each cell, over what its denominator is there (1 without one); nobody is in cells where that is 0.
Range range_in(const Term& top, const Term* bottom, const Box& box, std::size_t features) {
  Range range{kInfinity, -kInfinity};
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
  return range;
}

/// With a denominator it is between the least and the greatest quotient of its terms; without one, their sum.
Range range_of(const Program& program, std::span<const Box> boxes, const Mean& mean) {
  Range widest{kInfinity, -kInfinity}, sum{0, 0};
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    for (const std::size_t g : program.blocks[b].groups)
      for (const Term& top : program.terms[g]) {
        if (top.functional != mean.numerator) continue;
        const Term* bottom = nullptr;
        for (const Term& term : program.terms[g])
          if (mean.denominator && term.functional == *mean.denominator && term.step == top.step) bottom = &term;
        const Range range = range_in(top, bottom, boxes[b], program.shape().features);
        widest = {std::min(widest.low, range.low), std::max(widest.high, range.high)};
        sum = {sum.low + range.low, sum.high + range.high};
      }
  return mean.denominator ? widest : sum;
}

}  // namespace

Range range_of(const Program& program, std::span<const Box> boxes, std::span<const Mean> means) {
  Range range{kInfinity, -kInfinity};
  for (const Mean& mean : means) {
    const Range one = range_of(program, boxes, mean);
    range = {std::min(range.low, one.low), std::max(range.high, one.high)};
  }
  return range;
}

}  // namespace fairstep
