// What counts prove about a policy, and whether a certificate is true.
#include <fairstep/certify/certify.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fairstep/certify/document.hpp>
#include <fairstep/certify/plan.hpp>
#include <fairstep/certify/words.hpp>
#include <fairstep/check/check.hpp>
#include <fairstep/core/in_order.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/io/files.hpp>

#include "convert.hpp"
#include "interruptible.hpp"
#include "option_fields.hpp"
#include "parts.hpp"
#include "words.hpp"

namespace fairstep::python {
namespace {

/// A certificate with everything that is needed to write it down.
struct Certified {
  Certificate certificate{};
  std::string document{};
  std::vector<std::string> assumptions{};
  std::optional<Plan> plan{};
  std::vector<std::string> doubts{};  ///< of features, where labels follow these
};

using NamedCertified = Named<Certified>;
using NamedGapBounds = Named<GapBounds>;
using NamedPlan = Named<Plan>;

/// What is asked for, as Python gives it; rewards may be known from a model as well.
struct CertifyQuestion {
  std::vector<std::string> fairness{};
  double delta = CertifyOptions{}.delta;
  bool followed = false;
  std::optional<std::pair<double, double>> reward_range{};
  double discount = 1;                   ///< with `reward_range`
  std::optional<double> plan{};          ///< how many more people it takes until every gap is at most this
  std::optional<std::string> refused{};  ///< labels follow features, and this is the rule for those not seen
  std::optional<double> limit{};         ///< with `refused`: up to which odds is every gap at most this?
  std::vector<std::string> ratios{};     ///< those that follow from the notions of `fairness`
  std::optional<std::string> reference{};
  bool aggregate_dp = false;
};

/// The model that rewards are known from must be about the same people.
void check_same(const Model& model, const Counts& counts) {
  const bool same = model.names().groups == counts.names().groups &&
                    model.names().features == counts.names().features && model.shape().horizon == counts.horizon();
  if (!same) throw Refused(Error{"groups, features and horizon of the model are not those of the counts"});
}

ValueTerms terms_of(const Counts& counts, const Model* model, const CertifyQuestion& asked) {
  if (model != nullptr) {
    check_same(*model, counts);
    if (model->spec().rests_on)
      throw Refused(
          Error{"the model is an estimate, expected one whose rewards and shares are known",
                {},
                {},
                option("reward_range") + " takes the rewards from the counts, with what is not known of them"});
    const ModelSpec& spec = model->spec();
    return KnownRewards{spec.reward,  spec.share,      spec.discount, spec.reward_noise,
                        spec.initial, spec.transition, spec.periods};
  }
  if (asked.reward_range)
    return CountedRewards{{asked.reward_range->first, asked.reward_range->second}, asked.discount};
  return std::monostate{};
}

Expected<Certified> certified(const Counts& counts, const Policy& policy, const CertifyOptions& options,
                              const Counts* design, const CertificateInputs& inputs, std::optional<double> target,
                              const Watch& watch) {
  auto certificate = certify(counts, policy, options, watch, design);
  if (!certificate) return tl::unexpected(certificate.error());
  Certified made{std::move(*certificate), {}, {}, {}, {}};
  DiagnoseOptions asking;
  asking.stop = [&watch] { return watch.stop.stop_requested(); };
  const Diagnosis diagnosis = *diagnose(counts, asking);  // the level is a sound one
  if (diagnosis.stopped > 0) return fail("stopped before there was a certificate");
  made.document = to_text(made.certificate, counts, diagnosis, inputs);
  made.assumptions = assumptions_of(options, counts, made.certificate.bound_by.has_value());
  if (options.labels) made.doubts = doubts_of_features(diagnosis, made.certificate.labels.has_value());
  if (!target) return made;
  auto found = plan(counts, policy, options, *target, {watch.stop, {}}, &made.certificate, design);
  if (!found) return tl::unexpected(found.error());
  made.plan = std::move(*found);
  return made;
}

std::size_t group_of(const Counts& counts, const std::string& name) {
  const auto& groups = counts.names().groups;
  const auto found = std::find(groups.begin(), groups.end(), name);
  if (found == groups.end())
    throw Refused(Error{fmt::format("reference is \"{}\", expected {}", name, fmt::join(groups, " or "))});
  return static_cast<std::size_t>(found - groups.begin());
}

/// [h] by the names of ratios.
nb::dict ratios_of(const Certificate& certificate, const RatioBounds& bounds) {
  nb::dict ratios;
  for (const RatioNotion ratio : certificate.asked.ratios) {
    ratios[name_of(ratio)] = owned(std::vector(steps_of(bounds, ratio)));
  }
  return ratios;
}

/// The least and the greatest that a rate of each group and step can be.
nb::object ends_of(const NamedCertified& c, const std::string& rate) {
  const Certificate& certificate = c.it->certificate;
  const auto& bounds =
      rate == "accept" ? certificate.accept
      : rate == "tpr"  ? certificate.tpr
      : rate == "fpr"  ? certificate.fpr
      : rate == "qualified"
          ? certificate.qualified
          : throw Refused(Error{"rate is \"" + rate + "\", expected one of accept, tpr, fpr, qualified"});
  if (!bounds) return nb::none();
  Tensor<double, 2> low(bounds->range.extents()), high(bounds->range.extents());
  for (std::size_t i = 0; i < low.size(); ++i) {
    low.flat()[i] = bounds->range.flat()[i].low;
    high.flat()[i] = bounds->range.flat()[i].high;
  }
  return nb::make_tuple(owned(std::move(low)), owned(std::move(high)), owned(bounds->estimate));
}

void bind_plan(nb::module_& module) {
  nb::class_<NamedPlan>(module, "Plan", "How many more people it takes until a certificate reaches a limit.")
      .def_prop_ro(
          "target", [](const NamedPlan& p) { return p.it->target; }, "The limit.")
      .def_prop_ro(
          "outcome", [](const NamedPlan& p) { return name_of(p.it->outcome); },
          "reached, possible (with `scale` times the people), too_far (the estimated gap itself is wider), "
          "unseen (cells that the policy may meet have never been seen), left_out (the share of rows that are left "
          "out of the counts is too large) or unfinished (the time was up; not_enough and enough are what was "
          "settled).")
      .def_prop_ro(
          "not_enough",
          [](const NamedPlan& p) { return p.it->not_enough > 0 ? std::optional(p.it->not_enough) : std::nullopt; },
          "The most times the counts that were shown not to reach the limit.")
      .def_prop_ro(
          "enough", [](const NamedPlan& p) { return p.it->enough > 0 ? std::optional(p.it->enough) : std::nullopt; },
          "The fewest times the counts that were shown to reach the limit.")
      .def_prop_ro(
          "scale", [](const NamedPlan& p) { return p.it->scale; }, "Of all counts, about.")
      .def_prop_ro("more_people", named_array<Plan>([](const Plan& p) -> auto& { return p.people; }), "[g]")
      .def_prop_ro(
          "rows",
          [](const NamedPlan& p) {
            nb::list rows;
            for (const RowPlan& row : p.it->rows) {
              nb::dict made;
              made["group"] = p.names->groups[row.group];
              made["cell"] = row.cell ? nb::object(nb::make_tuple(row.cell->x, row.cell->y, row.cell->a)) : nb::none();
              if (row.cell && !p.it->periods.pooled()) made["period"] = p.it->periods.list[row.cell->period].name;
              made["seen"] = row.seen;
              made["more"] = row.more;
              made["doubt"] = row.doubt;
              rows.append(made);
            }
            return rows;
          },
          nb::sig("def rows(self) -> list[dict[str, typing.Any]]"),
          "Where the doubt comes from, most first: group, cell (x, y, a; None: the first state), "
          "seen, more, doubt; and the period, if there are any.")
      .def("__repr__", [](const NamedPlan& p) {
        return fmt::format("Plan({}, target={}, scale={} or so)", name_of(p.it->outcome), p.it->target,
                           round_up_short(p.it->scale, 3));
      });
}

void bind_gap_bounds(nb::module_& module) {
  nb::class_<NamedGapBounds>(module, "GapBounds", "A gap for each step, by notion; empty for one not asked for.")
      .def_prop_ro("dp", named_array<GapBounds>([](const GapBounds& g) -> auto& { return g.dp; }), "[h]")
      .def_prop_ro("eqopt", named_array<GapBounds>([](const GapBounds& g) -> auto& { return g.eqopt; }), "[h]")
      .def_prop_ro("eqodds", named_array<GapBounds>([](const GapBounds& g) -> auto& { return g.eqodds; }), "[h]")
      .def_prop_ro(
          "worst", [](const NamedGapBounds& g) { return worst_gap(*g.it); }, "The largest of all.")
      .def("__repr__", [](const NamedGapBounds& g) {
        return fmt::format("GapBounds(worst<={})", round_up_short(worst_gap(*g.it), 4));
      });
}

void bind_certificate(nb::module_& module) {
  nb::class_<NamedCertified>(
      module, "Certificate",
      "What data prove about a policy: with probability 1 - delta over the data, the gaps are at "
      "most `gap` at every step and the value is at least `value`, under the true population.\n\n"
      "`save` writes everything that is needed to check it; `check` does so.")
      .def_prop_ro(
          "groups", [](const NamedCertified& c) { return c.names->groups; }, "Names of the groups, [g].")
      .def_prop_ro(
          "delta", [](const NamedCertified& c) { return c.it->certificate.asked.delta; },
          "All statements hold together with probability 1 - delta.")
      .def_prop_ro(
          "followed", [](const NamedCertified& c) { return c.it->certificate.asked.followed; },
          "Whether the people counted are said to have followed this very policy, fixed before the data.")
      .def_prop_ro(
          "fairness",
          [](const NamedCertified& c) {
            std::vector<std::string> words;
            for (const Notion notion : c.it->certificate.asked.notions) words.emplace_back(name_of(notion));
            return words;
          },
          "The notions that it is about.")
      .def_prop_ro(
          "gap", [](const NamedCertified& c) { return c.part(c.it->certificate.gap); },
          "The gap between any two groups is at most this.")
      .def_prop_ro(
          "estimated_gap", [](const NamedCertified& c) { return c.part(c.it->certificate.estimated_gap); },
          "The same under the estimated model.")
      .def_prop_ro(
          "reference",
          [](const NamedCertified& c) -> std::optional<std::string> {
            const auto& reference = c.it->certificate.asked.reference;
            return reference ? std::optional(c.names->groups[*reference]) : std::nullopt;
          },
          "The group that `ratio` is beside; None: whichever is treated best.")
      .def_prop_ro(
          "ratio", [](const NamedCertified& c) { return ratios_of(c.it->certificate, c.it->certificate.ratio); },
          nb::sig("def ratio(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]"),
          "Of each ratio asked for, [h]: no group's rate is less than that times the reference's, or the greatest of "
          "all; nan where that may be 0.")
      .def_prop_ro(
          "estimated_ratio",
          [](const NamedCertified& c) { return ratios_of(c.it->certificate, c.it->certificate.estimated_ratio); },
          nb::sig("def estimated_ratio(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]"),
          "The same under the estimated model.")
      .def_prop_ro(
          "aggregate_dp", [](const NamedCertified& c) { return c.it->certificate.aggregate_dp; },
          "Over all steps together the gap between accepted shares is at most this; None if it was not asked for.")
      .def_prop_ro(
          "value", [](const NamedCertified& c) { return c.it->certificate.value; },
          "At least this; None if nothing is known about rewards.")
      .def_prop_ro("estimated_value", [](const NamedCertified& c) { return c.it->certificate.estimated_value; })
      .def_prop_ro(
          "bound_by",
          [](const NamedCertified& c) -> std::optional<std::map<std::string, std::vector<std::string>>> {
            const auto& by = c.it->certificate.bound_by;
            if (!by) return std::nullopt;
            std::map<std::string, std::vector<std::string>> words;
            for (const Notion notion : c.it->certificate.asked.notions)
              for (const BoundBy step : of_notion(*by, notion))
                words[std::string(name_of(notion))].emplace_back(name_of(step));
            if (by->value) words["value"].emplace_back(name_of(*by->value));
            return words;
          },
          "Which bound was the narrower one, step by step for each notion, and for the value: split or worst-case. "
          "None "
          "without a design part.")
      .def_prop_ro(
          "refused",
          [](const NamedCertified& c) {
            const auto& labels = c.it->certificate.asked.labels;
            return labels ? std::optional(text_of(labels->refused)) : std::nullopt;
          },
          "What is assumed of labels that were not seen, where labels follow features; otherwise None.")
      .def_prop_ro(
          "doubts_of_features", [](const NamedCertified& c) { return c.it->doubts; },
          "Where labels follow features, what the log says against it: sentences; none if nothing does.")
      .def_prop_ro(
          "gap_if_refused",
          [](const NamedCertified& c) {
            std::map<std::string, NamedGapBounds> rules;
            if (const auto& labels = c.it->certificate.labels)
              for (const RefusedBounds& bounds : labels->if_refused)
                rules.emplace(text_of(bounds.refused), c.part(bounds.gap));
            return rules;
          },
          "Where labels follow features: `gap` of the notions given a label under each rule for labels that were not "
          "seen.")
      .def_prop_ro(
          "break_even",
          [](const NamedCertified& c) -> std::optional<std::string> {
            const auto& labels = c.it->certificate.labels;
            if (!labels || !labels->break_even || !labels->break_even->refused) return std::nullopt;
            return text_of(*labels->break_even->refused);
          },
          "The weakest such rule under which `limit` is proven; None if it is not even if labels not seen are like "
          "those "
          "seen, or without a limit.")
      .def_prop_ro(
          "gap_if_nothing_lost",
          [](const NamedCertified& c) -> std::optional<NamedGapBounds> {
            const auto& without = c.it->certificate.if_nothing_lost;
            return without ? std::optional(c.part(without->gap)) : std::nullopt;
          },
          "What `gap` would be had no row been left out of the counts: the difference is what they cost. None if none "
          "was.")
      .def_prop_ro(
          "value_if_nothing_lost",
          [](const NamedCertified& c) {
            const auto& without = c.it->certificate.if_nothing_lost;
            return without ? without->value : std::nullopt;
          },
          "What `value` would be.")
      .def(
          "rate_bounds", &ends_of, nb::arg("rate"),
          nb::sig("def rate_bounds(self, rate: str) -> tuple[numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]] | None"),
          "Of accept, tpr, fpr or qualified: the least, the greatest and the estimate, [g,h] each; None if the notions "
          "asked for do not need it.")
      .def_prop_ro(
          "assumptions", [](const NamedCertified& c) { return c.it->assumptions; },
          "What must be true of the data, a sentence each.")
      .def_prop_ro(
          "plan",
          [](const NamedCertified& c) -> std::optional<NamedPlan> {
            if (!c.it->plan) return std::nullopt;
            return c.part(*c.it->plan);
          },
          "How many more people it takes, if asked for.")
      .def(
          "to_json", [](const NamedCertified& c) { return c.it->document; },
          "The certificate as a document, which `fairstep.check` and other checkers read.")
      .def(
          "save",
          [](const NamedCertified& c, const std::filesystem::path& path) { unwrap(write_file(path, c.it->document)); },
          nb::arg("path"), "Writes the document.")
      .def("check", in_python("fairstep._proving", "check"), nb::sig("def check(self) -> CheckReport"),
           "Computes everything in it again, by other code and with directed rounding.")
      .def("to_frame", in_python("fairstep._frames", "certificate"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table with columns step, fairness, gap (at most) and estimated_gap.")
      .def("__repr__",
           [](const NamedCertified& c) {
             const Certificate& certificate = c.it->certificate;
             return fmt::format("Certificate(gap<={}{}, delta={})", round_up_short(worst_gap(certificate.gap), 4),
                                certificate.value ? ", value>=" + round_down_short(*certificate.value, 6) : "",
                                certificate.asked.delta);
           })
      .def("_repr_html_", in_python("fairstep._html", "certificate"), nb::sig("def _repr_html_(self) -> str"));
}

void bind_check(nb::module_& module) {
  nb::class_<Mismatch>(module, "Mismatch", "Something in a certificate that is not so.")
      .def_ro("pointer", &Mismatch::pointer, "JSON pointer to the number.")
      .def_ro("found", &Mismatch::found, "What stands there.")
      .def_ro("expected", &Mismatch::expected, "What would be right.")
      .def("__repr__", [](const Mismatch& m) {
        return fmt::format("Mismatch({}: {}, expected {})", m.pointer, m.found, m.expected);
      });
  nb::class_<CheckReport>(module, "CheckReport", "Whether a certificate is true to its own data.")
      .def_prop_ro(
          "holds", [](const CheckReport& r) { return r.mismatches.empty(); }, "Whether everything is so.")
      .def("__bool__", [](const CheckReport& r) { return r.mismatches.empty(); })
      .def_ro("mismatches", &CheckReport::mismatches, "What is not.")
      .def_ro("compared", &CheckReport::compared,
              "Numbers and texts that were derived again; a diagnosis of the data is not.")
      .def("__repr__", [](const CheckReport& r) {
        return fmt::format("CheckReport({}, compared={})", r.mismatches.empty() ? "holds" : "does not hold",
                           r.compared);
      });
  module.def(
      "check_certificate",
      [](const std::string& text, const std::string& file) { return unwrap(check_certificate(text, file)); },
      nb::arg("text"), nb::arg("file"), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "read_text", [](const std::filesystem::path& path) { return unwrap(read_text_file(path)); }, nb::arg("path"));
}

}  // namespace

void bind_certify(nb::module_& module) {
  bind_gap_bounds(module);
  bind_plan(module);
  bind_certificate(module);
  bind_check(module);
  bind_options<CertifyQuestion>(
      module, "CertifyQuestion", "What is to be certified.",
      {field("fairness", &CertifyQuestion::fairness), field("delta", &CertifyQuestion::delta),
       field("followed", &CertifyQuestion::followed), field("reward_range", &CertifyQuestion::reward_range),
       field("discount", &CertifyQuestion::discount), field("plan", &CertifyQuestion::plan),
       field("refused", &CertifyQuestion::refused), field("limit", &CertifyQuestion::limit),
       field("ratios", &CertifyQuestion::ratios), field("reference", &CertifyQuestion::reference),
       field("aggregate_dp", &CertifyQuestion::aggregate_dp)});
  module.def(
      "certify",
      [](const Counts& counts, const Policy& policy_given, const CertifyQuestion& asked, const Model* model_given,
         const Counts* design, std::optional<double> time_limit,
         const std::optional<std::function<void(double share)>>& progress) {
        const Policy policy = in_order_of(counts.names().groups, policy_given);
        std::optional<Model> ours;
        if (model_given != nullptr) ours = in_order_of(counts.names(), *model_given);
        const Model* const model = ours ? &*ours : nullptr;
        CertifyOptions options{
            asked.delta, notions_of(asked.fairness), asked.followed, terms_of(counts, model, asked), {}, asked.limit};
        for (const std::string& word : asked.ratios) options.ratios.push_back(*named<RatioNotion>(word));
        if (asked.reference) options.reference = group_of(counts, *asked.reference);
        options.aggregate_dp = asked.aggregate_dp;
        if (asked.refused) options.labels = LabelAssumption{unwrap(refused_from(*asked.refused))};
        CertificateInputs inputs{{"counts", to_text(counts)}, {"policy", to_text(policy_given)}, {}, {}};
        if (model != nullptr) inputs.model = InputText{"model", to_text(*model_given)};
        if (design != nullptr) inputs.design = InputText{"design", to_text(*design)};
        std::function<void(const double&)> hear;
        if (progress) hear = [&](const double& share) { (*progress)(share); };
        return NamedCertified(unwrap(interruptible<double>(
                                  [&](const std::stop_token& stop, const auto& tell) {
                                    return certified(counts, policy, options, design, inputs, asked.plan, {stop, tell});
                                  },
                                  hear, time_limit)),
                              counts.names());
      },
      nb::arg("counts"), nb::arg("policy"), nb::arg("question"), nb::arg("model").none(), nb::arg("design").none(),
      nb::arg("time_limit").none(), nb::arg("progress").none());
}

}  // namespace fairstep::python
