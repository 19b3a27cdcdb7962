// What the assumptions of a certificate of two parts are for: where the policy was chosen on the audit part, or where
// decisions about people of the design part followed from what became of others, certificates are wrong more often than
// they say; and where it was chosen on the design part they are not. docs/guarantees.md has the figures of longer runs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/simulate/binomial.hpp>

#include "split_log.hpp"
#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep::two_parts_assumptions {
namespace {

using testing::call_parts;
using testing::made;
using testing::Parts;
using testing::unwrap;

// One step, two groups, features that are even in both. All rules accept half of the features of the one group and
// three eighths of those of the other: the true gap is 1/8 whichever these are.
constexpr std::size_t kFeatures = 16;
constexpr std::array<std::size_t, 2> kAccepted{8, 6};
constexpr double kTrueGap = 0.125;
constexpr double kDelta = 0.5;
constexpr double kShare = 0.15;
constexpr int kPeople = 4000;  // of each group
constexpr int kLater = 400;    // of each group, who come when a rule is in use

using Rule = Tensor<double, 3>;  // [g,h,x]

Rule draw_rule(Rng& rng) {
  Rule rule({2, 1, kFeatures});
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t left = kAccepted[g]; left > 0;) {
      const auto x = static_cast<std::size_t>(rng.uniform() * kFeatures);
      left -= rule(g, 0, x) == 0 ? 1 : 0;
      rule(g, 0, x) = 1;
    }
  return rule;
}

/// As it looks in these counts.
double gap_in(const Counts& counts, const Rule& rule) {
  std::array<double, 2> rate{};
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t x = 0; x < kFeatures; ++x)
      rate[g] += rule(g, 0, x) * static_cast<double>(counts.first()(g, x, 0)) / static_cast<double>(counts.people(g));
  return std::abs(rate[0] - rate[1]);
}

/// Of hundreds that were thought of beforehand.
const Rule& best_looking(const Counts& counts) {
  static const std::vector<Rule> rules = [] {
    Rng rng(1, 40);
    std::vector<Rule> drawn;
    while (drawn.size() < 900) drawn.push_back(draw_rule(rng));
    return drawn;
  }();
  return *std::min_element(rules.begin(), rules.end(),
                           [&](const Rule& a, const Rule& b) { return gap_in(counts, a) < gap_in(counts, b); });
}

/// Both parts, to count in.
struct Tables {
  CountsSpec design, audit;
};

Parts parts_of(const Tables& tables) {
  Parts parts{made(tables.design), made(tables.audit)};
  call_parts(parts, kShare);
  return parts;
}

/// One more person, who is accepted with this chance if it is not the rule that decides.
void meet(Tables& parts, std::size_t g, const Rule* rule, Rng& rng) {
  const auto x = static_cast<std::size_t>(rng.uniform() * kFeatures);
  const double accept = rule == nullptr ? 0.5 : (*rule)(g, 0, x);
  CountsSpec& part = rng.uniform() < kShare ? parts.design : parts.audit;
  ++part.first(g, x, 0);
  ++part.visits(g, 0, x, 0, rng.uniform() < accept ? 1 : 0);
}

Tables log_of_coins(Rng& rng) {
  Names names;
  names.groups = {"a", "b"};
  for (std::size_t x = 0; x < kFeatures; ++x) names.features.push_back(std::string("x").append(std::to_string(x)));
  Tables parts{CountsSpec::zeros(1, names), CountsSpec::zeros(1, names)};
  for (std::size_t g = 0; g < 2; ++g)
    for (int i = 0; i < kPeople; ++i) meet(parts, g, nullptr, rng);
  return parts;
}

double certified(const Parts& parts, const Rule& rule) {
  CertifyOptions options;
  options.delta = kDelta;
  options.notions = {Notion::dp};
  return unwrap(certify(parts.audit, unwrap(Policy::make(rule)), options, {}, &parts.design)).gap.dp[0];
}

struct Wrong {
  int chosen_apart = 0, chosen_on_audit = 0, in_use_apart = 0, in_use = 0;
};

Wrong wrong_of(int logs) {
  Wrong wrong;
  for (int i = 0; i < logs; ++i) {
    Rng rng(static_cast<std::uint64_t>(i), 41);
    const Tables log = log_of_coins(rng);
    const Parts parts = parts_of(log);
    const Rule& by_design = best_looking(parts.design);
    wrong.chosen_apart += certified(parts, by_design) < kTrueGap ? 1 : 0;
    wrong.chosen_on_audit += certified(parts, best_looking(parts.audit)) < kTrueGap ? 1 : 0;
    // The rule in use, which the decisions about later people of the design part show to whoever looks at these.
    const auto in_use = [&](const Rule& rule) {
      Tables longer = log;
      for (std::size_t g = 0; g < 2; ++g)
        for (int j = 0; j < kLater; ++j) meet(longer, g, &rule, rng);
      return certified(parts_of(longer), rule) < kTrueGap ? 1 : 0;
    };
    wrong.in_use_apart += in_use(by_design);
    Counts all = parts.design.tables();
    unwrap(all.add(parts.audit.tables()).map([] { return 0; }));
    wrong.in_use += in_use(best_looking(all));
  }
  return wrong;
}

