// Options that make no sense, refused by name before anybody is met.
#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/learn/learn.hpp>

#include "learn/watched.hpp"

namespace fairstep {
namespace {

using testing::population;
using testing::quick;
using testing::Watched;

struct Refused {
  std::string message;
  std::function<void(LearnOptions&)> spoil;
};

class BadOptions : public ::testing::TestWithParam<Refused> {};

TEST_P(BadOptions, AreRefusedByName) {
  LearnOptions options = quick();
  GetParam().spoil(options);
  Watched environment(population());
  const auto learner = Learner::make(environment, options);
  ASSERT_FALSE(learner);
  EXPECT_EQ(learner.error().message, GetParam().message);
  EXPECT_FALSE(learn(environment, options));
  EXPECT_TRUE(environment.diary.empty());
}

const double kNaN = std::nan("");

INSTANTIATE_TEST_SUITE_P(
    Learn, BadOptions,
    ::testing::Values(
        Refused{"schedule[0] is 0, expected rising episode numbers from 1 on",
                [](LearnOptions& o) { o.schedule = {0, 1}; }},
        Refused{"schedule[2] is 4, expected rising episode numbers from 1 on",
                [](LearnOptions& o) { o.schedule = {2, 4, 4}; }},
        Refused{"schedule[1] is 3, expected rising episode numbers from 1 on",
                [](LearnOptions& o) { o.schedule = {4, 3}; }},
        Refused{"people_per_episode is 0, expected at least 1", [](LearnOptions& o) { o.people_per_episode = 0; }},
        Refused{"delta is 0, expected between 0 and 1", [](LearnOptions& o) { o.delta = 0; }},
        Refused{"delta is 1, expected between 0 and 1", [](LearnOptions& o) { o.delta = 1; }},
        Refused{"delta is nan, expected between 0 and 1", [](LearnOptions& o) { o.delta = kNaN; }},
        Refused{"bonus_scale is -1, expected a finite number of 0 or more",
                [](LearnOptions& o) { o.bonus_scale = -1; }},
        Refused{"bonus_scale is inf, expected a finite number of 0 or more",
                [](LearnOptions& o) { o.bonus_scale = HUGE_VAL; }},
        Refused{"relaxation_scale is nan, expected a finite number of 0 or more",
                [](LearnOptions& o) { o.relaxation_scale = kNaN; }},
        Refused{"floor is 0.6, expected between 0 and 0.5", [](LearnOptions& o) { o.floor = 0.6; }},
        Refused{"floor is -0.1, expected between 0 and 0.5", [](LearnOptions& o) { o.floor = -0.1; }},
        Refused{"floor is 1.5, expected between 0 and 1",
                [](LearnOptions& o) {
                  o.floor = 1.5;
                  o.floor_kind = FloorKind::accept_only;
                }},
        Refused{"epsilon is 0, expected more than 0 and at most 1", [](LearnOptions& o) { o.epsilon = 0; }},
        Refused{"epsilon is 2, expected more than 0 and at most 1", [](LearnOptions& o) { o.epsilon = 2; }},
        Refused{"the learner has no myopic method", [](LearnOptions& o) { o.method = Method::myopic; }},
        Refused{"safe learning is for the constrained method",
                [](LearnOptions& o) {
                  o.safe = true;
                  o.method = Method::penalty;
                }},
        Refused{"the paper's lemmas have no relaxation for equalized odds",
                [](LearnOptions& o) { o.fairness.notion = Notion::eqodds; }},
        Refused{"the learner's limits are without doubt: it adds its own",
                [](LearnOptions& o) { o.fairness.doubt = Doubt{}; }},
        Refused{"limit has 2 entries, expected 1 or 3 (one per step)",
                [](LearnOptions& o) { o.fairness.limit = {0.1, 0.2}; }}));

}  // namespace
}  // namespace fairstep
