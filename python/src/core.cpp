// Model, Policy and Counts: made from arrays, read from files, seen as arrays.
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/in_order.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/same_people.hpp>
#include <fairstep/core/shown_text.hpp>
#include <fairstep/io/output_file.hpp>

#include "convert.hpp"
#include "documents.hpp"
#include "grounds.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

std::string quoted(const std::vector<std::string>& names) { return nb::repr(nb::cast(names)).c_str(); }

std::int64_t total(std::span<const std::int64_t> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

std::int64_t people_of(const Counts& counts) {
  std::int64_t people = 0;
  for (std::size_t g = 0; g < counts.names().groups.size(); ++g) people += counts.everybody(g);
  return people;
}

Model make_model(std::size_t horizon, std::vector<std::string> groups, std::vector<std::string> features,
                 std::vector<double> share, const nb::object& initial, const nb::object& transition,
                 const nb::object& reward, const nb::object& reward_noise, double discount, std::string description,
                 std::optional<std::vector<std::string>> labels, std::optional<std::vector<std::string>> actions,
                 const nb::object& leave, const nb::object& first_step, const std::optional<NamedGrounds>& rests_on,
                 const nb::object& periods) {
  ModelSpec spec;
  spec.description = std::move(description);
  spec.horizon = horizon;
  spec.names.groups = std::move(groups);
  spec.names.features = std::move(features);
  if (labels) spec.names.labels = std::move(*labels);
  if (actions) spec.names.actions = std::move(*actions);
  spec.share = std::move(share);
  spec.initial = tensor_of<double, 3>(initial, "initial", "[g,x,y]");
  spec.periods = periods_of(periods);
  spec.transition =
      by_period_of<double, 6>(transition, "transition", "[g,x,y,a,x1,y1]", "[g,period,x,y,a,x1,y1]", spec.periods);
  spec.reward = tensor_of<double, 4>(reward, "reward", "[g,x,y,a]");
  if (!reward_noise.is_none()) spec.reward_noise = tensor_of<double, 4>(reward_noise, "reward_noise", "[g,x,y,a]");
  spec.discount = discount;
  if (leave.is_none() != first_step.is_none())
    throw Refused(Error{"leave and first_step are given together or not at all"});
  if (!leave.is_none())
    spec.participation = Participation{tensor_of<double, 4>(leave, "leave", "[g,x,y,a]"),
                                       tensor_of<double, 2>(first_step, "first_step", "[g,h]")};
  if (rests_on) spec.rests_on = *rests_on->it;
  return unwrap(Model::make(std::move(spec)));
}

void bind_model(nb::module_& module) {
  nb::class_<Model> model(module, "Model",
                          "A population: who is there, how decisions change them, and what a decision earns.\n\n"
                          "Ready-made ones come from `fairstep.env`, estimated ones from `fairstep.fit`, files from "
                          "`Model.load`. A model that exists is sound: the constructor checks everything and rescales "
                          "nothing. Arrays are read-only views with the axes in brackets, counted from 0.");
  model
      .def(
          "__init__",
          [](Model* self, std::size_t horizon, std::vector<std::string> groups, std::vector<std::string> features,
             std::vector<double> share, const nb::object& initial, const nb::object& transition,
             const nb::object& reward, const nb::object& reward_noise, double discount, std::string description,
             std::optional<std::vector<std::string>> labels, std::optional<std::vector<std::string>> actions,
             const nb::object& leave, const nb::object& first_step, const std::optional<NamedGrounds>& rests_on,
             const nb::object& periods) {
            new (self) Model(make_model(horizon, std::move(groups), std::move(features), std::move(share), initial,
                                        transition, reward, reward_noise, discount, std::move(description),
                                        std::move(labels), std::move(actions), leave, first_step, rests_on, periods));
          },
          nb::kw_only(), nb::arg("horizon"), nb::arg("groups"), nb::arg("features"), nb::arg("share"),
          nb::arg("initial"), nb::arg("transition"), nb::arg("reward"), nb::arg("reward_noise").none() = nb::none(),
          nb::arg("discount") = 1.0, nb::arg("description") = "", nb::arg("labels").none() = nb::none(),
          nb::arg("actions").none() = nb::none(), nb::arg("leave").none() = nb::none(),
          nb::arg("first_step").none() = nb::none(), nb::arg("rests_on").none() = nb::none(),
          nb::arg("periods").none() = nb::none(),
          nb::sig("def __init__(self, *, horizon: int, groups: Sequence[str], features: Sequence[str], "
                  "share: Sequence[float], initial: numpy.typing.ArrayLike, transition: numpy.typing.ArrayLike, "
                  "reward: numpy.typing.ArrayLike, reward_noise: numpy.typing.ArrayLike | None = None, "
                  "discount: float = 1.0, description: str = '', labels: Sequence[str] | None = None, "
                  "actions: Sequence[str] | None = None, leave: numpy.typing.ArrayLike | None = None, "
                  "first_step: numpy.typing.ArrayLike | None = None, rests_on: Grounds | None = None, "
                  "periods: Mapping[str, int] | None = None) -> None"),
          "From arrays: `initial` [g,x,y], `transition` [g,x,y,a,x1,y1], `reward` and `reward_noise` [g,x,y,a]; people "
          "who come and go have `leave` [g,x,y,a] and `first_step` [g,h]. `rests_on` is that of the estimate which the "
          "arrays are from. With `periods`, names and first steps, each has a kernel of its own and "
          "`transition` is [g,period,x,y,a,x1,y1]. Whatever is wrong is a ValueError that names "
          "the entry.")
      .def_prop_ro(
          "description", [](const Model& m) { return m.spec().description; }, "What it is, in words.")
      .def_prop_ro(
          "horizon", [](const Model& m) { return m.shape().horizon; }, "Steps of an episode.")
      .def_prop_ro(
          "groups", [](const Model& m) { return m.names().groups; }, "Names of the groups, [g].")
      .def_prop_ro(
          "features", [](const Model& m) { return m.names().features; }, "Names of the features, [x].")
      .def_prop_ro(
          "labels", [](const Model& m) { return m.names().labels; }, "Names of the labels 0 and 1.")
      .def_prop_ro(
          "actions", [](const Model& m) { return m.names().actions; }, "Names of the actions 0 and 1.")
      .def_prop_ro(
          "discount", [](const Model& m) { return m.discount(); }, "Step h counts discount^h.")
      .def_prop_ro("share", array_of<Model>([](const Model& m) -> auto& { return m.spec().share; }),
                   "Shares of the population, [g].")
      .def_prop_ro("initial", array_of<Model>([](const Model& m) -> auto& { return m.spec().initial; }),
                   "Distribution of the first state, [g,x,y].")
      .def_prop_ro(
          "transition",
          [](nb::handle_t<Model> self) {
            const auto& m = nb::cast<const Model&>(self);
            return view(m.spec().transition, !m.periods().pooled(), self);
          },
          "P(x1, y1 | x, y, a) in each group, [g,x,y,a,x1,y1]; [g,period,x,y,a,x1,y1] if there are periods.")
      .def_prop_ro(
          "periods", [](const Model& m) { return dict_of(m.periods()); },
          nb::sig("def periods(self) -> dict[str, int]"),
          "Periods with a kernel of their own, a name and the first step of each; none: one kernel for all steps.")
      .def_prop_ro("reward", array_of<Model>([](const Model& m) -> auto& { return m.spec().reward; }),
                   "Mean reward, [g,x,y,a].")
      .def_prop_ro("reward_noise", array_of<Model>([](const Model& m) -> auto& { return m.spec().reward_noise; }),
                   "A reward is its mean plus or minus this, [g,x,y,a]; empty if there is no noise.")
      .def_prop_ro(
          "reward_range", [](const Model& m) { return std::pair(m.reward_range().low, m.reward_range().high); },
          "The least and the greatest reward that a decision can bring.")
      .def_prop_ro(
          "participates", [](const Model& m) { return m.spec().participation.has_value(); },
          "Whether people join late and leave early.")
      .def_prop_ro(
          "rests_on",
          [](const Model& m) -> std::optional<NamedGrounds> {
            if (!m.spec().rests_on) return std::nullopt;
            return NamedGrounds(*m.spec().rests_on, m.names());
          },
          "What was seen of each row and what was guessed, if the model is an estimate.")
      .def("__repr__",
           [](const Model& m) {
             return fmt::format("Model(groups={}, features={}, horizon={})", quoted(m.names().groups),
                                m.names().features.size(), m.shape().horizon);
           })
      .def("_repr_html_", in_python("fairstep._html", "model"), nb::sig("def _repr_html_(self) -> str"));
  add_documents<Model>(model, "a model", [](const std::filesystem::path& path) { return read_model(path); });
}

void bind_policy(nb::module_& module) {
  nb::class_<Policy> policy(
      module, "Policy",
      "Who is accepted: P(a=1) for each group, step and feature.\n\n"
      "`fairstep.solve` and `fairstep.learn` find policies, `fairstep.policy` makes simple ones.");
  policy
      .def(
          "__init__",
          [](Policy* self, const nb::object& accept, const std::vector<std::string>& groups, bool group_independent) {
            if (!group_independent) {
              new (self) Policy(unwrap(Policy::make(tensor_of<double, 3>(accept, "accept", "[g,h,x]"), groups)));
              return;
            }
            if (!groups.empty()) throw Refused(Error{"groups are given, but the policy does not look at the group"});
            new (self) Policy(unwrap(Policy::make_group_independent(tensor_of<double, 2>(accept, "accept", "[h,x]"))));
          },
          nb::arg("accept"), nb::kw_only(), nb::arg("groups") = std::vector<std::string>{},
          nb::arg("group_independent") = false,
          nb::sig("def __init__(self, accept: numpy.typing.ArrayLike, *, groups: Sequence[str] = [], "
                  "group_independent: bool = False) -> None"),
          "From probabilities [g,h,x]; `groups` are the names that it is for, none: any. With `group_independent`, "
          "from [h,x].")
      .def_prop_ro("accept", array_of<Policy>([](const Policy& p) -> auto& { return p.table(); }),
                   "P(a=1), [g,h,x]; with one group in it if the policy does not look at the group.")
      .def_prop_ro(
          "group_independent", [](const Policy& p) { return p.group_independent(); },
          "Whether the policy does not look at the group.")
      .def_prop_ro(
          "horizon", [](const Policy& p) { return p.horizon(); }, "Steps of an episode.")
      .def_prop_ro(
          "groups", [](const Policy& p) { return p.group_names(); }, "The groups that it was made for; none: any.")
      .def("__repr__",
           [](const Policy& p) {
             return p.group_independent()
                        ? fmt::format("Policy(group_independent=True, horizon={}, features={})", p.horizon(),
                                      p.features())
                        : fmt::format("Policy(groups={}, horizon={}, features={})",
                                      p.group_names().empty() ? std::to_string(p.groups()) : quoted(p.group_names()),
                                      p.horizon(), p.features());
           })
      .def("to_frame", in_python("fairstep._frames", "policy"),
           nb::sig("def to_frame(self, model: Model | None = None) -> pandas.DataFrame"),
           "A table with columns group, step, x and accept.")
      .def("_repr_html_", in_python("fairstep._html", "policy"), nb::sig("def _repr_html_(self) -> str"));
  add_documents<Policy>(policy, "a policy", [](const std::filesystem::path& path) { return read_policy(path); });
}

Counts make_counts(std::vector<std::string> groups, std::vector<std::string> features, const nb::object& first,
                   const nb::object& visits, const nb::object& transitions, const nb::object& reward_sum,
                   const nb::object& reward_squares, const nb::object& periods) {
  CountsSpec made;
  made.names.groups = std::move(groups);
  made.names.features = std::move(features);
  made.first = tensor_of<std::int64_t, 3>(first, "first", "[g,x,y]");
  made.visits = tensor_of<std::int64_t, 5>(visits, "visits", "[g,h,x,y,a]");
  made.horizon = 0;
  made.periods = periods_of(periods);
  made.reward_sum = tensor_of<double, 4>(reward_sum, "reward_sum", "[g,x,y,a]");
  made.reward_squares = tensor_of<double, 4>(reward_squares, "reward_squares", "[g,x,y,a]");
  made.horizon = made.visits.extents()[1];
  if (made.periods.pooled()) {
    made.transitions = tensor_of<std::int64_t, 6>(transitions, "transitions", "[g,x,y,a,x1,y1]");
  } else {
    made.by_period = tensor_of<std::int64_t, 7>(transitions, "transitions", "[g,period,x,y,a,x1,y1]");
    unwrap(made.take_sums());
  }
  return unwrap(Counts::make(std::move(made)));
}

void bind_log_record(nb::module_& module) {
  nb::class_<Finding>(module, "Finding", "Something in a log that is not as it should be (docs/logs.md).")
      .def_prop_ro(
          "anomaly", [](const Finding& f) { return std::string(name_of(f.anomaly)); },
          "What it is: missing, unreadable, duplicate, ...")
      .def_ro("role", &Finding::role, "Which of a row's values; empty if it is about the row as a whole.")
      .def_ro("rows", &Finding::rows, "How many rows.")
      .def_ro("file", &Finding::file, "Where the first of them is.")
      .def_ro("row", &Finding::row, "Its number, 1 for the first below the header.")
      .def("__repr__", [](const Finding& f) {
        return fmt::format("Finding({}{}{}, rows={}, first={})", name_of(f.anomaly), f.role.empty() ? "" : " ",
                           shown_text(f.role), f.rows, f.row);
      });
  nb::class_<Lost>(
      module, "Lost",
      "What a log had and its counts do not: rows that could not be used, each charged to every entry that "
      "it may belong to. Whatever they would have said, the complete tables have at most so many more.")
      .def_prop_ro("first", array_of<Lost>([](const Lost& l) -> auto& { return l.first; }),
                   "People at most whose first state is missing, [g].")
      .def_prop_ro("first_in_doubt", array_of<Lost>([](const Lost& l) -> auto& { return l.first_in_doubt; }),
                   "People at most who are counted with a state that was not their first, [g].")
      .def_prop_ro("decisions", array_of<Lost>([](const Lost& l) -> auto& { return l.decisions; }),
                   "Decisions at most that are missing, [g,h].")
      .def_prop_ro("cells", array_of<Lost>([](const Lost& l) -> auto& { return l.cells; }),
                   "Decisions at most that are missing, over all steps, [g,x,y,a].")
      .def_prop_ro("transitions", array_of<Lost>([](const Lost& l) -> auto& { return l.transitions; }),
                   "Successors at most that are missing, [g,x,y,a].")
      .def("__bool__", [](const Lost& l) { return !l.nothing(); })
      .def("__repr__", [](const Lost& l) {
        return fmt::format("Lost(first={}, decisions={}, transitions={})", total(l.first.flat()),
                           total(l.decisions.flat()), total(l.transitions.flat()));
      });
  nb::class_<LogRecord>(module, "LogRecord", "Where counts came from, and what was wrong there.")
      .def_ro("files", &LogRecord::files, "Names of the files.")
      .def_ro("columns", &LogRecord::columns, "What and its column, such as ('x', 'score_band').")
      .def_ro("bins", &LogRecord::bins, "Lower ends of the features, if x is a number cut into bins.")
      .def_ro("first_step", &LogRecord::first_step, "The log's number of step 0.")
      .def_ro("rows", &LogRecord::rows, "Rows read.")
      .def_ro("findings", &LogRecord::findings, "Whatever is not as it should be, a kind each.")
      .def_prop_ro(
          "censored", [](const LogRecord& r) { return std::string(name_of(r.censoring)); },
          "What was assumed about labels that nobody knows: no, drop or assume-ignorable.")
      .def_prop_ro(
          "shape", [](const LogRecord& r) { return in_words(r.shape); },
          "What was made of the table before its rows were counted, a line for each thing.")
      .def_ro("imputed", &LogRecord::imputed, "Labels that were drawn.")
      .def_ro("lost", &LogRecord::lost,
              "What could not be used, and what it may have been; None if a file of an older version does not say.")
      .def_prop_ro(
          "unlabelled",
          [](const LogRecord& r) {
            return std::accumulate(r.unlabelled.flat().begin(), r.unlabelled.flat().end(), std::int64_t{0});
          },
          "Decisions without a label.")
      .def_prop_ro(
          "excluded",
          [](const LogRecord& r) {
            std::vector<std::pair<std::string, std::int64_t>> groups;
            for (const Excluded& excluded : r.excluded) groups.emplace_back(excluded.group, excluded.rows);
            return groups;
          },
          "Groups outside of the study and their rows.")
      .def_ro("unrecorded_people", &LogRecord::unrecorded_people, "People of whose log nothing is known.")
      .def("__repr__", [](const LogRecord& r) {
        return fmt::format("LogRecord(rows={}, findings={})", r.rows, r.findings.size());
      });
}

void bind_part(nb::module_& module) {
  nb::class_<Part>(module, "Part", "Of which split counts are one part (docs/logs.md).")
      .def_prop_ro(
          "role", [](const Part& p) { return std::string(name_of(p.role)); },
          "design: policies are made from it; audit: what is claimed about them is proven by it.")
      .def_prop_ro(
          "share", [](const Part& p) { return p.split.share; }, "Of the people that went to the design part.")
      .def_prop_ro(
          "seed", [](const Part& p) { return p.split.seed; }, "Of the hash that split them.")
      .def_ro("logs", &Part::logs, "Fingerprints of what was split: both parts have the same.")
      .def(
          "__eq__", [](const Part& p, const Part& other) { return p == other; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const Part& p) {
        return fmt::format("Part({}, share={}, seed={})", name_of(p.role), p.split.share, p.split.seed);
      });
}

Counts sum_of(const Counts& a, const Counts& as_given, bool different_people) {
  const Counts b = in_order_of(a.names(), as_given);
  if (!different_people)
    if (auto ok = check_different_people(a, b); !ok) {
      Error error = ok.error();
      error.hint = "add(other, different_people=True) says that they are others all the same";
      throw Refused(error);
    }
  Counts sum = a;
  unwrap(sum.add(b));
  return sum;
}

void bind_counts(nb::module_& module) {
  nb::class_<Counts> counts(module, "Counts",
                            "What a log says, in as many numbers as matter; no person is in them.\n\n"
                            "`fairstep.count` reads logs and frames, `fairstep.simulate` draws people. Counts of "
                            "different people add up: `a + b`.");
  counts
      .def(
          "__init__",
          [](Counts* self, std::vector<std::string> groups, std::vector<std::string> features, const nb::object& first,
             const nb::object& visits, const nb::object& transitions, const nb::object& reward_sum,
             const nb::object& reward_squares, const nb::object& periods) {
            new (self) Counts(make_counts(std::move(groups), std::move(features), first, visits, transitions,
                                          reward_sum, reward_squares, periods));
          },
          nb::kw_only(), nb::arg("groups"), nb::arg("features"), nb::arg("first"), nb::arg("visits"),
          nb::arg("transitions"), nb::arg("reward_sum"), nb::arg("reward_squares"),
          nb::arg("periods").none() = nb::none(),
          nb::sig("def __init__(self, *, groups: Sequence[str], features: Sequence[str], "
                  "first: numpy.typing.ArrayLike, visits: numpy.typing.ArrayLike, "
                  "transitions: numpy.typing.ArrayLike, reward_sum: numpy.typing.ArrayLike, "
                  "reward_squares: numpy.typing.ArrayLike, periods: Mapping[str, int] | None = None) -> None"),
          "From arrays: `first` [g,x,y], `visits` [g,h,x,y,a], `transitions` [g,x,y,a,x1,y1], `reward_sum` and "
          "`reward_squares` [g,x,y,a]. With `periods`, names and first steps, `transitions` is "
          "[g,period,x,y,a,x1,y1].")
      .def_prop_ro("horizon", &Counts::horizon, "Steps of an episode.")
      .def_prop_ro(
          "groups", [](const Counts& c) { return c.names().groups; }, "Names of the groups, [g].")
      .def_prop_ro(
          "features", [](const Counts& c) { return c.names().features; }, "Names of the features, [x].")
      .def_prop_ro(
          "labels", [](const Counts& c) { return c.names().labels; }, "Names of the labels 0 and 1.")
      .def_prop_ro(
          "actions", [](const Counts& c) { return c.names().actions; }, "Names of the actions 0 and 1.")
      .def_prop_ro("first", array_of<Counts>([](const Counts& c) -> auto& { return c.first(); }),
                   "People whose first seen state this was, [g,x,y].")
      .def_prop_ro("visits", array_of<Counts>([](const Counts& c) -> auto& { return c.visits(); }),
                   "Decisions taken, [g,h,x,y,a].")
      .def_prop_ro("transitions", array_of<Counts>([](const Counts& c) -> auto& { return c.transitions(); }),
                   "Steps whose successor was seen, over all steps, [g,x,y,a,x1,y1].")
      .def_prop_ro("transitions_by_period",
                   array_of<Counts>([](const Counts& c) -> auto& { return c.spec().by_period; }),
                   "The same by period, [g,period,x,y,a,x1,y1]; empty without periods.")
      .def_prop_ro(
          "periods", [](const Counts& c) { return dict_of(c.periods()); },
          nb::sig("def periods(self) -> dict[str, int]"),
          "Periods by which successors were counted, a name and the first step of each; none: over all steps alone.")
      .def(
          "by",
          [](const Counts& c, const nb::object& kernel) {
            const KernelChoice choice = nb::isinstance<nb::str>(kernel)
                                            ? unwrap(KernelChoice::parse(nb::cast<std::string>(kernel)))
                                            : KernelChoice{false, periods_of(kernel)};
            return unwrap(c.by(unwrap(choice.of(c.shape()))));
          },
          nb::arg("kernel"), nb::sig("def by(self, kernel: str | Mapping[str, int]) -> Counts"),
          "The same counts with successors by other periods: \"pooled\", \"per-step\", or names and first steps. Each "
          "must be made of periods that were counted.")
      .def_prop_ro("reward_sum", array_of<Counts>([](const Counts& c) -> auto& { return c.reward_sum(); }),
                   "Sum of rewards, [g,x,y,a].")
      .def_prop_ro("reward_squares", array_of<Counts>([](const Counts& c) -> auto& { return c.reward_squares(); }),
                   "Sum of squared rewards, [g,x,y,a].")
      .def_prop_ro(
          "people",
          [](const Counts& c) {
            std::vector<std::int64_t> people;
            for (std::size_t g = 0; g < c.names().groups.size(); ++g) people.push_back(c.everybody(g));
            return owned(std::move(people));
          },
          nb::rv_policy::automatic, "People, [g]; those whose first row could not be used included.")
      .def_prop_ro(
          "decisions", [](const Counts& c) { return total(c.visits().flat()); }, "Decisions in all.")
      .def_prop_ro("log", &Counts::log, "Where they came from, if from a log.")
      .def_prop_ro("part", &Counts::part, "Which part of a split they are, if they are not of all people.")
      .def(
          "__add__", [](const Counts& a, const Counts& b) { return sum_of(a, b, false); }, nb::is_operator())
      .def(
          "add", &sum_of, nb::arg("other"), nb::kw_only(), nb::arg("different_people") = false,
          "The sum, as `a + b`. Counts that are the same to the last number, or that come from a log of the same name, "
          "are refused unless `different_people` says that they are of others.")
      .def("__repr__",
           [](const Counts& c) {
             return fmt::format("Counts(groups={}, features={}, horizon={}, people={}, decisions={}{})",
                                quoted(c.names().groups), c.names().features.size(), c.horizon(), people_of(c),
                                total(c.visits().flat()),
                                c.part() ? fmt::format(", part='{}'", name_of(c.part()->role)) : "");
           })
      .def("to_frame", in_python("fairstep._frames", "counts"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table of the decisions: columns group, step, x, y, a and decisions.")
      .def("_repr_html_", in_python("fairstep._html", "counts"), nb::sig("def _repr_html_(self) -> str"));
  add_documents<Counts>(counts, "counts", [](const std::filesystem::path& path) { return read_counts(path); });
}

/// All files or none.
void save_all(const std::vector<std::pair<std::filesystem::path, const Counts*>>& all) {
  std::vector<OutputFile> files;
  std::vector<OutputFile*> written;
  files.reserve(all.size());
  for (const auto& [path, counts] : all) {
    keep_log(*counts, path);
    files.push_back(unwrap(OutputFile::open(path)));
    unwrap(files.back().write(to_text(*counts)));
    written.push_back(&files.back());
  }
  unwrap(OutputFile::commit_all(written));
}

}  // namespace

void bind_core(nb::module_& module) {
  bind_model(module);
  bind_policy(module);
  bind_log_record(module);
  bind_part(module);
  bind_counts(module);
  module.def(
      "save_parts",
      [](const Counts& design, const std::filesystem::path& design_path, const Counts& audit,
         const std::filesystem::path& audit_path) { save_all({{design_path, &design}, {audit_path, &audit}}); },
      nb::arg("design"), nb::arg("design_path"), nb::arg("audit"), nb::arg("audit_path"));
  module.def(
      "load",
      [](const std::filesystem::path& path) {
        return std::visit([](const auto& document) { return nb::cast(document); }, unwrap(read_document(path)));
      },
      nb::arg("path"), nb::sig("def load(path: str | os.PathLike) -> Model | Policy | Counts"));
}

}  // namespace fairstep::python
