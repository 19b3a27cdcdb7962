// Ready-made populations and policies.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>

#include "convert.hpp"
#include "option_fields.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

PolicyForm form_of(bool group_independent) {
  return group_independent ? PolicyForm::group_independent : PolicyForm::per_group;
}

void bind_policies(nb::module_& module) {
  module.def(
      "uniform_policy",
      [](const Model& model, double accept, bool group_independent) {
        return unwrap(uniform_policy(model, accept, form_of(group_independent)));
      },
      nb::arg("model"), nb::arg("accept"), nb::arg("group_independent"));
  module.def(
      "threshold_policy",
      [](const Model& model, const std::vector<std::size_t>& from, bool group_independent) {
        if (group_independent) return unwrap(threshold_policy(model, Threshold{from.front(), 1}, form_of(true)));
        std::vector<Threshold> thresholds;
        for (const std::size_t feature : from) thresholds.push_back({feature, 1});
        return unwrap(threshold_policy(model, thresholds));
      },
      nb::arg("model"), nb::arg("from_"), nb::arg("group_independent"), "One feature for each group.");
  module.def(
      "accept_all",
      [](const Model& model, bool group_independent) { return accept_all(model, form_of(group_independent)); },
      nb::arg("model"), nb::arg("group_independent"));
  module.def(
      "refuse_all",
      [](const Model& model, bool group_independent) { return refuse_all(model, form_of(group_independent)); },
      nb::arg("model"), nb::arg("group_independent"));
  module.def(
      "random_policy",
      [](const Model& model, std::uint64_t seed, bool group_independent) {
        return random_policy(model, seed, form_of(group_independent));
      },
      nb::arg("model"), nb::arg("seed"), nb::arg("group_independent"));
}

/// A function that makes a population of keywords.
template <class T>
void bind_maker(nb::module_& module, const char* name, Expected<Model> (*make)(const T&),
                const OptionFields<T>& fields) {
  module.def(
      name, [make, fields](const nb::kwargs& given) { return unwrap(make(fields.from(given))); },
      nb::sig(fmt::format("def {}(*, {}) -> Model", name, fields.signature()).c_str()));
}

}  // namespace

void bind_worlds(nb::module_& module) {
  bind_policies(module);
  bind_maker<FicoOptions>(module, "make_fico", make_fico,
                          {field("groups", &FicoOptions::groups), field("bands", &FicoOptions::bands),
                           field("horizon", &FicoOptions::horizon), field("discount", &FicoOptions::discount),
                           field("gain", &FicoOptions::gain), field("loss", &FicoOptions::loss),
                           field("share", &FicoOptions::share), field("score", &FicoOptions::score)});
  bind_maker<SyntheticOptions>(
      module, "make_synthetic", make_synthetic,
      {field("groups", &SyntheticOptions::groups), field("horizon", &SyntheticOptions::horizon),
       field("discount", &SyntheticOptions::discount), field("qualified", &SyntheticOptions::qualified),
       field("gain", &SyntheticOptions::gain), field("loss", &SyntheticOptions::loss),
       field("share", &SyntheticOptions::share), field("score", &SyntheticOptions::score)});
  bind_maker<LendingOptions>(
      module, "make_lending", make_lending,
      {field("groups", &LendingOptions::groups), field("horizon", &LendingOptions::horizon),
       field("discount", &LendingOptions::discount), field("interest", &LendingOptions::interest),
       field("move", &LendingOptions::move), field("share", &LendingOptions::share),
       field("repay", &LendingOptions::repay), field("scores", &LendingOptions::scores)});
  bind_maker<RandomOptions>(
      module, "make_random", make_random,
      {field("groups", &RandomOptions::groups), field("features", &RandomOptions::features),
       field("horizon", &RandomOptions::horizon), field("discount", &RandomOptions::discount),
       field("successors", &RandomOptions::successors), field("reward_noise", &RandomOptions::reward_noise),
       field("participation", &RandomOptions::participation), field("seed", &RandomOptions::seed)});
}

}  // namespace fairstep::python
