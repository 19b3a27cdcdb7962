// From counts to a model, with what is not known about it; and the paper's bonus and relaxations.
#include <fairstep/estimate/estimate.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/given_rewards.hpp>
#include <fairstep/core/objections.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/estimate/bonus.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/coverage.hpp>
#include <fairstep/estimate/literal_relaxation.hpp>
#include <fairstep/estimate/pessimistic.hpp>
#include <fairstep/io/files.hpp>

#include "cells.hpp"
#include "convert.hpp"
#include "parts.hpp"
#include "words.hpp"

namespace fairstep::python {
namespace {

AtEpisode at_episode(const Estimate& estimate, std::uint64_t k, double delta) {
  if (k < 1) throw Refused(Error{"k is 0, expected at least 1"});
  if (!(delta > 0 && delta < 1))
    throw Refused(Error{fmt::format("delta is {}, expected more than 0 and less than 1", delta)});
  return {estimate.model.shape(), k, delta};
}

void bind_radii(nb::module_& module) {
  nb::class_<Radii>(module, "Radii",
                    "How far the estimate may be from the truth, in total variation: all radii hold together with "
                    "probability 1 - delta, whatever policies people met and whenever one looks.")
      .def_prop_ro(
          "row",
          [](nb::handle_t<Radii> self) {
            const auto& r = nb::cast<const Radii&>(self);
            return view(r.row, !r.row.pooled(), self);
          },
          "Of the kernel's rows, [g,x,y,a]; 1 where nothing was seen. [g,period,x,y,a] if there are several periods.")
      .def_prop_ro("initial", array_of<Radii>([](const Radii& r) -> auto& { return r.initial; }),
                   "Of the first state's distribution, [g].")
      .def_prop_ro("reward", array_of<Radii>([](const Radii& r) -> auto& { return r.reward; }),
                   "Of mean rewards, [g,x,y,a]; empty unless the range of rewards is given.")
      .def_ro("delta_row", &Radii::delta_row, "What each row may fail with.")
      .def("__repr__",
           [](const Radii& r) { return fmt::format("Radii(delta_row={})", round_up_short(r.delta_row, 3)); });
  module.def(
      "radii",
      [](const Estimate& estimate, double delta, const std::optional<std::pair<double, double>>& reward_range) {
        if (!(delta > 0 && delta < 1))
          throw Refused(Error{fmt::format("delta is {}, expected more than 0 and less than 1", delta)});
        RadiiOptions options{delta, std::nullopt};
        if (reward_range) {
          if (!(reward_range->first <= reward_range->second))
            throw Refused(Error{fmt::format("reward_range is {}, {}, expected the least and the greatest reward",
                                            reward_range->first, reward_range->second)});
          options.rewards = RewardKnowledge{{reward_range->first, reward_range->second}, true};
        }
        return unwrap(radii(estimate, options));
      },
      nb::arg("estimate"), nb::arg("delta"), nb::arg("reward_range").none());
  module.def(
      "pessimistic",
      [](const Estimate& estimate, const Radii& radii, double delta,
         const std::optional<std::pair<double, double>>& reward_range) {
        RadiiOptions options{delta, std::nullopt};
        if (reward_range) options.rewards = RewardKnowledge{{reward_range->first, reward_range->second}, true};
        return unwrap(pessimistic(estimate.model, radii, options));
      },
      nb::arg("estimate"), nb::arg("radii"), nb::arg("delta"), nb::arg("reward_range").none());
}

CountedBy counted_by(bool opt_out) { return opt_out ? CountedBy::successors : CountedBy::visits; }

void bind_formulas(nb::module_& module) {
  module.def(
      "bonus",
      [](const Estimate& estimate, std::uint64_t k, double delta, const std::pair<double, double>& reward_range,
         double scale, bool opt_out) {
        return owned(bonus(counted(estimate, counted_by(opt_out)), at_episode(estimate, k, delta),
                           {{reward_range.first, reward_range.second}, scale}));
      },
      nb::arg("estimate"), nb::arg("k"), nb::arg("delta"), nb::arg("reward_range"), nb::arg("scale"),
      nb::arg("opt_out"));
  module.def(
      "c_hat",
      [](const Estimate& estimate, std::uint64_t k, double delta, std::optional<double> epsilon, double scale,
         bool opt_out) {
        const AtEpisode at = at_episode(estimate, k, delta);
        return c_hat(worst_cells(estimate, counted_by(opt_out)).visits, at, epsilon.value_or(paper_epsilon(at)), scale);
      },
      nb::arg("estimate"), nb::arg("k"), nb::arg("delta"), nb::arg("epsilon").none(), nb::arg("scale"),
      nb::arg("opt_out"));
  module.def(
      "d_hat",
      [](const Estimate& estimate, std::uint64_t k, double delta, std::optional<double> epsilon, double scale,
         bool opt_out, bool scale_widths) {
        const AtEpisode at = at_episode(estimate, k, delta);
        return d_hat(worst_cells(estimate, counted_by(opt_out)), at, epsilon.value_or(paper_epsilon(at)), scale,
                     scale_widths ? Scaled::widths : Scaled::result);
      },
      nb::arg("estimate"), nb::arg("k"), nb::arg("delta"), nb::arg("epsilon").none(), nb::arg("scale"),
      nb::arg("opt_out"), nb::arg("scale_widths"));
}

/// Group, feature, label, action, and the reward of all cells that have what is named.
using RewardTuple = std::tuple<std::optional<std::string>, std::optional<std::string>, std::optional<std::size_t>,
                               std::optional<std::size_t>, double>;

GivenRewards table_of(const std::vector<RewardTuple>& rows) {
  GivenRewards given;
  for (const auto& [group, feature, label, action, reward] : rows)
    given.entries.push_back({group, feature, label, action, reward});
  return given;
}

/// What was given in one of three ways, by cells of these counts.
void bind_given_rewards(nb::module_& module) {
  module.def(
      "given_rewards",
      [](const Counts& counts, const std::optional<std::string>& text, const std::optional<std::filesystem::path>& file,
         const std::vector<RewardTuple>& rows) {
        const GivenRewards given = text   ? unwrap(rewards_from(*text))
                                   : file ? unwrap(read_rewards(*file))
                                          : table_of(rows);
        auto cells = rewards_by_cell(given, counts.names());
        if (!cells && file) cells.error().file = file->string();
        return owned(unwrap(std::move(cells)));
      },
      nb::arg("counts"), nb::arg("text").none(), nb::arg("file").none(), nb::arg("rows"));
}

}  // namespace

void bind_estimate(nb::module_& module) {
  nb::class_<Estimate>(module, "Estimate", "A model from counts, and how much was behind it.")
      .def_prop_ro(
          "model", [](const Estimate& e) -> const Model& { return e.model; }, nb::rv_policy::reference_internal,
          "Proportions and means that were counted; rows of cells without a seen successor are filled by the rule.")
      .def_prop_ro("visits", array_of<Estimate>([](const Estimate& e) -> auto& { return e.visits; }),
                   "Decisions taken, [g,x,y,a].")
      .def_prop_ro(
          "successors",
          [](nb::handle_t<Estimate> self) {
            const auto& e = nb::cast<const Estimate&>(self);
            return view(e.successors, !e.successors.pooled(), self);
          },
          "Of these, with the next state seen, [g,x,y,a]; [g,period,x,y,a] if there are several periods.")
      .def_prop_ro("people", array_of<Estimate>([](const Estimate& e) -> auto& { return e.people; }),
                   "First states seen, [g].")
      .def_ro("unvisited", &Estimate::unvisited, "Cells without a seen successor.")
      .def_prop_ro(
          "unvisited_cells",
          [](const Estimate& e) {
            nb::list cells;
            for (const Cell& cell : e.unvisited_cells) {
              if (e.successors.pooled())
                cells.append(nb::make_tuple(cell.g, cell.x, cell.y, cell.a));
              else
                cells.append(nb::make_tuple(cell.g, cell.x, cell.y, cell.a, cell.period));
            }
            return cells;
          },
          nb::sig("def unvisited_cells(self) -> list[tuple[int, ...]]"),
          "These cells, (g, x, y, a) each; (g, x, y, a, period) if there are several periods.")
      .def_prop_ro(
          "empty_groups",
          [](const Estimate& e) {
            std::vector<std::string> names;
            for (const std::size_t g : e.empty_groups) names.push_back(e.model.names().groups[g]);
            return names;
          },
          "Groups of which nobody was seen.")
      .def_ro("not_taking_part", &Estimate::not_taking_part,
              "Why no participation was estimated although people come and go; empty otherwise.")
      .def_prop_ro(
          "objections",
          [](const Estimate& e) {
            std::vector<std::pair<std::string, std::string>> found;
            for (const Objection& objection : objections(e.model))
              found.emplace_back(objection.problem, objection.remedy);
            return found;
          },
          "Why the model is not worth solving, and what would help; none if it is.")
      .def("pessimistic", in_python("fairstep._estimating", "pessimistic"),
           nb::sig("def pessimistic(self, *, delta: float = 0.1, reward_range: tuple[float, float] | None = None) -> "
                   "Model"),
           "The model with rewards lowered by what the data leave open: with probability 1 - delta every policy is "
           "worth at least in truth what it is worth there.")
      .def("radii", in_python("fairstep._estimating", "radii"),
           nb::sig("def radii(self, *, delta: float = 0.1, reward_range: tuple[float, float] | None = None) -> Radii"),
           "How far the truth may be from the model; with `reward_range`, of mean rewards as well.")
      .def("__repr__",
           [](const Estimate& e) {
             std::int64_t people = 0;
             for (const std::int64_t n : e.people) people += n;
             return fmt::format("Estimate(people={}, unvisited={} of {} cells)", people, e.unvisited,
                                e.successors.all().size());
           })
      .def("_repr_html_", in_python("fairstep._html", "estimate"), nb::sig("def _repr_html_(self) -> str"));
  module.def(
      "estimate",
      [](const Counts& counts, std::vector<double> share, const std::optional<std::string>& unvisited, double discount,
         std::string description, const std::optional<std::string>& refused, const std::optional<std::string>& point,
         const nb::object& reward, bool participation) {
        EstimateOptions options{std::move(share), chosen<Unvisited>(unvisited.value_or("stay"), "unvisited"), discount,
                                std::move(description)};
        if (!reward.is_none()) options.reward = tensor_of<double, 4>(reward, "reward", "[g,x,y,a]");
        options.participation = participation;
        const nb::gil_scoped_release others_may_run;
        if (refused) options.labels = LabelAssumption{unwrap(refused_from(*refused))};
        if (point) options.point = chosen<RefusedPoint>(*point, "point");
        Estimate found = unwrap(estimate(counts, options));
        if (!unvisited) unwrap(refuse_guesswork(found.model));
        return found;
      },
      nb::arg("counts"), nb::arg("share"), nb::arg("unvisited").none(), nb::arg("discount"), nb::arg("description"),
      nb::arg("refused").none(), nb::arg("point").none(), nb::arg("reward").none(), nb::arg("participation"));
  bind_given_rewards(module);
  bind_radii(module);
  bind_formulas(module);
}

}  // namespace fairstep::python
