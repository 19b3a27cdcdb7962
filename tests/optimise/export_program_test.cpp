// The program as a text: both formats are read back by a small reader of our own, and what they say is compared with
// the referee. (That other solvers read them, too, is tested in tests/python/test_export_solvers.py.)
#include <fairstep/optimise/export_program.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/core/simple_policies.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "support/changing.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

using Point = std::map<std::string, double>;

struct ReadRow {
  std::map<std::string, double> linear{};
  std::map<std::pair<std::string, std::string>, double> quadratic{};
  std::string sense{};
  double right = 0;

  [[nodiscard]] double at(const Point& point) const {
    double sum = 0;
    for (const auto& [name, factor] : linear) sum += factor * point.at(name);
    for (const auto& [pair, factor] : quadratic) sum += factor * point.at(pair.first) * point.at(pair.second);
    return sum;
  }
  /// How far the row is from holding; at most 0 if it does.
  [[nodiscard]] double excess(const Point& point) const {
    const double over = at(point) - right;
    return sense == "=" ? std::abs(over) : sense == "<=" ? over : -over;
  }
};

struct ReadProgram {
  ReadRow objective{};
  std::map<std::string, ReadRow> rows{};
  std::map<std::string, std::pair<double, double>> bounds{};
};

constexpr double kFree = 1e20;

bool is_name(const std::string& word) { return std::isalpha(static_cast<unsigned char>(word[0])) != 0; }

/// Terms until a word that is none of them, which is left to the caller: `+ 0.5 x - 2 y + [ + 1 x * y + 1 x ^2 ]`.
std::string read_terms(std::istream& in, ReadRow& row) {
  double sign = 1;
  double factor = 1;
  for (std::string word; in >> word;) {
    if (word == "+" || word == "-") {
      sign = word == "+" ? 1 : -1;
    } else if (word == "[" || word == "]") {
      sign = 1;
    } else if (!is_name(word) && word != "<=" && word != ">=" && word != "=") {
      factor = std::stod(word);
    } else if (word == "<=" || word == ">=" || word == "=" || word == "Subject") {
      return word;
    } else {
      const auto place = in.tellg();
      std::string next;
      in >> next;
      if (next == "*" || next == "^2") {
        std::string other = word;
        if (next == "*") in >> other;
        row.quadratic[std::minmax(word, other)] += sign * factor;
      } else {
        in.seekg(place);
        row.linear[word] += sign * factor;
      }
    }
  }
  return {};
}

ReadProgram read_lp(const std::string& text) {
  ReadProgram program;
  std::istringstream in(text.substr(text.find('\n') + 1));  // without the comment
  std::string word;
  in >> word;
  EXPECT_EQ(word, "Maximize");
  in >> word;
  EXPECT_EQ(word, "value:");
  EXPECT_EQ(read_terms(in, program.objective), "Subject");
  in >> word;
  EXPECT_EQ(word, "To");
  while (in >> word && word != "Bounds") {
    EXPECT_EQ(word.back(), ':') << word;
    ReadRow row;
    row.sense = read_terms(in, row);
    in >> row.right;
    EXPECT_TRUE(program.rows.emplace(word.substr(0, word.size() - 1), row).second) << word;
  }
  while (in >> word && word != "End") {
    std::string second, third, fourth, fifth;
    in >> second;
    if (second == "free") {
      program.bounds[word] = {-kFree, kFree};
      continue;
    }
    in >> third >> fourth >> fifth;
    EXPECT_EQ(second + fourth, "<=<=");
    program.bounds[third] = {std::stod(word), std::stod(fifth)};
  }
  EXPECT_EQ(word, "End");
  return program;
}

ReadProgram read_mps(const std::string& text) {
  ReadProgram program;
  std::istringstream in(text);
  std::string section, matrix;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, second, third;
    words >> first >> second >> third;
    if (line[0] != ' ') {
      section = first;
      matrix = second;
    } else if (section == "OBJSENSE") {
      EXPECT_EQ(first, "MAX");
    } else if (section == "ROWS") {
      if (first != "N") program.rows[second].sense = first == "E" ? "=" : first == "L" ? "<=" : ">=";
    } else if (section == "COLUMNS") {
      auto& row = second == "value" ? program.objective : program.rows.at(second);
      if (std::stod(third) != 0) row.linear[first] += std::stod(third);
      program.bounds[first] = {0, kFree};
    } else if (section == "RHS") {
      program.rows.at(second).right = std::stod(third);
    } else if (section == "BOUNDS") {
      std::string number;
      words >> number;
      auto& range = program.bounds.at(third);
      if (first == "FR") range = {-kFree, kFree};
      if (first == "LO") range.first = std::stod(number);
      if (first == "UP") range.second = std::stod(number);
    } else if (section == "QCMATRIX") {
      program.rows.at(matrix).quadratic[std::minmax(first, second)] += std::stod(third);
    }
  }
  EXPECT_EQ(section, "ENDATA");
  return program;
}

