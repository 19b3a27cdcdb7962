// fairstep audit LOG|COUNTS: how groups were treated, with bands that hold together.
#include <fairstep/audit/audit.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>

#include "answers/describe.hpp"
#include "answers/diagnosis.hpp"
#include "answers/json_text.hpp"
#include "answers/log_summary.hpp"
#include "answers/nested.hpp"
#include "options/audit_limits.hpp"
#include "options/document_format.hpp"
#include "options/label_options.hpp"
#include "options/log_options.hpp"
#include "options/policy_file.hpp"
#include "shell/guarded_file.hpp"
#include "shell/source_file.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct AuditArguments {
  std::vector<std::string> data{};
  LogOptions log{};
  std::optional<std::string> policy{};
  AuditLimits limits{};
  std::uint64_t small = kSmallGroup;
  std::optional<std::string> format{};
  double delta = 0.05;
  std::uint64_t thin = 30;
  std::optional<std::string> file{};
  LabelOptions labels{};
  std::optional<std::string> weight{};
  std::optional<double> largest_weight{};
};

Json json_of(const Range& band) { return Json::array({band.low, band.high}); }

Json json_of(const fairstep::Observed& observed) {
  return {{"accepted", observed.accepted},
          {"decisions", observed.decisions},
          {"rate", number_or_null(observed.rate)},
          {"band", json_of(observed.band)}};
}

Json json_of(const AuditedRate& rate, const Audit& audit) {
  Json steps = Json::array();
  Json windows = Json::array();
  for (std::size_t g = 0; g < audit.names.groups.size() && rate.known; ++g) {
    steps.push_back(Json::array());
    for (std::size_t h = 0; h < audit.horizon; ++h) steps.back().push_back(json_of(rate.steps(g, h)));
  }
  for (const auto& window : rate.windows) {
    windows.push_back(Json::array());
    for (const fairstep::Observed& observed : window) windows.back().push_back(json_of(observed));
  }
  return {{"known", rate.known},
          {"without_bands", rate.without_bands.empty() ? Json() : Json(rate.without_bands)},
          {"steps", steps},
          {"windows", windows}};
}

Json json_of(const PolicyAudit& policy, const Audit& audit) {
  Json gaps = Json::object();
  for (const PolicyAudit::Step& step : policy.gaps)
    gaps[fairstep::name_of(step.notion)].push_back({{"estimate", number_or_null(step.gap)}, {"at_most", step.at_most}});
  Json accept = Json::array();
  for (std::size_t g = 0; g < audit.names.groups.size(); ++g) {
    accept.push_back(Json::array());
    for (std::size_t h = 0; h < audit.horizon; ++h)
      accept.back().push_back({{"estimate", policy.accept(g, h)}, {"range", json_of(policy.accept_band(g, h))}});
  }
  return {{"value", policy.value}, {"unvisited", policy.unvisited}, {"gap", gaps}, {"accept", accept}};
}

/// The end of a ratio's band may be nowhere.
Json ratio_band(const Range& band) { return Json::array({band.low, number_or_null(band.high)}); }

Json json_of(const PairGap& pair, const Names& names) {
  return {{"rate", name_of(pair.rate)},
          {"step", pair.step},
          {"pair", {names.groups[pair.first], names.groups[pair.second]}},
          {"difference", number_or_null(pair.difference)},
          {"band", json_of(pair.band)},
          {"p", number_or_null(pair.p)},
          {"differ", pair.differ},
          {"ratio", number_or_null(pair.ratio)},
          {"ratio_band", ratio_band(pair.ratio_band)}};
}

/// The widest gap, between whom, and whether anybody is shown to differ.
Json json_of(const NotionGap& gap, const Names& names) {
  const bool any = !std::isnan(gap.gap);
  return {{"gap", number_or_null(gap.gap)},
          {"band", json_of(gap.band)},
          {"differ", gap.differ},
          {"above", any ? Json(names.groups[gap.above]) : Json()},
          {"below", any ? Json(names.groups[gap.below]) : Json()}};
}

Json json_of(const NotionRatio& ratio, const Names& names) {
  const bool any = !std::isnan(ratio.ratio);
  return {{"ratio", number_or_null(ratio.ratio)},
          {"band", ratio_band(ratio.band)},
          {"group", any ? Json(names.groups[ratio.group]) : Json()},
          {"beside", any ? Json(names.groups[ratio.beside]) : Json()}};
}

Json json_of(const Judged& judged, std::size_t horizon) {
  return {{"limit_on", judged.notion},       {"step", judged.step == horizon ? Json() : Json(judged.step)},
          {"limit", judged.limit},           {"found", number_or_null(judged.found)},
          {"band", ratio_band(judged.band)}, {"ruling", fairstep::name_of(judged.ruling)}};
}

