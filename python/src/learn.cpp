// The paper's algorithm on a simulated population.
#include <fairstep/learn/learn.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/records.hpp>
#include <fairstep/learn/run.hpp>
#include <fairstep/learn/schedule.hpp>

#include "convert.hpp"
#include "grounds.hpp"
#include "interruptible.hpp"
#include "option_fields.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

struct News {
  std::size_t done = 0;
  std::uint64_t k = 0;
  double value = 0, violation = 0;
};

using LearnListener = std::function<void(std::size_t done, std::uint64_t k, double value, double violation)>;

/// A run, and the notion that it was about.
struct Learned {
  RunRecord record{};
  std::string fairness{};
};

using NamedRun = Named<Learned>;
using NamedUpdate = Named<UpdateRecord>;

/// The property of a record's number, text or list.
template <class T>
auto value_of(T UpdateRecord::* member) {
  return [member](const NamedUpdate& u) -> const T& { return (*u.it).*member; };
}

std::vector<NamedUpdate> updates_of(const NamedRun& run) {
  std::vector<NamedUpdate> updates;
  for (const UpdateRecord& update : run.it->record.updates) updates.push_back(run.part(update));
  return updates;
}

Policy policy_of(const UpdateRecord& update) {
  return update.decided ? *update.decided : unwrap(read_policy(update.policy));
}

Policy last_policy(const NamedRun& run) {
  if (run.it->record.updates.empty()) throw Refused(Error{"there is no policy: no update was made"});
  return policy_of(run.it->record.updates.back());
}

std::optional<Measured> measured(const UpdateRecord& update, Measured Trial::* what) {
  return update.trial ? std::optional((*update.trial).*what) : std::nullopt;
}

nb::dict gaps_of(const UpdateRecord& update) {
  nb::dict gaps;
  if (update.dp.empty()) return gaps;
  for (const Notion notion : all_of<Notion>()) gaps[name_of(notion)] = owned(update.gap(notion));
  return gaps;
}

nb::object safety_of(const UpdateRecord& update) {
  if (!update.safety) return nb::none();
  nb::dict safe;
  safe["fallback"] = update.safety->fallback;
  safe["mixed"] = update.safety->mixed;
  safe["doubt_scale"] = update.safety->doubt_scale;
  safe["worst_gap"] = update.safety->worst_gap;
  return safe;
}

