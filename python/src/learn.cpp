// The paper's algorithm on a simulated population.
#include <fairstep/learn/learn.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/learn/run.hpp>
#include <fairstep/learn/schedule.hpp>

#include "convert.hpp"
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

void bind_learn_options(nb::module_& module) {
  bind_options<StepwiseParity>(module, "StepwiseParity", "How far apart groups may be at every step.",
                               {field("fairness", &StepwiseParity::notion), field("limit", &StepwiseParity::limit)});
  bind_options<LearnOptions>(
      module, "LearnOptions", "How a policy is learned.",
      {field("fairness", &LearnOptions::fairness), field("method", &LearnOptions::method),
       field("penalty", &LearnOptions::penalty), field("penalty_form", &LearnOptions::penalty_form),
       field("schedule", &LearnOptions::schedule), field("people_per_episode", &LearnOptions::people_per_episode),
       field("relaxation", &LearnOptions::relaxation), field("bonus_scale", &LearnOptions::bonus_scale),
       field("relaxation_scale", &LearnOptions::relaxation_scale), field("delta", &LearnOptions::delta),
       field("floor", &LearnOptions::floor), field("epsilon", &LearnOptions::epsilon),
       field("floor_kind", &LearnOptions::floor_kind), field("unvisited", &LearnOptions::unvisited),
       field("safe", &LearnOptions::safe), field("proof", &LearnOptions::proof),
       field("evaluation_episodes", &LearnOptions::trial_episodes), field("seed", &LearnOptions::seed)});
}

}  // namespace

void bind_learn(nb::module_& module) {
  bind_learn_options(module);
  module.def("parse_schedule", [](const std::string& text) { return parse_schedule(text); }, nb::arg("text"));
  module.def(
      "learn",
      [](const Model& model, LearnOptions options, bool by_person, const std::optional<std::filesystem::path>& folder,
         bool restart, const std::optional<LearnListener>& progress) {
        std::function<void(const News&)> hear;
        if (progress) hear = [&](const News& news) { (*progress)(news.done, news.k, news.value, news.violation); };
        return unwrap(interruptible<News>(
            [&](const std::stop_token& stop, const std::function<void(const News&)>& tell) -> Expected<std::string> {
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
              const auto run =
                  folder ? run_in_folder(*folder, model, options, keeping) : run_in_memory(model, options, keeping);
              if (!run) return tl::unexpected(run.error());
              return to_text(run->record);
            },
            hear));
      },
      nb::arg("model"), nb::arg("options"), nb::arg("by_person"), nb::arg("folder").none(), nb::arg("restart"),
      nb::arg("progress").none(), "A learning run as the text of its result.json.");
}

}  // namespace fairstep::python
