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
#include "parts.hpp"
#include "words.hpp"

namespace fairstep::python {
namespace {

struct News {
  std::size_t done = 0;
  std::uint64_t k = 0;
  double value = 0, violation = 0;
};

using LearnListener = std::function<void(std::size_t done, std::uint64_t k, double value, double violation)>;

}  // namespace

void bind_learn(nb::module_& module) {
  module.def("parse_schedule", [](const std::string& text) { return parse_schedule(text); }, nb::arg("text"));
  module.def(
      "learn",
      [](const Model& model, const std::string& fairness, std::vector<double> limit, const std::string& method,
         double penalty, const std::string& penalty_form, std::vector<std::uint64_t> schedule,
         std::uint64_t people_per_episode, bool by_person, const std::string& relaxation,
         std::optional<double> bonus_scale, std::optional<double> relaxation_scale, double delta, bool safe,
         std::optional<double> floor, const std::string& floor_kind, std::optional<double> epsilon,
         const std::string& unvisited, std::size_t evaluation_episodes, bool prove, double gap, double time_limit,
         std::size_t effort, std::uint64_t seed, const std::optional<std::filesystem::path>& folder, bool restart,
         const std::optional<LearnListener>& progress) {
        LearnOptions options;
        options.fairness = {chosen<Notion>(fairness, "fairness"), std::move(limit), {}};
        options.method = chosen<Method>(method, "method");
        options.penalty = penalty;
        options.penalty_form = chosen<PenaltyForm>(penalty_form, "penalty_form");
        options.schedule = std::move(schedule);
        options.people_per_episode = people_per_episode;
        options.relaxation = chosen<RelaxationMode>(relaxation, "relaxation");
        options.bonus_scale = bonus_scale;
        options.relaxation_scale = relaxation_scale;
        options.delta = delta;
        options.safe = safe;
        options.floor = floor;
        options.floor_kind = chosen<FloorKind>(floor_kind, "floor_kind");
        options.epsilon = epsilon;
        options.unvisited = chosen<Unvisited>(unvisited, "unvisited");
        options.trial_episodes = evaluation_episodes;
        options.prove = prove;
        options.gap = gap;
        options.time_limit = time_limit;
        options.effort = effort;
        options.seed = seed;
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
              return to_text(*run, model, options);
            },
            hear));
      },
      nb::arg("model"), nb::arg("fairness"), nb::arg("limit"), nb::arg("method"), nb::arg("penalty"),
      nb::arg("penalty_form"), nb::arg("schedule"), nb::arg("people_per_episode"), nb::arg("by_person"),
      nb::arg("relaxation"), nb::arg("bonus_scale").none(), nb::arg("relaxation_scale").none(), nb::arg("delta"),
      nb::arg("safe"), nb::arg("floor").none(), nb::arg("floor_kind"), nb::arg("epsilon").none(), nb::arg("unvisited"),
      nb::arg("evaluation_episodes"), nb::arg("prove"), nb::arg("gap"), nb::arg("time_limit"), nb::arg("effort"),
      nb::arg("seed"), nb::arg("folder").none(), nb::arg("restart"), nb::arg("progress").none(),
      "A learning run as the text of its result.json.");
}

}  // namespace fairstep::python
