#include <fairstep/optimise/local/first_policy.hpp>

#include <utility>

#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/program/tables.hpp>

namespace fairstep {

Candidate look_locally(const Program& program, const Candidate& begun, double tolerance, const Deadline& deadline) {
  const LocalOptions options{.tolerance = tolerance, .deadline = deadline};
  const Tables& start = begun.tables;
  Candidate best = look_around(program, start, options);
  if (best.tables.empty() || (deadline.over() && is_better(begun, best, tolerance))) best = begun;
  const auto offer = [&](LocalResult local) {
    if (local.tables.empty()) return;
    Candidate candidate = assess(program, std::move(local.tables));
    if (is_better(candidate, best, tolerance)) best = std::move(candidate);
  };
  if (best.excess > tolerance && !deadline.passed()) {
    offer(least_violation(program, start, options));
    if (best.excess <= tolerance) offer(solve_locally(program, best.tables, options));
  }
  if (best.excess > tolerance) offer({.tables = all_alike(program)});  // which every parity allows
  return best;
}

Candidate best_ends(const Program& program, Tables tables, double tolerance) {
  Tables all_low;
  Tables all_high;
  for (std::size_t b = 0; b < tables.size(); ++b) {
    const Box& box = program.boxes[b];
    for (std::size_t i = 0; i < tables[b].size(); ++i)
      tables[b][i] = tables[b][i] > 0.5 * (box.lo[i] + box.hi[i]) ? box.hi[i] : box.lo[i];
    all_low.push_back(box.lo);
    all_high.push_back(box.hi);
  }
  Candidate best;
  for (Tables* candidate : {&tables, &all_low, &all_high}) {
    Candidate here = assess(program, std::move(*candidate));
    if (is_better(here, best, tolerance)) best = std::move(here);
  }
  return best;
}

}  // namespace fairstep
