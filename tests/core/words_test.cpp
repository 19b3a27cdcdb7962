// Files, command lines and Python keep these words: a changed one would not be read by what was written before.
#include <fairstep/core/words.hpp>

#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/plan.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/grounds.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/diagnose/diagnose.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/learn/learn.hpp>
#include <fairstep/monitor/monitor.hpp>
#include <fairstep/optimise/alternative.hpp>
#include <fairstep/optimise/policy_class.hpp>
#include <fairstep/optimise/solve.hpp>
#include <fairstep/report/internal/evidence.hpp>

namespace fairstep {
namespace {

/// An enum, its last value, and its words in the order of its values.
template <class E>
struct Known;
template <>
struct Known<Notion> {
  static constexpr Notion last = Notion::eqodds;
  inline static const std::vector<std::string_view> words{"dp", "eqopt", "eqodds"};
};
template <>
struct Known<RatioNotion> {
  static constexpr RatioNotion last = RatioNotion::eqopt;
  inline static const std::vector<std::string_view> words{"dp-ratio", "eqopt-ratio"};
};
template <>
struct Known<Unvisited> {
  static constexpr Unvisited last = Unvisited::error;
  inline static const std::vector<std::string_view> words{"uniform", "stay", "error"};
};
template <>
struct Known<Anomaly> {
  static constexpr Anomaly last = Anomaly::gap;
  inline static const std::vector<std::string_view> words{"malformed",    "missing",      "unreadable", "unknown",
                                                          "out-of-range", "out-of-order", "duplicate",  "conflict",
                                                          "group-change", "gap"};
};
template <>
struct Known<Censoring> {
  static constexpr Censoring last = Censoring::ignorable;
  inline static const std::vector<std::string_view> words{"no", "drop", "assume-ignorable"};
};
template <>
struct Known<Encoding> {
  static constexpr Encoding last = Encoding::latin1;
  inline static const std::vector<std::string_view> words{"utf-8", "latin-1"};
};
template <>
struct Known<Method> {
  static constexpr Method last = Method::myopic;
  inline static const std::vector<std::string_view> words{"constrained", "unconstrained", "penalty", "myopic"};
};
template <>
struct Known<Outcome> {
  static constexpr Outcome last = Outcome::unknown;
  inline static const std::vector<std::string_view> words{"optimal", "feasible", "infeasible", "unknown"};
};
template <>
struct Known<Found> {
  static constexpr Found last = Found::undecided;
  inline static const std::vector<std::string_view> words{"found", "none", "undecided"};
};
template <>
struct Known<StopReason> {
  static constexpr StopReason last = StopReason::numerical;
  inline static const std::vector<std::string_view> words{"finished", "time", "iterations", "requested", "numerical"};
};
template <>
struct Known<FloorKind> {
  static constexpr FloorKind last = FloorKind::accept_only;
  inline static const std::vector<std::string_view> words{"two_sided", "accept_only"};
};
template <>
struct Known<PenaltyForm> {
  static constexpr PenaltyForm last = PenaltyForm::cross;
  inline static const std::vector<std::string_view> words{"rate", "cross"};
};
template <>
struct Known<RelaxationMode> {
  static constexpr RelaxationMode last = RelaxationMode::tight;
  inline static const std::vector<std::string_view> words{"literal", "scaled", "scaled-width", "tight"};
};
template <>
struct Known<Plan::Outcome> {
  static constexpr Plan::Outcome last = Plan::Outcome::unfinished;
  inline static const std::vector<std::string_view> words{"reached", "possible", "too_far",
                                                          "unseen",  "left_out", "unfinished"};
};
template <>
struct Known<BoundBy> {
  static constexpr BoundBy last = BoundBy::split;
  inline static const std::vector<std::string_view> words{"worst-case", "split"};
};
template <>
struct Known<PartRole> {
  static constexpr PartRole last = PartRole::audit;
  inline static const std::vector<std::string_view> words{"design", "audit"};
};
template <>
struct Known<LabelsAre> {
  static constexpr LabelsAre last = LabelsAre::follow_features;
  inline static const std::vector<std::string_view> words{"as-seen", "follow-features"};
};
template <>
struct Known<Refused> {
  static constexpr Refused last = Refused::anything;
  inline static const std::vector<std::string_view> words{"like-accepted", "odds", "anything"};
};
template <>
struct Known<RefusedPoint> {
  static constexpr RefusedPoint last = RefusedPoint::high;
  inline static const std::vector<std::string_view> words{"like-accepted", "low", "high"};
};
template <>
struct Known<Question> {
  static constexpr Question last = Question::labels;
  inline static const std::vector<std::string_view> words{"kernel-by-step", "kernel-by-window", "decision-by-label",
                                                          "leaving",        "step-before",      "labels"};
};
template <>
struct Known<Verdict> {
  static constexpr Verdict last = Verdict::untestable;
  inline static const std::vector<std::string_view> words{"refuted", "not refuted", "cannot be tested"};
};
template <>
struct Known<Ruling> {
  static constexpr Ruling last = Ruling::beyond;
  inline static const std::vector<std::string_view> words{"within", "open", "beyond"};
};
template <>
struct Known<Rate> {
  static constexpr Rate last = Rate::fpr;
  inline static const std::vector<std::string_view> words{"accept", "tpr", "fpr"};
};
template <>
struct Known<ClaimKind> {
  static constexpr ClaimKind last = ClaimKind::certified_policy;
  inline static const std::vector<std::string_view> words{"limit", "certified-gap", "certified-rate",
                                                          "certified-policy"};
};
template <>
struct Known<report::Kind> {
  static constexpr report::Kind last = report::Kind::variant;
  inline static const std::vector<std::string_view> words{"ours",       "unconstrained", "penalty",
                                                          "other_form", "literal",       "variant"};
};

template <class E>
class Words : public testing::Test {};
using Enums =
    testing::Types<Notion, RatioNotion, Unvisited, Anomaly, Censoring, Encoding, Method, Outcome, Found, StopReason,
                   FloorKind, PenaltyForm, RelaxationMode, Plan::Outcome, BoundBy, PartRole, LabelsAre, Refused,
                   RefusedPoint, Question, Verdict, Rate, ClaimKind, Ruling, report::Kind>;
TYPED_TEST_SUITE(Words, Enums);

TYPED_TEST(Words, StayWhatTheyAre) {
  const auto names = all_names<TypeParam>();
  EXPECT_EQ((std::vector<std::string_view>(names.begin(), names.end())), Known<TypeParam>::words);
}

TYPED_TEST(Words, AreOneForEachValueAndLeadBack) {
  const auto all = all_of<TypeParam>();
  ASSERT_EQ(all.size(), static_cast<std::size_t>(Known<TypeParam>::last) + 1);
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(all[i]), i);
    EXPECT_EQ(named<TypeParam>(name_of(all[i])), all[i]);
    EXPECT_TRUE(seen.insert(name_of(all[i])).second) << name_of(all[i]);
  }
}

TYPED_TEST(Words, OfNobodyStandForNothing) {
  EXPECT_EQ(named<TypeParam>(""), std::nullopt);
  EXPECT_EQ(named<TypeParam>("no such word"), std::nullopt);
}

}  // namespace
}  // namespace fairstep
