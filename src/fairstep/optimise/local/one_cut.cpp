#include <fairstep/optimise/local/one_cut.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fairstep/evaluate/passes.hpp>
#include <fairstep/optimise/program/tables.hpp>

namespace fairstep {
namespace {

/// Moves of cuts at the most.
constexpr int kMoves = 20;
/// Rounds in which each cut is moved by itself at the most.
constexpr int kRoundsOfMoves = 4;
/// A cut this near an end of its range is at it.
constexpr double kAtEnd = 1e-7;

/// [block][h][chain] the place in the chain.
using Cuts = std::vector<std::vector<std::vector<std::size_t>>>;

/// [h,x] people of a block; where all steps are alike, of all steps together.
std::vector<double> people_of(const Program& program, std::size_t block, const std::vector<double>& table) {
  const Shape& n = program.shape();
  std::vector<double> mass(n.horizon * n.states()), people(table.size(), 0.0);
  for (const std::size_t g : program.blocks[block].groups) {
    forward(program.model->kernels(g), program.model->initial(g), table, mass);
    for (std::size_t i = 0; i < mass.size(); ++i)
      people[program.rules.stationary ? i / kLabels % n.features : i / kLabels] += mass[i];
  }
  for (std::size_t i = n.features; program.rules.stationary && i < people.size(); ++i)
    people[i] = people[i - n.features];
  return people;
}

/// The cut above which as many people are accepted as by the row.
std::size_t cut_of(const std::vector<std::size_t>& chain, const double* row, const double* people,
                   const TableRules& rules) {
  const double width = std::max(rules.ceiling - rules.floor, 1e-300);
  double left = 0;
  for (const std::size_t x : chain) left += people[x] * (row[x] - rules.floor) / width;
  for (std::size_t i = chain.size(); i-- > 1;) {
    left -= people[chain[i]];
    if (left < 0) return i;
  }
  return 0;
}

Cuts cuts_of(const Program& program, const Tables& tables) {
  const Shape& n = program.shape();
  Cuts cuts(tables.size());
  for (std::size_t b = 0; b < tables.size(); ++b) {
    const std::vector<double> people = people_of(program, b, tables[b]);
    for (std::size_t h = 0; h < n.horizon; ++h) {
      cuts[b].emplace_back();
      for (const std::vector<std::size_t>& chain : program.rules.chains)
        cuts[b][h].push_back(
            cut_of(chain, tables[b].data() + h * n.features, people.data() + h * n.features, program.rules));
    }
  }
  return cuts;
}

/// The program with every entry off a cut at its end.
Program cut_at(const Program& program, const Cuts& cuts) {
  const std::size_t features = program.shape().features;
  Program cut = program;
  for (std::size_t b = 0; b < cuts.size(); ++b)
    for (std::size_t h = 0; h < cuts[b].size(); ++h)
      for (std::size_t c = 0; c < cuts[b][h].size(); ++c) {
        const std::vector<std::size_t>& chain = program.rules.chains[c];
        for (std::size_t i = 0; i < chain.size(); ++i) {
          const std::size_t at = h * features + chain[i];
          if (i < cuts[b][h][c]) cut.boxes[b].hi[at] = cut.boxes[b].lo[at];
          if (i > cuts[b][h][c]) cut.boxes[b].lo[at] = cut.boxes[b].hi[at];
        }
      }
  return cut;
}

/// visit(cut, places, put) for each; put(place) moves it, at all steps where they are alike.
template <class Visit>
void each_cut(const Program& program, Cuts& cuts, const Visit& visit) {
  for (std::vector<std::vector<std::size_t>>& of_block : cuts)
    for (std::size_t h = 0; h < (program.rules.stationary ? 1 : of_block.size()); ++h)
      for (std::size_t c = 0; c < of_block[h].size(); ++c) {
        const auto put = [&](std::size_t place) {
          for (std::size_t t = h; t < (program.rules.stationary ? of_block.size() : h + 1); ++t) of_block[t][c] = place;
        };
        visit(of_block[h][c], program.rules.chains[c].size(), put);
      }
}

/// Moves each cut that is at an end of its range to the feature beyond it; whether any moved.
bool move_on(Cuts& cuts, const Program& program, const Tables& tables) {
  bool moved = false;
  for (std::size_t b = 0; b < cuts.size(); ++b)
    for (std::size_t h = 0; h < cuts[b].size(); ++h)
      for (std::size_t c = 0; c < cuts[b][h].size(); ++c) {
        const std::vector<std::size_t>& chain = program.rules.chains[c];
        std::size_t& cut = cuts[b][h][c];
        const double p = tables[b][h * program.shape().features + chain[cut]];
        const bool up = p <= program.rules.floor + kAtEnd && cut + 1 < chain.size();
        const bool down = p >= program.rules.ceiling - kAtEnd && cut > 0;
        if (!up && !down) continue;
        cut = up ? cut + 1 : cut - 1;
        moved = true;
      }
  return moved;
}

}  // namespace

Candidate cut_once(const Program& program, Tables tables, const LocalOptions& options, const SolveCut& solve,
                   Moves moves) {
  tables = settled(program, std::move(tables));
  Cuts cuts = cuts_of(program, tables);
  Candidate best;
  const auto improves = [&](const Cuts& there) {
    const Program cut = cut_at(program, there);
    Tables begun = settled(cut, best.tables.empty() ? tables : best.tables);
    Candidate here = assess(program, begun);
    LocalResult found = solve(cut, begun, options);
    if (!found.tables.empty()) {
      Candidate solved = assess(program, std::move(found.tables));
      if (is_better(solved, here, options.tolerance)) here = std::move(solved);
    }
    if (!is_better(here, best, options.tolerance)) return false;
    best = std::move(here);
    return true;
  };
  for (int move = 0; move < kMoves && improves(cuts); ++move)
    if (options.deadline.passed() || !move_on(cuts, program, best.tables)) break;
  if (moves == Moves::along) return best;

  cuts = cuts_of(program, best.tables);
  bool again = true;
  for (int round = 0; round < kRoundsOfMoves && again; ++round) {
    again = false;
    each_cut(program, cuts, [&](std::size_t at, std::size_t places, const auto& put) {
      for (const std::size_t there : {at + 1, at - 1}) {  // below the first: no place
        if (there >= places || options.deadline.passed()) continue;
        put(there);
        if (improves(cuts)) {
          again = true;
          return;
        }
        put(at);
      }
    });
  }
  return best;
}

}  // namespace fairstep
