// What certificates of two parts give beside those of a whole log: how narrow they are as data grow, on short logs
// beside plain intervals for a mean, and how long they take.
//
//   two_parts_scenarios [--share 0.15]
//
// `people` is the number of each group in total: the whole log for today's bound and for the bootstrap, and both parts
// together for the new one. Policies are fixed beforehand: the best ones without a gap of the notion.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/document.hpp>
#include <fairstep/check/check.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/core/split.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/estimate/proportion.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/simulate/binomial.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "certified_gaps.hpp"
#include "scenario.hpp"

namespace {

using fairstep::CertifyOptions;
using fairstep::Counts;
using fairstep::Model;
using fairstep::Notion;
using fairstep::Policy;
using fairstep::Range;
using fairstep::bench::bootstrap_dp;
using fairstep::bench::fair_policy;
using fairstep::bench::least_seconds;
using fairstep::bench::must;
using fairstep::bench::row;

constexpr double kDelta = 0.05;

struct Log {
  Counts whole, design, audit;
};

Log log_of_parts(Counts design, Counts audit, double share) {
  const auto part = [&, log = fingerprint(design)](fairstep::PartRole role) {
    return fairstep::Part{role, {share, 1}, {log}};
  };
  Counts whole = design;
  must(whole.add(audit).map([] { return 0; }));
  must(design.mark(part(fairstep::PartRole::design)).map([] { return 0; }));
  must(audit.mark(part(fairstep::PartRole::audit)).map([] { return 0; }));
  return {std::move(whole), std::move(design), std::move(audit)};
}

/// So many people of each group, of whom each belongs to the design part with the chance `share`. The groups' numbers
/// there are the same, so that crowds can be drawn.
Log log_of(const Model& model, const Policy& met, std::uint64_t people, double share) {
  fairstep::Rng rng(1, 5);
  const auto design = static_cast<std::uint64_t>(fairstep::binomial(static_cast<std::int64_t>(people), share, rng));
  return log_of_parts(must(simulate_counts(model, met, {{design, true}, 1, 1, 1})),
                      must(simulate_counts(model, met, {{people - design, true}, 1, 2, 1})), share);
}

Policy coin_for(const Model& model) {
  const auto& n = model.shape();
  return must(Policy::make_group_independent(fairstep::Tensor<double, 2>({n.horizon, n.features}, 0.5)));
}

CertifyOptions only(Notion notion) {
  CertifyOptions options;
  options.delta = kDelta;
  options.notions = {notion};
  return options;
}

double today(const Log& log, const Policy& policy, Notion notion) {
  return worst_gap(must(certify(log.whole, policy, only(notion))).gap);
}

double split(const Log& log, const Policy& policy, Notion notion) {
  return worst_gap(must(certify(log.audit, policy, only(notion), {}, &log.design)).gap);
}

void widths_as_data_grow(const Model& model, double share) {
  const Policy policy = fair_policy(model, Notion::dp);
  const Policy coin = coin_for(model);
  for (int power = 12; power <= 22; power += 2)
    for (const bool met : {false, true}) {
      const std::uint64_t people = std::uint64_t{1} << power;
      const Log log = log_of(model, met ? policy : coin, people, share);
      row("parts", "fico", "people", people, "share", share, "delta", kDelta, "met", met, "today",
          today(log, policy, Notion::dp), "split", split(log, policy, Notion::dp), "bootstrap",
          bootstrap_dp(log.whole, policy));
    }
}

void widths_of_worlds(const std::string& name, const Model& model, double share) {
  for (const Notion notion : {Notion::dp, Notion::eqopt}) {
    const Policy policy = fair_policy(model, notion);
    const std::uint64_t people = 1 << 18;
    const Log log = log_of(model, coin_for(model), people, share);
    row("worlds", name, "notion", name_of(notion), "people", people, "share", share, "delta", kDelta, "today",
        today(log, policy, notion), "split", split(log, policy, notion));
  }
}

/// The p at which so many successes or more have this chance, from below.
double clopper_pearson_low(std::int64_t k, std::int64_t n, double tail) {
  double low = 0;
  double high = static_cast<double>(k) / static_cast<double>(n);
  for (int i = 0; i < 60; ++i) {
    const double p = (low + high) / 2;
    double chance = 0;
    for (std::int64_t j = k; j <= n; ++j) chance += std::exp(fairstep::log_binomial(j, n, p));
    (chance < tail ? low : high) = p;
  }
  return low;
}

Range clopper_pearson(std::int64_t k, std::int64_t n, double tail) {
  return {k == 0 ? 0 : clopper_pearson_low(k, n, tail), k == n ? 1 : 1 - clopper_pearson_low(n - k, n, tail)};
}

/// Maurer and Pontil 2009: the mean of n numbers between 0 and 1, each end for `tail`.
Range empirical_bernstein(double mean, double variance, double n, double tail) {
  const double log = std::log(2 / tail);
  const double radius = std::sqrt(2 * variance * log / n) + 7 * log / (3 * (n - 1));
  return {mean - radius, mean + radius};
}

/// What a plain interval says of P(a_0 = 1), each of its ends for `tail`.
Range plain_interval(const Counts& audit, const Policy& policy, std::size_t g, bool certain, double tail) {
  const auto n = static_cast<double>(audit.people(g));
  double sum = 0;
  double squares = 0;
  for (std::size_t x = 0; x < audit.shape().features; ++x) {
    const double accept = policy.accept(g, 0, x);
    const auto here = static_cast<double>(audit.first()(g, x, 0) + audit.first()(g, x, 1));
    sum += here * accept;
    squares += here * accept * accept;
  }
  if (certain) return clopper_pearson(std::llround(sum), audit.people(g), tail);
  return empirical_bernstein(sum / n, (squares - sum * sum / n) / (n - 1), n, tail);
}

constexpr std::array<std::int64_t, 3> kShortPeople{3175, 2103, 509};
constexpr std::size_t kBands = 10;

/// Everybody above a score is accepted, or the chance rises with the score.
Policy short_policy(bool certain) {
  fairstep::Tensor<double, 2> accept({1, kBands});
  for (std::size_t x = 0; x < kBands; ++x)
    accept(0, x) = certain ? (x >= kBands / 2 ? 1 : 0) : 0.1 + 0.08 * static_cast<double>(x);
  return must(Policy::make_group_independent(accept));
}

/// Three groups as large as COMPAS's and one step.
Log draw_short_log(double share, std::uint64_t seed) {
  fairstep::Names names;
  names.groups = {"a", "b", "c"};
  for (std::size_t x = 0; x < kBands; ++x) names.features.push_back("band " + std::to_string(x));
  fairstep::Rng rng(seed, 6);
  auto design = fairstep::CountsSpec::zeros(1, names);
  auto audit = design;
  for (std::size_t g = 0; g < 3; ++g)
    for (std::int64_t i = 0; i < kShortPeople[g]; ++i) {
      // Scores of the groups differ: the lowest of 1, 2 or 3 is the more likely low.
      double score = rng.uniform();
      for (std::size_t j = 0; j < g; ++j) score = std::min(score, 0.3 + 0.7 * rng.uniform());
      const auto x = std::min(kBands - 1, static_cast<std::size_t>(score * kBands));
      const std::size_t y = rng.uniform() < 0.3 + 0.4 * score ? 1 : 0;
      fairstep::CountsSpec& part = rng.uniform() < share ? design : audit;
      ++part.first(g, x, y);
      ++part.visits(g, 0, x, y, rng.uniform() < 0.5 ? 1 : 0);
    }
  return log_of_parts(must(Counts::make(std::move(design))), must(Counts::make(std::move(audit))), share);
}

/// What is said of the gap of a pair.
struct ShortGap {
  double split = 0, plain = 0, estimated = 0;

