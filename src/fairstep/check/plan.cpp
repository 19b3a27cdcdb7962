#include <fairstep/check/plan.hpp>

#include <numeric>

namespace fairstep::rigorous {

Interval Plan::Row::mean(const std::vector<Interval>& f) const {
  Interval sum;
  if (all == 0) {
    for (const Interval& value : f) sum = sum + value;
    return sum / static_cast<Real>(f.size());
  }
  for (std::size_t s = 0; s < f.size(); ++s)
    if (seen[s] > 0) sum = sum + f[s] * seen[s];
  return sum / all;
}

Real Plan::Row::share(std::size_t s) const { return all == 0 ? 1 / static_cast<Real>(seen.size()) : seen[s] / all; }

Plan::Plan(const Question& q, std::size_t g) {
  const auto row_at = [&](const std::vector<Real>& table, std::size_t row) {
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(row * q.states);
    Row found{{begin, begin + static_cast<std::ptrdiff_t>(q.states)}, 0, 0};
    found.all = std::accumulate(found.seen.begin(), found.seen.end(), Real{0});
    found.planned = found.all * (1 - q.design->share) / q.design->share;
    return found;
  };
  first_ = row_at(q.design->first, g);
  for (std::size_t row = 0; row < q.rows(); ++row) rows_.push_back(row_at(q.design->transitions, g * q.rows() + row));

  reached_.assign(q.horizon, std::vector<Real>(q.states));
  for (std::size_t s = 0; s < q.states; ++s) reached_[0][s] = first_.share(s);
  for (std::size_t t = 0; t + 1 < q.horizon; ++t)
    for (std::size_t cell = 0; cell < q.cells; ++cell) {
      const Real p = q.accepted(g, t, cell / 4);
      const Real here = reached_[t][cell / 2] * (cell % 2 == 1 ? p : 1 - p);
      if (here == 0) continue;
      for (std::size_t s = 0; s < q.states; ++s) reached_[t + 1][s] += here * rows_[q.row_at(t, cell)].share(s);
    }
}

}  // namespace fairstep::rigorous
