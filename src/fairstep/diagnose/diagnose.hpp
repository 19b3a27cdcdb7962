// Does a log refute the model? Six questions to the counts of a log, each asked of every group by a permutation test
// that is right at small counts, with what an effect would mean for a rate. docs/diagnose.md
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/diagnose/questions.hpp>

namespace fairstep {

struct DiagnoseOptions {
  double level = 0.05;           ///< the chance that anything is called refuted if the model holds
  std::function<bool()> stop{};  ///< asked often; true ends the work, and what is left is not tested
};

enum class Verdict { refuted, not_refuted, untestable };
template <>
inline constexpr auto kWords<Verdict> = words<Verdict>(
    {{Verdict::refuted, "refuted"}, {Verdict::not_refuted, "not refuted"}, {Verdict::untestable, "cannot be tested"}});

/// One question about one group.
struct Diagnosed {
  Question question{};
  std::size_t group = 0;
  Verdict verdict = Verdict::untestable;
  std::optional<double> p_value{};   ///< by itself
  std::optional<double> adjusted{};  ///< with all others paid for (Holm 1979)
  std::optional<double> effect{};    ///< how far a rate could be off, beyond chance
  std::string sentence{};            ///< what was found, or why nothing could be
};

struct Diagnosis {
  double level = 0.05;
  std::vector<Diagnosed> answers{};       ///< by question, then group
  Verdict verdict = Verdict::untestable;  ///< refuted if any assumption is, for any group
  std::size_t stopped = 0;                ///< tests that were not made, or not to the end, since it was stopped
};

/// The labels' question is answered, and has no part in the verdict: no guarantee assumes it.
[[nodiscard]] inline bool is_assumption(Question question) { return question != Question::labels; }

/// Two of the questions are about what is assumed where labels follow features (core/label_assumption.hpp). Labels that
/// depend on the cell before refute it. Decisions that tell of the label do not: then next features follow features if
/// the label does not move them, and only then.
[[nodiscard]] inline bool tells_of_features(Question question) {
  return question == Question::labels || question == Question::decisions;
}
/// One kernel for all steps is refuted, for some group.
[[nodiscard]] bool refutes_one_kernel(const Diagnosis& diagnosis);
/// Whether labels follow features, by the question about labels: refuted if it is for any group.
[[nodiscard]] Verdict verdict_on_features(const Diagnosis& diagnosis);
/// Where that is assumed, what the log says against it: a sentence each. Without `of_labels` of features alone, which
/// is all that demographic parity needs.
[[nodiscard]] std::vector<std::string> doubts_of_features(const Diagnosis& diagnosis, bool of_labels = true);
/// ` (a rate could be off by 0.12)`, rounded up; nothing where that is not known.
[[nodiscard]] std::string effect_in_words(const Diagnosed& answer);

/// An error if the level is not between 0 and 1. The permutations come from a fixed stream: same counts, same answer.
[[nodiscard]] Expected<Diagnosis> diagnose(const Counts& counts, const DiagnoseOptions& options = {});

}  // namespace fairstep
