// People drawn from a model: counts of whole crowds, or a log with a row for each decision.
#include <fairstep/simulate/simulate.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/in_order.hpp>

#include "convert.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

/// Columns of equal length.
struct Log {
  std::vector<std::uint64_t> person{};
  std::vector<std::uint32_t> group{}, step{}, x{}, y{}, a{};
  std::vector<double> reward{};

  void add(std::span<const Decision> rows) {
    for (const Decision& row : rows) {
      person.push_back(row.person);
      group.push_back(row.group);
      step.push_back(row.step);
      x.push_back(row.x);
      y.push_back(row.y);
      a.push_back(row.a);
      reward.push_back(row.reward);
    }
  }
};

using NamedLog = Named<Log>;

SimulateOptions options_of(std::uint64_t people, bool per_group, std::uint64_t seed, unsigned threads) {
  return {{people, per_group}, seed, 0, threads};
}

/// The same for counts of the model's people by other periods than its own.
SimulateOptions options_of(std::uint64_t people, bool per_group, std::uint64_t seed, unsigned threads,
                           const Model& model, const std::optional<KernelWanted>& kernel) {
  SimulateOptions options = options_of(people, per_group, seed, threads);
  if (kernel) options.periods = unwrap(kernel_choice(*kernel).of(model.shape()));
  return options;
}

std::pair<Counts, Counts> parts_of(SplitCounts&& both) { return {std::move(both.design), std::move(both.audit)}; }

void bind_log(nb::module_& module) {
  nb::class_<NamedLog>(module, "Log",
                       "Simulated people, a row for each decision: columns of equal length, groups and features by "
                       "number.\n\nThe rows come person after person and step after step.")
      .def_prop_ro(
          "groups", [](const NamedLog& l) { return l.names->groups; }, "Names of the groups, [g].")
      .def_prop_ro(
          "features", [](const NamedLog& l) { return l.names->features; }, "Names of the features, [x].")
      .def_prop_ro("person", named_array<Log>([](const Log& l) -> auto& { return l.person; }), "Number of the person.")
      .def_prop_ro("group", named_array<Log>([](const Log& l) -> auto& { return l.group; }), "g of the person.")
      .def_prop_ro("step", named_array<Log>([](const Log& l) -> auto& { return l.step; }), "Step h.")
      .def_prop_ro("x", named_array<Log>([](const Log& l) -> auto& { return l.x; }), "Feature.")
      .def_prop_ro("y", named_array<Log>([](const Log& l) -> auto& { return l.y; }), "Label.")
      .def_prop_ro("a", named_array<Log>([](const Log& l) -> auto& { return l.a; }), "Decision.")
      .def_prop_ro("reward", named_array<Log>([](const Log& l) -> auto& { return l.reward; }), "What it earned.")
      .def("__len__", [](const NamedLog& l) { return l.it->person.size(); })
      .def("__repr__", [](const NamedLog& l) { return fmt::format("Log(decisions={})", l.it->person.size()); })
      .def("to_frame", in_python("fairstep._frames", "log"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table with columns person, group, step, x, y, a and reward; groups and features by name. "
           "`fairstep.count` takes it.");
}

}  // namespace

void bind_simulate(nb::module_& module) {
  bind_log(module);
  module.def(
      "simulate_counts",
      [](const Model& model, const Policy& policy, std::uint64_t people, bool per_group, std::uint64_t seed,
         const std::optional<KernelWanted>& kernel) {
        return unwrap(simulate_counts(model, in_order_of(model.names().groups, policy),
                                      options_of(people, per_group, seed, 1, model, kernel)));
      },
      nb::arg("model"), nb::arg("policy"), nb::arg("people"), nb::arg("per_group"), nb::arg("seed"),
      nb::arg("kernel").none(), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "simulate_people",
      [](const Model& model, const Policy& policy, std::uint64_t people, bool per_group, std::uint64_t seed,
         unsigned threads, const std::optional<KernelWanted>& kernel) {
        SimulateOptions options = options_of(people, per_group, seed, threads, model, kernel);
        options.history = true;
        return unwrap(simulate_people(model, in_order_of(model.names().groups, policy), options));
      },
      nb::arg("model"), nb::arg("policy"), nb::arg("people"), nb::arg("per_group"), nb::arg("seed"), nb::arg("threads"),
      nb::arg("kernel").none(), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "simulate_split_counts",
      [](const Model& model, const Policy& policy, std::uint64_t people, bool per_group, std::uint64_t seed,
         double split, const std::optional<KernelWanted>& kernel) {
        return parts_of(
            unwrap(simulate_split_counts(model, in_order_of(model.names().groups, policy),
                                         options_of(people, per_group, seed, 1, model, kernel), {split, seed})));
      },
      nb::arg("model"), nb::arg("policy"), nb::arg("people"), nb::arg("per_group"), nb::arg("seed"), nb::arg("split"),
      nb::arg("kernel").none(), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "simulate_split_people",
      [](const Model& model, const Policy& policy, std::uint64_t people, bool per_group, std::uint64_t seed,
         unsigned threads, double split, const std::optional<KernelWanted>& kernel) {
        SimulateOptions options = options_of(people, per_group, seed, threads, model, kernel);
        options.history = true;
        return parts_of(
            unwrap(simulate_split_people(model, in_order_of(model.names().groups, policy), options, {split, seed})));
      },
      nb::arg("model"), nb::arg("policy"), nb::arg("people"), nb::arg("per_group"), nb::arg("seed"), nb::arg("threads"),
      nb::arg("split"), nb::arg("kernel").none(), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "simulate_log",
      [](const Model& model, const Policy& policy, std::uint64_t people, bool per_group, std::uint64_t seed) {
        Log log;
        unwrap(simulate_log(model, in_order_of(model.names().groups, policy), options_of(people, per_group, seed, 1),
                            [&](std::span<const Decision> rows) {
                              log.add(rows);
                              return true;
                            }));
        return NamedLog(std::move(log), model.names());
      },
      nb::arg("model"), nb::arg("policy"), nb::arg("people"), nb::arg("per_group"), nb::arg("seed"),
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace fairstep::python
