// fairstep certify COUNTS POLICY: what data prove about a policy.
#include <fairstep/certify/certify.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/certify/document.hpp>
#include <fairstep/certify/plan.hpp>
#include <fairstep/core/in_order.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/io/files.hpp>

#include "answers/certificate_summary.hpp"
#include "answers/diagnosis.hpp"
#include "options/label_options.hpp"
#include "options/proof_options.hpp"
#include "options/time_limit.hpp"
#include "shell/guarded_file.hpp"
#include "shell/interrupt.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct CertifyArguments {
  std::string counts{};
  std::string policy{};
  std::optional<std::string> file{};
  double delta = 0.05;
  ProofOptions proving{};
  bool followed = false;
  std::optional<std::string> design{};
  std::optional<std::string> model{};
  std::vector<double> reward_range{};
  std::optional<double> discount{};
  LabelOptions labels{};
  std::optional<double> target{};
  TimeLimit time_limit{};
};

/// What was read, and the bytes it was read from: one reading, so that both are of the same file.
template <class T>
struct Read {
  T content;
  InputText input;
};

template <class T>
Result<Read<T>> read(const std::string& path, Expected<T> (*reader)(const std::filesystem::path&)) {
  auto text = read_text_file(path);
  if (!text) return input(text.error(), path);
  auto document = parse_document(*text, path);
  if (!document) return input(document.error(), path);
  if (auto* content = std::get_if<T>(&*document))
    return Read<T>{std::move(*content), InputText{path, std::move(*text)}};
  const auto refused = reader(path);  // it is sound, but something else: the reader says what
  if (!refused) return input(refused.error(), path);
  return input(Error{"the file changed while it was read"}, path);
}

/// The model that rewards are known from must be about the same people.
Result<void> check_same(const Model& model, const Counts& counts, const std::string& file) {
  const auto differ = [&](const char* key, const auto& theirs, const auto& ours) {
    return input(Error{fmt::format("{} are {}, expected {} as in the counts", key, fmt::join(theirs, ", "),
                                   fmt::join(ours, ", ")),
                       fmt::format("/{}", key)},
                 file);
  };
  if (model.names().groups != counts.names().groups)
    return differ("groups", model.names().groups, counts.names().groups);
  if (model.names().features != counts.names().features)
    return differ("features", model.names().features, counts.names().features);
  if (model.shape().horizon != counts.horizon())
    return input(
        Error{fmt::format("horizon is {}, expected {} as in the counts", model.shape().horizon, counts.horizon()),
              "/horizon"},
        file);
  return {};
}

Result<void> check(const CertifyArguments& chosen) {
  if (!(chosen.delta > 0 && chosen.delta < 1))
    return usage(fmt::format("--delta is {}, expected more than 0 and less than 1", chosen.delta));
  if (chosen.model && !chosen.reward_range.empty())
    return usage("--model and --reward-range are both given, expected one of them",
                 "rewards are either known from a model or counted");
  if (chosen.discount && chosen.reward_range.empty())
    return usage("--discount is given without --reward-range", "a model has a discount of its own");
  if (chosen.discount && !(*chosen.discount >= 0 && *chosen.discount <= 1))
    return usage(fmt::format("--discount is {}, expected 0 to 1", *chosen.discount));
  if (!chosen.reward_range.empty() &&
      (chosen.reward_range.size() != 2 || chosen.reward_range[0] > chosen.reward_range[1]))
    return usage(fmt::format("--reward-range is {}, expected the least and the greatest reward, as in -1,1",
                             fmt::join(chosen.reward_range, ",")));
  for (const auto& [name, limit] : {std::pair{"--limit", chosen.proving.limit}, {"--plan", chosen.target}})
    if (limit && !(*limit >= 0 && *limit <= 1)) return usage(fmt::format("{} is {}, expected 0 to 1", name, *limit));
  return chosen.time_limit.check();
}

/// What does not go with labels that follow features.
Result<void> check_labels(const CertifyArguments& chosen) {
  if (chosen.labels.labels != LabelsAre::follow_features) return {};
  const auto not_with = [](const char* other, const char* hint) {
    return usage(fmt::format("--labels follow-features and {} are both given, expected one of them", other), hint);
  };
  if (chosen.followed) return not_with("--followed", "what followers prove is about states with their labels");
  if (chosen.design) return not_with("--design", "all people together are certified where labels follow features");
  if (chosen.model || !chosen.reward_range.empty())
    return not_with(chosen.model ? "--model" : "--reward-range",
                    "rewards depend on labels: nothing is certified about the value where these follow features");
  if (chosen.target) return not_with("--plan", "a plan is about states with their labels");
  return {};
}

