#include <fairstep/diagnose/strata.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fairstep/diagnose/hypergeometric.hpp>

namespace fairstep {
namespace {

using Share = Strata::Share;

std::int64_t people_in(const std::vector<Share>& shares) {
  std::int64_t people = 0;
  for (const Share& share : shares) people += share.second;
  return people;
}

bool varies(const Strata::Row& row) { return row.strata.size() > 1 && row.outcomes.size() > 1; }

/// Tables by stratum and outcome, always as what they exceed the expected table by.
class Permutation {
 public:
  explicit Permutation(const Strata& strata)
      : strata_(strata), outcomes_(strata.outcomes), variance_(strata.seen.size()), people_(strata.strata()) {
    for (std::size_t k = 0; k < people_.size(); ++k)
      for (std::size_t o = 0; o < outcomes_; ++o) {
        people_[k] += static_cast<double>(strata.seen[k * outcomes_ + o]);
        all_ += static_cast<double>(strata.seen[k * outcomes_ + o]);
      }
    for (const Strata::Row& row : strata.rows) {
      if (!varies(row)) continue;
      const auto n = static_cast<double>(people_in(row.strata));
      for (const auto& [k, size] : row.strata)
        for (const auto& [o, times] : row.outcomes) {
          const double share = static_cast<double>(times) / n;
          const auto here = static_cast<double>(size);
          variance_[k * outcomes_ + o] += here * (1 - here / n) * share * (1 - share) * (n / (n - 1));
        }
    }
  }

  [[nodiscard]] std::vector<double> seen() const {
    std::vector<double> table(strata_.seen.begin(), strata_.seen.end());
    for (const Strata::Row& row : strata_.rows) expect(row, table);
    return table;
  }

  /// False if it was stopped.
  [[nodiscard]] bool draw(Rng& rng, std::vector<double>& table, const std::function<bool()>& stop) {
    std::fill(table.begin(), table.end(), 0.0);
    for (const Strata::Row& row : strata_.rows) {
      if (!varies(row)) continue;
      if (stop && stop()) return false;
      const std::size_t entries = row.strata.size() * row.outcomes.size();
      if (people_in(row.strata) < static_cast<std::int64_t>(16 * entries))
        shuffle(row, rng, table);
      else
        split(row, rng, table);
      expect(row, table);
    }
    return true;
  }

  /// Squared distances in units of their variance, with one person's worth added to it: where next to nobody is
  /// expected a single person is no evidence.
  [[nodiscard]] double distance(const std::vector<double>& table) const {
    double sum = 0;
    for (std::size_t i = 0; i < table.size(); ++i) sum += table[i] * table[i] / (variance_[i] + 1);
    return sum;
  }

  [[nodiscard]] double effect(const std::vector<double>& table, const EffectSize& effect) const {
    double sum = 0;
    for (std::size_t k = 0; k < people_.size(); ++k) {
      if (people_[k] == 0) continue;
      const double weight = effect.sum == EffectSize::Sum::over_strata ? 1 / people_[k] : effect.factor / all_;
      sum += weight * moved(table, k);
    }
    return sum;
  }

  [[nodiscard]] std::size_t worst(const std::vector<double>& table) const {
    std::size_t worst = 0;
    double most = -1;
    for (std::size_t k = 0; k < people_.size(); ++k) {
      double far = 0;
      for (std::size_t i = k * outcomes_; i < (k + 1) * outcomes_; ++i) far += table[i] * table[i] / (variance_[i] + 1);
      if (far <= most) continue;
      most = far;
      worst = k;
    }
    return worst;
  }

 private:
  /// People of a stratum who would have to be elsewhere.
  [[nodiscard]] double moved(const std::vector<double>& table, std::size_t k) const {
    double sum = 0;
    for (std::size_t o = 0; o < outcomes_; ++o) sum += std::abs(table[k * outcomes_ + o]);
    return sum / 2;
  }

  void expect(const Strata::Row& row, std::vector<double>& table) const {
    const auto n = static_cast<double>(people_in(row.strata));
    for (const auto& [k, size] : row.strata)
      for (const auto& [o, times] : row.outcomes)
        table[k * outcomes_ + o] -= static_cast<double>(size) * (static_cast<double>(times) / n);
  }

  /// Few people: one by one, each outcome of those left with the same chance.
  void shuffle(const Strata::Row& row, Rng& rng, std::vector<double>& table) {
    bag_.clear();
    for (const auto& [o, times] : row.outcomes) bag_.insert(bag_.end(), static_cast<std::size_t>(times), o);
    std::size_t left = bag_.size();
    for (const auto& [k, size] : row.strata)
      for (std::int64_t i = 0; i < size; ++i, --left) {
        __extension__ using Wide = unsigned __int128;
        const auto taken = static_cast<std::size_t>((static_cast<Wide>(rng()) * left) >> 64U);
        table[k * outcomes_ + bag_[taken]] += 1;
        bag_[taken] = bag_[left - 1];
      }
  }

  /// Many: stratum after stratum takes its share of each outcome that is left.
  void split(const Strata::Row& row, Rng& rng, std::vector<double>& table) {
    left_ = row.outcomes;
    std::int64_t others = people_in(row.strata);
    for (const auto& [k, size] : row.strata) {
      std::int64_t wanted = size;
      std::int64_t rest = others;
      for (auto& [o, times] : left_) {
        rest -= times;
        const std::int64_t taken = hypergeometric(times, rest, wanted, rng);
        table[k * outcomes_ + o] += static_cast<double>(taken);
        times -= taken;
        wanted -= taken;
      }
      others -= size;
    }
  }

  const Strata& strata_;
  std::size_t outcomes_;
  std::vector<double> variance_;  ///< [stratum,outcome]
  std::vector<double> people_;    ///< [stratum]
  double all_ = 0;
  std::vector<std::size_t> bag_{};
  std::vector<Share> left_{};
};

}  // namespace

bool can_vary(const Strata& strata) { return std::any_of(strata.rows.begin(), strata.rows.end(), varies); }

std::vector<double> permuted_table(const Strata& strata, Rng& rng) {
  std::vector<double> table(strata.seen.size());
  std::ignore = Permutation(strata).draw(rng, table, {});
  return table;
}

Permuted permute(const Strata& strata, const EffectSize& effect, std::size_t most, Rng rng,
                 const std::function<bool()>& stop) {
  constexpr std::size_t enough = 20;
  Permuted result;
  if (!can_vary(strata)) return result;
  Permutation permutation(strata);
  std::vector<double> table = permutation.seen();
  result.worst = permutation.worst(table);
  const double seen = permutation.effect(table, effect);
  // Equal distances may differ in their last digits, added up in another order.
  const double far = permutation.distance(table) * (1 - 1e-9);
  std::size_t drawn = 0;
  std::size_t as_far = 0;
  double chance = 0;
  while (drawn < most && as_far < enough) {
    if (!permutation.draw(rng, table, stop)) {
      result.stopped = true;
      return result;
    }
    ++drawn;
    chance += permutation.effect(table, effect);
    if (permutation.distance(table) >= far) ++as_far;
  }
  result.tested = true;
  result.p_value = as_far == enough ? static_cast<double>(enough) / static_cast<double>(drawn)
                                    : static_cast<double>(1 + as_far) / static_cast<double>(1 + drawn);
  result.effect = std::clamp(seen - chance / static_cast<double>(drawn), 0.0, 1.0);
  return result;
}

}  // namespace fairstep
