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
     "The baseline's return at the method's violation is read off the hull of its points (lambda = 0 included; a point "
     "between "
     "two is what tossing a coin between the two policies gives). The difference is taken repeat by repeat, and its 95 "
     "% interval is widened at both ends by the most that any of the last solves leaves unproven. It is a tie if all "
     "of that lies within 0.05 % of the method's return, half of the tolerance to which the paper solves. Otherwise "
     "the claim holds if all of it is above zero, does not hold if all of it is below, and is undecided if not. For "
     "equal opportunity the baseline is the form of the penalty that the paper implements (cross), if it was run.",
     verdicts::equal_violation},
    {"equal-return", "At equal return the method violates fairness less than the penalty baseline.",
     "As above with the roles exchanged: the baseline's violation at the method's return, minus the method's. A tie is "
     "within 0.001.",
     verdicts::equal_return},
    {"equal-worst-step", "At an equal gap at the worst step the method returns more than the penalty baseline.",
     "As the first rule, with the widest gap of all steps in the place of their average: a limit on every step is what "
     "the method is given.",
     verdicts::equal_worst_step},
    {"no-better-penalty", "No penalty weight is better than the method on both counts.",
     "Point by point: a weight refutes the claim if it is better on one count, beyond the bands, and not worse on the "
     "other. A weight that is neither is a tie. It is undecided where the last solves leave more open than was asked.",
     verdicts::no_better_penalty},
    {"convergence", "The violation converges to a stable level.",
     "Over the last doubling of the episodes the violation may change by 5 % of the level at which it ends. The claim "
     "holds if the whole 95 % interval of the change is within that, does not hold if all of it is outside on one "
     "side, and is undecided otherwise. What falls like k^(-1/3) changes by a fifth with every doubling.",
     verdicts::convergence},
    {"narrow-bands", "The method's confidence bands are much narrower than the baselines'.",
     "Half-widths of the violation's band, averaged over the later half of the updates, against the median baseline: "
     "at most half of it holds, more does not.",
     verdicts::narrow_bands},
    {"worst-step", "Fairness is kept at every step, not only on average.",
     "At the last update each step's gap under the true model must be within the limit plus the relaxation that was in "
     "use. The margin of the worst step decides, by its 95 % interval: the claim holds if none of it is negative, is a "
     "tie if all of it is within 0.001, does not hold if all of it is negative, and is undecided otherwise.",
     verdicts::worst_step},
    {"violation-rate", "The violation falls at least as fast as the theorem says, about k^(-1/3).",
     "A power law is fitted to the later half of the updates, where a theorem about large k can be seen, and its slope "
     "compared with that of the theorem's own expression over the same updates. Where the violation is what limit and "
     "relaxation allow, to 10 %, at half of these updates or more, the slope is that of the relaxation's formula: the "
     "claim is undecided, and said to be circular.",
     verdicts::violation_rate},
    {"regret-rate", "The reward regret falls at least as fast as the theorem says, about k^(-1/3).",
     "By the same slopes. A regret that is negative (more return than the best fair policy has, paid for with "
     "violation) has no logarithm and is better than any rate.",
     verdicts::regret_rate},
    {"literal-constants", "With the lemmas' constants as printed, the constraint takes effect.",
     "It takes effect at an update if the relaxation is below 1 at some step: two shares never differ by more than 1. "
     "The last update of every repeat decides; it is undecided if they differ.",
     verdicts::literal_constants},
    {"inside", "The best fair policy keeps away from 0 and 1 (Assumption 1(b)), so that the theorems apply.",
     "Every entry of the best fair policy that was found on the true population must be C~ or more away from 0 and 1, "
     "and the theorems begin once k^(-1/3) is at most C~ and the lemma promises visits (episode T). The claim holds if "
     "T is within the experiment, and does not hold otherwise.",
     verdicts::inside},
    {"solved", "Every optimisation problem was solved to the optimality tolerance asked for.",
     "Every solve of every method must have a proven bound within the tolerance. What has none may have been solved "
     "all the same: then it is undecided.",
     verdicts::solved},
};

}  // namespace

const char* words_for(Ruling ruling) {
  switch (ruling) {
    case Ruling::holds:
      return "holds";
    case Ruling::tie:
      return "a tie";
    case Ruling::fails:
      return "does not hold";
    case Ruling::undecided:
      break;
  }
  return "undecided";
}

Ruling ruling_on(double low, double high, double margin) {
  if (std::isnan(low) || std::isnan(high)) return Ruling::undecided;
  if (low >= -margin && high <= margin) return Ruling::tie;
  return low > 0 ? Ruling::holds : high < 0 ? Ruling::fails : Ruling::undecided;
}

Ruling Verdict::overall() const {
  Ruling worst = findings.empty() ? Ruling::undecided : Ruling::holds;
  for (const Finding& finding : findings) worst = std::max(worst, finding.ruling);
  return worst;
}

std::string Verdict::in_words() const {
  std::string words;
  for (const Ruling ruling : {Ruling::holds, Ruling::tie, Ruling::undecided, Ruling::fails}) {
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
