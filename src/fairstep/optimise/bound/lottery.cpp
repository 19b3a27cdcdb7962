#include <fairstep/optimise/bound/lottery.hpp>

#include <algorithm>
#include <cmath>

#include <fairstep/evaluate/passes.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

Tables average_of(const Program& program, std::span<const Ticket> lottery) {
  Tables average(program.blocks.size(), std::vector<double>(program.table_size(), 0.0));
  for (const Ticket& ticket : lottery)
    for (std::size_t i = 0; i < ticket.table.size(); ++i) average[ticket.block][i] += ticket.use * ticket.table[i];
  return average;
}

double inner(double at, double low, double high) {
  return std::clamp(at, low + 0.1 * (high - low), high - 0.1 * (high - low));
}

namespace {

/// Steps that are to be alike disagree with each other as well: [x] their mean, and what they and tables differ by.
void score_alike(const Program& program, const Box& box, const std::vector<double>& people,
                 const std::vector<double>& spread, std::vector<double>& score, std::vector<double>& at) {
  const std::size_t features = program.shape().features;
  for (std::size_t x = 0; x < features; ++x) {
    const double width = box.hi[x] - box.lo[x];
    if (width <= kNarrow) continue;
    double all = 0, mean = 0, apart = 0;
    for (std::size_t i = x; i < people.size(); i += features) all += people[i];
    for (std::size_t i = x; i < people.size() && all > 0; i += features) mean += people[i] / all * at[i];
    for (std::size_t i = x; i < people.size() && all > 0; i += features)
      apart += people[i] / all * (spread[i] + std::abs(at[i] - mean));
    score[x] = all * (apart + 1e-6 * width);
    at[x] = mean;
  }
}

/// Where acceptance never falls, an entry that is split takes those below it along to one side, and those above it to
/// the other: what counts is what the lesser side settles.
void score_rising(const Program& program, std::vector<double>& score) {
  const std::size_t features = program.shape().features;
  std::vector<double> below(features);
  for (std::size_t h = 0; h < program.shape().horizon; ++h)
    for (const std::vector<std::size_t>& chain : program.rules.chains) {
      double* const here = score.data() + h * features;
      double sum = 0;
      for (const std::size_t x : chain) below[x] = sum += std::max(here[x], 0.0);
      sum = 0;
      for (std::size_t i = chain.size(); i-- > 0;) {
        const std::size_t x = chain[i];
        sum += std::max(here[x], 0.0);
        if (here[x] >= 0) here[x] = std::min(below[x], sum);
      }
    }
}

}  // namespace

Dispute most_disputed(const Program& program, std::span<const Box> boxes, const Tables& average,
                      std::span<const Ticket> lottery) {
  Tables spread(average.size(), std::vector<double>(program.table_size(), 0.0));
  for (const Ticket& ticket : lottery)
    for (std::size_t i = 0; i < ticket.table.size(); ++i)
      spread[ticket.block][i] += ticket.use * std::abs(ticket.table[i] - average[ticket.block][i]);
  Dispute worst;
  double most = -1;
  std::vector<double> mass(program.table_size() * kLabels);
  for (std::size_t b = 0; b < average.size(); ++b) {
    std::vector<double> people(program.table_size(), 0.0);
    for (const std::size_t g : program.blocks[b].groups) {
      forward(program.model->kernels(g), program.model->initial(g), average[b], mass);
      for (std::size_t i = 0; i < mass.size(); ++i) people[i / kLabels] += mass[i];
    }
    std::vector<double> score(people.size(), -1.0), at = average[b];
    if (program.rules.stationary)
      score_alike(program, boxes[b], people, spread[b], score, at);
    else
      for (std::size_t i = 0; i < people.size(); ++i) {
        const double width = boxes[b].hi[i] - boxes[b].lo[i];
        // Tables that agree leave only the widths to go by.
        if (width > kNarrow) score[i] = people[i] * (spread[b][i] + 1e-6 * width);
      }
    score_rising(program, score);
    for (std::size_t i = 0; i < people.size(); ++i) {
      if (score[i] <= most) continue;
      most = score[i];
      worst = {b, i, at[i]};
    }
  }
  return worst;
}

}  // namespace fairstep
