// How the numbers of an audit were got, and what they rest on.
#include <string>

#include <fmt/format.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/blocks.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep::internal {

using page::Heading;
using page::List;
using page::Page;
using page::Paragraph;

void add_diagnosis(Page& page, const Audit& audit) {
  page.add(Heading{"Does the log refute the model?"});
  page.add(Paragraph{
      fmt::format("What a policy would have done is said under a model: one kernel for all steps, in which nothing but "
                  "group, feature, label and decision matters. Permutation tests at level {} in all say: {}.",
                  audit.diagnosis.level, fairstep::name_of(audit.diagnosis.verdict))});
  List list;
  for (const Diagnosed& answer : audit.diagnosis.answers)
    if (is_assumption(answer.question) && answer.verdict == Verdict::refuted)
      list.items.push_back(fmt::format("{} (p {}; a rate could be off by {}).", answer.sentence,
                                       round_up_text(*answer.adjusted, 4), round_up_text(*answer.effect, 3)));
  if (!list.items.empty()) page.add(std::move(list));
}

void add_method(Page& page, const Audit& audit) {
  page.add(Heading{"Method"});
  page.add(Paragraph{fmt::format(
      "Each band of a rate is {} at level 1 - {} / {}: with {} of them (rates x groups x steps), all hold together "
      "with "
      "probability at least {} (union bound).{}",
      audit.weights ? "Robbins' interval for decisions that count in parts, by their share of the largest weight,"
                    : "the exact binomial interval of Clopper and Pearson",
      audit.delta, audit.intervals, audit.intervals, one_minus_text(audit.delta),
      audit.pair_tests > 0
          ? ""
          : " The band of a difference or a ratio is what the two rates' bands leave possible, so that "
            "those of all pairs at all steps hold at the same time, at no further cost.")});
  if (audit.pair_tests > 0)
    page.add(Paragraph{fmt::format(
        "Two groups are shown to differ by Boschloo's exact test, each side at {} / {}: there are {} differences "
        "(rates x pairs x steps), and all that is said of them holds together with probability at least {} "
        "(Bonferroni). p is that of the test times {}. The band of a difference has all differences that an exact test "
        "of the observed one does not refute, whatever the rates themselves are; it has 0 inside just where groups are "
        "not shown to differ. Where so many labels were left out that a rate is hardly known, a band is what the bands "
        "of the two rates leave possible, and there is no p.",
        audit.delta, 2 * audit.pair_tests, audit.pair_tests, one_minus_text(audit.delta), audit.pair_tests)});
  if (audit.ratio_tests > 0)
    page.add(
        Paragraph{fmt::format("The band of a ratio is made likewise, each of {} with {} / {}. Ratios have an error of "
                              "their own: where few are "
                              "accepted, a ratio's band may reach 1 though the groups are shown to differ.",
                              audit.ratio_tests, audit.delta, audit.ratio_tests)});
  if (by_episode(audit))
    page.add(Paragraph{
        "Over the whole episode every step counts alike, and a band is the mean of the bands of the steps: it "
        "holds with them, however the decisions about a person depend on each other."});
  if (audit.labels)
    page.add(Paragraph{fmt::format(
        "Rates given the label are of all decisions: one at a feature counts as so much of a person with the label as "
        "the feature says. The share of the qualified at each group and feature is in its interval (Robbins) with half "
        "of the error that these rates are allowed, and given the shares each band is Robbins' interval for decisions "
        "that count in parts, with a quarter; it is the widest that shares within their intervals{} leave possible, "
        "cut "
        "to that of \"anything\", which has the last quarter: the interval of Clopper and Pearson for labels seen at "
        "the "
        "step, with every other label as bad as can be.",
        audit.labels->assumption.refused.are == Refused::odds ? " and the odds" : "")});
  if (audit.window_intervals > 0 && audit.horizon > 1)
    page.add(Paragraph{fmt::format(
        "Each band of a window is the rate and sqrt({} ln(2 / d) / 2n) on either side, d being {} / {} and n "
        "the decisions: Hoeffding's inequality for people who are there up to {} times.",
        audit.horizon, audit.delta, audit.window_intervals, audit.horizon)});
  page.add(Paragraph{"All of it rests on the following. Steps count from 0."});
  page.add(List{assumptions_of(audit)});
}

}  // namespace fairstep::internal
