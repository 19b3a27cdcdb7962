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
    for (std::size_t i = 0; i < people.size(); ++i) {
      const double width = boxes[b].hi[i] - boxes[b].lo[i];
      // Tables that agree leave only the widths to go by.
      const double here = people[i] * (spread[b][i] + 1e-6 * width);
      if (width <= kNarrow || here <= most) continue;
      most = here;
      worst = {b, i, average[b][i]};
    }
  }
  return worst;
}

}  // namespace fairstep