/// The occupancy of a policy, by the names of the program's variables.
Point occupancy_of(const Model& model, const Policy& policy) {
  const Evaluation result = unwrap(evaluate(model, policy));
  const Shape& n = model.shape();
  Point point;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) {
        const double p = policy.accept(g, h, x);
        point["pi_" + std::to_string(h) + "_" + std::to_string(x)] = p;
        for (std::size_t y = 0; y < kLabels; ++y)
          for (std::size_t a = 0; a < kActions; ++a) {
            std::string name = "rho";
            for (const std::size_t index : {g, h, x, y, a}) name += "_" + std::to_string(index);
            point[name] = result.mass(g, h, x, y) * (a == 1 ? p : 1 - p);
          }
      }
  return point;
}

/// Sets each mu so that its row `quotient`, N = mu D, holds.
void set_quotients(const ReadProgram& program, Point& point) {
  for (const auto& [name, row] : program.rows) {
    if (!name.starts_with("quotient_")) continue;
    const std::string mu = "mu_" + name.substr(9);
    point[mu] = 0;
    const double numerator = row.at(point);
    point[mu] = 1;
    point[mu] = numerator / (numerator - row.at(point));
  }
}

double worst_excess(const ReadProgram& program, const Point& point, const std::string& prefix) {
  double worst = -kFree;
  for (const auto& [name, row] : program.rows)
    if (name.starts_with(prefix)) worst = std::max(worst, row.excess(point));
  return worst;
}

/// P(a=1 | y=1) of everybody is at most 1/2, and minus it at most -1/4.
MomentConstraint rate_of_the_qualified(const Shape& n) {
  MomentConstraint moment;
  ConditionalMean mean{"qualified", Tensor<double, 4>({n.groups, n.features, 2, 2}),
                       Tensor<double, 3>({n.groups, n.features, 2})};
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x) {
      mean.event(g, x, 1) = 1;
      mean.payoff(g, x, 0, 1) = mean.payoff(g, x, 1, 1) = 1;
    }
  moment.means = {mean};
  moment.matrix = Tensor<double, 2>({2, 1});
  moment.matrix(0, 0) = 1;
  moment.matrix(1, 0) = -1;
  moment.bound = {0.5, -0.25};
  moment.names = {"not more", "not less"};
  return moment;
}

Fairness everything(const Shape& n) {
  Fairness fairness;
  fairness.parity = {{Notion::dp, {0.125}, {}}, {Notion::eqodds, {0.25}, {}}};
  fairness.aggregate_dp = 0.03125;
  fairness.aggregate_eqopt = 0.0625;
  fairness.capacity = Capacity{{0.5}};
  fairness.moments = {rate_of_the_qualified(n)};
  return fairness;
}

void expect_same(const ReadRow& lp, const ReadRow& mps, const std::string& name) {
  EXPECT_EQ(lp.linear, mps.linear) << name;
  EXPECT_EQ(lp.quadratic, mps.quadratic) << name;  // halves of a coefficient add up to it exactly
  EXPECT_EQ(lp.sense, mps.sense) << name;
  EXPECT_EQ(lp.right, mps.right) << name;
}

TEST(Export, BothFormatsSayTheSame) {
  const Model model = testing::random_model(5, 3, 2, 3, 0.9);
  for (const PolicyClass& policies :
       {PolicyClass{}, PolicyClass{.floor = 0.125}, PolicyClass{.group_independent = true}}) {
    const ReadProgram lp = read_lp(unwrap(to_lp(model, everything(model.shape()), policies)));
    const ReadProgram mps = read_mps(unwrap(to_mps(model, everything(model.shape()), policies)));
    expect_same(lp.objective, mps.objective, "value");
    ASSERT_EQ(lp.rows.size(), mps.rows.size());
    for (const auto& [name, row] : lp.rows) expect_same(row, mps.rows.at(name), name);
    EXPECT_EQ(lp.bounds, mps.bounds);
  }
}

