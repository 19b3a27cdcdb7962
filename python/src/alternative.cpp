#include <fairstep/optimise/alternative.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/in_order.hpp>
#include <fairstep/core/rounding.hpp>

#include "convert.hpp"
#include "evaluation.hpp"
#include "grounds.hpp"
#include "interruptible.hpp"
#include "option_fields.hpp"
#include "parts.hpp"
#include "words.hpp"

namespace fairstep::python {
namespace {

/// What is asked for, as Python gives it.
struct AlternativeQuestion {
  std::string fairness = "dp";
  PolicyClass policies{};
  std::vector<std::string> of_class{};  ///< words of PolicyTrait
  std::optional<std::vector<double>> capacity{};
  double precision = AlternativeOptions{}.precision;
  double time_limit = AlternativeOptions{}.time_limit;
  std::size_t effort = 0;

  [[nodiscard]] AlternativeOptions options() const {
    AlternativeOptions made{.policies = policies, .precision = precision, .effort = effort, .time_limit = time_limit};
    if (const auto ratio = named<RatioNotion>(fairness))
      made.disparity = *ratio;
    else
      made.disparity = chosen<Notion>(fairness, "fairness");
    for (const std::string& word : of_class) {
      const auto* const trait = std::find_if(kPolicyTraits.begin(), kPolicyTraits.end(),
                                             [&](const PolicyTrait& known) { return word == known.name; });
      if (trait == kPolicyTraits.end()) {
        std::vector<const char*> known;
        for (const PolicyTrait& one : kPolicyTraits) known.push_back(one.name);
        throw Refused(Error{fmt::format("of_class has \"{}\", expected one of {}", word, fmt::join(known, ", "))});
      }
      made.policies.*(trait->chosen) = true;
    }
    if (capacity) made.others.capacity = Capacity{*capacity};
    return made;
  }
};

using NamedAlternative = Named<Alternative>;
using AlternativeListener = std::function<void(double lower, double upper, std::size_t solves)>;

const Solution& best_of(const NamedAlternative& found) {
  if (found.it->best) return *found.it->best;
  throw Refused(Error{"there is no policy: none was met that is worth enough"});
}

}  // namespace

void bind_alternative(nb::module_& module) {
  bind_options<AlternativeQuestion>(
      module, "AlternativeQuestion", "Which alternatives are looked for, and for how long.",
      {field("fairness", &AlternativeQuestion::fairness), field("policies", &AlternativeQuestion::policies),
       field("of_class", &AlternativeQuestion::of_class), field("capacity", &AlternativeQuestion::capacity),
       field("precision", &AlternativeQuestion::precision), field("time_limit", &AlternativeQuestion::time_limit),
       field("effort", &AlternativeQuestion::effort)});
  nb::class_<NamedAlternative> result(
      module, "Alternative",
      "The least disparity of a policy that is worth as much as another, from both sides.\n\n"
      "`outcome` is found (one that is less disparate by more than the precision, and the least known to the "
      "precision), none (proven: there is none) or undecided. Disparity is the gap at the worst step, or what the "
      "ratio at the worst step lacks to 1. Without a policy `policy`, `value` and `evaluation` raise ValueError.");
  add_grounds<Alternative>(result, [](const Alternative& a) { return a.best ? &a.best->evaluation : nullptr; });
  result
      .def_prop_ro(
          "outcome", [](const NamedAlternative& a) { return name_of(a.it->found); }, "found, none or undecided.")
      .def_prop_ro(
          "stopped_by", [](const NamedAlternative& a) { return name_of(a.it->stopped_by); },
          "finished, time, iterations, requested or numerical.")
      .def_prop_ro(
          "found", [](const NamedAlternative& a) { return a.it->best.has_value(); }, "Whether there is a policy.")
      .def_prop_ro(
          "at_least", [](const NamedAlternative& a) { return a.it->at_least; }, "What an alternative has to be worth.")
      .def_prop_ro(
          "given_value", [](const NamedAlternative& a) { return a.it->value; }, "What the policy given is worth.")
      .def_prop_ro(
          "given_disparity", [](const NamedAlternative& a) { return a.it->disparity; },
          "The worst-step disparity of the policy given.")
      .def_prop_ro(
          "in_class", [](const NamedAlternative& a) { return a.it->in_class; },
          "Whether the policy given is itself of the class, and keeps the other limits.")
      .def_prop_ro(
          "none_worth", [](const NamedAlternative& a) { return a.it->none_worth; },
          "Proven: no policy of the class is worth `at_least`, whatever its disparity.")
      .def_prop_ro(
          "least", [](const NamedAlternative& a) { return a.it->least; },
          "lower <= the least disparity of a policy of the class that is worth `at_least` <= upper.")
      .def_prop_ro(
          "policy", [](const NamedAlternative& a) -> const Policy& { return best_of(a).policy; },
          nb::rv_policy::reference_internal, "The least disparate policy that was met; it may be the one given.")
      .def_prop_ro(
          "value", [](const NamedAlternative& a) { return best_of(a).evaluation.value; }, "What it is worth.")
      .def_prop_ro(
          "evaluation", [](const NamedAlternative& a) { return a.part(best_of(a).evaluation); },
          "What it does, exactly.")
      .def_prop_ro("solves", [](const NamedAlternative& a) { return a.it->solves; })
      .def_prop_ro("seconds", [](const NamedAlternative& a) { return a.it->seconds; })
      .def("__repr__", [](const NamedAlternative& a) {
        return fmt::format("Alternative({}, disparity from {} to {}, given {:.4g})", name_of(a.it->found),
                           round_down_text(a.it->least.lower, 4), round_up_text(a.it->least.upper, 4), a.it->disparity);
      });
  module.def(
      "alternative",
      [](const Model& model, const Policy& policy, double at_least, const AlternativeQuestion& question,
         const std::optional<AlternativeListener>& progress) {
        AlternativeOptions options = question.options();
        std::function<void(const AlternativeProgress&)> hear;
        if (progress)
          hear = [&](const AlternativeProgress& news) { (*progress)(news.least.lower, news.least.upper, news.solves); };
        Alternative found = unwrap(interruptible<AlternativeProgress>(
            [&](const std::stop_token& stop, const auto& tell) {
              options.stop = stop;
              options.progress = tell;
              return alternative(model, in_order_of(model.names().groups, policy), at_least, options);
            },
            hear));
        return NamedAlternative(std::move(found), model.names(), grounds_of(model));
      },
      nb::arg("model"), nb::arg("policy"), nb::arg("at_least"), nb::arg("question"), nb::arg("progress").none());
}

}  // namespace fairstep::python
