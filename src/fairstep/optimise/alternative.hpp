// Less discriminatory alternatives: whether some other policy of a class is worth as much and treats the groups more
// alike, and how alike they can be treated at most.
//
// Found by solves under one limit after another: a policy that is worth enough bounds the least gap from above, and a
// solve whose value is proven to be below what is asked for bounds it from below.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/optimise/policy_class.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

/// How unlike groups are treated: by a gap of their rates, or by a ratio, and then by what the ratio lacks to 1.
using Disparity = std::variant<Notion, RatioNotion>;
[[nodiscard]] const char* name_of(const Disparity& disparity);
/// "demographic parity gap", "shortfall of the adverse impact ratio"
[[nodiscard]] std::string in_words(const Disparity& disparity);
/// At the worst step; NaN if there is no step at which two groups can be compared.
[[nodiscard]] double worst_step(const Disparity& disparity, const Evaluation& evaluation);

/// What is known of alternatives.
enum class Found {
  found,      ///< one that is less disparate by more than the precision, and the least disparity to the precision
  none,       ///< proven: none is less disparate by more than the precision
  undecided,  ///< there was no time
};
template <>
inline constexpr auto kWords<Found> =
    words<Found>({{Found::found, "found"}, {Found::none, "none"}, {Found::undecided, "undecided"}});

struct AlternativeProgress {
  Bounds least{};
  std::size_t solves = 0;
};

struct AlternativeOptions {
  Disparity disparity = Notion::dp;
  PolicyClass policies{};
  Fairness others{};        ///< kept by any alternative: a capacity, rows of moments; no limit on gaps or ratios
  double precision = 1e-3;  ///< how closely the least disparity is to be known
  std::size_t effort = 0;   ///< of each proof, as in ProofBudget
  double time_limit = 60;   ///< seconds, for all of it
  std::stop_token stop{};
  std::function<bool()> interrupted{};
  std::function<void(const AlternativeProgress&)> progress{};
};

struct Alternative {
  Found found = Found::undecided;
  StopReason stopped_by = StopReason::finished;
  double value = 0;         ///< of the policy that was given
  double at_least = 0;      ///< what an alternative has to be worth
  double disparity = 0;     ///< of the policy that was given
  bool in_class = false;    ///< it is of the class itself, and keeps the other limits
  bool none_worth = false;  ///< proven: no policy of the class is worth `at_least`, whatever its disparity
  /// lower <= the least disparity of any policy of the class that is worth `at_least` <= upper; upper is that of
  /// `best`. Lower is for policies that are worth as much and keep the other limits to within kLimitTolerance.
  Bounds least{0, std::numeric_limits<double>::infinity()};
  std::optional<Solution> best{};  ///< the least disparate one that was met; it may be the given policy itself
  double seconds = 0;
  std::size_t solves = 0;
};

/// `at_least` is in units of the value. An error if the question is malformed; "there is none" is an answer.
[[nodiscard]] Expected<Alternative> alternative(const Model& model, const Policy& policy, double at_least,
                                                const AlternativeOptions& options = {});

}  // namespace fairstep