/// `limit 0.05`; "all limits" if there are several.
std::string limits_in_words(const Proof& proof) {
  std::set<double> all;
  for (const StepwiseParity& parity : proof.limits.parity) all.insert(parity.limit.begin(), parity.limit.end());
  for (const StepwiseRatio& ratio : proof.limits.ratios) all.insert(ratio.limit.begin(), ratio.limit.end());
  if (proof.limits.aggregate_dp) all.insert(*proof.limits.aggregate_dp);
  return all.size() == 1 ? fmt::format("limit {}", *all.begin()) : "all limits";
}

/// What could be done about decisions without a label that are taken for lost.
void say_what_is_unlabelled(Answer& answer, const CertifyArguments& chosen, const std::optional<LogRecord>& log) {
  if (!log || chosen.labels.labels == LabelsAre::follow_features) return;
  if (const std::int64_t unlabelled = total(log->unlabelled.flat()); unlabelled > 0)
    answer.notes.push_back(
        fmt::format("{} decisions have no label and count as lost; --labels follow-features{} makes use of them",
                    with_thousands(unlabelled), chosen.design ? " in place of --design" : ""));
}

Result<Answer> run(const CertifyArguments& chosen, const Context& context) {
  if (auto ok = check(chosen); !ok) return tl::unexpected(ok.error());
  CertifyOptions options;
  options.delta = chosen.delta;
  options.followed = chosen.followed;
  auto labels = chosen.labels.assumption();
  if (!labels) return tl::unexpected(labels.error());
  options.labels = *labels;
  if (auto ok = check_labels(chosen); !ok) return tl::unexpected(ok.error());

  auto counts = read<Counts>(chosen.counts, read_counts);
  if (!counts) return tl::unexpected(counts.error());
  const auto proof = chosen.proving.proof(counts->content);
  if (!proof) return tl::unexpected(proof.error());
  options.notions = proof->notions;
  options.ratios = proof->ratios;
  options.reference = proof->reference;
  options.aggregate_dp = proof->aggregate_dp;
  options.limit = proof->gap_limit;
  if (chosen.target && !proof->gaps)
    return usage("--plan is about gaps, and none is asked for", "name one as well: --fairness dp,dp-ratio");
  auto policy = read<Policy>(chosen.policy, read_policy);
  if (!policy) return tl::unexpected(policy.error());
  policy->content = in_order_of(counts->content.names().groups, std::move(policy->content));
  CertificateInputs inputs{std::move(counts->input), std::move(policy->input)};
  std::optional<Counts> design;
  if (chosen.design) {
    auto part = read<Counts>(*chosen.design, read_counts);
    if (!part) return tl::unexpected(part.error());
    design = std::move(part->content);
    inputs.design = std::move(part->input);
  }
  const Counts* const of_design = design ? &*design : nullptr;
  if (chosen.model) {
    auto model = read<Model>(*chosen.model, read_model);
    if (!model) return tl::unexpected(model.error());
    model->content = in_order_of(counts->content.names(), std::move(model->content));
    if (auto ok = check_same(model->content, counts->content, *chosen.model); !ok) return tl::unexpected(ok.error());
    if (model->content.spec().rests_on)
      return input(Error{"the model is an estimate, expected one whose rewards and shares are known",
                         "/rests_on",
                         {},
                         "--reward-range LOW,HIGH takes the rewards from the counts, with what is not known of them"},
                   *chosen.model);
    const ModelSpec& spec = model->content.spec();
    options.value = KnownRewards{spec.reward,  spec.share,      spec.discount, spec.reward_noise,
                                 spec.initial, spec.transition, spec.periods};
    inputs.model = std::move(model->input);
  }
  if (!chosen.reward_range.empty())
    options.value = CountedRewards{{chosen.reward_range[0], chosen.reward_range[1]}, chosen.discount.value_or(1)};

  const StopOnInterrupt interrupt(chosen.time_limit.seconds);
  const Watch watch{interrupt.token(), {}};
  const auto certificate = certify(counts->content, policy->content, options, watch, of_design);
  const auto none_yet = [] {
    return stopped({"stopped before there was a certificate; nothing was written", {}, {}, {}},
                   StopOnInterrupt::signal());
  };
  if (!certificate && watch.stop.stop_requested()) return none_yet();
  if (!certificate) {
    const std::string& at_fault = certificate.error().input;
    return input(certificate.error(), at_fault == "model"    ? *chosen.model
                                      : at_fault == "design" ? *chosen.design
                                      : at_fault == "counts" ? chosen.counts
                                                             : chosen.policy);
  }
  const Names& names = counts->content.names();
  DiagnoseOptions asking;
  asking.stop = [&] { return watch.stop.stop_requested(); };
  const Diagnosis diagnosis = *diagnose(counts->content, asking);  // its only error is a level that is none
  if (diagnosis.stopped > 0) return none_yet();                    // a certificate has to say all that the data refute

  Answer answer;
  answer.schema = "fairstep/certification/1";
  answer.warnings = doubts_of(*certificate, names);
  if (certificate->asked.labels)
    for (std::string& doubt : doubts_of_features(diagnosis, certificate->labels.has_value()))
      answer.warnings.push_back(std::move(doubt));
  answer.body = {{"counts", chosen.counts},
                 {"policy", chosen.policy},
                 {"design", chosen.design ? Json(*chosen.design) : Json()},
                 {"model", chosen.model ? Json(*chosen.model) : Json()},
                 {"file", chosen.file ? Json(*chosen.file) : Json()}};
  answer.body.update(to_json(*certificate, names));
  answer.text =
      fmt::format("{} under {}\n", chosen.counts, chosen.policy) + to_text(*certificate, names, context.width);
  add_diagnosis(answer, diagnosis, names, context.width);
  if (certificate->labels) add_verdict_on_features(answer, diagnosis, context.width);

  const std::vector<NotProven> missed = not_proven(*proof, *certificate);
  answer.body["limit"] = chosen.proving.limit ? Json(*chosen.proving.limit) : Json();
  answer.body["limit_kept"] = proof->limited() ? Json(missed.empty()) : Json();
  if (proof->limited() && missed.empty()) answer.text += '\n' + limits_in_words(*proof) + ": kept\n";
  for (const NotProven& limit : missed)
    answer.text += fmt::format("\nlimit {}: not proven, {}\n", limit.limit, in_words(limit));
  if (!missed.empty()) answer.code = ExitCode::no;
  say_what_is_unlabelled(answer, chosen, counts->content.log());
  // Before the plan, which may take long: whatever becomes of it, the certificate is there.
  if (chosen.file) {
    if (auto ok = write_guarded(*chosen.file, fairstep::to_text(*certificate, counts->content, diagnosis, inputs)); !ok)
      return io_failure(ok.error());
    answer.notes.push_back(fmt::format("wrote {}: a certificate for delta {}", *chosen.file, chosen.delta));
    answer.notes.push_back(fmt::format("next: fairstep check {}", *chosen.file));
  }
  bool unfinished = false;
  if (chosen.target) {
    const auto found = plan(counts->content, policy->content, options, *chosen.target, watch, &*certificate, of_design);
    if (!found) return input(found.error(), chosen.policy);
    answer.body["plan"] = to_json(*found, names);
    answer.text += '\n' + to_text(*found, names, context.width);
    unfinished = found->outcome == Plan::Outcome::unfinished;
  }
  // What was stopped says so itself. An answer that is no stays no.
  if (unfinished && StopOnInterrupt::signal() != 0)
    answer.code = static_cast<ExitCode>(128 + StopOnInterrupt::signal());
  else if (unfinished && answer.code == ExitCode::done)
    answer.code = ExitCode::undecided;
  return answer;
}

}  // namespace

