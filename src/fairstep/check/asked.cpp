#include <fairstep/check/asked.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fairstep::rigorous {
namespace {

using Part = Answerable::Part;

bool part_varies(const Part& part) {
  const auto several = [](const Row& row) {
    return std::count_if(row.begin(), row.end(), [](long double n) { return n > 0; }) > 1;
  };
  return several(part.strata) && several(part.outcomes);
}

/// Above 32 next states neighbours are taken together.
Row as_outcomes(const People& group, const Row& states) {
  Row people(std::min<std::size_t>(group.states, 32));
  for (std::size_t s = 0; s < states.size(); ++s) people[s * people.size() / group.states] += states[s];
  return people;
}

constexpr const char* kNeedsOneKernel = "it takes one kernel for all steps, and these counts have one for each period";

/// Rows are cells, outcomes next states.
Answerable by_next_state(const People& group, const Rows& sizes, const Rows& seen) {
  Answerable asked;
  for (std::size_t cell = 0; cell < group.cells; ++cell) {
    Part part{{}, as_outcomes(group, group.next[cell])};
    for (const Row& stratum : sizes) part.strata.push_back(stratum[cell]);
    asked.rows.push_back(std::move(part));
  }
  for (const Row& states : seen) asked.seen.push_back(as_outcomes(group, states));
  return asked;
}

Answerable by_step(const People& group) {
  if (group.horizon < 3) return {"it takes transitions at two steps, and there are only two steps in all", {}, {}};
  if (group.departures.empty()) return {"these counts do not say at which step a next state was seen", {}, {}};
  // Rows are the cells of each period, and only steps of the period are strata of them.
  Answerable asked;
  for (std::size_t k = 0; k < group.starts.size(); ++k) {
    const std::size_t end = k + 1 < group.starts.size() ? group.starts[k + 1] : group.horizon - 1;
    for (std::size_t cell = 0; cell < group.cells; ++cell) {
      Part part{Row(group.horizon - 1), as_outcomes(group, group.next_in[k * group.cells + cell])};
      for (std::size_t h = group.starts[k]; h < end; ++h) part.strata[h] = group.departures[h][cell];
      asked.rows.push_back(std::move(part));
    }
  }
  for (std::size_t h = 1; h < group.horizon; ++h) asked.seen.push_back(as_outcomes(group, group.arrivals[h]));
  return asked;
}

/// Strata are step and label, outcomes the decisions.
Answerable by_label(const People& group) {
  Answerable asked;
  asked.seen.assign(2 * group.horizon, Row(2));
  for (std::size_t h = 0; h < group.horizon; ++h)
    for (std::size_t x = 0; x < group.cells; x += 4) {
      Part part{Row(2 * group.horizon), Row(2)};
      for (std::size_t y = 0; y < 2; ++y)
        for (std::size_t a = 0; a < 2; ++a) {
          const long double n = group.visits[h][x + 2 * y + a];
          part.strata[2 * h + y] += n;
          part.outcomes[a] += n;
          asked.seen[2 * h + y][a] += n;
        }
      asked.rows.push_back(std::move(part));
    }
  return asked;
}

std::string why_no_pairs(const People& group) {
  if (group.horizon < 3) return "it takes three steps in a row, and there are fewer in all";
  return group.pairs.empty() ? "these counts do not say which decision came before which" : "";
}

void take_from(Row& from, const Row& what) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= what[i];
}

void add_row(Row& to, const Row& what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += what[i];
}

/// Strata are classes of the decision before, outcomes whether the next state was seen.
Answerable by_leaving(const People& group) {
  if (std::string reason = why_no_pairs(group); !reason.empty()) return {std::move(reason), {}, {}};
  Rows stayed(5, Row(group.cells));
  stayed[0] = group.left;
  for (std::size_t before = 0; before < group.cells; ++before) {
    add_row(stayed[1 + before % 4], group.pairs[before]);
    take_from(stayed[0], group.pairs[before]);
  }
  Answerable asked;
  for (std::size_t cell = 0; cell < group.cells; ++cell) {
    Part part{Row(5), Row(2)};
    for (std::size_t k = 0; k < 5; ++k) {
      part.strata[k] = group.unseen[k][cell] + stayed[k][cell];
      part.outcomes[0] += group.unseen[k][cell];
      part.outcomes[1] += stayed[k][cell];
    }
    asked.rows.push_back(std::move(part));
  }
  for (std::size_t k = 0; k < 5; ++k) asked.seen.push_back({total_of(group.unseen[k]), total_of(stayed[k])});
  return asked;
}

