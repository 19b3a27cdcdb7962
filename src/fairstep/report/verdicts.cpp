#include <fairstep/report/internal/verdicts.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fairstep::report {
namespace {

struct Rule {
  const char* id;
  const char* claim;
  const char* rule;
  Finding (*judge)(const Setting&, const ExperimentRecord&);
};

constexpr Rule kRules[] = {
    {"equal-violation", "At equal violation the method returns more than the penalty baseline.",
     "The baseline's return at our violation is read off the hull of its points (lambda = 0 included; a point between "
     "two is what tossing a coin between the two policies gives). The difference is taken repeat by repeat, and its 95 "
     "% interval is widened by what the last solves leave unproven, on our side and on the baseline's. The claim holds "
     "if all of that is above zero, does not hold if all of it is below, and holds within the bands otherwise.",
     verdicts::equal_violation},
    {"equal-return", "At equal return the method violates fairness less than the penalty baseline.",
     "As above with the roles exchanged: the baseline's violation at our return, minus ours.", verdicts::equal_return},
    {"equal-worst-step", "At an equal gap at the worst step the method returns more than the penalty baseline.",
     "As the first rule, with the widest gap of all steps in the place of their average: a limit on every step is what "
     "the method is given.",
     verdicts::equal_worst_step},
    {"no-better-penalty", "No penalty weight is better than the method on both counts.",
     "Point by point: a weight refutes the claim if it is better on one count, beyond the bands, and not worse on the "
     "other. Ties are within the bands.",
     verdicts::no_better_penalty},
    {"convergence", "The violation converges to a stable level.",
     "Over the last doubling of the episodes the mean violation may change by 5 % of the range it has run through. "
     "More than that is within the bands only if the 95 % interval of the change contains zero.",
     verdicts::convergence},
    {"narrow-bands", "The method's confidence bands are much narrower than the baselines'.",
     "Half-widths of the violation's band, averaged over the later half of the updates, against the median baseline: "
     "at most half of it holds, narrower at all is within the bands, wider does not hold.",
     verdicts::narrow_bands},
    {"worst-step", "Fairness is kept at every step, not only on average.",
     "At the last update each step's gap under the true model must be within the limit plus the relaxation that was in "
     "use. The margin of the worst step decides, by its 95 % interval.",
     verdicts::worst_step},
    {"violation-rate", "The violation falls at least as fast as the theorem says, about k^(-1/3).",
     "A power law is fitted to the later half of the updates, where a theorem about large k can be seen, and its slope "
     "compared with that of the theorem's own expression over the same updates.",
     verdicts::violation_rate},
    {"regret-rate", "The reward regret falls at least as fast as the theorem says, about k^(-1/3).",
     "As above. A regret that is negative (more return than the best fair policy has, paid for with violation) has no "
     "logarithm and is better than any rate.",
     verdicts::regret_rate},
    {"literal-constants", "With the lemmas' constants as printed, the constraint takes effect.",
     "It takes effect at an update if the relaxation is below 1 at some step: two shares never differ by more than 1. "
     "The last update of every repeat decides.",
     verdicts::literal_constants},
    {"solved", "Every optimisation problem was solved to the optimality tolerance asked for.",
     "Every solve of every method must have a proven bound within the tolerance. Within the bands: at least 95 % of "
     "them.",
     verdicts::solved},
};

}  // namespace

const char* words_for(Ruling ruling) {
  switch (ruling) {
    case Ruling::holds:
      return "holds";
    case Ruling::within_bands:
      return "holds within the bands";
    case Ruling::fails:
      return "does not hold";
    case Ruling::undecided:
      break;
  }
  return "undecided";
}

Ruling Verdict::overall() const {
  Ruling worst = findings.empty() ? Ruling::undecided : Ruling::holds;
  for (const Finding& finding : findings) worst = std::max(worst, finding.ruling);
  return worst;
}

std::string Verdict::in_words() const {
  std::string words;
  for (const Ruling ruling : {Ruling::holds, Ruling::within_bands, Ruling::undecided, Ruling::fails}) {
    const auto count = std::count_if(findings.begin(), findings.end(),
                                     [&](const Finding& finding) { return finding.ruling == ruling; });
    if (static_cast<std::size_t>(count) == findings.size()) return words_for(ruling);
    if (count > 0) words += fmt::format("{}{} in {}", words.empty() ? "" : ", ", words_for(ruling), count);
  }
  return fmt::format("{} of {} settings", words, findings.size());
}

std::vector<Verdict> judge(const Evidence& evidence) {
  std::vector<Verdict> made;
  for (const Rule& rule : kRules) {
    Verdict verdict{rule.id, rule.claim, rule.rule, {}};
    for (const Setting& setting : evidence.settings) {
      Finding finding;
      if (setting.find(Kind::ours) != nullptr)
        finding = rule.judge(setting, evidence.plan);
      else
        finding.evidence = "No run of the constrained method is finished.";
      finding.setting = setting.id;
      finding.setting_name = setting.name;
      verdict.findings.push_back(std::move(finding));
    }
    made.push_back(std::move(verdict));
  }
  return made;
}

}  // namespace fairstep::report
