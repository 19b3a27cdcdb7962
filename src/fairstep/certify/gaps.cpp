#include <fairstep/certify/gaps.hpp>

#include <algorithm>
#include <vector>

#include <fairstep/certify/sets.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep {
namespace {

PairBounds bounds_of_pair(const Certificate& found, std::size_t i, std::size_t j, std::size_t horizon) {
  PairBounds pair{i, j, {}};
  for (std::size_t h = 0; h < horizon; ++h) {
    if (wants(found.asked, Notion::dp)) pair.gap.dp.push_back(widest(found.accept->range, i, j, h));
    if (wants(found.asked, Notion::eqopt)) pair.gap.eqopt.push_back(widest(found.tpr->range, i, j, h));
    if (wants(found.asked, Notion::eqodds))
      pair.gap.eqodds.push_back(std::max(widest(found.tpr->range, i, j, h), widest(found.fpr->range, i, j, h)));
  }
  return pair;
}

}  // namespace

double widest(const Tensor<Range, 2>& rate, std::size_t i, std::size_t j, std::size_t h) {
  const Range& one = rate(i, h);
  const Range& other = rate(j, h);
  const double gap = std::max(one.high - other.low, other.high - one.low);
  return gap > 0 ? std::min(1.0, gap + kOutwards) : 0;
}

void set_pairs(Certificate& found, const Shape& n) {
  for (std::size_t i = 0; i < n.groups; ++i)
    for (std::size_t j = i + 1; j < n.groups; ++j) found.pairs.push_back(bounds_of_pair(found, i, j, n.horizon));
  set_worst_gaps(found, n);
}

void set_worst_gaps(Certificate& found, const Shape& n) {
  for (const Notion notion : found.asked.notions) {
    std::vector<double>& worst = steps_of(found.gap, notion);
    worst.assign(n.horizon, 0.0);
    for (const PairBounds& pair : found.pairs)
      for (std::size_t h = 0; h < n.horizon; ++h) worst[h] = std::max(worst[h], of_notion(pair.gap, notion)[h]);
  }
}

double worst_gap(const GapBounds& gap) {
  double worst = 0;
  for (const auto* steps : {&gap.dp, &gap.eqopt, &gap.eqodds})
    for (const double at_most : *steps) worst = std::max(worst, at_most);
  return worst;
}

}  // namespace fairstep
