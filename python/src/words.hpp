// Choices are words in Python, the same as on the command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fairstep/core/fairness.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/optimise/solve.hpp>

#include "convert.hpp"

namespace fairstep::python {

/// The choice that a word names, or ValueError with those that there are.
template <class Choice>
Choice chosen(const std::string& word, const char* what, const std::vector<std::pair<const char*, Choice>>& choices) {
  std::string known;
  for (const auto& [name, choice] : choices) {
    if (word == name) return choice;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Refused(Error{std::string(what) + " is \"" + word + "\", expected one of " + known});
}

inline Notion notion_of(const std::string& word) {
  return chosen<Notion>(word, "fairness", {{"dp", Notion::dp}, {"eqopt", Notion::eqopt}, {"eqodds", Notion::eqodds}});
}

inline std::vector<Notion> notions_of(const std::vector<std::string>& words) {
  std::vector<Notion> notions;
  for (const std::string& word : words) notions.push_back(notion_of(word));
  return notions;
}

inline Method method_of(const std::string& word) {
  return chosen<Method>(word, "method",
                        {{"constrained", Method::constrained},
                         {"unconstrained", Method::unconstrained},
                         {"penalty", Method::penalty},
                         {"myopic", Method::myopic}});
}

inline PenaltyForm penalty_form_of(const std::string& word) {
  return chosen<PenaltyForm>(word, "penalty_form", {{"rate", PenaltyForm::rate}, {"cross", PenaltyForm::cross}});
}

inline FloorKind floor_kind_of(const std::string& word) {
  return chosen<FloorKind>(word, "floor_kind",
                           {{"two_sided", FloorKind::two_sided}, {"accept_only", FloorKind::accept_only}});
}

inline Unvisited unvisited_of(const std::string& word) {
  return chosen<Unvisited>(word, "unvisited",
                           {{"uniform", Unvisited::uniform}, {"stay", Unvisited::stay}, {"error", Unvisited::error}});
}

}  // namespace fairstep::python
