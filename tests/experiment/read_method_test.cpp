// The [[method]] tables of an experiment file; bad/ has the malformed ones.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/experiment/experiment.hpp>

#include "experiment/small.hpp"

namespace fairstep {
namespace {

using testing::least_file;
using testing::parsed;

TEST(ReadMethods, APenaltyWithSeveralLambdasIsSeveralMethods) {
  const Experiment experiment = parsed(least_file(
      "",
      "[[method]]\nmethod = \"penalty\"\nlambda = [0.01, 1, 10]\n[[method]]\nname = \"soft\"\nlabel = \"weak\"\n"
      "method = \"penalty\"\nlambda = 0.001\n"));
  ASSERT_EQ(experiment.methods.size(), 4u);
  EXPECT_EQ(experiment.methods[0].id, "penalty-0.01");
  EXPECT_EQ(experiment.methods[0].lambda, 0.01);
  EXPECT_EQ(experiment.methods[1].id, "penalty-1");
  EXPECT_EQ(experiment.methods[1].label, "penalty, lambda 1");
  EXPECT_EQ(experiment.methods[2].id, "penalty-10");
  EXPECT_EQ(experiment.methods[3].id, "soft-0.001");
  EXPECT_EQ(experiment.methods[3].label, "weak, lambda 0.001");
}

TEST(ReadMethods, FactorsGoWithTheModeTheyWereGivenFor) {
  const Experiment experiment = parsed(least_file(
      "bonus_scale = 0.5\nrelaxation_scale = {dp = 0.25}\n",
      "[[method]]\nmethod = \"constrained\"\n"
      "[[method]]\nname = \"a\"\nmethod = \"constrained\"\nrelaxation = \"literal\"\n"
      "[[method]]\nname = \"b\"\nmethod = \"constrained\"\nrelaxation = \"tight\"\nbonus_scale = 0.125\n"
      "[[method]]\nname = \"c\"\nmethod = \"constrained\"\nrelaxation = \"scaled-width\"\nrelaxation_scale = 2\n"
      "[[method]]\nname = \"d\"\nmethod = \"constrained\"\nrelaxation = \"scaled\"\n"));
  EXPECT_EQ(experiment.methods[0].relaxation.bonus_scale, 0.5);
  EXPECT_EQ(experiment.methods[0].relaxation.scale, (std::array<double, 3>{0.25, 0.0001, 0.0001}));
  EXPECT_EQ(experiment.methods[1].relaxation.mode, RelaxationMode::literal);
  EXPECT_EQ(experiment.methods[1].relaxation.bonus_scale, 1);
  EXPECT_EQ(experiment.methods[1].relaxation.scale, (std::array<double, 3>{1, 1, 1}));
  EXPECT_EQ(experiment.methods[2].relaxation.mode, RelaxationMode::tight);
  EXPECT_EQ(experiment.methods[2].relaxation.bonus_scale, 0.125);
  EXPECT_EQ(experiment.methods[2].relaxation.scale, (std::array<double, 3>{1, 1, 1}));
  EXPECT_EQ(experiment.methods[3].relaxation.bonus_scale, 0.5);
  EXPECT_EQ(experiment.methods[3].relaxation.scale, (std::array<double, 3>{2, 2, 2}));
  EXPECT_EQ(experiment.methods[4].relaxation.bonus_scale, 0.001);
  EXPECT_EQ(experiment.methods[4].relaxation.scale, (std::array<double, 3>{0.001, 0.0001, 0.0001}));
}

TEST(ReadMethods, AMethodIsCalledWhatItIsUnlessItHasAName) {
  const Experiment experiment =
      parsed(least_file("",
                        "[[method]]\nmethod = \"constrained\"\n[[method]]\nmethod = \"unconstrained\"\n"
                        "[[method]]\nname = \"strict\"\nmethod = \"constrained\"\n"));
  ASSERT_EQ(experiment.methods.size(), 3u);
  EXPECT_EQ(experiment.methods[0].id, "ours");
  EXPECT_EQ(experiment.methods[1].id, "unconstrained");
  EXPECT_EQ(experiment.methods[2].id, "strict");
  EXPECT_EQ(experiment.methods[2].label, "strict");
}

TEST(ReadMethods, ALimitOfItsOwnComesBeforeTheFiles) {
  const Experiment experiment =
      parsed(least_file("limit = 0.25\n",
                        "[[method]]\nmethod = \"constrained\"\n"
                        "[[method]]\nname = \"own\"\nmethod = \"constrained\"\nlimit = 0.5\n"));
  EXPECT_EQ(experiment.methods[0].limit, std::vector<double>{0.25});
  EXPECT_EQ(experiment.methods[1].limit, std::vector<double>{0.5});
}

TEST(ReadMethods, TwoLambdasThatAreOneAreTwoOfAName) {
  const auto refused =
      parse_experiment(least_file("", "[[method]]\nmethod = \"penalty\"\nlambda = [1, 1.0]\n"), {}, "small.toml");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().hint, "give it a name of its own");
}

}  // namespace
}  // namespace fairstep