void expect_wrong_where_assumptions_are(int logs, int most) {
  const Wrong wrong = wrong_of(logs);
  EXPECT_LE(wrong.chosen_apart, most);
  EXPECT_LE(wrong.in_use_apart, most);
  EXPECT_GT(wrong.chosen_on_audit, kDelta * logs);
  EXPECT_GT(wrong.in_use, kDelta * logs);
  ::testing::Test::RecordProperty("chosen_apart", wrong.chosen_apart);
  ::testing::Test::RecordProperty("chosen_on_audit", wrong.chosen_on_audit);
  ::testing::Test::RecordProperty("in_use_apart", wrong.in_use_apart);
  ::testing::Test::RecordProperty("in_use", wrong.in_use);
}

// Wrong with probability at most a half: more than 34 of 40, or 575 of 1,000, are by chance with probability below
// 1e-6.
TEST(TwoPartsAssumptions, TheBestLookingRuleOfTheAuditPartIsWrongAndThatOfTheDesignPartIsNot) {
  expect_wrong_where_assumptions_are(40, 34);
}

TEST(TwoPartsAssumptions, InAThousandLogsTheBestLookingRuleOfTheAuditPartIsWrongAndThatOfTheDesignPartIsNot) {
  expect_wrong_where_assumptions_are(1000, 575);
}

/// Logs that grow: every look has a tenth more people than the one before it.
struct Growth {
  int logs = 0;
  int wrong_at_the_end = 0;       ///< after as many people as were planned
  int wrong_when_stopped = 0;     ///< the first time that it looks good enough, or at the end
  int wrong_if_design_stays = 0;  ///< the same, but only the audit part grows
};

void more_people(CountsSpec& part, double people, Rng& rng) {
  for (std::size_t g = 0; g < 2; ++g) {
    const auto all = static_cast<std::int64_t>(people + rng.uniform());
    const std::int64_t high = binomial(all, 0.5, rng);
    for (std::size_t x = 0; x < 2; ++x) {
      const std::int64_t here = x == 1 ? high : all - high;
      const std::int64_t accepted = binomial(here, 0.5, rng);
      part.first(g, x, 0) += here;
      part.visits(g, 0, x, 0, 1) += accepted;
      part.visits(g, 0, x, 0, 0) += here - accepted;
    }
  }
}

/// Half of both groups are high: of a all of these are accepted, of b three quarters.
Growth grow(int logs, int looks) {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"low", "high"};
  Rule rule({2, 1, 2});
  rule(0, 0, 1) = 1;
  rule(1, 0, 1) = 0.75;
  Growth growth;
  for (; growth.logs < logs; ++growth.logs) {
    Rng rng(static_cast<std::uint64_t>(growth.logs), 42);
    Tables log{CountsSpec::zeros(1, names), CountsSpec::zeros(1, names)};
    std::optional<Counts> at_first;
    double more = 100;
    bool wrong = false;
    bool stopped = false;
    bool stays = false;
    for (int look = 0; look < looks; ++look, more *= look == 0 ? 0.1 : 1.1) {
      // more_people gives those of one look: a share of them to the design part.
      const auto design = static_cast<double>(binomial(static_cast<std::int64_t>(more), kShare, rng));
      more_people(log.design, design, rng);
      more_people(log.audit, more - design, rng);
      const Parts parts = parts_of(log);
      if (look == looks / 2) at_first = parts.design;
      wrong = certified(parts, rule) < kTrueGap;
      stopped = stopped || wrong;
      if (look < looks / 2) continue;
      Parts grown{*at_first, parts.audit};
      call_parts(grown, kShare);
      stays = stays || certified(grown, rule) < kTrueGap;
    }
    growth.wrong_at_the_end += wrong ? 1 : 0;
    growth.wrong_when_stopped += stopped ? 1 : 0;
    growth.wrong_if_design_stays += stays ? 1 : 0;
  }
  return growth;
}

// Who may end the log when its audit part looks good decides how large the design part is, and with it which direction
// the audit part is measured by: 260 looks, at 100 to 6 * 10^12 people. The theorem holds for a design part that stays
// what it is, however long one looks.
TEST(TwoPartsAssumptions, InAThousandLogsThatEndWhenTheyLookGoodCertificatesAreWrongAndAtAnEndThatWasFixedTheyAreNot) {
  const Growth growth = grow(1000, 260);
  EXPECT_LE(growth.wrong_at_the_end, 575);
  EXPECT_LE(growth.wrong_if_design_stays, 575);
  EXPECT_GT(growth.wrong_when_stopped, kDelta * growth.logs);
  RecordProperty("wrong_at_the_end", growth.wrong_at_the_end);
  RecordProperty("wrong_if_design_stays", growth.wrong_if_design_stays);
  RecordProperty("wrong_when_stopped", growth.wrong_when_stopped);
}

}  // namespace
}  // namespace fairstep::two_parts_assumptions
