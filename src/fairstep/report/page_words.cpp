// What the report is for and what it is not, the settings behind it, and the words it uses.
#include <cmath>

#include <fmt/format.h>

#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/page.hpp>

namespace fairstep::report {
namespace {

struct Term {
  const char* word;
  const char* meaning;
};

constexpr Term kTerms[] = {
    {"the method", "The first method of the experiment that learns under limits: a limit on every step's gap."},
    {"penalty baseline", "Learns with lambda times the squared gaps as a cost, and without limits."},
    {"frontier",
     "Of a penalty: what its weights and no constraint offer, and mixtures of them; the upper hull of their points."},
    {"step", "A decision of an episode. Steps are counted from 0 in every file, table and chart: 0 is the paper's 1."},
    {"return", "Expected total reward of a random person over one episode, exact under the true model."},
    {"gap", "The widest difference between two groups' rates at one step."},
    {"violation", "The average of the gaps over the steps of an episode, as the paper measures it."},
    {"demographic parity (DP)", "The rate is the share of a group that is accepted."},
    {"equal opportunity (EqOpt)", "The rate is the share accepted of those who are qualified."},
    {"regret per step", "What is missing to the best fair policy of the true model, divided by the number of steps."},
    {"lambda", "The weight of squared gaps in the penalty baseline's objective."},
    {"relaxation", "What the method allows on top of a limit while the population is not known well."},
    {"vacuous", "A relaxation of 1 or more: no policy can exceed it, so that the limit limits nothing."},
    {"literal, scaled, scaled-width",
     "The lemmas as printed, what they come to times a factor, or every width in them times a factor; only the first "
     "is a theorem."},
    {"shadow price", "What the return gains for each unit by which a step's limit is widened."},
    {"proven to within", "The share by which a policy's value may at most fall short of the optimum of its problem."},
    {"band, \u00b1",
     "95 % Student-t interval of the mean over repeats. It tells about chance in the runs, not about models."},
};

std::string certificates_in_words(const ExperimentRecord& plan) {
  if (std::isnan(plan.certificate_gap)) return "none";
  std::string text = "to " + percent_asked(plan.certificate_gap);
  if (!std::isnan(plan.certificate_last_gap))
    text += fmt::format(" (those of the last update to {:g})", plan.certificate_last_gap);
  if (!std::isnan(plan.certificate_effort)) text += fmt::format(", effort {:g}", plan.certificate_effort);
  if (!std::isnan(plan.certificate_seconds)) text += fmt::format(", at most {:g} s each", plan.certificate_seconds);
  return text;
}

/// What each method was given.
Table methods_of(const Evidence& evidence) {
  const ExperimentRecord& plan = evidence.plan;
  Table made;
  made.columns = {{"method", "method"},
                  {"kind", "kind"},
                  {"lambda", "lambda", kFewDecimals},
                  {"mode", "relaxation"},
                  {"bonus", "bonus times", kFewDecimals}};
  for (const std::string& notion : plan.notions)
    made.columns.push_back({notion, "relaxation times, " + notion, kFewDecimals});
  for (const auto& method : plan.methods) {
    const bool learns = method.method == "constrained";
    std::vector<Cell> row{method.label, method.method, method.lambda,
                          learns ? (method.relaxation.empty() ? plan.relaxation : method.relaxation) : "\u2013",
                          method.bonus_scale};
    for (const std::string& notion : plan.notions) {
      const auto scale = method.relaxation_scale.find(notion);
      row.emplace_back(learns && scale != method.relaxation_scale.end() ? scale->second : kUnknown);
    }
    made.rows.push_back(std::move(row));
  }
  return made;
}

/// The people as they come: shares of groups, of the qualified, and of each feature at the first step.
Table people_of(const Model& model, const Names& names) {
  Table made;
  made.columns = {{"group", "group"}, {"share", "share of people"}, {"qualified", "qualified at first"}};
  for (const std::string& feature : names.features) made.columns.push_back({feature, "feature " + feature, 3});
  const Shape n = model.shape();
  for (std::size_t g = 0; g < n.groups; ++g) {
    double qualified = 0;
    std::vector<double> share(n.features, 0.0);
    for (std::size_t x = 0; x < n.features; ++x) {
      qualified += model.initial(g)[2 * x + 1];
      share[x] = model.initial(g)[2 * x] + model.initial(g)[2 * x + 1];
    }
    std::vector<Cell> row{names.groups[g], model.share(g), qualified};
    for (const double part : share) row.emplace_back(part);
    made.rows.push_back(std::move(row));
  }
  return made;
}

}  // namespace

void write_scope(Html& html, const Evidence& evidence) {
  html.open("section", {{"id", "scope"}, {"aria-labelledby", "scope-heading"}});
  html.element("h2", "What this is, and what it is not", {{"id", "scope-heading"}}).open("div", {{"class", "two"}});
  const auto list = [&](const char* heading, std::initializer_list<const char*> items) {
    html.open("div").element("h3", heading).open("ul");
    for (const char* item : items) html.element("li", item);
    html.close().close();
  };
  list("Purpose", {"It shows what policies learned under stepwise fairness constraints are worth, how fair they are at "
                   "every step, and at what price, beside two baselines.",
                   "It is meant for people who judge such methods, and for those who answer for a decision system that "
                   "might use one."});
  list("Limits", {"The populations are models: what is exact under a model is no statement about real people.",
                  "Fairness here means equal rates between the groups of the model at every step. Other notions, and "
                  "groups that the model does not know, are not looked at.",
                  "Equal rates are not a legal finding, and this report is no audit of a system in use."});
  list("Not checked",
       {"Whether the environments resemble any lender's customers.",
        "How methods behave with other people per episode, floors, horizons or schedules than those below.",
        "Repeats differ in their random draws alone: bands do not cover a wrong model."});
  html.close();
  if (!evidence.missing.empty())
    html.element("p",
                 fmt::format("Incomplete: {} runs are missing, among them {}.", evidence.missing.size(),
                             evidence.missing.front()),
                 {{"class", "warning"}});
  html.close().line();
}

void write_settings(Html& html, const Evidence& evidence) {
  const ExperimentRecord& plan = evidence.plan;
  html.open("section", {{"id", "settings"}, {"aria-labelledby", "settings-heading"}});
  html.element("h2", "Settings and where the numbers come from", {{"id", "settings-heading"}});
  html.open("dl", {{"class", "facts"}});
  const auto fact = [&](const char* name, const std::string& value) {
    if (!value.empty()) html.open("div").element("dt", name).element("dd", value).close();
  };
  fact("experiment", plan.name);
  fact("fairstep", plan.version);
  fact("runs", fmt::format("{} finished, {} missing", evidence.runs, evidence.missing.size()));
  fact("repeats", fmt::format("{}, seed {}", plan.repeats, plan.seed));
  fact("steps in an episode", plan.horizon == 0 ? "" : std::to_string(plan.horizon));
  if (!plan.schedule.empty())
    fact("updates", fmt::format("{}, at k = {} to {}", plan.schedule.size(), as_power(plan.schedule.front()),
                                as_power(plan.schedule.back())));
  fact("people per episode",
       fmt::format("{} {}", plan.people_per_episode, plan.people_by_share ? "drawn by share" : "of each group"));
  if (plan.discounted_limits) fact("limits", "on gamma^(h+1) times the gap at step h = 0, 1, ...");
  if (plan.group_independent) fact("policies", "do not look at the group");
  fact("evaluation episodes", std::to_string(plan.evaluation_episodes));
  fact("relaxation", plan.relaxation);
  fact("delta", fixed(plan.delta, 2));
  fact("policy floor", plan.floor_kind);
  fact("rows never visited", plan.unvisited);
  fact("certificates", certificates_in_words(plan));
  if (evidence.timing && !std::isnan(evidence.timing->seconds) &&
      evidence.timing->solves_made == evidence.timing->solves)
    fact("took", fmt::format("{} s on {} threads", fixed(evidence.timing->seconds, 1), evidence.timing->threads));
  const auto fingerprint = [&](const char* name, const std::string& digest) {
    html.open("div").element("dt", name).open("dd").element("code", digest).close().close();
  };
  fingerprint("SHA-256 of experiment.json", evidence.plan_digest);
  fingerprint("SHA-256 of all results", evidence.results_digest);
  html.close();
  for (std::size_t e = 0; e < evidence.models.size(); ++e) {
    const auto& environment = plan.environments[e];
    write_table(html, people_of(evidence.models[e], evidence.names[e]),
                environment.label + ": the people at the first step" +
                    (environment.source.empty() ? "" : " (source: " + environment.source + ")"));
  }
  write_table(html, methods_of(evidence), "What each method was given");
  if (!evidence.in_full.empty()) {
    html.element("h3", "Names in full").open("dl", {{"class", "facts"}});
    for (const auto& [shown, whole] : evidence.in_full)
      html.open("div").element("dt", shown).element("dd", whole).close();
    html.close();
  }
  html.open("p").text("Made by ").element("code", fmt::format("fairstep report {} -o report.html", evidence.folder));
  html.text(" from the folder alone. The second fingerprint is that of what ").element("code", "sha256sum");
  html.text(" prints for every result.json, in the order of the experiment's grid.").close();
  if (!evidence.missing.empty()) {
    html.open("details").element("summary", fmt::format("{} missing runs", evidence.missing.size())).open("ul");
    for (const std::string& name : evidence.missing) html.element("li", name);
    html.close().close();
  }
  html.open("details").element("summary", "experiment.json, in full");
  html.open("pre", {{"tabindex", "0"}}).text(evidence.plan_text).close().close();
  html.close().line();
}

void write_glossary(Html& html) {
  html.open("section", {{"id", "glossary"}, {"aria-labelledby", "glossary-heading"}});
  html.element("h2", "Glossary", {{"id", "glossary-heading"}}).open("dl", {{"class", "words"}});
  for (const Term& term : kTerms) html.open("div").element("dt", term.word).element("dd", term.meaning).close();
  html.close().close().line();
}

}  // namespace fairstep::report
