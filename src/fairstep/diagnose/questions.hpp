// The questions that a log can be asked about a model, each as strata that should not matter. docs/diagnose.md
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/diagnose/strata.hpp>

namespace fairstep {

enum class Question {
  steps,      ///< is it one kernel at all steps, or at all steps of each period?
  windows,    ///< and in all parts of the calendar?
  decisions,  ///< did decisions look at the feature only, or at something that tells of the label?
  leaving,    ///< given the cell, does it depend on the decision before whether a next state is seen?
  before,     ///< given the cell, does the next state depend on the decision before?
  labels,     ///< given its feature, does the label of a next state depend on the cell before? No assumption.
};
template <>
inline constexpr auto kWords<Question> = words<Question>({{Question::steps, "kernel-by-step"},
                                                          {Question::windows, "kernel-by-window"},
                                                          {Question::decisions, "decision-by-label"},
                                                          {Question::leaving, "leaving"},
                                                          {Question::before, "step-before"},
                                                          {Question::labels, "labels"}});

/// The question about one group; an error says why these counts cannot be asked.
[[nodiscard]] Expected<Strata> strata_of(Question question, const Counts& counts, std::size_t g);

[[nodiscard]] EffectSize effect_of(Question question, const Counts& counts);

}  // namespace fairstep
