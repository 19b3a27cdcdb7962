// Certificates, runs, experiments and frontiers.
#include <fairstep/io/records.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/certificate_page/certificate_page.hpp>
#include <fairstep/check/check.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/prove/proof.hpp>

#include "answers/nested.hpp"
#include "answers/page_text.hpp"
#include "answers/shown/shown.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

/// A line through two points fits whatever they are.
constexpr std::size_t kFewestToFit = 3;

double widest(const std::vector<double>& steps) {
  double most = kUnknown;
  for (const double gap : steps)
    if (!(gap <= most)) most = std::isnan(gap) ? most : gap;
  return most;
}

page::Column column(const char* name, int decimals = 4, page::Rounded rounded = page::Rounded::nearest) {
  return {name, name, decimals, rounded};
}

page::Column words(const char* name) { return {name, name, 4, page::Rounded::nearest, true}; }

/// An array of numbers, whatever else may stand there.
std::vector<double> numbers(const Json& list) {
  std::vector<double> values;
  for (const Json& value : list) values.push_back(value.is_number() ? value.get<double>() : kUnknown);
  return values;
}

/// Of `One kernel: given a person's group, ...` what is before the colon.
std::string head_of(const std::string& assumption) { return assumption.substr(0, assumption.find(':')); }

/// A row for each step, a column for each notion.
page::CaptionedTable gaps_by_step(const std::string& caption, const Json& gaps, page::Rounded rounded) {
  page::CaptionedTable made{caption, {}};
  made.table.columns.push_back(words("step"));
  std::size_t horizon = 0;
  for (const auto& [notion, steps] : gaps.items()) {
    made.table.columns.push_back({notion, notion, 4, rounded});
    horizon = steps.size();
  }
  for (std::size_t h = 0; h < horizon; ++h) {
    std::vector<page::Cell> row{std::to_string(h)};
    for (const auto& [notion, steps] : gaps.items()) row.emplace_back(numbers(steps)[h]);
    made.table.rows.push_back(std::move(row));
  }
  return made;
}

}  // namespace

Result<Shown> shown_certificate(const std::string& text, const std::string& file, TableRoom room) {
  const auto report = check_certificate(text, file);
  if (!report) return input(report.error(), file);
  const bool holds = report->mismatches.empty();
  // The check has seen its form.
  const Json document = Json::parse(text);
  Shown made;
  made.page.title = file + ": a certificate";
  made.page.add(page::Paragraph{holds ? what_is_certified(text) : document["statement"].get<std::string>()});
  page::List list;
  list.items.push_back(
      holds ? fmt::format("checked now: it holds, {} claims derived again (its diagnosis was not)",
                          with_thousands(report->compared))
            : fmt::format("checked now: IT DOES NOT HOLD, {} of its claims {} not so; fairstep check {} "
                          "names them",
                          report->mismatches.size(), report->mismatches.size() == 1 ? "is" : "are", file));
  list.items.push_back(fmt::format("delta: {}", document["delta"].get<double>()));
  if (document.contains("labels")) {
    // Of decisions alone, no rule about labels that were not seen is needed.
    std::string rule;
    if (document.contains("refused")) rule = "; of those not seen: " + document["refused"].get<std::string>();
    if (document.contains("odds")) rule += " " + document["odds"].dump();
    list.items.push_back(fmt::format("labels: {}{}", document["labels"].get<std::string>(), rule));
  }
  for (const auto& [notion, steps] : document["certified_gap"].items())
    list.items.push_back(fmt::format("{} gap: at most {} at every step", notion, at_most(widest(numbers(steps)))));
  if (document["certified_value"].is_number())
    list.items.push_back(fmt::format("value: at least {}", at_least(document["certified_value"].get<double>())));
  else
    list.items.emplace_back("value: nothing is said about it");
  for (const auto& [name, made_from] : document["inputs"].items())
    if (made_from.is_object() && made_from.contains("sha256"))
      list.items.push_back(fmt::format("{}: {}, SHA-256 {}", name, made_from["file"].get<std::string>(),
                                       made_from["sha256"].get<std::string>()));
  made.page.add(std::move(list));
  made.page.add(gaps_by_step("gap at most", document["certified_gap"], page::Rounded::up));
  made.page.add(gaps_by_step("estimated gap", document["estimated_gap"], page::Rounded::nearest));
  if (room.rows > kScreen.rows) {
    made.page.add(page::Heading{"Assumptions"});
    page::List assumptions;
    for (const Json& assumption : document["assumptions"]) assumptions.items.push_back(assumption.get<std::string>());
    made.page.add(std::move(assumptions));
  } else {
    std::vector<std::string> heads;
    for (const Json& assumption : document["assumptions"]) heads.push_back(head_of(assumption.get<std::string>()));
    made.page.add(page::Heading{
        fmt::format("assumptions (-o page.html and --json have them in full): {}", fmt::join(heads, "; "))});
  }
  made.body = {{"kind", "certificate"}, {"holds", holds}, {"compared", report->compared}};
  made.body["certified"] = holds ? Json(what_is_certified(text)) : Json();
  for (const char* key : {"statement", "assumptions", "delta", "groups", "certified_gap", "estimated_gap",
                          "certified_value", "estimated_value"})
    made.body[key] = document[key];
  for (const char* key : {"certified_ratio", "estimated_ratio", "reference", "certified_aggregate_gap",
                          "estimated_aggregate_gap", "labels", "refused", "odds"})
    if (document.contains(key)) made.body[key] = document[key];
  if (!holds) made.code = ExitCode::no;
  return made;
}

