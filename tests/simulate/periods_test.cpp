// People of a world that changes, by both drawings. Seeds are fixed; each score is above kAlarm with probability
// below 1e-6, about 300 of them.
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/simulate/simulate.hpp>

#include "simulate/chi_square.hpp"
#include "support/changing.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changing_model;
using testing::chi_square_score;
using testing::kAlarm;
using testing::random_policy;
using testing::unwrap;

const Periods kBeforeAndAfter{{{"before", 0}, {"after", 2}}};

struct Drawing {
  const char* name;
  Expected<Counts> (*run)(const Model&, const Policy&, const SimulateOptions&);
};
constexpr Drawing kDrawings[] = {{"simulate_counts", simulate_counts}, {"simulate_people", simulate_people}};

SimulateOptions options_by(std::optional<Periods> periods) {
  SimulateOptions options;
  options.crowd = {20'000, true};
  options.seed = 5;
  options.periods = std::move(periods);
  return options;
}

TEST(SimulatePeriods, NextStatesOfEachStepAreDrawnFromItsKernel) {
  const Model model = changing_model(7, 2, 2, 5, kBeforeAndAfter);
  const Shape& n = model.shape();
  const Policy policy = random_policy(7, model);
  for (const Drawing& drawing : kDrawings) {
    const Counts counts = unwrap(drawing.run(model, policy, options_by(Periods::per_step(5))));
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t h = 0; h < 4; ++h)
        for (std::size_t cell = 0; cell < n.cells(); ++cell)
          EXPECT_LT(chi_square_score(counts.kernel(g, h).subspan(cell * n.states(), n.states()),
                                     {model.kernel(g, h).row(cell), n.states()}),
                    kAlarm)
              << drawing.name << " g=" << g << " h=" << h << " cell=" << cell;
  }
}

TEST(SimulatePeriods, CountsHaveThePeriodsOfTheModelUnlessOthersAreAskedFor) {
  const Model model = changing_model(7, 2, 2, 5, kBeforeAndAfter);
  const Policy policy = random_policy(7, model);
  for (const Drawing& drawing : kDrawings) {
    const Counts own = unwrap(drawing.run(model, policy, options_by(std::nullopt)));
    const Counts by_step = unwrap(drawing.run(model, policy, options_by(Periods::per_step(5))));
    const Periods others{
        {{"first", 0}, {"then", 1}, {"last", 3}}};  // begin where the model's do not, and the other way
    const Counts by_others = unwrap(drawing.run(model, policy, options_by(others)));
    const Counts pooled = unwrap(drawing.run(model, policy, options_by(Periods{})));
    EXPECT_EQ(own.periods(), kBeforeAndAfter);
    EXPECT_EQ(by_others.periods(), others);
    EXPECT_TRUE(pooled.periods().pooled());
    // The very same people.
    EXPECT_EQ(unwrap(by_step.by(kBeforeAndAfter)), own) << drawing.name;
    EXPECT_EQ(unwrap(by_step.by(others)), by_others) << drawing.name;
    EXPECT_EQ(unwrap(by_step.by({})), pooled) << drawing.name;
  }
}

TEST(SimulatePeriods, WhoComesAndGoesIsCountedByPeriodToo) {
  ModelSpec spec = changing_model(8, 2, 2, 5, kBeforeAndAfter).spec();
  spec.participation = Participation{Tensor<double, 4>({2, 2, 2, 2}, 0.2), Tensor<double, 2>({2, 5}, 0.2)};
  const Model model = unwrap(Model::make(std::move(spec)));
  const Policy policy = random_policy(8, model);
  for (const Drawing& drawing : kDrawings) {
    const Counts counts = unwrap(drawing.run(model, policy, options_by(std::nullopt)));
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t cell = 0; cell < 8; ++cell)
          EXPECT_LT(chi_square_score(counts.kernel(g, k).subspan(cell * 4, 4),
                                     model.spec().transition.of(g, k).subspan(cell * 4, 4)),
                    kAlarm)
              << drawing.name;
  }
}

TEST(SimulatePeriods, PartsOfSplitPeopleHaveThePeriods) {
  const Model model = changing_model(7, 2, 2, 5, kBeforeAndAfter);
  const Policy policy = random_policy(7, model);
  for (const auto run : {simulate_split_counts, simulate_split_people}) {
    const SplitCounts parts = unwrap(run(model, policy, options_by(std::nullopt), {0.3, 4}));
    EXPECT_EQ(parts.design.periods(), kBeforeAndAfter);
    EXPECT_EQ(parts.audit.periods(), kBeforeAndAfter);
  }
  SplitCounts parts = unwrap(simulate_split_people(model, policy, options_by(std::nullopt), {0.3, 4}));
  for (Counts* part : {&parts.design, &parts.audit}) ASSERT_TRUE(part->mark(std::nullopt));
  ASSERT_TRUE(parts.design.add(parts.audit));
  EXPECT_EQ(parts.design.spec().by_period,
            unwrap(simulate_people(model, policy, options_by(std::nullopt))).spec().by_period);
}

TEST(SimulatePeriods, OneThreadOrManyIsTheSame) {
  const Model model = changing_model(7, 2, 2, 5, kBeforeAndAfter);
  const Policy policy = random_policy(7, model);
  SimulateOptions options = options_by(Periods::per_step(5));
  const Counts one = unwrap(simulate_people(model, policy, options));
  options.threads = 3;
  EXPECT_EQ(unwrap(simulate_people(model, policy, options)), one);
}

}  // namespace
}  // namespace fairstep
