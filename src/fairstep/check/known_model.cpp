#include <fairstep/check/known_model.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairstep/check/numbers.hpp>
#include <fairstep/check/sets.hpp>

namespace fairstep::rigorous {
namespace {

constexpr Real kRowSlack = 2e-9L;   ///< rows sum to 1 within 1e-9
constexpr Real kMeanSlack = 2e-9L;  ///< sums of rewards were rounded
constexpr Real kSpreadSlack = 1e-12L;

/// Whether the row that begins there is within the set.
bool is_within(const RowSet& set, const std::vector<Real>& table, std::size_t begin) {
  if (set.all == 0) return true;
  Real apart = 0;
  for (std::size_t s = 0; s < set.seen.size(); ++s) {
    const Real more = table[begin + s] - set.seen[s] / set.all;
    if (more > set.gain[s] + kRowSlack || -more > set.loss[s] + kRowSlack) return false;
    apart += std::abs(more) / 2;
  }
  return apart <= set.reach + kRowSlack;
}

std::vector<Real> part_of(const std::vector<Real>& table, std::size_t begin, std::size_t length) {
  const auto from = table.begin() + static_cast<std::ptrdiff_t>(begin);
  return {from, from + static_cast<std::ptrdiff_t>(length)};
}

Expected<void> check_rows(const Question& q, const Json& model) {
  const Split split = split_of(q);
  const std::vector<Real> initial = numbers_in<double>(model.at("initial"));
  const std::vector<Real> transition = numbers_in<double>(model.at("transition"));
  const bool changes = model.contains("periods");
  const std::string refuted = "the counts refute it: they are not of people of this model";
  for (std::size_t g = 0; g < q.groups; ++g) {
    const RowSet first = set_of(part_of(q.first, g * q.states, q.states), {q.lost.first[g], q.lost.in_doubt[g]}, split);
    if (!is_within(first, initial, g * q.states)) return fail(refuted, fmt::format("/inputs/model/text/initial/{}", g));
    for (std::size_t row = 0; row < q.rows(); ++row) {
      const std::size_t cell = row % q.cells;
      const RowSet set = set_of(part_of(q.transitions, (g * q.rows() + row) * q.states, q.states),
                                {q.lost.transitions[g * q.cells + cell], 0}, split);
      // A model without periods has one kernel for all of them.
      const std::size_t at = changes ? g * q.rows() + row : g * q.cells + cell;
      if (is_within(set, transition, at * q.states)) continue;
      const std::string period = changes ? fmt::format("/{}", row / q.cells) : "";
      return fail(refuted, fmt::format("/inputs/model/text/transition/{}{}/{}/{}/{}", g, period, cell / 4, cell / 2 % 2,
                                       cell % 2));
    }
  }
  return {};
}

Expected<void> check_means(const Question& q, const Json& model) {
  if (std::all_of(q.reward_squares.begin(), q.reward_squares.end(), [](Real sum) { return sum == 0; })) return {};
  const std::vector<Real> noise = model.contains("reward_noise") ? numbers_in<double>(model.at("reward_noise"))
                                                                 : std::vector<Real>(q.reward.size());
  const Interval delta = Interval(q.delta) / static_cast<Real>(q.reward.size());
  for (std::size_t at = 0; at < q.reward.size(); ++at) {
    const std::size_t cell = at % q.cells;
    const Real n = q.visits_of(at / q.cells, cell);
    if (n == 0) continue;
    const Real missing = q.lost.cells[at];
    const Real mean = q.reward_sum[at] / n;
    const Real squares = q.reward_squares[at] / n;
    const Real spread = std::sqrt(std::max(Real{0}, squares - mean * mean) + kSpreadSlack * squares);
    const Real reach = greatest_radius(n, n + missing, log(Interval(2)), delta) + missing / (n + missing);
    const Real room = 2 * std::max(noise[at], spread) * reach * (1 + kMeanSlack) +
                      kMeanSlack * std::max(std::abs(mean), std::abs(q.reward[at]));
    if (std::abs(mean - q.reward[at]) > room)
      return fail("the counted rewards refute it",
                  fmt::format("/inputs/model/text/reward/{}/{}/{}/{}", at / q.cells, cell / 4, cell / 2 % 2, cell % 2));
  }
  return {};
}

}  // namespace

Expected<void> check_known_model(const Question& q, const Documents& documents) {
  if (!documents.model) return {};
  if (auto ok = check_rows(q, *documents.model); !ok) return ok;
  return check_means(q, *documents.model);
}

}  // namespace fairstep::rigorous
