// What a log says against the model: for `diagnose`, and in short for every verb that rests on the model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/diagnose/diagnose.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// Whether labels follow features, in a line and under `labels_follow_features`.
void add_verdict_on_features(Answer& answer, const Diagnosis& diagnosis, std::size_t width);
/// {level, verdict, tests: [{test, group, assumption, verdict, p_value, adjusted, effect, sentence}]}
[[nodiscard]] Json to_json(const Diagnosis& diagnosis, const Names& names);
/// A table of all tests, then what each found against the model or could not ask.
[[nodiscard]] std::string to_text(const Diagnosis& diagnosis, const Names& names, std::size_t width);

/// A sentence for each assumption that is refuted; none if none is.
[[nodiscard]] std::vector<std::string> doubts_of(const Diagnosis& diagnosis);
/// `the model is not refuted (8 tests at level 0.05 in all)`
[[nodiscard]] std::string in_short(const Diagnosis& diagnosis);

/// What to do where one kernel for all steps is refuted, if that is what was counted.
void hint_at_periods(Answer& answer, const Diagnosis& diagnosis, const Counts& counts);

/// For an answer that rests on the model: the key `diagnosis`, a line at the end of the text, and warnings if the data
/// refute it.
void add_diagnosis(Answer& answer, const Diagnosis& diagnosis, const Names& names, std::size_t width);

}  // namespace fairstep::cli