void bind_update(nb::module_& module) {
  nb::class_<Measured>(module, "Measured", "An estimate by simulation and its 95 % interval.")
      .def_ro("mean", &Measured::mean)
      .def_ro("low", &Measured::low)
      .def_ro("high", &Measured::high)
      .def("__repr__",
           [](const Measured& m) { return fmt::format("Measured(mean={}, low={}, high={})", m.mean, m.low, m.high); });
  nb::class_<PowerFit>(module, "Fit", "value ~ exp(intercept) k^slope, by least squares on a log-log scale.")
      .def_ro("slope", &PowerFit::slope)
      .def_ro("intercept", &PowerFit::intercept)
      .def_ro("points", &PowerFit::points)
      .def_ro("omitted", &PowerFit::omitted, "Episodes of those without a logarithm.")
      .def("__repr__", [](const PowerFit& f) {
        return fmt::format("Fit(slope={}, intercept={}, points={}, omitted=[{}])", f.slope, f.intercept, f.points,
                           fmt::join(f.omitted, ", "));
      });
  const auto steps = [](std::vector<double> UpdateRecord::* member) {
    return named_array<UpdateRecord>([member](const UpdateRecord& u) -> auto& { return u.*member; });
  };
  nb::class_<NamedUpdate>(module, "Update",
                          "One update of the policy in a learning run, judged exactly under the true model.")
      .def_prop_ro("k", value_of(&UpdateRecord::k), "The episode.")
      .def_prop_ro("value", value_of(&UpdateRecord::value), "Expected total reward under the true model.")
      .def_prop_ro("violation", value_of(&UpdateRecord::violation),
                   "Step-average gap of the notion in force, under the true model.")
      .def_prop_ro("reward_regret", value_of(&UpdateRecord::regret), "(value of the best fair policy - value) / H.")
      .def_prop_ro("reward_regret_bound", value_of(&UpdateRecord::regret_bound),
                   "The same against what was proven of the best: the regret is at most this.")
      .def_prop_ro(
          "gap", [](const NamedUpdate& u) { return gaps_of(*u.it); },
          nb::sig("def gap(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]"),
          "By notion, [h], under the true model.")
      .def_prop_ro("ratio", steps(&UpdateRecord::ratio),
                   "The least ratio under the true model, [h], if one is limited.")
      .def_prop_ro("limit", steps(&UpdateRecord::limit), "The limit asked for, [h].")
      .def_prop_ro("relaxation", steps(&UpdateRecord::relaxation), "What was allowed on top, [h].")
      .def_prop_ro("vacuous", value_of(&UpdateRecord::vacuous), "Steps at which that is 1 or more.")
      .def_prop_ro("estimated_gap", steps(&UpdateRecord::estimated_gap), "Under the estimate, [h].")
      .def_prop_ro("bonus_max", value_of(&UpdateRecord::bonus_max))
      .def_prop_ro("floor", value_of(&UpdateRecord::floor))
      .def_prop_ro("epsilon", value_of(&UpdateRecord::epsilon))
      .def_prop_ro("unvisited", value_of(&UpdateRecord::unvisited), "Cells whose row is the rule's.")
      .def_prop_ro("lower", value_of(&UpdateRecord::lower),
                   "Bounds on the program's optimum: estimated rewards and bonus.")
      .def_prop_ro("upper", value_of(&UpdateRecord::upper))
      .def_prop_ro("gap_to_bound", value_of(&UpdateRecord::gap_to_bound))
      .def_prop_ro("outcome", value_of(&UpdateRecord::outcome))
      .def_prop_ro("stopped_by", value_of(&UpdateRecord::stopped_by))
      .def_prop_ro(
          "measured_value", [](const NamedUpdate& u) { return measured(*u.it, &Trial::value); }, "By simulated people.")
      .def_prop_ro(
          "measured_violation", [](const NamedUpdate& u) { return measured(*u.it, &Trial::violation); },
          "By simulated people.")
      .def_prop_ro(
          "safe", [](const NamedUpdate& u) { return safety_of(*u.it); },
          nb::sig("def safe(self) -> dict[str, typing.Any] | None"),
          "With `safe`: fallback, mixed, doubt_scale and worst_gap [h].")
      .def_prop_ro(
          "policy", [](const NamedUpdate& u) { return policy_of(*u.it); }, "What was decided.")
      .def("__repr__", [](const NamedUpdate& u) {
        return fmt::format("Update(k={}, value={:.4g}, violation={:.4g})", u.it->k, u.it->value, u.it->violation);
      });
}

