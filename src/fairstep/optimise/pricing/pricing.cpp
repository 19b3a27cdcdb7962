#include <fairstep/optimise/pricing/pricing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fairstep/evaluate/passes.hpp>

namespace fairstep {

Pricing::Pricing(const Program& program, std::size_t grid_points, Deadline deadline)
    : program_(program), deadline_(std::move(deadline)) {
  const Shape& n = program.shape();
  for (std::size_t g = 0; g < n.groups; ++g) {
    grids_.emplace_back(*program.model, g, grid_points, deadline_);
    reward_.emplace_back(n.horizon * n.cells());
    worth_.emplace_back();
    mass_.emplace_back(n.horizon * n.states());
  }
  next_.resize(n.groups * n.states());
  here_.resize(n.groups * n.states());
  q_.resize(n.groups * n.cells());
  gain_.resize(n.features);
}

void Pricing::set_prices(std::span<const double> price, double value_weight) {
  for (std::size_t g = 0; g < program_.shape().groups; ++g) price_rewards(program_, g, price, value_weight, reward_[g]);
}

Priced Pricing::ascend(std::size_t block, const Box& box, std::span<const double> start) {
  const Shape& n = program_.shape();
  const Model& model = *program_.model;
  Priced result;
  result.accept.assign(start.begin(), start.end());
  result.value = -std::numeric_limits<double>::infinity();
  const std::vector<RisingRows> rows = rows_in(box);
  std::vector<double> row(rows.empty() ? 0 : n.features);
  // Each sweep is at least as good as the last; it ends when a sweep changes nothing. The cap is never met in practice.
  for (int sweep = 0; sweep < 50; ++sweep) {
    for (const std::size_t g : program_.blocks[block].groups)
      forward(model.kernels(g), model.initial(g), result.accept, mass_[g], deadline_.at_work());
    std::fill(next_.begin(), next_.end(), 0.0);
    bool changed = false;
    double total = 0;
    for (std::size_t h = n.horizon; h-- > 0;) {
      std::fill(gain_.begin(), gain_.end(), 0.0);
      for (const std::size_t g : program_.blocks[block].groups) {
        const KernelView kernel = model.kernel(g, h);
        const double* pay = reward_[g].data() + h * n.cells();
        double* q = q_.data() + g * n.cells();
        deadline_.work(n.cells() * n.states());
        for (std::size_t cell = 0; cell < n.cells(); ++cell)
          q[cell] = pay[cell] + (h + 1 < n.horizon ? kernel.expect(cell, next_.data() + g * n.states()) : 0.0);
        for (std::size_t s = 0; s < n.states(); ++s)
          gain_[s / kLabels] += mass_[g][h * n.states() + s] * (q[2 * s + 1] - q[2 * s]);
      }
      if (!rows.empty()) rows[h].best(gain_, row);
      for (std::size_t x = 0; x < n.features; ++x) {
        const std::size_t at = h * n.features + x;
        const double best = !rows.empty() ? row[x] : gain_[x] > 0 ? box.hi[at] : box.lo[at];
        changed = changed || best != result.accept[at];
        result.accept[at] = best;
      }
      for (const std::size_t g : program_.blocks[block].groups) {
        const double* q = q_.data() + g * n.cells();
        double* v = here_.data() + g * n.states();
        for (std::size_t s = 0; s < n.states(); ++s) {
          const double p = result.accept[h * n.features + s / kLabels];
          v[s] = (1 - p) * q[2 * s] + p * q[2 * s + 1];
          if (h == 0) total += mass_[g][s] * v[s];
        }
      }
      std::swap(here_, next_);
    }
    const double before = result.value;
    result.value = total;
    if (!changed || total <= before + 1e-15 * std::abs(before)) break;
  }
  return result;
}

void Pricing::keep_better(Priced found, Priced& best) {
  if (found.value <= best.value) return;
  best.value = found.value;
  best.accept = std::move(found.accept);
}

std::vector<RisingRows> Pricing::rows_in(const Box& box) const {
  const Shape& n = program_.shape();
  std::vector<RisingRows> rows;
  for (std::size_t h = 0; rising() && h < n.horizon; ++h)
    rows.emplace_back(program_.rules.chains, std::span(box.lo).subspan(h * n.features, n.features),
                      std::span(box.hi).subspan(h * n.features, n.features));
  return rows;
}

double Pricing::remembering_bound(std::size_t block, const Box& box) {
  double total = 0;
  if (const std::vector<RisingRows> rows = rows_in(box); !rows.empty()) {
    for (const std::size_t g : program_.blocks[block].groups)
      total += grids_[g].rising_bound(reward_[g], rows, worth_[g], deadline_);
    return total;
  }
  for (const std::size_t g : program_.blocks[block].groups)
    total += grids_[g].bound(reward_[g], box.lo, box.hi, worth_[g], deadline_);
  return total;
}

Pricing::Votes Pricing::votes_of(std::size_t block, const Box& box) {
  Votes votes{std::vector<double>(box.lo.size(), 0.0), std::vector<double>(box.lo.size(), 0.0)};
  if (const std::vector<RisingRows> rows = rows_in(box); !rows.empty()) {
    for (const std::size_t g : program_.blocks[block].groups)
      grids_[g].add_rising_votes(worth_[g], rows, votes.in_favour, votes.against, scratch_, deadline_);
    return votes;
  }
  for (const std::size_t g : program_.blocks[block].groups)
    grids_[g].add_votes(worth_[g], box.lo, box.hi, votes.in_favour, votes.against, scratch_, deadline_);
  return votes;
}

std::vector<double> Pricing::majority(const Box& box, const Votes& votes) const {
  std::vector<double> table(box.lo.size());
  if (const std::vector<RisingRows> rows = rows_in(box); !rows.empty()) {
    const std::size_t features = program_.shape().features;
    std::vector<double> gain(features);
    for (std::size_t h = 0; h < rows.size(); ++h) {
      for (std::size_t x = 0; x < features; ++x)
        gain[x] = votes.in_favour[h * features + x] - votes.against[h * features + x];
      rows[h].best(gain, std::span(table).subspan(h * features, features));
    }
    return table;
  }
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = votes.in_favour[i] > votes.against[i] ? box.hi[i] : box.lo[i];
  return table;
}

std::vector<Priced> Pricing::search(std::size_t block, const Box& box, std::span<const std::vector<double>> starts,
                                    double* remembering) {
  const double bound = remembering_bound(block, box);
  if (remembering != nullptr) *remembering = bound;
  std::vector<Priced> found{ascend(block, box, majority(box, votes_of(block, box)))};
  for (const std::vector<double>& start : starts) {
    Priced other = ascend(block, box, start);
    if (std::none_of(found.begin(), found.end(), [&](const Priced& one) { return one.accept == other.accept; }))
      found.push_back(std::move(other));
  }
  std::iter_swap(found.begin(),
                 std::max_element(found.begin(), found.end(),
                                  [](const Priced& one, const Priced& other) { return one.value < other.value; }));
  return found;
}

}  // namespace fairstep