Json json_of(const std::vector<SourceFile>& files) {
  Json list = Json::array();
  for (const SourceFile& file : files)
    list.push_back({{"name", file.name}, {"bytes", file.bytes}, {"modified", file.modified}, {"sha256", file.sha256}});
  return list;
}

/// The log, or the counts, and the policy.
std::vector<SourceFile> files_read(const AuditArguments& chosen, const Audit& audit) {
  std::vector<std::string> paths = chosen.data;
  if (std::filesystem::path(paths.front()).extension() != ".json" && audit.log) paths = audit.log->files;
  if (chosen.policy) paths.push_back(*chosen.policy);
  std::vector<SourceFile> files;
  for (const std::string& path : paths)
    if (auto file = source_file(path)) files.push_back(std::move(*file));
  return files;
}

Json json_of(const EpisodeAudit& episode, const Audit& audit) {
  Json accept = Json::array();
  for (const fairstep::Observed& observed : episode.accept) accept.push_back(json_of(observed));
  Json pairs = Json::array();
  for (const PairGap& pair : episode.pairs) {
    pairs.push_back(json_of(pair, audit.names));
    pairs.back().erase("step");
  }
  Json policy;
  if (audit.policy && audit.policy->episode)
    policy = {{"estimate", number_or_null(audit.policy->episode->gap)}, {"at_most", audit.policy->episode->at_most}};
  return {{"accept", accept},
          {"gap", number_or_null(episode.gap.gap)},
          {"band", json_of(episode.gap.band)},
          {"differ", episode.gap.differ},
          {"pairs", pairs},
          {"policy", policy}};
}

Json json_of(const LabelAudit& labels, const Names& names) {
  Json rules = Json::array();
  for (const LabelAudit::Rule& rule : labels.rules) {
    Json gaps = Json::object();
    for (const NotionGap& gap : rule.gaps)
      gaps[fairstep::name_of(gap.notion)].push_back({{"gap", number_or_null(gap.gap)}, {"band", json_of(gap.band)}});
    rules.push_back({{"refused", text_of(rule.refused)}, {"gap", gaps}});
  }
  Json tests = Json::array();
  for (const Diagnosed& test : labels.tests)
    tests.push_back({{"test", fairstep::name_of(test.question)},
                     {"group", names.groups[test.group]},
                     {"verdict", fairstep::name_of(test.verdict)}});
  return {{"are", fairstep::name_of(LabelsAre::follow_features)},
          {"assumption", labels_follow_features_in_words()},
          {"refused", text_of(labels.assumption.refused)},
          {"refused_in_words", fairstep::in_words(labels.assumption.refused)},
          {"unseen", labels.unseen},
          {"verdict", fairstep::name_of(labels.verdict)},
          {"tests", tests},
          {"rules", rules}};
}

Json json_of(const WeightAudit& weights) {
  return {{"column", weights.column},
          {"largest", weights.largest},
          {"total", weights.total},
          {"effective_decisions", weights.effective},
          {"effective_decisions_of_all", weights.effective_of_all}};
}

/// What the bands of weights ask for; nothing without them.
Result<std::optional<Weighing>> weighing_of(const AuditArguments& chosen) {
  if (!chosen.weight && !chosen.largest_weight) return std::nullopt;
  if (!chosen.weight || !chosen.largest_weight)
    return usage("--weight and --largest-weight are given together or not at all",
                 "the largest weight there can be is known beforehand, by the design of the sample: a bound that is "
                 "taken from the data proves nothing");
  if (chosen.policy)
    return usage("--weight and --policy: what a policy would have done is said of people who each count once");
  if (chosen.labels.assumption().value_or(std::nullopt))
    return usage("--weight and --labels follow-features: there decisions have weights of their own");
  return Weighing{*chosen.weight, *chosen.largest_weight};
}

/// With what probability the bands of each part hold, and all of them at once; null for what is not there.
Json together_of(const Audit& audit) {
  const auto kept = [&](double parts) { return Json(std::max(0.0, 1 - parts * audit.delta)); };
  return {{"steps", kept(1)},
          {"differences", audit.pair_tests > 0 ? kept(1) : Json()},
          {"ratios", audit.ratio_tests > 0 ? kept(1) : Json()},
          {"windows", audit.window_intervals > 0 ? kept(1) : Json()},
          {"policy", audit.policy ? kept(1) : Json()},
          {"all", kept(static_cast<double>(audit.parts))}};
}