Verb certify_verb() {
  return {
      "certify",
      "what data prove about a policy: gaps at most, value at least",
      "With probability 1 - delta over the data: at every step the gap between any two groups is at most so much "
      "under the true population, and the value at least so much. It does not matter which policies the people "
      "counted were treated by, or how the policy was chosen (but with --followed), and it holds whatever rows "
      "that were left out of the counts would have said. The certificate has all that is needed to check it. "
      "People who were split in two parts prove several times as much (--design).",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --threshold x=2 -o from50.json",
       "fairstep simulate fico.json from50.json --people-per-group 2^18 -o counts.json",
       "fairstep certify counts.json from50.json --model fico.json -o certificate.json",
       "fairstep check certificate.json", "fairstep certify counts.json from50.json --followed --fairness dp",
       "fairstep simulate fico.json from50.json --people-per-group 2^18 --split 0.2 --seed 7 -o design.json --audit "
       "audit.json",
       "fairstep certify audit.json from50.json --design design.json",
       "fairstep certify counts.json from50.json --fairness dp-ratio --limit 0.3"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<CertifyArguments>();
        options.positional("COUNTS", chosen->counts, "counts file");
        options.positional("POLICY", chosen->policy, "policy file");
        options.output(chosen->file, "write the certificate there; without it there is only the summary");
        options.number("--delta", chosen->delta, "all statements hold together with probability 1 - delta");
        chosen->proving.declare(options);
        options.flag("--followed", chosen->followed,
                     "the people counted are independent and followed this very policy, which was fixed before the "
                     "data and not chosen by them, as was their number");
        options.text("--design", chosen->design, "FILE",
                     "counts of the design part of the split whose audit part COUNTS is: bounds are several times "
                     "as narrow, for a policy that was made without the audit part");
        options.text("--model", chosen->model, "FILE", "model with the known rewards, shares and discount");
        options.numbers("--reward-range", chosen->reward_range,
                        "rewards are those counted, each between these two, as in -1,1");
        options.number("--discount", chosen->discount, "with --reward-range: step h counts discount^h (default 1)");
        chosen->labels.declare(options);
        options.number("--plan", chosen->target, "how many more people until every gap is at most this");
        chosen->time_limit.declare(options,
                                   "seconds, once the files are read, after which a plan is left as far as it got: "
                                   "exit code 3, and the certificate is kept");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
