// What the page is told, as JSON: of the model, of a question that was solved, of a proof that is under way.
//
// Numbers are those of `solve` and of the referee to the last bit. Bounds also come as sentences, rounded to their safe
// side.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/explore/question.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

/// A policy that others are compared with: who gains beside it, who loses.
struct Baseline {
  std::string name{};
  Policy policy;
};

struct Explored {
  Model model;
  std::string name{};                   ///< what the page calls it
  std::vector<std::string> rests_on{};  ///< sentences about what an estimated model rests on, warnings among them
  /// The command that makes the policy of an answer, with a proof or without; none: the page shows none.
  std::function<std::string(const ExploreQuestion&, bool proof)> command{};
  std::optional<Baseline> baseline{};  ///< none: the best policy without limits
};

/// How a question is solved: quickly and without a bound, or with a proof.
[[nodiscard]] SolveOptions options_for(const ExploreQuestion& question, bool proof);

/// Names of groups and features, the horizon, the baseline's rates and values.
[[nodiscard]] std::string about(const Explored& explored, const std::string& baseline, const Evaluation& evaluation);

[[nodiscard]] std::string answer(const Explored& explored, const ExploreQuestion& question, const SolveResult& result,
                                 bool proof);

/// How far a proof is that is under way, in words.
[[nodiscard]] std::string standing(const SolveProgress& now);

/// {"error": ...}: the question cannot be answered, and why.
[[nodiscard]] std::string refusal(const Error& error);

}  // namespace fairstep
