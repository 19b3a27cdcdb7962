// What a solver says is let in only if all of it are numbers.
#include <fairstep/optimise/backends/linear_program.hpp>

#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

/// Answers as it was told to, whatever it is asked.
class Parrot final : public LinearProgram {
 public:
  explicit Parrot(LpSolution says) : says_(std::move(says)) {}

  std::size_t add_variable(double, double, double, std::span<const Coefficient>) override { return 0; }
  std::size_t add_row(double, double, std::span<const Coefficient>) override { return 0; }
  void remove_variables(const std::vector<bool>&) override {}
  void remove_rows(const std::vector<bool>&) override {}
  void set_objective(std::size_t, double) override {}
  void set_variable_bounds(std::size_t, double, double) override {}
  void set_row_bounds(std::size_t, double, double) override {}
  void set_coefficient(std::size_t, std::size_t, double) override {}
  [[nodiscard]] std::size_t variables() const override { return 0; }
  [[nodiscard]] std::size_t rows() const override { return 0; }
  void replace(const LpMatrix&, const LpBounds&) override {}
  void set_bounds(const LpBounds&) override {}
  void stop_when(std::function<bool()>) override {}

 private:
  [[nodiscard]] LpSolution ask() override { return says_; }
  LpSolution says_;
};

const LpSolution kSound{LpStatus::optimal, 3, {1, 2}, {0.5}, 7};

TEST(LinearProgram, AnAnswerOfNumbersIsLetIn) {
  const LpSolution heard = Parrot(kSound).solve();
  EXPECT_EQ(heard.status, LpStatus::optimal);
  EXPECT_EQ(heard.objective, 3);
  EXPECT_EQ(heard.x, kSound.x);
  EXPECT_EQ(heard.price, kSound.price);
  EXPECT_EQ(heard.iterations, 7U);
}

TEST(LinearProgram, AnAnswerThatIsPartlyNoNumberIsNone) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
    LpSolution objective = kSound, point = kSound, price = kSound;
    objective.objective = bad;
    point.x[1] = bad;
    price.price[0] = bad;
    for (const LpSolution& said : {objective, point, price}) {
      const LpSolution heard = Parrot(said).solve();
      EXPECT_EQ(heard.status, LpStatus::stopped);
      EXPECT_TRUE(heard.x.empty());
      EXPECT_TRUE(heard.price.empty());
      EXPECT_EQ(heard.objective, 0);
    }
  }
}

}  // namespace
}  // namespace fairstep