void bind_run(nb::module_& module) {
  const auto record = [](auto RunRecord::* member) {
    return [member](const NamedRun& r) -> const auto& { return r.it->record.*member; };
  };
  nb::class_<NamedRun>(module, "Run",
                       "A learning run: its updates, and the best fair policy that it is measured against.")
      .def_prop_ro("updates", &updates_of)
      .def_prop_ro("finished", record(&RunRecord::finished))
      .def_prop_ro("groups", record(&RunRecord::groups))
      .def_prop_ro("fairness", [](const NamedRun& r) { return r.it->fairness; })
      .def_prop_ro("relaxation", record(&RunRecord::relaxation))
      .def_prop_ro("oracle_outcome", record(&RunRecord::oracle),
                   "How the search for the best fair policy on the true model ended.")
      .def_prop_ro("oracle_lower", record(&RunRecord::oracle_lower), "Its value.")
      .def_prop_ro("oracle_upper", record(&RunRecord::oracle_upper), "No fair policy is worth more than this.")
      .def_prop_ro("regret_fit", record(&RunRecord::regret))
      .def_prop_ro("violation_fit", record(&RunRecord::violation))
      .def_prop_ro(
          "rests_on",
          [](const NamedRun& r) -> std::optional<NamedGrounds> {
            if (!r.grounds) return std::nullopt;
            return NamedGrounds(r.grounds, r.names);
          },
          "What the model rests on, if it is an estimate: then the people were drawn from it, and nobody was seen.")
      .def_prop_ro("policy", &last_policy, "That of the last update.")
      .def("to_frame", in_python("fairstep._frames", "run"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table with a row for each update: k, value, violation, reward_regret and more.")
      .def("_repr_html_", in_python("fairstep._html", "run"), nb::sig("def _repr_html_(self) -> str"))
      .def("__repr__", [](const NamedRun& r) {
        const std::vector<UpdateRecord>& updates = r.it->record.updates;
        if (updates.empty()) return std::string("Run(no updates)");
        const UpdateRecord& last = updates.back();
        return fmt::format("Run({} updates to k={}, value={:.4g}, violation={:.4g}, best fair value>={})",
                           updates.size(), last.k, last.value, last.violation,
                           round_down_short(r.it->record.oracle_lower, 4));
      });
}

void bind_learn_options(nb::module_& module) {
  bind_options<StepwiseParity>(module, "StepwiseParity", "How far apart groups may be at every step.",
                               {field("fairness", &StepwiseParity::notion), field("limit", &StepwiseParity::limit)});
  bind_options<StepwiseRatio>(module, "StepwiseRatio", "How much less any group's rate may be than the greatest.",
                              {field("fairness", &StepwiseRatio::notion), field("limit", &StepwiseRatio::limit),
                               field("reference", &StepwiseRatio::reference)});
  bind_options<LearnOptions>(module, "LearnOptions", "How a policy is learned.",
                             {field("fairness", &LearnOptions::fairness),
                              field("ratio", &LearnOptions::ratio),
                              field("rules", &LearnOptions::rules),
                              field("method", &LearnOptions::method),
                              field("penalty", &LearnOptions::penalty),
                              field("penalty_form", &LearnOptions::penalty_form),
                              field("schedule", &LearnOptions::schedule),
                              field("people_per_episode", &LearnOptions::people_per_episode),
                              field("people_by_share", &LearnOptions::people_by_share),
                              field("relaxation", &LearnOptions::relaxation),
                              field("bonus_scale", &LearnOptions::bonus_scale),
                              field("relaxation_scale", &LearnOptions::relaxation_scale),
                              field("discounted_limits", &LearnOptions::discounted_limits),
                              field("delta", &LearnOptions::delta),
                              field("floor", &LearnOptions::floor),
                              field("epsilon", &LearnOptions::epsilon),
                              field("floor_kind", &LearnOptions::floor_kind),
                              field("group_independent", &LearnOptions::group_independent),
                              field("unvisited", &LearnOptions::unvisited),
                              field("safe", &LearnOptions::safe),
                              field("proof", &LearnOptions::proof),
                              field("evaluation_episodes", &LearnOptions::trial_episodes),
                              field("seed", &LearnOptions::seed)});
}

}  // namespace

void bind_learn(nb::module_& module) {
  bind_learn_options(module);
  bind_update(module);
  bind_run(module);
  module.def("parse_schedule", [](const std::string& text) { return parse_schedule(text); }, nb::arg("text"));
  module.def(
      "learn",
      [](const Model& model, LearnOptions options, bool by_person, const std::optional<std::filesystem::path>& folder,
         bool restart, const std::optional<LearnListener>& progress) {
        std::function<void(const News&)> hear;
        if (progress) hear = [&](const News& news) { (*progress)(news.done, news.k, news.value, news.violation); };
        Learned learned;
        learned.fairness = notion_in_force(options);
        learned.record = unwrap(interruptible<News>(
            [&](const std::stop_token& stop, const std::function<void(const News&)>& tell) -> Expected<RunRecord> {
              options.stop = stop;
              std::size_t done = 0;
              RunOptions keeping;
              keeping.by_person = by_person;
              keeping.restart = restart;
              keeping.version = FAIRSTEP_VERSION;
              keeping.on_update = [&](const Update& update) {
                tell({++done, update.k, update.truth ? update.truth->evaluation.value : 0,
                      update.truth ? update.truth->violation : 0});
              };
              auto run =
                  folder ? run_in_folder(*folder, model, options, keeping) : run_in_memory(model, options, keeping);
              if (!run) return tl::unexpected(run.error());
              return std::move(run->record);
            },
            hear));
        if (folder)
          for (UpdateRecord& update : learned.record.updates) update.policy = (*folder / update.policy).string();
        return NamedRun(std::move(learned), model.names(), grounds_of(model));
      },
      nb::arg("model"), nb::arg("options"), nb::arg("by_person"), nb::arg("folder").none(), nb::arg("restart"),
      nb::arg("progress").none());
}

}  // namespace fairstep::python
