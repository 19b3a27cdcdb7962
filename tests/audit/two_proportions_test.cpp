// Comparisons of two shares: beside binomials that are added up term by term, and beside Fisher's test.
#include <fairstep/audit/two_proportions.hpp>

#include <chrono>
#include <cstdio>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

double choose(std::int64_t n, std::int64_t k) {
  double product = 1;
  for (std::int64_t i = 1; i <= k; ++i) product = product * static_cast<double>(n - k + i) / static_cast<double>(i);
  return product;
}

double binomial_chance(std::int64_t k, std::int64_t n, double p) {
  return choose(n, k) * std::pow(p, static_cast<double>(k)) * std::pow(1 - p, static_cast<double>(n - k));
}

TEST(Tmp, Enumerate) {
  for (const auto& [n1, n2] : {std::pair<std::int64_t, std::int64_t>{12, 9}, {30, 7}, {20, 20}, {40,25}}) {
    for (const double delta : {0.1, 0.01}) {
      std::vector<Compared> all;
      int fisher_rejects = 0, rejects = 0, fisher_only = 0;
      for (std::int64_t k1 = 0; k1 <= n1; ++k1)
        for (std::int64_t k2 = 0; k2 <= n2; ++k2) {
          const Outcomes a{k1, n1, 0}, b{k2, n2, 0};
          all.push_back(compare(a, b, delta, delta));
          const bool fisher = 2 * std::min(fisher_tail(a, b), fisher_tail(b, a)) <= delta;
          fisher_rejects += fisher;
          rejects += all.back().differ;
          fisher_only += fisher && !all.back().differ;
          EXPECT_TRUE(!all.back().differ || all.back().p <= delta);
        }
      double worst_d = 0, worst_r = 0;
      for (int i = 0; i <= 60; ++i)
        for (int j = 0; j <= 60; ++j) {
          const double p1 = i / 60., p2 = j / 60.;
          double miss_d = 0, miss_r = 0;
          for (std::int64_t k1 = 0; k1 <= n1; ++k1)
            for (std::int64_t k2 = 0; k2 <= n2; ++k2) {
              const Compared& c = all[static_cast<std::size_t>(k1 * (n2 + 1) + k2)];
              const double w = binomial_chance(k1, n1, p1) * binomial_chance(k2, n2, p2);
              const double d = p1 - p2;
              if (d < c.difference.low - 1e-12 || d > c.difference.high + 1e-12) miss_d += w;
              else if (c.differ && (c.difference.low >= 0 ? d <= 0 : d >= 0)) miss_d += w;
              if (p2 > 0 && (p1 / p2 < c.ratio.low * (1 - 1e-12) || p1 / p2 > c.ratio.high * (1 + 1e-12))) miss_r += w;
            }
          worst_d = std::max(worst_d, miss_d);
          worst_r = std::max(worst_r, miss_r);
        }
      std::printf("%ld %ld delta %g: fisher %d ours %d fisher only %d; worst miss d %.4f r %.4f\n", n1, n2, delta, fisher_rejects, rejects, fisher_only, worst_d, worst_r);
    }
  }
  const auto start = std::chrono::steady_clock::now();
  const auto show = [&](Outcomes a, Outcomes b, double delta) {
    const auto t = std::chrono::steady_clock::now();
    const Compared c = compare(a, b, delta, delta);
    std::printf("%ld/%ld %ld/%ld: fisher %g boschloo %g p %g d %.4f..%.4f r %.4f..%.4f differ %d %.2f ms\n", a.accepted, a.decisions, b.accepted, b.decisions,
      2*std::min(fisher_tail(a,b),fisher_tail(b,a)), 2*std::min(boschloo_tail(a,b),boschloo_tail(b,a)), c.p, c.difference.low, c.difference.high, c.ratio.low, c.ratio.high, (int)c.differ,
      std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count()*1000);
  };
  show({2080, 3175, 0}, {1461, 2103, 0}, 0.05 / 15);
  show({2080, 3175, 2}, {1461, 2103, 3}, 0.05 / 15);
  show({10, 500, 0}, {30, 500, 0}, 0.05 / 15);
  show({1, 500, 0}, {12, 500, 0}, 0.05 / 3);
  show({20, 31, 0}, {1461, 2103, 0}, 0.05 / 15);
  show({20000, 50000, 0}, {21000, 50000, 0}, 0.05 / 15);
  show({2000000, 4000000, 0}, {201000, 400000, 0}, 0.05 / 15);
  show({0, 10, 0}, {10, 10, 0}, 0.05);
  show({3, 10, 0}, {0, 10, 0}, 0.05);
  (void)start;
}

}  // namespace
}  // namespace fairstep
