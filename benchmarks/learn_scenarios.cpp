// How long a whole learning run of the paper's size takes: 16 updates at 2^3 .. 2^18, 8,000 evaluation episodes after
// each.
//
//   learn_scenarios [--time-limit SECONDS]
//
// Times are CPU time of one thread, and multiples of one exact evaluation in the same run; --time-limit is for each
// solve, by the clock.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/learn/learn.hpp>

#include "scenario.hpp"

namespace {

using fairstep::LearnOptions;
using fairstep::Model;
using fairstep::Notion;
using fairstep::RelaxationMode;
using fairstep::Update;
using fairstep::bench::must;

double megabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void run(const std::string& name, const Model& model, const LearnOptions& options, double evaluation) {
  std::vector<Update> updates;
  const double time = fairstep::bench::seconds([&] {
    fairstep::SimulatedEnvironment environment(model, options.seed);
    updates = must(learn(environment, options, &model));
  });
  std::size_t proven = 0;
  double worst = 0;
  for (const Update& update : updates) {
    worst = std::max(worst, update.gap_to_bound);
    if (update.gap_to_bound <= options.gap) ++proven;
  }
  fmt::print("{:<34}{:>8.2f} s{:>14.3g}{:>12}{:>12}{:>9.4f}{:>11.4f}\n", name, time, time / evaluation,
             options.prove ? fmt::format("{} of {}", proven, updates.size()) : "-",
             options.prove ? fmt::format("{:.2e}", worst) : "-", updates.back().truth->evaluation.value,
             updates.back().truth->violation);
}

}  // namespace

int main(int argc, char** argv) {
  double time_limit = 10;
  for (int i = 1; i + 1 < argc; i += 2)
    if (std::string_view(argv[i]) == "--time-limit") time_limit = std::atof(argv[i + 1]);
  fmt::print("{:<34}{:>10}{:>14}{:>12}{:>12}{:>9}{:>11}\n", "run", "time", "evaluations", "proven", "worst gap",
             "return", "violation");
  for (const std::string environment : {"fico", "synthetic"}) {
    const Model model = environment == "fico" ? must(fairstep::make_fico()) : must(fairstep::make_synthetic());
    const double evaluation = fairstep::bench::evaluation_time(model);
    for (const Notion notion : {Notion::dp, Notion::eqopt})
      for (const RelaxationMode mode : {RelaxationMode::scaled, RelaxationMode::tight})
        for (const bool prove : {false, true}) {
          LearnOptions options;
          options.fairness.notion = notion;
          options.relaxation = mode;
          options.prove = prove;
          options.time_limit = time_limit;
          run(fmt::format("{} {} {}{}", environment, notion == Notion::dp ? "dp" : "eqopt",
                          mode == RelaxationMode::scaled ? "scaled" : "tight", prove ? ", proven" : ""),
              model, options, evaluation);
        }
  }
  fmt::print("\nmemory: {:.0f} MB at the most\n", megabytes());
}
