#include <fairstep/optimise/program/tables.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fairstep {

Tables middle_of(const Program& program) {
  Tables tables;
  for (const Box& box : program.boxes) {
    tables.emplace_back(box.lo.size());
    for (std::size_t i = 0; i < box.lo.size(); ++i) tables.back()[i] = 0.5 * (box.lo[i] + box.hi[i]);
  }
  return tables;
}

Tables all_alike(const Program& program) {
  if (!program.rules.one_cut) return middle_of(program);
  Tables tables;
  for (const Box& box : program.boxes) tables.push_back(box.lo);
  return tables;
}

Tables tables_of(const Program& program, const Policy& policy) {
  Tables tables = middle_of(program);
  for (std::size_t b = 0; b < tables.size(); ++b) {
    const auto table = policy.group(program.blocks[b].groups.front());
    for (std::size_t i = 0; i < table.size(); ++i)
      tables[b][i] = std::clamp(table[i], program.boxes[b].lo[i], program.boxes[b].hi[i]);
    settle(program, b, tables[b]);
    if (!program.rules.kept_by(tables[b], 0)) return all_alike(program);
  }
  return tables;
}

bool is_of_class(const Program& program, const Policy& policy) {
  constexpr double kRounding = 1e-12;
  const Shape& n = program.shape();
  const Tables tables = tables_of(program, policy);
  for (std::size_t b = 0; b < tables.size(); ++b)
    for (const std::size_t g : program.blocks[b].groups)
      for (std::size_t i = 0; i < n.horizon * n.features; ++i)
        if (std::abs(policy.group(g)[i] - tables[b][i]) > kRounding) return false;
  const auto at_an_end = [&](std::size_t b, std::size_t i) {
    return tables[b][i] <= program.boxes[b].lo[i] + kRounding || tables[b][i] >= program.boxes[b].hi[i] - kRounding;
  };
  for (std::size_t b = 0; program.deterministic && b < tables.size(); ++b)
    for (std::size_t i = 0; i < tables[b].size(); ++i)
      if (!at_an_end(b, i)) return false;
  return true;
}

void settle(const Program& program, std::size_t block, std::span<double> table) {
  if (!program.rules.any()) return;
  const Box& box = program.boxes[block];
  const auto into_box = [&] {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = std::clamp(table[i], box.lo[i], box.hi[i]);
  };
  into_box();
  program.rules.settle(table);
  into_box();
}

Tables settled(const Program& program, Tables tables) {
  for (std::size_t b = 0; b < tables.size(); ++b) settle(program, b, tables[b]);
  return tables;
}

Policy policy_of(const Program& program, const Tables& tables) {
  const Shape& n = program.shape();
  if (tables.size() == 1 && n.groups > 1) {
    Tensor<double, 2> accept({n.horizon, n.features});
    std::copy(tables[0].begin(), tables[0].end(), accept.flat().begin());
    return *Policy::make_group_independent(accept);
  }
  Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  for (std::size_t g = 0; g < n.groups; ++g) std::copy(tables[g].begin(), tables[g].end(), accept.block(g).begin());
  return *Policy::make(std::move(accept), program.model->names().groups);
}

}  // namespace fairstep