Json json_of(const Audit& audit) {
  Json rates = Json::object();
  for (const AuditedRate& rate : audit.rates) rates[name_of(rate.rate)] = json_of(rate, audit);
  Json gaps = Json::object();
  for (const NotionGap& gap : audit.gaps) gaps[fairstep::name_of(gap.notion)].push_back(json_of(gap, audit.names));
  Json ratios = Json::object();
  for (const NotionRatio& ratio : audit.ratios)
    ratios[fairstep::name_of(ratio.notion)].push_back(json_of(ratio, audit.names));
  Json judged = Json::array();
  for (const Judged& each : audit.judged) judged.push_back(json_of(each, audit.horizon));
  const auto ruling = ruling_of(audit);
  Json set_apart = Json::array();
  for (const std::size_t g : audit.set_apart) set_apart.push_back(audit.names.groups[g]);
  Json pairs = Json::array();
  for (const PairGap& pair : audit.pairs) pairs.push_back(json_of(pair, audit.names));
  Json windows = Json::array();
  if (audit.log)
    for (const Window& window : audit.log->windows) windows.push_back(window.from);
  const std::string_view interval =
      audit.weights ? "Robbins' intervals for decisions that count in parts" : "Clopper-Pearson intervals";
  return {{"groups", audit.names.groups},
          {"features", audit.names.features},
          {"horizon", audit.horizon},
          {"delta", audit.delta},
          {"method",
           fmt::format(
               "{}, union bound over rates, groups and steps{}", interval,
               audit.pair_tests > 0 ? "; differences by Boschloo's test, Bonferroni over rates, pairs and steps" : "")},
          {"assumptions", assumptions_of(audit)},
          {"intervals", audit.intervals},
          {"pair_tests", audit.pair_tests},
          {"ratio_tests", audit.ratio_tests},
          {"small", audit.small},
          {"set_apart", set_apart},
          {"reference", audit.reference ? Json(audit.names.groups[*audit.reference]) : Json()},
          {"ruling", ruling ? Json(fairstep::name_of(*ruling)) : Json()},
          {"limits", judged},
          {"together", together_of(audit)},
          {"people", audit.people},
          {"groups_in_doubt", audit.groups_in_doubt},
          {"decisions", audit.decisions},
          {"gap", gaps},
          {"ratio", ratios},
          {"pairs", pairs},
          {"episode", audit.episode ? json_of(*audit.episode, audit) : Json()},
          {"rates", rates},
          {"window", audit.log && !audit.log->window.empty() ? Json(audit.log->window) : Json()},
          {"windows", windows},
          {"findings", audit.log ? to_json(audit.log->findings) : Json::array()},
          {"censored", audit.log ? Json(std::string(fairstep::name_of(audit.log->censoring))) : Json()},
          {"coverage", to_json(audit.coverage)},
          {"policy", audit.policy ? json_of(*audit.policy, audit) : Json()},
          {"labels", audit.labels ? json_of(*audit.labels, audit.names) : Json()},
          {"diagnosis", audit.weights ? Json() : to_json(audit.diagnosis, audit.names)}};
}