  /// How much more than is seen the bound by parts allows, in plain intervals.
  [[nodiscard]] double beyond() const { return (split - estimated) / (plain - estimated); }
};

/// Of each pair, by the same audit part.
std::vector<ShortGap> short_gaps(const Log& log, const Policy& policy, bool certain) {
  const auto rate = [&](std::size_t g, double tail) { return plain_interval(log.audit, policy, g, certain, tail); };
  const auto seen = [&](std::size_t g) {
    const Range around = plain_interval(log.audit, policy, g, false, 0.5);
    return (around.low + around.high) / 2;
  };
  std::vector<ShortGap> gaps;
  for (const auto& pair : must(certify(log.audit, policy, only(Notion::dp), {}, &log.design)).pairs) {
    const Range one = rate(pair.first, kDelta / 6), other = rate(pair.second, kDelta / 6);
    gaps.push_back({pair.gap.dp[0], std::max(one.high - other.low, other.high - one.low),
                    std::abs(seen(pair.first) - seen(pair.second))});
  }
  return gaps;
}

/// One log in full, and of many by how much the worst and the usual one are wider than plain intervals: how many people
/// come to the design part is chance.
void short_logs(bool certain, double share) {
  constexpr std::uint64_t logs = 200;
  const Policy policy = short_policy(certain);
  std::vector<std::vector<ShortGap>> all;
  for (std::uint64_t seed = 1; seed <= logs; ++seed)
    all.push_back(short_gaps(draw_short_log(share, seed), policy, certain));
  const auto whole = must(certify(draw_short_log(share, 1).whole, policy, only(Notion::dp)));
  for (std::size_t i = 0; i < whole.pairs.size(); ++i) {
    double mean = 0;
    double most = 0;
    for (const auto& gaps : all) {
      mean += gaps[i].beyond() / static_cast<double>(logs);
      most = std::max(most, gaps[i].beyond());
    }
    const ShortGap& first = all.front()[i];
    row("short", certain ? "0 or 1" : "by chance", "first", kShortPeople[whole.pairs[i].first], "second",
        kShortPeople[whole.pairs[i].second], "share", share, "delta", kDelta, "today", whole.pairs[i].gap.dp[0],
        "split", first.split, "plain", first.plain, "estimated", first.estimated, "logs", logs, "beyond_mean", mean,
        "beyond_most", most);
  }
}

void time_of(const std::string& name, const Model& model, double share) {
  const auto& n = model.shape();
  fairstep::Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  for (std::size_t i = 0; i < accept.size(); ++i) accept.flat()[i] = static_cast<double>(i % 7) / 7;
  const Policy policy = must(Policy::make(accept));
  const Log log = log_of(model, coin_for(model), 1 << 18, share);
  CertifyOptions options;
  options.value = fairstep::KnownRewards{model.spec().reward, model.spec().share, model.spec().discount};
  const int times = n.features > 20 ? 1 : 5;
  const std::string text = to_text(must(certify(log.audit, policy, options, {}, &log.design)), log.audit,
                                   {{"audit.json", to_text(log.audit)},
                                    {"policy.json", to_text(policy)},
                                    fairstep::InputText{"model.json", to_text(model)},
                                    fairstep::InputText{"design.json", to_text(log.design)}});
  bool checked = true;
  const double whole = least_seconds(times, [&] { must(certify(log.whole, policy, options)); });
  const double parts = least_seconds(times, [&] { must(certify(log.audit, policy, options, {}, &log.design)); });
  const double checking =
      least_seconds(1, [&] { checked = must(fairstep::check_certificate(text)).mismatches.empty(); });
  row("time_of_parts", name, "whole", whole, "parts", parts, "check", checking, "holds", checked);
}

Model random_of(std::size_t features) {
  fairstep::RandomOptions options;
  options.features = features;
  options.horizon = 8;
  return must(fairstep::make_random(options));
}

}  // namespace

int main(int argc, char** argv) {
  const double share = fairstep::bench::number_option(argc, argv, "--share", 0.15);
  const Model fico = must(fairstep::make_fico());
  time_of("fico (5 features, 8 steps)", fico, share);
  for (const std::size_t features : {10u, 20u, 50u})
    time_of("random (" + std::to_string(features) + " features, 8 steps)", random_of(features), share);
  widths_as_data_grow(fico, share);
  widths_of_worlds("random (10 features, 8 steps)", random_of(10), share);
  widths_of_worlds("synthetic", must(fairstep::make_synthetic()), share);
  for (const bool certain : {true, false}) short_logs(certain, share);
}
