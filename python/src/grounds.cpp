// What an estimated model rests on, row by row.
#include "grounds.hpp"

#include <numeric>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "parts.hpp"

namespace fairstep::python {
namespace {

/// A number of the log's totals; none if the counts did not say which log they came from.
auto of_log(std::int64_t LogGrounds::* number) {
  return [number](const NamedGrounds& g) {
    return g.it->log ? std::optional(*g.it->log.*number) : std::optional<std::int64_t>();
  };
}

}  // namespace

void bind_grounds(nb::module_& module) {
  nb::class_<NamedGrounds>(module, "Grounds",
                           "What an estimated model rests on, row by row: how much was seen, what was guessed and by "
                           "which rule, what was assumed about labels, what of the log could not be used.")
      .def_prop_ro(
          "groups", [](const NamedGrounds& g) { return g.names->groups; }, "Names of the groups, [g].")
      .def_prop_ro(
          "features", [](const NamedGrounds& g) { return g.names->features; }, "Names of the features, [x].")
      .def_prop_ro("people", named_array<Grounds>([](const Grounds& g) -> auto& { return g.people; }),
                   "People counted, [g].")
      .def_prop_ro(
          "shares", [](const NamedGrounds& g) { return g.it->shares_counted ? "counted" : "given"; },
          "Whether the groups' shares are those of the people counted, or were given.")
      .def_prop_ro("first", named_array<Grounds>([](const Grounds& g) -> auto& { return g.first; }),
                   "First states seen, [g]; 0: the group's first state is a guess.")
      .def_prop_ro(
          "successors",
          [](nb::handle_t<NamedGrounds> self) {
            const Grounds& g = *nb::cast<const NamedGrounds&>(self).it;
            return view(g.successors, !g.successors.pooled(), self);
          },
          "Next states seen, [g,x,y,a]; 0: the row is a guess. [g,period,x,y,a] if the model has several periods.")
      .def_prop_ro("rewards", named_array<Grounds>([](const Grounds& g) -> auto& { return g.rewards; }),
                   "Rewards seen, [g,x,y,a]; 0: the mean reward is a guess. If they were given, decisions seen.")
      .def_prop_ro(
          "rewards_are", [](const NamedGrounds& g) { return g.it->rewards_given ? "given" : "counted"; },
          "Whether mean rewards are those of the log, or were given.")
      .def_prop_ro(
          "gaps", [](const NamedGrounds& g) { return g.it->gaps; },
          "Decisions after a gap that participation takes for those of people who join there.")
      .def_prop_ro(
          "unvisited", [](const NamedGrounds& g) { return std::string(name_of(g.it->unvisited)); },
          "The rule of the guessed rows: uniform, stay or error.")
      .def_prop_ro(
          "guessed_rows", [](const NamedGrounds& g) { return guessed_rows(*g.it); }, "How many rows are guesses.")
      .def_prop_ro("rows", of_log(&LogGrounds::rows), "Rows of the log; None if the counts did not say which it was.")
      .def_prop_ro("lost", of_log(&LogGrounds::lost), "Of these, so many could not be used.")
      .def_prop_ro(
          "censored",
          [](const NamedGrounds& g) {
            return g.it->log ? std::optional(std::string(name_of(g.it->log->censoring))) : std::nullopt;
          },
          "What was assumed about labels that nobody knows: no, drop or assume-ignorable.")
      .def_prop_ro("imputed", of_log(&LogGrounds::imputed), "Labels that were drawn.")
      .def_prop_ro("unlabelled", of_log(&LogGrounds::unlabelled), "Decisions without a label, left out.")
      .def_prop_ro("excluded", of_log(&LogGrounds::excluded), "Rows of groups that are outside of the study.")
      .def_prop_ro("unrecorded_people", of_log(&LogGrounds::unrecorded_people),
                   "People in the counts of whose log nothing is known.")
      .def_prop_ro(
          "labels",
          [](const NamedGrounds& g) {
            return g.it->labels ? std::optional(std::string(name_of(LabelsAre::follow_features))) : std::nullopt;
          },
          "follow-features where that is assumed; None if states are as seen.")
      .def_prop_ro(
          "refused",
          [](const NamedGrounds& g) {
            return g.it->labels ? std::optional(text_of(g.it->labels->assumption.refused)) : std::nullopt;
          },
          "What is assumed of those whose label was not seen, where labels follow features; otherwise None.")
      .def_prop_ro(
          "caveats", [](const NamedGrounds& g) { return caveats(*g.it, g.names->groups); },
          "What whoever uses the model has to know, a sentence each.")
      .def("to_frame", in_python("fairstep._frames", "grounds"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table with columns group, x, y, a, successors, rewards and row (seen, or the rule of a guess).")
      .def("__repr__", [](const NamedGrounds& g) {
        return fmt::format("Grounds(people={}, guessed={} of {} rows)",
                           std::accumulate(g.it->people.begin(), g.it->people.end(), std::int64_t{0}),
                           guessed_rows(*g.it), g.it->successors.all().size());
      });
}

}  // namespace fairstep::python
