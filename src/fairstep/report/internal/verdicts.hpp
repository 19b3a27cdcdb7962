// The paper's claims, judged on the numbers of this experiment and by rules that are part of the answer.
#pragma once

#include <string>
#include <vector>

#include <fairstep/report/internal/evidence.hpp>

namespace fairstep::report {

enum class Ruling {
  holds,
  tie,        ///< the whole interval, what is unproven included, is within a stated, small margin
  undecided,  ///< the interval or what is unproven allows both, or the experiment lacks what the rule asks for
  fails,
};

/// Differences within these are nobody's merit: a share of our return, and an absolute violation. The former is half of
/// the tolerance to which the paper solves its problems (0.1 %).
inline constexpr double kTieOfReturn = 5e-4;
inline constexpr double kTieOfViolation = 1e-3;

/// What an interval of a difference says of the claim that it is positive.
[[nodiscard]] Ruling ruling_on(double low, double high, double margin);

/// "holds", "a tie", "undecided", "does not hold".
[[nodiscard]] const char* words_for(Ruling ruling);

/// On one setting.
struct Finding {
  std::string setting{};  ///< its id
  std::string setting_name{};
  Ruling ruling = Ruling::undecided;
  std::string evidence{};  ///< the numbers, in a sentence or two
};

struct Verdict {
  std::string id{};
  std::string claim{};
  std::string rule{};  ///< when it holds, when it is a tie, when not
  std::vector<Finding> findings{};

  /// The worst of its findings.
  [[nodiscard]] Ruling overall() const;
  /// "holds in 1, does not hold in 3 of 4 settings"
  [[nodiscard]] std::string in_words() const;
};

[[nodiscard]] std::vector<Verdict> judge(const Evidence& evidence);

namespace verdicts {

/// Each of these judges one claim on one setting; the setting has a method of ours.
[[nodiscard]] Finding equal_violation(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding equal_return(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding equal_worst_step(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding no_better_penalty(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding convergence(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding narrow_bands(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding worst_step(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding violation_rate(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding regret_rate(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding literal_constants(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding inside(const Setting& setting, const ExperimentRecord& plan);
[[nodiscard]] Finding solved(const Setting& setting, const ExperimentRecord& plan);

}  // namespace verdicts

/// The exponent of a power law through the later half of the updates, where the theorems speak, repeat by repeat.
struct Slopes {
  Band measured{};
  double theorem = kUnknown;     ///< of the theorem's rate over the same updates
  std::size_t first_update = 0;  ///< of that half
};
[[nodiscard]] Slopes violation_slopes(const MethodRuns& method);
[[nodiscard]] Slopes regret_slopes(const MethodRuns& method);

}  // namespace fairstep::report
