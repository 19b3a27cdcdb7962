// How long a solve takes, and how good the proof is.
//
//   solve_scenarios paper [--time-limit SECONDS]    the paper's size: 32 instances, local policy and proof
//   solve_scenarios growth [--features N]           larger models, local policy only: time against horizon and
//   non-zeros
//
// Every time is also given as a multiple of one exact evaluation of a policy of the same model, measured in the same
// run: that ratio is what to compare between machines. Times are CPU time; --time-limit is by the clock.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/optimise/solve.hpp>

#include "scenario.hpp"

namespace {

using fairstep::Fairness;
using fairstep::kActions;
using fairstep::kLabels;
using fairstep::Model;
using fairstep::Notion;
using fairstep::SolveOptions;
using fairstep::SolveResult;
using fairstep::bench::evaluation_time;
using fairstep::bench::must;
using fairstep::bench::seconds;

/// The kernel that `visits` observations of every cell would suggest.
Model estimated(const Model& model, std::size_t visits, std::uint64_t seed) {
  fairstep::ModelSpec spec = model.spec();
  const fairstep::Shape& n = model.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      const double* row = model.kernel(g).row(cell);
      const std::span<double> out = spec.transition.block(g).subspan(cell * n.states(), n.states());
      std::vector<std::size_t> count(n.states(), 0);
      fairstep::Rng rng(seed, 1, g, cell);
      for (std::size_t i = 0; i < visits; ++i) {
        double u = rng.uniform();
        std::size_t s = 0;
        while (s + 1 < n.states() && (u -= row[s]) >= 0) ++s;
        ++count[s];
      }
      for (std::size_t s = 0; s < n.states(); ++s) out[s] = static_cast<double>(count[s]) / static_cast<double>(visits);
    }
  return must(Model::make(std::move(spec)));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Least time of a few solves, and the last answer.
std::pair<double, SolveResult> timed(const Model& model, const Fairness& fairness, const SolveOptions& options,
                                     int repetitions) {
  SolveResult result;
  double least = 1e9;
  for (int i = 0; i < repetitions; ++i)
    least = std::min(least, seconds([&] { result = must(solve(model, fairness, options)); }));
  return {least, std::move(result)};
}

void paper(double time_limit) {
  std::vector<double> local_times, proof_times, local_ratios, proof_ratios, gaps;
  fmt::print("{:<34}{:>10}{:>10}{:>10}{:>10}{:>8}  {}\n", "instance", "local ms", "proof s", "value", "gap", "nodes",
             "proof / evaluation");
  for (const std::string environment : {"fico", "synthetic"})
    for (const std::size_t visits : {0U, 1000U})
      for (const Notion notion : {Notion::dp, Notion::eqopt})
        for (const double limit : {0.0, 0.01, 0.05, 0.2}) {
          const Model truth = environment == "fico" ? must(fairstep::make_fico()) : must(fairstep::make_synthetic());
          const Model model = visits == 0 ? truth : estimated(truth, visits, 1);
          const Fairness fairness{.parity = {{notion, {limit}}}};
          const double floor = evaluation_time(model);
          SolveOptions options;
          options.prove = false;
          const double local = timed(model, fairness, options, 5).first;
          options = {};
          options.time_limit = time_limit;
          const auto [proof, result] = timed(model, fairness, options, 1);
          fmt::print("{:<34}{:>10.2f}{:>10.3f}{:>10.6f}{:>10.2g}{:>8}  {:.3g}\n",
                     fmt::format("{} {} {} {}", environment, visits == 0 ? "true" : "N=1000",
                                 notion == Notion::dp ? "dp" : "eqopt", limit),
                     1e3 * local, proof, result.bounds.lower, result.gap, result.nodes, proof / floor);
          std::fflush(stdout);
          local_times.push_back(1e3 * local);
          proof_times.push_back(proof);
          local_ratios.push_back(local / floor);
          proof_ratios.push_back(proof / floor);
          gaps.push_back(result.gap);
        }
  const auto closed = std::count_if(gaps.begin(), gaps.end(), [](double gap) { return gap <= 1e-3; });
  const auto worst = [](const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); };
  fmt::print("gap <= 1e-3 proven: {} of {}, worst gap {:.2g}\n", closed, gaps.size(), worst(gaps));
  fmt::print("local policy, ms: median {:.2f}, worst {:.2f}; in evaluations: median {:.3g}, worst {:.3g}\n",
             median(local_times), worst(local_times), median(local_ratios), worst(local_ratios));
  fmt::print("proof, s: median {:.3f}, worst {:.3f}; in evaluations: median {:.3g}, worst {:.3g}\n",
             median(proof_times), worst(proof_times), median(proof_ratios), worst(proof_ratios));
}

void growth(std::size_t features) {
  fmt::print("{:<12}{:>9}{:>12}{:>12}{:>10}{:>12}  {}\n", "notion", "horizon", "successors", "non-zeros", "seconds",
             "value", "evaluations");
  for (const Notion notion : {Notion::dp, Notion::eqopt})
    for (const auto& [horizon, successors] :
         std::vector<std::pair<std::size_t, std::size_t>>{{5, 10}, {10, 10}, {20, 10}, {40, 10}, {20, 50}}) {
      const Model model = must(fairstep::make_random(
          {.groups = 4, .features = features, .horizon = horizon, .successors = std::min(successors, 2 * features)}));
      SolveOptions options;
      options.prove = false;
      options.time_limit = 120;
      const auto [time, result] = timed(model, {.parity = {{notion, {0.01}}}}, options, 1);
      fmt::print("{:<12}{:>9}{:>12}{:>12}{:>10.2f}{:>12.6f}  {:.3g}\n", notion == Notion::dp ? "dp" : "eqopt", horizon,
                 successors, 4 * model.shape().cells() * successors, time, result.bounds.lower,
                 time / evaluation_time(model));
      std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  const auto number = [&](std::string_view name, double otherwise) {
    const auto at = std::find(words.begin(), words.end(), name);
    return at == words.end() || at + 1 == words.end() ? otherwise : std::strtod((at + 1)->data(), nullptr);
  };
  if (words.empty() || words[0] == "paper") {
    paper(number("--time-limit", 60));
  } else if (words[0] == "growth") {
    growth(static_cast<std::size_t>(number("--features", 100)));
  } else {
    fmt::print(stderr, "usage: solve_scenarios paper [--time-limit SECONDS] | growth [--features N]\n");
    return 2;
  }
}
