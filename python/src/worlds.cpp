// Ready-made populations and policies.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>

#include "convert.hpp"
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

}  // namespace

void bind_worlds(nb::module_& module) {
  bind_policies(module);
  const FicoOptions fico;
  module.def(
      "make_fico",
      [](std::vector<std::string> groups, std::size_t horizon, double discount, std::vector<double> gain,
         std::vector<double> loss, std::vector<double> share, std::vector<double> score) {
        return unwrap(make_fico({std::move(groups), horizon, discount, std::move(gain), std::move(loss),
                                 std::move(share), std::move(score)}));
      },
      nb::kw_only(), nb::arg("groups") = fico.groups, nb::arg("horizon") = fico.horizon,
      nb::arg("discount") = fico.discount, nb::arg("gain") = fico.gain, nb::arg("loss") = fico.loss,
      nb::arg("share") = fico.share, nb::arg("score") = fico.score);

  const SyntheticOptions synthetic;
  module.def(
      "make_synthetic",
      [](std::vector<std::string> groups, std::size_t horizon, double discount, std::vector<double> qualified,
         std::vector<double> gain, std::vector<double> loss, std::vector<double> share, std::vector<double> score) {
        return unwrap(make_synthetic({std::move(groups), horizon, discount, std::move(qualified), std::move(gain),
                                      std::move(loss), std::move(share), std::move(score)}));
      },
      nb::kw_only(), nb::arg("groups") = synthetic.groups, nb::arg("horizon") = synthetic.horizon,
      nb::arg("discount") = synthetic.discount, nb::arg("qualified") = synthetic.qualified,
      nb::arg("gain") = synthetic.gain, nb::arg("loss") = synthetic.loss, nb::arg("share") = synthetic.share,
      nb::arg("score") = synthetic.score);

  const LendingOptions lending;
  module.def(
      "make_lending",
      [](std::vector<std::string> groups, std::size_t horizon, double discount, double interest, double move,
         std::vector<double> share, std::vector<double> repay, std::vector<std::vector<double>> scores) {
        return unwrap(make_lending({std::move(groups), horizon, discount, interest, move, std::move(share),
                                    std::move(repay), std::move(scores)}));
      },
      nb::kw_only(), nb::arg("groups") = lending.groups, nb::arg("horizon") = lending.horizon,
      nb::arg("discount") = lending.discount, nb::arg("interest") = lending.interest, nb::arg("move") = lending.move,
      nb::arg("share") = lending.share, nb::arg("repay") = lending.repay, nb::arg("scores") = lending.scores);

  const RandomOptions random;
  module.def(
      "make_random",
      [](std::size_t groups, std::size_t features, std::size_t horizon, double discount, std::size_t successors,
         double reward_noise, bool participation, std::uint64_t seed) {
        return unwrap(
            make_random({groups, features, horizon, discount, successors, reward_noise, participation, seed}));
      },
      nb::kw_only(), nb::arg("groups") = random.groups, nb::arg("features") = random.features,
      nb::arg("horizon") = random.horizon, nb::arg("discount") = random.discount,
      nb::arg("successors") = random.successors, nb::arg("reward_noise") = random.reward_noise,
      nb::arg("participation") = random.participation, nb::arg("seed") = random.seed);
}

}  // namespace fairstep::python
