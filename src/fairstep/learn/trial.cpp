#include <fairstep/learn/trial.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fairstep/simulate/simulate.hpp>

namespace fairstep {
namespace {

constexpr double kNormal95 = 1.959963984540054;
/// Trials draw from streams that no phase of a run uses.
constexpr std::uint64_t kTrialStreams = std::uint64_t{1} << 62;

/// Mean and squared deviations of the people's totals, one by one (Welford).
class Totals {
 public:
  void add(double total) {
    ++people_;
    const double before = total - mean_;
    mean_ += before / static_cast<double>(people_);
    squares_ += before * (total - mean_);
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance_of_mean() const {
    return people_ < 2 ? 0 : squares_ / static_cast<double>(people_ - 1) / static_cast<double>(people_);
  }

 private:
  std::uint64_t people_ = 0;
  double mean_ = 0, squares_ = 0;
};

/// How many of those whom a rate is about were accepted.
struct Tally {
  std::uint64_t accepted = 0, people = 0;
  [[nodiscard]] double rate() const { return static_cast<double>(accepted) / static_cast<double>(people); }
  [[nodiscard]] double variance() const { return rate() * (1 - rate()) / static_cast<double>(people); }
};

/// The rates that a notion compares: P(a=1) of everybody, or of one label, or of each label.
std::vector<std::vector<std::size_t>> compared(Notion notion) {
  if (notion == Notion::dp) return {{0, 1}};
  if (notion == Notion::eqopt) return {{1}};
  return {{1}, {0}};
}

/// What the least ratio at a step lacks to its limit, and half of its interval: by the first terms of its error in both
/// rates.
std::pair<double, double> lacking(const Tensor<Tally, 3>& tally, const StepwiseRatio& wanted, std::size_t h) {
  std::vector<Tally> of_group;
  for (std::size_t g = 0; g < tally.extents()[0]; ++g) {
    Tally all = tally(g, h, 1);
    if (wanted.notion == RatioNotion::dp) {
      all.accepted += tally(g, h, 0).accepted;
      all.people += tally(g, h, 0).people;
    }
    of_group.push_back(all);
  }
  double least = std::nan(""), off = 0;
  for (std::size_t j = 0; j < of_group.size(); ++j) {
    const Tally& below = of_group[j];
    if ((wanted.reference && j != *wanted.reference) || below.accepted == 0) continue;
    for (std::size_t i = 0; i < of_group.size(); ++i) {
      const Tally& above = of_group[i];
      if (i == j || above.people == 0 || above.rate() / below.rate() >= least) continue;  // never of a NaN
      least = above.rate() / below.rate();
      off = std::sqrt(above.variance() + least * least * below.variance()) / below.rate();
    }
  }
  const double lacks = std::fmax(0.0, limit_at(wanted, h) - least);
  return {lacks, kNormal95 * off};
}

}  // namespace

Expected<Trial> try_out(const Model& model, const Policy& policy, Notion notion, std::uint64_t people,
                        std::uint64_t seed, std::uint64_t number, const std::stop_token& stop,
                        const std::optional<StepwiseRatio>& ratio) {
  const ModelSpec& spec = model.spec();
  const auto everybody_stays = Model::make({.horizon = spec.horizon,
                                            .names = spec.names,
                                            .share = spec.share,
                                            .initial = spec.initial,
                                            .transition = spec.transition,
                                            .reward = spec.reward,
                                            .reward_noise = spec.reward_noise,
                                            .discount = spec.discount});
  if (!everybody_stays) return tl::unexpected(everybody_stays.error());

  const Shape& n = model.shape();
  std::vector<Totals> totals(n.groups);
  Tensor<Tally, 3> tally({n.groups, n.horizon, kLabels});
  double total = 0, factor = 1;
  SimulateOptions options;
  options.crowd = {people, true};
  options.seed = seed;
  options.stream = kTrialStreams + number;
  options.stop = stop;
  const auto walked = simulate_log(*everybody_stays, policy, options, [&](std::span<const Decision> decisions) {
    for (const Decision& d : decisions) {
      Tally& here = tally(d.group, d.step, d.y);
      here.accepted += d.a;
      ++here.people;
      total += factor * d.reward;
      factor *= model.discount();
      if (d.step + 1 < n.horizon) continue;
      totals[d.group].add(total);
      total = 0;
      factor = 1;
    }
    return true;
  });
  if (!walked) return tl::unexpected(walked.error());

  Trial trial;
  trial.people = people;
  double variance = 0;
  for (std::size_t g = 0; g < n.groups; ++g) {
    trial.value.mean += model.share(g) * totals[g].mean();
    variance += model.share(g) * model.share(g) * totals[g].variance_of_mean();
  }
  const double half = kNormal95 * std::sqrt(variance);
  trial.value.low = trial.value.mean - half;
  trial.value.high = trial.value.mean + half;

  double reach = 0;
  for (std::size_t h = 0; h < n.horizon; ++h) {
    double widest = std::nan(""), uncertain = 0;
    for (const auto& labels : compared(notion))
      for (std::size_t i = 0; i < n.groups; ++i)
        for (std::size_t j = i + 1; j < n.groups; ++j) {
          Tally first, second;
          for (const std::size_t y : labels)
            for (const auto& [from, into] : {std::pair{&tally(i, h, y), &first}, {&tally(j, h, y), &second}}) {
              into->accepted += from->accepted;
              into->people += from->people;
            }
          if (first.people == 0 || second.people == 0) continue;  // nobody to compare
          const double gap = std::abs(first.rate() - second.rate());
          if (gap < widest) continue;  // never of a NaN
          widest = gap;
          uncertain = kNormal95 * std::sqrt(first.variance() + second.variance());
        }
    trial.gap.push_back(widest);
    if (ratio) {
      const auto [lacks, off] = lacking(tally, *ratio, h);
      trial.violation.mean += lacks / static_cast<double>(n.horizon);
      reach += off / static_cast<double>(n.horizon);
      continue;
    }
    trial.violation.mean += (std::isnan(widest) ? 0 : widest) / static_cast<double>(n.horizon);
    reach += uncertain / static_cast<double>(n.horizon);
  }
  trial.violation.low = std::max(0.0, trial.violation.mean - reach);
  trial.violation.high = std::min(1.0, trial.violation.mean + reach);
  return trial;
}

}  // namespace fairstep
