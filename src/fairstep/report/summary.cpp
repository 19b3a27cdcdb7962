// The minute that a manager has: sentences made from the numbers.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/grounds.hpp>
#include <fairstep/core/shared/text.hpp>
#include <fairstep/report/internal/comparison.hpp>
#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/page.hpp>

namespace fairstep::report {
namespace {

/// 12345 as 12,345.
std::string grouped(std::size_t number) { return internal::with_thousands(static_cast<std::int64_t>(number)); }

std::size_t solves(const Evidence& evidence) {
  std::size_t count = 0;
  for (const Setting& setting : evidence.settings)
    for (const MethodRuns& method : setting.methods)
      for (const RunRecord& run : method.repeats) count += run.updates.size();
  return count;
}

/// How many methods there are; "9 to 18" where notions have different ones.
std::string methods_in_words(const ExperimentRecord& plan) {
  std::size_t least = plan.methods.size(), most = 0;
  for (const std::string& notion : plan.notions) {
    const auto count = static_cast<std::size_t>(
        std::count_if(plan.methods.begin(), plan.methods.end(), [&](const ExperimentRecord::Method& method) {
          const std::vector<std::string>& own = method.notions;
          return own.empty() || std::find(own.begin(), own.end(), notion) != own.end();
        }));
    least = std::min(least, count);
    most = std::max(most, count);
  }
  return least < most ? fmt::format("{} to {}", least, most) : fmt::format("{}", plan.methods.size());
}

Sentence opening(const Evidence& evidence) {
  std::vector<std::string> environments, notions;
  for (const auto& environment : evidence.plan.environments) environments.push_back(environment.label);
  for (const Setting& setting : evidence.settings) {
    const std::string words = in_words(setting.notion);
    if (std::find(notions.begin(), notions.end(), words) == notions.end()) notions.push_back(words);
  }
  const auto& schedule = evidence.plan.schedule;
  return {{fmt::format("{} methods learned to decide on {} under {}, {} each, updating their policies up to episode "
                       "{}: {} runs and {} optimisation problems.",
                       methods_in_words(evidence.plan), joined(environments), joined(notions),
                       evidence.plan.repeats == 1 ? "once" : fmt::format("{} times", evidence.plan.repeats),
                       schedule.empty() ? "?" : as_power(schedule.back()), grouped(evidence.runs),
                       grouped(solves(evidence))),
           ""}};
}

/// What has to be said of a population that is an estimate; nothing of others.
std::vector<Sentence> caveats_of(const Evidence& evidence) {
  std::vector<Sentence> made;
  for (std::size_t e = 0; e < evidence.models.size(); ++e) {
    const auto& grounds = evidence.models[e].spec().rests_on;
    if (!grounds) continue;
    const std::string& name = evidence.plan.environments[e].label;
    made.push_back(
        {{fmt::format("The people of {} are drawn from an estimate, and what is learned is about that.", name),
          "settings"}});
    for (const std::string& caveat : caveats(*grounds, evidence.models[e].names().groups))
      made.push_back({{fmt::format("{}: {}.", name, caveat), ""}});
  }
  return made;
}

Sentence outcome(const Setting& setting) {
  const MethodRuns* ours = setting.find(Kind::ours);
  if (ours == nullptr) return {{"No run of the constrained method is finished.", ""}};
  const std::string here = final_anchor(setting, *ours);
  Sentence made{{"The method's final violation is ", ""}, {with_band(final_violation(*ours)), here}};
  const MethodRuns* free = setting.find(Kind::unconstrained);
  if (free == nullptr) {
    made.push_back({", with a return of ", ""});
    made.push_back({with_band(final_value(*ours)), here});
  } else {
    const double cost = (final_value(*free).mean - final_value(*ours).mean) / std::abs(final_value(*free).mean);
    made.push_back({" against ", ""});
    made.push_back({with_band(final_violation(*free)), final_anchor(setting, *free)});
    made.push_back({cost >= 0 ? " unconstrained, for " : " unconstrained, and it gains ", ""});
    made.push_back({percent(std::abs(cost)), here});
    made.push_back({" of the return", ""});
  }
  made.push_back({".", ""});
  return made;
}

const Verdict* find(const std::vector<Verdict>& verdicts, const std::string& id) {
  for (const Verdict& verdict : verdicts)
    if (verdict.id == id) return &verdict;
  return nullptr;
}

std::size_t count(const Verdict& verdict, Ruling ruling) {
  return static_cast<std::size_t>(std::count_if(verdict.findings.begin(), verdict.findings.end(),
                                                [&](const Finding& finding) { return finding.ruling == ruling; }));
}

/// "in all 4 settings", "in 3 of 4 settings"
std::string in_settings(std::size_t some, std::size_t all) {
  if (all == 1) return "in the one setting";
  return some == all ? fmt::format("in all {} settings", all) : fmt::format("in {} of {} settings", some, all);
}

Sentence against_penalty(const Verdict& verdict) {
  const std::size_t all = verdict.findings.size();
  const std::size_t above = count(verdict, Ruling::holds), on = count(verdict, Ruling::tie),
                    below = count(verdict, Ruling::fails), open = count(verdict, Ruling::undecided);
  std::vector<std::string> where;
  if (above > 0) where.push_back("above its frontier " + in_settings(above, all));
  if (on > 0) where.push_back("on its frontier, within 0.05 % of its return, " + in_settings(on, all));
  if (below > 0) where.push_back("below it " + in_settings(below, all));
  if (where.empty())
    return {{"Whether the method ends above or below the penalty baseline's frontier is undecided.", ""}};
  Sentence made{{"Beside a penalty baseline that is solved as carefully, the method ends ", ""},
                {joined(where), "claim-equal-violation"},
                {".", ""}};
  if (open > 0) made.push_back({" It is undecided " + in_settings(open, all) + ".", ""});
  if (above < all)
    made.push_back(
        {" What the constraint adds is a limit that one sets directly, instead of a weight that has to be searched "
         "for.",
         ""});
  return made;
}

Sentence worst_steps(const Evidence& evidence) {
  double mine = 0, free = 0;
  const Setting* where = nullptr;
  for (const Setting& setting : evidence.settings) {
    const auto worst = [&](const MethodRuns* method) {
      if (method == nullptr) return 0.0;
      return method->band(method->updates() - 1, [&](const UpdateRecord& update) { return setting.worst_gap(update); })
          .mean;
    };
    if (worst(setting.find(Kind::ours)) > mine || where == nullptr || std::isnan(mine)) {
      mine = worst(setting.find(Kind::ours));
      where = &setting;
    }
    free = std::max(free, worst(setting.find(Kind::unconstrained)));
  }
  if (where == nullptr || where->find(Kind::ours) == nullptr) return {};
  if (std::isnan(mine))
    return {{"There is no step at which two groups can be compared: a rate of nobody is none.", ""}};
  Sentence made{{"At its worst step, over all settings, the method's gap is ", ""},
                {fixed(mine, 3), final_anchor(*where, *where->find(Kind::ours))},
                {fmt::format(" ({})", where->name), ""}};
  if (free > 0) {
    made.push_back({"; without constraint it is up to ", ""});
    made.push_back({fixed(free, 3), "steps"});
  }
  made.push_back({".", ""});
  return made;
}

Sentence literal(const Verdict& verdict) {
  const std::size_t vacuous = count(verdict, Ruling::fails);
  const std::size_t known = verdict.findings.size() - count(verdict, Ruling::undecided);
  if (known == 0) return {};
  if (vacuous == 0)
    return {{"With the paper's constants as printed the constraint takes effect ", ""},
            {in_settings(known, verdict.findings.size()), "claim-literal-constants"},
            {".", ""}};
  return {{"With the paper's constants as printed the constraint is vacuous to the end ", ""},
          {in_settings(vacuous, verdict.findings.size()), "claim-literal-constants"},
          {"; the runs above scale them, which gives up the theorem.", ""}};
}

Sentence proofs(const Evidence& evidence) {
  const double asked = std::isnan(evidence.plan.certificate_gap) ? 1e-3 : evidence.plan.certificate_gap;
  std::size_t proven = 0;
  for (const Setting& setting : evidence.settings)
    for (const MethodRuns& method : setting.methods)
      for (const RunRecord& run : method.repeats)
        for (const UpdateRecord& update : run.updates) proven += update.gap_to_bound <= asked ? 1U : 0U;
  return {{"Of all problems ", ""},
          {fmt::format("{} of {}", grouped(proven), grouped(solves(evidence))), "claim-solved"},
          {fmt::format(" are proven to be solved to within {} of their optimum.", percent_asked(asked)), ""}};
}

}  // namespace

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string plain(const Sentence& sentence) {
  std::string text;
  for (const Piece& piece : sentence) text += piece.text;
  return text;
}

Summary summarise(const Evidence& evidence, const std::vector<Verdict>& verdicts) {
  Summary made;
  made.opening = opening(evidence);
  for (const Setting& setting : evidence.settings) made.settings.emplace_back(setting.name, outcome(setting));
  const auto add = [&](Sentence sentence) {
    if (!sentence.empty()) made.rest.push_back(std::move(sentence));
  };
  if (const Verdict* verdict = find(verdicts, "equal-violation")) add(against_penalty(*verdict));
  add(worst_steps(evidence));
  if (const Verdict* verdict = find(verdicts, "literal-constants")) add(literal(*verdict));
  add(proofs(evidence));
  for (Sentence& caveat : caveats_of(evidence)) add(std::move(caveat));
  if (!evidence.plan.sealed)
    add(
        {{"experiment.json has no fingerprint, so that nobody can say whether it and the models are as they were "
          "written: an older version wrote it, or it was changed.",
          ""}});
  if (evidence.unsealed > 0)
    add({{fmt::format("{} runs have no fingerprint, so that nobody can say whether they are as they were written: an "
                      "older version wrote them, or they were changed.",
                      evidence.unsealed),
          ""}});
  if (!evidence.missing.empty())
    add({{fmt::format("{} runs of the experiment are missing; everything here is about the others.",
                      evidence.missing.size()),
          "settings"}});
  return made;
}

void write_summary(Html& html, const Summary& summary) {
  const auto write = [&](const Sentence& sentence) {
    for (const Piece& piece : sentence) {
      if (piece.anchor.empty())
        html.text(piece.text);
      else
        html.element("a", piece.text, {{"href", "#" + piece.anchor}});
    }
  };
  html.open("section", {{"id", "summary"}, {"aria-labelledby", "summary-heading"}});
  html.element("h2", "In one minute", {{"id", "summary-heading"}}).open("p", {{"class", "lead"}});
  write(summary.opening);
  html.close().open("div", {{"class", "cards"}});
  for (const auto& [name, sentence] : summary.settings) {
    html.open("div", {{"class", "card"}}).element("h3", name).open("p");
    write(sentence);
    html.close().close();
  }
  html.close().open("ul", {{"class", "findings"}});
  for (const Sentence& sentence : summary.rest) {
    html.open("li");
    write(sentence);
    html.close();
  }
  html.close();
  html.element("p",
               "Intervals and bands are 95 % Student-t intervals of the mean over repeats, everywhere in this report. "
               "Linked numbers lead to the table or rule behind them.",
               {{"class", "note"}});
  html.close().line();
}

}  // namespace fairstep::report