Result<Shown> shown_run(const std::filesystem::path& result) {
  const std::filesystem::path folder = result.parent_path();
  const auto run = read_run_record(result);
  if (!run) return input(run.error());
  Shown made;
  made.page.title = result.string() + ": a learning run";
  page::List list;
  list.items.push_back(fmt::format("{}, {} update{}; groups {}; relaxation {}{}",
                                   run->finished ? "finished" : "not finished", run->updates.size(),
                                   run->updates.size() == 1 ? "" : "s", fmt::join(run->groups, ", "), run->relaxation,
                                   run->safe ? "; in safe mode" : ""));
  if (std::isfinite(run->oracle_lower))
    list.items.push_back(
        std::isfinite(run->oracle_upper)
            ? fmt::format("the best fair policy returns {} to {}", round_down_short(run->oracle_lower, 5),
                          round_up_short(run->oracle_upper, 5))
            : fmt::format("the best fair policy returns {} or more", round_down_short(run->oracle_lower, 5)));
  for (const auto& [name, fit] : {std::pair{"regret", run->regret}, {"violation", run->violation}})
    if (fit.points >= kFewestToFit && std::isfinite(fit.slope))
      list.items.push_back(fmt::format("{}: about k^{:.3f}, over {} updates", name, fit.slope, fit.points));
  made.page.add(std::move(list));
  page::CaptionedTable table{"Each update, by the true model; gaps are the widest of all steps", {}};
  table.table.columns = {
      column("k", page::kAsPower), column("return"),     column("violation"), column("regret"), column("dp gap"),
      column("eqopt gap"),         column("eqodds gap"), words("solve")};
  made.body = {{"kind", "run"}, {"finished", run->finished}, {"groups", run->groups}, {"safe", run->safe}};
  made.body["updates"] = Json::array();
  for (const UpdateRecord& update : run->updates) {
    table.table.rows.push_back({static_cast<double>(update.k), update.value, update.violation, update.regret,
                                widest(update.dp), widest(update.eqopt), widest(update.eqodds), update.outcome});
    made.body["updates"].push_back({{"k", update.k},
                                    {"policy", update.policy},
                                    {"value", number_or_null(update.value)},
                                    {"violation", number_or_null(update.violation)},
                                    {"regret", number_or_null(update.regret)},
                                    {"outcome", update.outcome}});
  }
  made.page.add(std::move(table));
  if (!run->updates.empty() && !run->updates.back().policy.empty())
    made.page.add(page::Paragraph{
        fmt::format("its last policy: fairstep show {}", (folder / run->updates.back().policy).string())});
  return made;
}

