// What may be assumed about labels, so that a log in which they are seen for some decisions only says something about
// all.
//
// **Labels follow features** (S). Given all that happened before a person's step, P(y = 1 | x, group g) = q_g(x): the
// feature says all that the past knows about the label; a credit score is made to do so. And given all that happened
// before, the decision a included, the next feature has the distribution P_g(x1 | x, a). The second follows from the
// first where decisions looked at x and coins alone; where they looked at more it is an assumption of its own (it is
// true if the next feature does not depend on the label). So the features of people are a Markov chain under every
// policy on x, which a log shows whether labels are seen or not, and q is all that is to be known of labels. Where
// labels are seen, `diagnose` can refute S: its questions `labels` and `decision-by-label`.
//
// **The refused**, in short for all decisions whose label was not seen: given the past, let a label of group g at
// feature x be 1 with chance s_g(x) if it is seen, and with chance v_g(x) if it is not, and let it be seen with chance
// σ_g(x). Then q = σ s + (1-σ) v, and the log shows s and σ. Of v one of these is assumed:
//   like-accepted  v = s. So it is *by design* where decisions, and whether a label is seen, depended on x and coins
//   alone. odds Γ         v/(1-v) is between 1/Γ and Γ times s/(1-s). Γ = 1 is like-accepted. anything       nothing
//   but S: v is between 0 and 1.
// Each assumes less than the one before, and has the wider bounds. docs/concepts/hidden-labels.md
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>
#include <fairstep/core/words.hpp>

namespace fairstep {

enum class LabelsAre {
  as_seen,          ///< each state (x,y) by itself: nothing is assumed about labels, and all have to be seen
  follow_features,  ///< assumption S
};
template <>
inline constexpr auto kWords<LabelsAre> =
    words<LabelsAre>({{LabelsAre::as_seen, "as-seen"}, {LabelsAre::follow_features, "follow-features"}});

enum class Refused { like_accepted, odds, anything };
template <>
inline constexpr auto kWords<Refused> = words<Refused>(
    {{Refused::like_accepted, "like-accepted"}, {Refused::odds, "odds"}, {Refused::anything, "anything"}});

/// A bound holds for all that a rule allows; a model has to be one of them: v = s, or the end at which fewest or most
/// of those whose label was not seen are qualified.
enum class RefusedPoint { like_accepted, low, high };
template <>
inline constexpr auto kWords<RefusedPoint> = words<RefusedPoint>(
    {{RefusedPoint::like_accepted, "like-accepted"}, {RefusedPoint::low, "low"}, {RefusedPoint::high, "high"}});

/// What is assumed of those whose label was not seen.
struct RefusedRule {
  static constexpr double kMostOdds = 1e6;

  Refused are = Refused::like_accepted;
  double odds = 1;  ///< Γ; of Refused::odds only, otherwise 1

  friend bool operator==(const RefusedRule&, const RefusedRule&) = default;
};

/// That labels follow features, and what is assumed of the refused. Whoever assumes nothing has none of it
/// (std::optional).
struct LabelAssumption {
  RefusedRule refused{};

  friend bool operator==(const LabelAssumption&, const LabelAssumption&) = default;
};

/// An error unless Γ is from 1 to kMostOdds, and 1 where there is none.
[[nodiscard]] Expected<void> check(const RefusedRule& rule);

/// `like-accepted`, `odds=2.5`, `anything`: what the option --refused takes and files show.
[[nodiscard]] std::string text_of(const RefusedRule& rule);
/// The rule of such a text, `odds 2.5` included; an error about the option `refused` if it is none.
[[nodiscard]] Expected<RefusedRule> refused_from(std::string_view text);

/// The chance v to be qualified of those whose label was not seen, at a point of the rule, when that of those whose
/// label was seen is s.
[[nodiscard]] double refused_share(const RefusedRule& rule, RefusedPoint point, double s);

/// One sentence for people, about labels that were not seen: `those whose label was not seen are taken to be as
/// qualified as those of the same group and feature whose label was seen`.
[[nodiscard]] std::string in_words(const RefusedRule& rule);
/// What goes on that sentence about a model, which is at a point of the rule: `; the model takes as few of them as that
/// allows to be qualified`. Nothing where the rule leaves no choice.
[[nodiscard]] std::string in_words(const RefusedRule& rule, RefusedPoint point);
/// S in a sentence.
[[nodiscard]] std::string labels_follow_features_in_words();

}  // namespace fairstep