// 2 groups, 2 steps and 2 features: 32 occupancies, 16 rows of flow, 8 that keep the policy from seeing y.
TEST(Export, WithoutFairnessAnyPolicyIsAPointAndItsValueTheReferees) {
  const Model model = testing::random_model(6, 2, 2, 2, 0.75);
  const ReadProgram program = read_lp(unwrap(to_lp(model, {})));
  EXPECT_EQ(program.rows.size(), 24U);
  EXPECT_EQ(program.bounds.size(), 32U);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Policy policy = testing::random_policy(seed, model);
    const Point point = occupancy_of(model, policy);
    EXPECT_NEAR(program.objective.at(point), unwrap(evaluate(model, policy)).value, 1e-12);
    EXPECT_LE(worst_excess(program, point, ""), 1e-12);
  }
}

TEST(Export, FlowOfEachStepIsByItsOwnKernel) {
  const Model model = testing::changing_model(6, 2, 2, 3, Periods::per_step(3));
  const ReadProgram program = read_lp(unwrap(to_lp(model, {})));
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Policy policy = testing::random_policy(seed, model);
    const Point point = occupancy_of(model, policy);
    EXPECT_NEAR(program.objective.at(point), unwrap(evaluate(model, policy)).value, 1e-12);
    EXPECT_LE(worst_excess(program, point, ""), 1e-12);
  }
}

TEST(Export, OccupanciesThatNoPolicyHasBreakARow) {
  const Model model = testing::random_model(7, 2, 2, 2);
  const ReadProgram program = read_lp(unwrap(to_lp(model, {})));
  // Mass from nowhere.
  Point point = occupancy_of(model, testing::random_policy(1, model));
  point["rho_1_1_0_1_1"] += 0.01;
  EXPECT_GT(worst_excess(program, point, "flow_1_1_0_1"), 0.009);
  // The qualified are accepted more often than the others with the same feature: mass moves from a = 0 to a = 1.
  point = occupancy_of(model, testing::random_policy(1, model));
  point["rho_0_1_1_1_1"] += 0.01;
  point["rho_0_1_1_1_0"] -= 0.01;
  EXPECT_LE(worst_excess(program, point, "flow_"), 1e-12);
  EXPECT_GT(worst_excess(program, point, "blind_0_1_1"), 1e-4);
}

TEST(Export, ParityRowsHoldExactlyWhereTheGapKeepsItsLimit) {
  const Model model = testing::random_model(8, 3, 2, 2);
  int kept = 0;
  for (const Notion notion : {Notion::dp, Notion::eqopt, Notion::eqodds}) {
    const ReadProgram program = read_lp(unwrap(to_lp(model, {.parity = {{notion, {0.2}, {}}}})));
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Policy policy = testing::random_policy(seed, model);
      const Evaluation result = unwrap(evaluate(model, policy));
      double gap = 0;
      for (const StepGap& step : of_notion(result.gap, notion)) gap = std::max(gap, step.gap);
      const bool keeps = worst_excess(program, occupancy_of(model, policy), "parity_") <= 0;
      EXPECT_EQ(keeps, gap <= 0.2) << name_of(notion) << ", seed " << seed << ", gap " << gap;
      kept += keeps ? 1 : 0;
    }
  }
  EXPECT_GT(kept, 5);  // of 120, or these policies do not test what they are for
  EXPECT_LT(kept, 115);
}

TEST(Export, OtherRowsHoldExactlyWhereTheirMeansDo) {
  const Model model = testing::random_model(9, 2, 2, 2);
  Fairness fairness;
  fairness.capacity = Capacity{{0.5}};
  fairness.moments = {rate_of_the_qualified(model.shape())};
  const ReadProgram program = read_lp(unwrap(to_lp(model, fairness)));
  int kept = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Policy policy = testing::random_policy(seed, model);
    const Evaluation result = unwrap(evaluate(model, policy));
    Point point = occupancy_of(model, policy);
    set_quotients(program, point);
    EXPECT_LE(worst_excess(program, point, "quotient_"), 1e-12);
    bool keeps = true;
    for (std::size_t h = 0; h < 2; ++h) {
      double accepted = 0, qualified = 0, both = 0;
      for (std::size_t g = 0; g < 2; ++g) {
        accepted += model.share(g) * result.rates.accept(g, h);
        qualified += model.share(g) * result.rates.qualified(g, h);
        both += model.share(g) * result.rates.qualified(g, h) * result.rates.tpr(g, h);
      }
      keeps = keeps && accepted <= 0.5 && both / qualified <= 0.5 && both / qualified >= 0.25;
    }
    EXPECT_EQ(worst_excess(program, point, "row_") <= 0, keeps) << "seed " << seed;
    kept += keeps ? 1 : 0;
  }
  EXPECT_GT(kept, 3);
  EXPECT_LT(kept, 57);
}