Result<Shown> shown_experiment(const std::filesystem::path& folder) {
  const auto experiment = read_experiment_record(folder / "experiment.json");
  if (!experiment) return input(experiment.error());
  Shown made;
  made.page.title = folder.string() + ": an experiment";
  std::vector<std::string> populations, methods;
  for (const auto& environment : experiment->environments) populations.push_back(environment.label);
  for (const auto& method : experiment->methods) methods.push_back(method.label);
  page::List list;
  if (!experiment->name.empty()) list.items.push_back("name: " + experiment->name);
  list.items.push_back(fmt::format("populations: {}", fmt::join(populations, ", ")));
  list.items.push_back(fmt::format("notions: {}", fmt::join(experiment->notions, ", ")));
  list.items.push_back(fmt::format("methods: {}", fmt::join(methods, ", ")));
  list.items.push_back(fmt::format("repeats: {}, seed {}", experiment->repeats, experiment->seed));
  if (!experiment->schedule.empty())
    list.items.push_back(fmt::format("updates: {}, the last after {} episodes", experiment->schedule.size(),
                                     with_thousands(experiment->schedule.back())));
  const std::filesystem::path timed = folder / "timing.json";
  if (std::filesystem::exists(timed)) {
    const auto timing = read_timing_record(timed);
    if (!timing) return input(timing.error());
    list.items.push_back(
        fmt::format("done: {} runs, {} solves, {} of them proven", timing->runs, timing->solves, timing->certified));
  } else {
    list.items.emplace_back("done: not yet");
  }
  made.page.add(std::move(list));
  made.page.add(page::Paragraph{fmt::format("what it found: fairstep report {}", folder.string())});
  made.body = {{"kind", "experiment"},        {"name", experiment->name},
               {"environments", populations}, {"notions", experiment->notions},
               {"methods", methods},          {"repeats", experiment->repeats},
               {"seed", experiment->seed},    {"schedule", experiment->schedule}};
  return made;
}

Result<Shown> shown_frontier(const std::filesystem::path& file) {
  const auto frontier = read_frontier_record(file);
  if (!frontier) return input(frontier.error());
  Shown made;
  made.page.title = file.string() + ": a frontier";
  page::CaptionedTable table{"The best value under each limit", {}};
  table.table.columns = {column("limit", page::kFewDecimals), words("outcome"), column("value"),
                         column("at most", 4, page::Rounded::up), column("widest gap")};
  page::Series values{"value", {}, {}};
  std::vector<std::string> limits;
  for (const FrontierPoint& point : frontier->points) {
    table.table.rows.push_back({point.limit, point.outcome, point.value, point.upper, widest(point.parity_gap)});
    limits.push_back(fmt::format("{:g}", point.limit));
    values.values.push_back(point.value);
    const double above = std::isfinite(point.upper) ? point.upper : point.value;
    values.bands.push_back({point.value, above});
  }
  made.page.add(page::Charts{{{"The value under each limit, and what is proven above it", "limit", limits, {values}}}});
  made.page.add(std::move(table));
  made.body = {{"kind", "frontier"}, {"tables", tables_json(made.page)}};
  return made;
}

Result<Shown> shown_proof(const std::string& text, const std::string& file) {
  const auto proof = prove::proof_from(text);
  if (!proof) return input(proof.error(), file);
  Shown made;
  made.page.title = file + ": a proof of a bound";
  made.page.add(page::Paragraph{"it says, and nothing of it was checked here: " + proof->statement});
  made.page.add(page::Paragraph{fmt::format("whether it holds: fairstep check {} --model MODEL", file)});
  made.body = {{"kind", "proof"},
               {"checked", false},
               {"statement", proof->statement},
               {"model_sha256", proof->model_sha256},
               {"bound", proof->bound ? Json(*proof->bound) : Json()},
               {"value", proof->value ? Json(*proof->value) : Json()},
               {"parts", proof->parts.size()}};
  return made;
}

Shown shown_monitor(const std::filesystem::path& folder) {
  Shown made;
  made.page.title = folder.string() + ": this is the state of a monitor";
  made.page.add(page::Paragraph{fmt::format("how it stands: fairstep monitor {}", folder.string())});
  made.body = {{"kind", "monitor"}};
  return made;
}

Shown shown_other(const Json& document, const std::string& schema, const std::string& file) {
  // "fairstep/radii/1" calls itself "radii".
  constexpr std::string_view prefix = "fairstep/";
  const std::string kind = schema.substr(prefix.size(), schema.rfind('/') - prefix.size());
  Shown made;
  made.page.title = fmt::format("{}: a document of the kind \"{}\" ({})", file, kind, schema);
  made.page.add(page::Paragraph{"No screen of its own is made for this kind. Its keys:"});
  page::List list;
  Json keys = Json::array();
  for (const auto& [key, value] : document.items()) {
    keys.push_back(key);
    if (key == "schema") continue;
    std::string shape = value.is_object()  ? fmt::format("an object with {} keys", value.size())
                        : value.is_array() ? fmt::format("a list of {}", value.size())
                                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    list.items.push_back(fmt::format("{}: {}", key, shape));
  }
  made.page.add(std::move(list));
  made.body = {{"kind", kind}, {"document", schema}, {"keys", keys}};
  return made;
}

}  // namespace fairstep::cli