/// Strata are the decisions before (0 if none was seen), or above 64 cells their classes.
Answerable by_decision_before(const People& group) {
  if (std::string reason = why_no_pairs(group); !reason.empty()) return {std::move(reason), {}, {}};
  if (group.changes) return {kNeedsOneKernel, {}, {}};
  const bool each = group.cells <= 64;
  Rows pairs(each ? 1 + group.cells : 5, Row(group.cells));
  Rows after(pairs.size(), Row(group.states));
  pairs[0] = group.left;
  after[0] = group.came;
  for (std::size_t before = 0; before < group.cells; ++before) {
    const std::size_t k = 1 + (each ? before : before % 4);
    add_row(pairs[k], group.pairs[before]);
    take_from(pairs[0], group.pairs[before]);
    add_row(after[k], group.after[before]);
    take_from(after[0], group.after[before]);
  }
  return by_next_state(group, pairs, after);
}

/// Strata are the cells before (the last one: first states), outcomes the labels of those who came to a feature.
Answerable by_cell_before(const People& group) {
  Rows from = group.next;
  from.push_back(group.first);
  Answerable asked;
  asked.seen.assign(from.size(), Row(2));
  for (std::size_t x = 0; x < group.states / 2; ++x) {
    Part part{Row(from.size()), Row(2)};
    for (std::size_t k = 0; k < from.size(); ++k)
      for (std::size_t y = 0; y < 2; ++y) {
        const long double here = from[k][2 * x + y];
        part.strata[k] += here;
        part.outcomes[y] += here;
        asked.seen[k][y] += here;
      }
    asked.rows.push_back(std::move(part));
  }
  return asked;
}

/// What the permutations of an entry have for mean, variance, and variance if they were drawn with replacement: of the
/// stratum, the outcome, or all others, whichever is least.
struct Permutations {
  long double mean = 0, variance = 0, alone = 0;
};

void add_part(std::vector<std::vector<Permutations>>& entries, const Part& part) {
  const long double n = total_of(part.strata);
  const bool free = part_varies(part);
  for (std::size_t k = 0; k < part.strata.size(); ++k)
    for (std::size_t o = 0; o < part.outcomes.size(); ++o) {
      if (!(part.strata[k] > 0 && part.outcomes[o] > 0)) continue;
      const long double share = part.outcomes[o] / n;
      const long double size = part.strata[k] / n;
      entries[k][o].mean += part.strata[k] * share;
      if (!free) continue;
      const long double spread = part.strata[k] * (1 - size) * share * (1 - share);
      entries[k][o].variance += spread * (n / (n - 1));
      entries[k][o].alone += spread / std::max({size, 1 - size, share, 1 - share});
    }
}

}  // namespace

bool Answerable::varies() const { return std::any_of(rows.begin(), rows.end(), part_varies); }

Answerable ask(Ask question, const People& group) {
  switch (question) {
    case Ask::steps:
      return by_step(group);
    case Ask::windows:
      if (group.changes) return {kNeedsOneKernel, {}, {}};
      return by_next_state(group, group.window_departures, group.window_arrivals);
    case Ask::decisions:
      return by_label(group);
    case Ask::leaving:
      return by_leaving(group);
    case Ask::before:
      return by_decision_before(group);
    case Ask::labels:
      break;
  }
  return by_cell_before(group);
}

Distance distance_of(const Answerable& asked) {
  std::vector<std::vector<Permutations>> entries;
  for (const Row& row : asked.seen) entries.emplace_back(row.size());
  for (const Part& part : asked.rows) add_part(entries, part);
  Distance result;
  long double free = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    long double far = 0;
    for (std::size_t o = 0; o < entries[k].size(); ++o) {
      const long double off = asked.seen[k][o] - entries[k][o].mean;
      far += off * off / (entries[k][o].variance + 1);
      if (entries[k][o].variance > 0) ++free;
    }
    result.far.push_back(far);
  }
  // If a permutation is as far in all, one of its entries is, and for each Bernstein's inequality holds.
  const long double each = total_of(result.far) * (1 - 1e-9L) / free;
  for (const auto& row : entries)
    for (const Permutations& entry : row) {
      if (!(entry.variance > 0)) continue;
      const long double square = (entry.variance + 1) * each;
      result.share_as_far += 2 * std::exp(-square / (2 * (entry.alone + std::sqrt(square) / 3)));
    }
  return result;
}

}  // namespace fairstep::rigorous