Result<Answer> run(const AuditArguments& chosen, const Context& context) {
  const auto format = document_format(chosen.format, chosen.file);
  if (!format) return tl::unexpected(format.error());
  if (!(chosen.delta > 0 && chosen.delta < 1))
    return usage(fmt::format("--delta is {}, expected more than 0 and less than 1", chosen.delta));
  const auto labels = chosen.labels.assumption();
  if (!labels) return tl::unexpected(labels.error());
  const auto weighing = weighing_of(chosen);
  if (!weighing) return tl::unexpected(weighing.error());
  AuditOptions options;
  const auto counts = [&]() -> Result<Counts> {
    if (!*weighing) return read_counts_or_log("audit", chosen.data, chosen.log);
    auto counted = read_weighed_log(chosen.data, chosen.log, **weighing);
    if (!counted) return tl::unexpected(counted.error());
    options.weights = std::move(counted->weights);
    return std::move(counted->counts);
  }();
  if (!counts) return tl::unexpected(counts.error());
  std::optional<Policy> policy;
  if (chosen.policy) {
    auto read = policy_for(counts->names().groups, *chosen.policy);
    if (!read) return tl::unexpected(read.error());
    policy = std::move(*read);
  }
  options.labels = *labels;
  auto question = chosen.limits.question(*counts);
  if (!question) return tl::unexpected(question.error());
  options.notions = std::move(question->notions);
  options.reference = question->reference;
  options.limits = std::move(question->limits);
  options.small = static_cast<std::int64_t>(chosen.small);
  options.delta = chosen.delta;
  options.thin = static_cast<std::int64_t>(chosen.thin);
  const auto audited = audit(*counts, options, policy ? &*policy : nullptr);
  if (!audited) return input(audited.error(), audited.error().input == "policy" ? *chosen.policy : chosen.data.front());

  const AuditSource source{chosen.data.size() == 1 ? chosen.data.front() : fmt::format("{} files", chosen.data.size()),
                           chosen.policy.value_or(""), FAIRSTEP_VERSION, files_read(chosen, *audited)};
  Answer answer;
  answer.schema = "fairstep/audit/1";
  answer.body = {{"data", chosen.data},
                 {"policy_file", chosen.policy ? Json(*chosen.policy) : Json()},
                 {"file", chosen.file ? Json(*chosen.file) : Json()},
                 {"files", json_of(source.files)}};
  answer.body.update(json_of(*audited));
  if (ruling_of(*audited) == Ruling::beyond) answer.code = ExitCode::no;
  if (audited->weights) answer.body["weights"] = json_of(*audited->weights);
  if (audited->part) answer.body["part"] = facts(*audited->part);
  if (audited->log) {
    for (const Finding& finding : audited->log->findings) answer.warnings.push_back(in_words(finding));
    if (const std::string assumed = assumption(*audited->log); !assumed.empty() && !audited->labels)
      answer.warnings.push_back(assumed);
  }
  if (audited->labels) {
    answer.warnings.push_back(in_words(audited->labels->assumption));
    for (std::string& doubt : doubts_of_features(audited->diagnosis)) answer.warnings.push_back(std::move(doubt));
  }
  for (std::string& doubt : doubts_of(audited->diagnosis)) answer.warnings.push_back(std::move(doubt));
  std::string document;
  if (*format == "json") {
    Json whole = {{"schema", answer.schema}, {"warnings", answer.warnings}};
    whole.update(answer.body);
    document = cli::to_text(whole);
  } else {
    document = *format == "html" ? to_html(*audited, source) : to_markdown(*audited, source);
  }
  if (!chosen.file) {
    if (!context.json) {
      answer.text = document;
      answer.verbatim = *format == "json";
    }
    return answer;
  }
  if (auto ok = write_guarded(*chosen.file, document); !ok) return io_failure(ok.error());
  answer.notes.push_back(fmt::format("wrote {}: audit of {}", *chosen.file, source.data));
  return answer;
}

}  // namespace

Verb audit_verb() {
  return {
      "audit",
      "how groups were treated, with bands that hold together",
      "Reads a log or counts and reports, for each step and pair of groups, the rates of acceptance and their "
      "differences and ratios: of all (dp), of the qualified (eqopt), of both (eqodds). The bands hold for all steps, "
      "groups and pairs at once with probability 1 - delta. With --limit, whether the data prove that it is kept or "
      "broken. With a time in --map, also by calendar windows. With --policy, what "
      "that policy would have done, by the estimated model and by every model that the data allow. With --labels "
      "follow-features, decisions without a label count by their features. With --weight, rates are weighted.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --threshold x=2 -o usual.json",
       "fairstep policy fico.json --uniform 0.5 -o half.json",
       "fairstep simulate fico.json half.json --people 20000 -o log.csv", "fairstep audit log.csv -o audit.md",
       "fairstep count log.csv --like fico.json -o counts.json",
       "fairstep audit counts.json --fairness dp --policy usual.json -o audit.html"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<AuditArguments>();
        options.positionals("DATA", chosen->data, "log files (options as in fairstep count), or one counts file");
        options.output(chosen->file, "write the report there; without it, to stdout");
        options.choice("--format", chosen->format, {"md", "html", "json"},
                       "of the report; left out: as the file's name ends, or md");
        options.text("--policy", chosen->policy, "FILE", "policy to look at as well");
        chosen->limits.declare(options);
        options.number("--delta", chosen->delta, "the bands hold together with probability 1 - delta");
        options.whole("--small", chosen->small,
                      "groups of fewer people than this are set apart: shown, but compared with no other; 0: none is");
        options.whole("--thin", chosen->thin, "cells with fewer decisions than this are listed as thin");
        options.text("--weight", chosen->weight, "COLUMN",
                     "of a log: decisions count by it, from 0 to --largest-weight");
        options.number("--largest-weight", chosen->largest_weight,
                       "the largest weight there can be, known beforehand and not taken from the data");
        chosen->log.declare(options, std::string(kLabelNames) + "; or follow-features: see --refused");
        chosen->labels.declare_refused(options);
        options.common();
        return [chosen](const Context& context) {
          chosen->labels.take_from(chosen->log.labels);
          return run(*chosen, context);
        };
      },
      {}};
}

}  // namespace fairstep::cli
