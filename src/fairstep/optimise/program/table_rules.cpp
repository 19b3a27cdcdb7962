#include <fairstep/optimise/program/table_rules.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fairstep {

bool TableRules::narrow(Box& box) const {
  const std::size_t n = shape.features;
  if (stationary)
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t h = 1; h < shape.horizon; ++h) {
        box.lo[x] = std::max(box.lo[x], box.lo[h * n + x]);
        box.hi[x] = std::min(box.hi[x], box.hi[h * n + x]);
      }
    }
  for (std::size_t h = 0; h < (stationary ? 1 : shape.horizon); ++h)
    for (const std::vector<std::size_t>& chain : chains) {
      double* lo = box.lo.data() + h * n;
      double* hi = box.hi.data() + h * n;
      // Above one that is off the floor all are at the ceiling, below one that is off the ceiling all at the floor.
      for (std::size_t i = 0; one_cut && i < chain.size(); ++i)
        for (std::size_t j = 0; j < chain.size(); ++j) {
          if (j > i && lo[chain[i]] > floor) lo[chain[j]] = std::max(lo[chain[j]], ceiling);
          if (j < i && hi[chain[i]] < ceiling) hi[chain[j]] = std::min(hi[chain[j]], floor);
        }
      for (std::size_t i = 1; i < chain.size(); ++i) lo[chain[i]] = std::max(lo[chain[i]], lo[chain[i - 1]]);
      for (std::size_t i = chain.size() - 1; i > 0; --i) hi[chain[i - 1]] = std::min(hi[chain[i - 1]], hi[chain[i]]);
    }
  if (stationary)
    for (std::size_t i = n; i < box.lo.size(); ++i) {
      box.lo[i] = box.lo[i % n];
      box.hi[i] = box.hi[i % n];
    }
  for (std::size_t i = 0; i < box.lo.size(); ++i)
    if (box.lo[i] > box.hi[i]) return false;
  return true;
}

void TableRules::settle(std::span<double> table) const {
  const std::size_t n = shape.features;
  if (stationary)
    for (std::size_t x = 0; x < n; ++x) {
      double sum = 0, least = table[x], most = table[x];
      for (std::size_t h = 0; h < shape.horizon; ++h) {
        sum += table[h * n + x];
        least = std::min(least, table[h * n + x]);
        most = std::max(most, table[h * n + x]);
      }
      const double mean = std::clamp(sum / static_cast<double>(shape.horizon), least, most);  // alike, they stay so
      for (std::size_t h = 0; h < shape.horizon; ++h) table[h * n + x] = mean;
    }
  // Neighbours that fall are put at their mean, until none does (pool adjacent violators).
  struct Pool {
    double mean;
    std::size_t size;
  };
  std::vector<Pool> pools;
  for (std::size_t h = 0; h < shape.horizon; ++h)
    for (const std::vector<std::size_t>& chain : chains) {
      pools.clear();
      for (const std::size_t x : chain) {
        pools.push_back({table[h * n + x], 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean > pools.back().mean) {
          const Pool last = pools.back();
          pools.pop_back();
          Pool& into = pools.back();
          const auto a = static_cast<double>(into.size), b = static_cast<double>(last.size);
          into = {std::clamp((a * into.mean + b * last.mean) / (a + b), last.mean, into.mean), into.size + last.size};
        }
      }
      std::size_t i = 0;
      for (const Pool& pool : pools)
        for (std::size_t k = 0; k < pool.size; ++k) table[h * n + chain[i++]] = pool.mean;
    }
}

std::vector<TableRules::Row> TableRules::rows() const {
  const std::size_t n = shape.features;
  std::vector<Row> rows;
  for (std::size_t h = 0; h < (stationary ? 1 : shape.horizon); ++h)
    for (const std::vector<std::size_t>& chain : chains)
      for (std::size_t i = 0; i + 1 < chain.size(); ++i)
        rows.push_back({h * n + chain[i], h * n + chain[i + 1], false});
  if (stationary)
    for (std::size_t i = n; i < n * shape.horizon; ++i) rows.push_back({i - n, i, true});
  return rows;
}

bool TableRules::kept_by(std::span<const double> table, double rounding) const {
  const std::vector<Row> all = rows();
  for (const Row& row : all) {
    const double rise = table[row.higher] - table[row.lower];
    if (rise < -rounding || (row.equal && rise > rounding)) return false;
  }
  if (!one_cut) return true;
  for (std::size_t h = 0; h < shape.horizon; ++h)
    for (const std::vector<std::size_t>& chain : chains) {
      const auto between = std::count_if(chain.begin(), chain.end(), [&](std::size_t x) {
        const double p = table[h * shape.features + x];
        return p > floor + rounding && p < ceiling - rounding;
      });
      if (between > 1) return false;
    }
  return true;
}

RisingRows::RisingRows(const FeatureOrder& chains, std::span<const double> lo, std::span<const double> hi) {
  std::vector<double> levels;
  for (const std::vector<std::size_t>& features : chains) {
    Chain chain{&features, lo[features.front()]};
    levels.clear();
    for (const std::size_t x : features) {
      levels.push_back(lo[x]);
      levels.push_back(hi[x]);
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    // Both ends rise along the chain: who may be lifted, and who must be, are all from some place on.
    std::size_t first = 0, last = 0;
    for (std::size_t k = 1; k < levels.size(); ++k) {
      while (first < features.size() && hi[features[first]] < levels[k]) ++first;
      while (last < features.size() && lo[features[last]] < levels[k]) ++last;
      chain.lifts.push_back({levels[k], levels[k] - levels[k - 1], first, last});
    }
    chains_.push_back(std::move(chain));
  }
}

double RisingRows::best(std::span<const double> gain, std::span<double> row) const {
  double total = 0;
  for (const Chain& chain : chains_) {
    const std::vector<std::size_t>& features = *chain.features;
    double all = 0;
    for (const std::size_t x : features) all += gain[x];
    for (std::size_t i = 0; i < features.size() && !row.empty(); ++i) row[features[i]] = chain.ground;
    total += chain.ground * all;
    for (const Lift& lift : chain.lifts) {
      // Those from `last` on are lifted whatever they gain.
      double sum = 0;
      for (std::size_t i = features.size(); i-- > lift.last;) sum += gain[features[i]];
      double most = sum;
      std::size_t from = lift.last;
      for (std::size_t i = lift.last; i-- > lift.first;) {
        sum += gain[features[i]];
        if (sum > most) {
          most = sum;
          from = i;
        }
      }
      total += lift.height * most;
      for (std::size_t i = from; i < features.size() && !row.empty(); ++i) row[features[i]] = lift.level;
    }
  }
  return total;
}

}  // namespace fairstep
