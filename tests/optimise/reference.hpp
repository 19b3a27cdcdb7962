// What the optimiser is judged by: limits and objective worked out from the referee's numbers alone, and good policies
// found without any of the optimiser's ideas.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep::testing {

/// One question: a model, what is asked of a policy, and how it is solved.
struct Question {
  Model model;
  Fairness fairness{};
  SolveOptions options{};
};

/// The greatest excess over any limit that the method must keep; -infinity if there is none.
double excess(const Question& question, const Policy& policy, const Evaluation& evaluation);

/// The value, minus the penalty if the method has one.
double objective(const Question& question, const Evaluation& evaluation);

/// accept[block,h,x] as a policy of the class asked for.
Policy policy_from(const Question& question, const std::vector<double>& accept);
std::vector<double> table_of(const Question& question, const Policy& policy);
std::size_t table_size(const Question& question);
double floor_of(const Question& question);
double ceiling_of(const Question& question);

/// The best objective among policies that exceed no limit by more than `tolerance`, met on random walks that only go
/// up: from equal chances for everybody, which every parity allows, and from `near`. -infinity if none was met.
double best_on_walks(const Question& question, const std::vector<std::vector<double>>& near, std::size_t steps,
                     double tolerance, std::uint64_t seed);

/// The best objective over all tables with every entry at its floor or ceiling; at most 2^16 of them. The smallest
/// excess of any of them goes to `least_excess`.
double best_deterministic(const Question& question, double tolerance, double* least_excess = nullptr);

/// A model whose kernel has zeros: some people, and some labels, may never be met.
Model sparse_model(std::uint64_t seed, std::size_t groups, std::size_t features, std::size_t horizon,
                   std::size_t successors);

/// P(a=1 | y=1) of everybody minus half of P(a=1) of the first group is at most `bound`, at every step.
MomentConstraint moment_row(const Model& model, double bound);

}  // namespace fairstep::testing
