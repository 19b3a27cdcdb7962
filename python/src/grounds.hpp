// What an estimated model rests on, with names: as Python sees it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/grounds.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "convert.hpp"

namespace fairstep::python {

using NamedGrounds = Named<Grounds>;

/// To be shared by all that is made from the model; null if it is no estimate.
[[nodiscard]] inline std::shared_ptr<const Grounds> grounds_of(const Model& model) {
  const auto& rests_on = model.spec().rests_on;
  return rests_on ? std::make_shared<const Grounds>(*rests_on) : nullptr;
}

/// What a policy rests on, a sentence each; none if the model is no estimate.
[[nodiscard]] inline std::vector<std::string> caveats_of(const std::shared_ptr<const Grounds>& grounds,
                                                         const std::optional<Unseen>& unseen, const Names& names) {
  if (!grounds) return {};
  std::vector<std::string> sentences;
  if (unseen) sentences.push_back(in_words(*grounds, *unseen));
  for (std::string& sentence : caveats(*grounds, names.groups)) sentences.push_back(std::move(sentence));
  return sentences;
}

/// The properties rests_on, unseen_visits, unseen_rewards and caveats of a result; `evaluation(result)` points to what
/// the referee found, or is null.
template <class T, class Class, class Find>
void add_grounds(Class& bound, Find evaluation) {
  const auto unseen = [evaluation](const Named<T>& result) -> std::optional<Unseen> {
    const Evaluation* found = evaluation(*result.it);
    return found != nullptr ? found->unseen : std::nullopt;
  };
  bound
      .def_prop_ro(
          "rests_on",
          [](const Named<T>& result) -> std::optional<NamedGrounds> {
            if (!result.grounds) return std::nullopt;
            return NamedGrounds(result.grounds, result.names);
          },
          "What the model rests on, if it is an estimate.")
      .def_prop_ro(
          "unseen_visits",
          [unseen](const Named<T>& result) {
            const auto found = unseen(result);
            return found ? std::optional(found->rows) : std::nullopt;
          },
          "Under an estimated model: the share of the policy's visits, before the last step, that rest on rows that "
          "nobody saw.")
      .def_prop_ro(
          "unseen_rewards",
          [unseen](const Named<T>& result) {
            const auto found = unseen(result);
            return found ? std::optional(found->rewards) : std::nullopt;
          },
          "Under an estimated model: the share of the policy's visits that rest on rewards that nobody saw.")
      .def_prop_ro(
          "caveats",
          [unseen](const Named<T>& result) { return caveats_of(result.grounds, unseen(result), *result.names); },
          "What the policy rests on under an estimated model, a sentence each.");
}

}  // namespace fairstep::python
