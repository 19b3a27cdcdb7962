#include <fairstep/optimise/bound/mean_range.hpp>

#include <algorithm>
#include <vector>

#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {

Range range_of(const Program& program, std::span<const Box> boxes, std::span<const Mean> means) {
  Range range{kInfinity, -kInfinity};
  const std::size_t features = program.shape().features;
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
    for (std::size_t b = 0; b < program.blocks.size(); ++b)
      for (const std::size_t g : program.blocks[b].groups)
        for (const Term& top : program.terms[g]) {
          if (top.functional != mean.numerator) continue;
          const Term* bottom = nullptr;
          for (const Term& term : program.terms[g])
            if (mean.denominator && term.functional == *mean.denominator && term.step == top.step) bottom = &term;
          add(top, bottom, boxes[b]);
        }
  return range;
}

}  // namespace fairstep