TEST(Export, PenaltiesTakeTheirSquaresFromTheValue) {
  const Model model = testing::random_model(11, 3, 2, 2);
  for (const Notion notion : {Notion::dp, Notion::eqopt})
    for (const PenaltyForm form : {PenaltyForm::rate, PenaltyForm::cross}) {
      const SquaredGaps penalty{2.5, form};
      const ReadProgram program = read_lp(unwrap(to_lp(model, {.parity = {{notion, {0}, {}}}}, {}, penalty)));
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Policy policy = testing::random_policy(seed, model);
        const Evaluation result = unwrap(evaluate(model, policy));
        double wanted = result.value;
        for (std::size_t h = 0; h < 2; ++h)
          for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = i + 1; j < 3; ++j) {
              const auto& rate = notion == Notion::dp ? result.rates.accept : result.rates.tpr;
              // Multiplied out, N_i D_j - N_j D_i is the difference of the rates times both denominators.
              double scale = 1;
              if (notion == Notion::eqopt && form == PenaltyForm::cross)
                scale = result.rates.qualified(i, h) * result.rates.qualified(j, h);
              wanted -= 2.5 * std::pow(scale * (rate(i, h) - rate(j, h)), 2);
            }
        Point point = occupancy_of(model, policy);
        set_quotients(program, point);
        for (const auto& [name, row] : program.rows) {
          if (!name.starts_with("difference_")) continue;
          const std::string number = name.substr(11, name.rfind('_') - 11);
          point["gap_" + number] = point["cost_" + number] = 0;
          point["gap_" + number] = row.at(point);  // its coefficient there is -1
          point["cost_" + number] = std::pow(point["gap_" + number], 2);
        }
        EXPECT_LE(worst_excess(program, point, "square_"), 1e-12);
        EXPECT_NEAR(program.objective.at(point), wanted, 1e-9) << name_of(notion) << " " << name_of(form);
      }
    }
  EXPECT_EQ(to_lp(model, {}, {}, SquaredGaps{-1, PenaltyForm::rate}).error().option, "penalty");
}

TEST(Export, FloorsAndCeilingsAreRows) {
  const Model model = testing::random_model(10, 2, 1, 1);
  const ReadProgram both = read_lp(unwrap(to_lp(model, {}, {.floor = 0.25})));
  const ReadProgram one = read_lp(unwrap(to_lp(model, {}, {.floor = 0.25, .floor_kind = FloorKind::accept_only})));
  const auto excess_of = [&](const ReadProgram& program, double accept, const std::string& rows) {
    return worst_excess(program, occupancy_of(model, unwrap(uniform_policy(model, accept))), rows);
  };
  EXPECT_LE(excess_of(both, 0.25, "floor_"), 1e-12);
  EXPECT_GT(excess_of(both, 0.24, "floor_"), 1e-3);
  EXPECT_LE(excess_of(both, 0.75, "ceiling_"), 1e-12);
  EXPECT_GT(excess_of(both, 0.76, "ceiling_"), 1e-3);
  EXPECT_GT(excess_of(one, 0.24, "floor_"), 1e-3);
  EXPECT_EQ(excess_of(one, 1, "ceiling_"), -kFree);  // there are none
}

TEST(Export, ATableForAllGroupsIsAVariable) {
  const Model model = testing::random_model(11, 2, 2, 2);
  const ReadProgram program = read_lp(unwrap(to_lp(model, {}, {.floor = 0.125, .group_independent = true})));
  EXPECT_EQ(program.bounds.at("pi_1_0"), (std::pair{0.125, 0.875}));
  const Policy alike = unwrap(uniform_policy(model, 0.5));
  EXPECT_LE(worst_excess(program, occupancy_of(model, alike), ""), 1e-12);
  // Groups that are treated differently are at odds with it.
  EXPECT_GT(worst_excess(program, occupancy_of(model, testing::random_policy(1, model)), "table_"), 1e-3);
}

TEST(Export, LinesAreShortEnoughForReaders) {
  const Model model = testing::random_model(12, 2, 6, 2);
  std::istringstream lines(unwrap(to_lp(model, everything(model.shape()))));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 255U);
}

TEST(Export, RefusesWhatCannotBeWritten) {
  const Model model = testing::hand_model();
  const auto whole = to_lp(model, {}, {.deterministic = true});
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().message, "a deterministic policy cannot be exported: the program has no integer variables");
  EXPECT_EQ(to_mps(model, {}, {.deterministic = true}).error().hint, "export without deterministic");
  EXPECT_EQ(to_mps(model, {.parity = {{Notion::dp, {2}, {}}}}).error().pointer, "/parity/0/limit");
}

}  // namespace
}  // namespace fairstep
