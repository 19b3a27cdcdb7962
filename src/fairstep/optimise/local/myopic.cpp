#include <fairstep/optimise/local/myopic.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <fairstep/evaluate/passes.hpp>
#include <fairstep/optimise/backends/linear_program.hpp>
#include <fairstep/optimise/program/tables.hpp>

namespace fairstep {
namespace {

/// constant + sum of coefficient * accept[block,x], of one step's functional.
struct Affine {
  double constant = 0;
  std::vector<double> slope{};  ///< [block,x]
};

class Step {
 public:
  Step(const Program& program, std::size_t h, const std::vector<std::vector<double>>& mass)
      : program_(program), h_(h), mass_(mass), functional_(program.functionals) {
    const Shape& n = program.shape();
    const std::size_t size = program.blocks.size() * n.features;
    reward_.slope.assign(size, 0.0);
    for (Affine& f : functional_) f.slope.assign(size, 0.0);
    for (std::size_t b = 0; b < program.blocks.size(); ++b)
      for (const std::size_t g : program.blocks[b].groups) {
        add(reward_, b, g, program.model->reward(g), program.model->share(g));
        for (const Term& term : program.terms[g])
          if (term.step == h) add(functional_[term.functional], b, g, term.weight, 1);
      }
  }

  /// The best row of each block: [block,x].
  [[nodiscard]] std::vector<double> best_rows(const Deadline& deadline) const {
    const Shape& n = program_.shape();
    const std::unique_ptr<LinearProgram> solver = program_.backends->linear();
    LinearProgram& lp = *solver;
    lp.stop_when(deadline.over_now());
    for (std::size_t b = 0; b < program_.blocks.size(); ++b)
      for (std::size_t x = 0; x < n.features; ++x) {
        const std::size_t at = h_ * n.features + x;
        lp.add_variable(program_.boxes[b].lo[at], program_.boxes[b].hi[at], reward_.slope[b * n.features + x]);
      }
    for (std::size_t b = 0; b < program_.blocks.size(); ++b)
      for (const std::vector<std::size_t>& chain : program_.rules.chains)
        for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
          const Coefficient rise[] = {{b * n.features + chain[i], -1.0}, {b * n.features + chain[i + 1], 1.0}};
          lp.add_row(0, kInfinity, rise);
        }
    double scale = 0;
    for (const double r : reward_.slope) scale += std::abs(r);
    const std::size_t excess = lp.add_variable(0, kInfinity, -1e4 * std::max(scale, 1e-9));
    for (const Parity& parity : program_.parities) {
      if (parity.step != h_) continue;
      const std::size_t common = lp.add_variable(-kInfinity, kInfinity, 0);
      for (const Mean& mean : parity.means) {
        const auto rate = rate_of(mean);
        if (!rate) continue;
        for (const int sign : {1, -1}) add_row(lp, *rate, sign, parity.limit / 2, excess, 0.5, common);
      }
    }
    for (const MeanRow& row : program_.rows) {
      if (row.step != h_) continue;
      Affine sum{0, std::vector<double>(reward_.slope.size(), 0.0)};
      bool defined = true;
      for (std::size_t i = 0; i < row.means.size(); ++i) {
        const auto rate = rate_of(row.means[i]);
        defined = defined && rate.has_value();
        if (!defined) break;
        sum.constant += row.coefficient[i] * rate->constant;
        for (std::size_t k = 0; k < sum.slope.size(); ++k) sum.slope[k] += row.coefficient[i] * rate->slope[k];
      }
      if (defined) add_row(lp, sum, 1, row.upper, excess, 1, std::nullopt);
    }
    const LpSolution solution = lp.solve();
    std::vector<double> rows(
        solution.x.begin(),
        solution.x.begin() + static_cast<std::ptrdiff_t>(solution.x.empty() ? 0 : reward_.slope.size()));
    return rows;
  }

 private:
  void add(Affine& to, std::size_t block, std::size_t g, std::span<const double> weight, double factor) const {
    const std::size_t features = program_.shape().features;
    for (std::size_t s = 0; s < weight.size() / kActions; ++s) {
      const double m = factor * mass_[g][h_ * features * kLabels + s];
      to.constant += m * weight[2 * s];
      to.slope[block * features + s / kLabels] += m * (weight[2 * s + 1] - weight[2 * s]);
    }
  }

  /// Given the past, a rate's denominator is a number: it does not depend on today's decisions.
  [[nodiscard]] std::optional<Affine> rate_of(const Mean& mean) const {
    Affine rate = functional_[mean.numerator];
    if (!mean.denominator) return rate;
    const double whole = functional_[*mean.denominator].constant;
    if (whole <= 0) return std::nullopt;
    rate.constant /= whole;
    for (double& slope : rate.slope) slope /= whole;
    return rate;
  }

  /// sign * (rate - common) - share * excess <= limit
  static void add_row(LinearProgram& lp, const Affine& rate, int sign, double limit, std::size_t excess, double share,
                      std::optional<std::size_t> common) {
    std::vector<Coefficient> row;
    for (std::size_t k = 0; k < rate.slope.size(); ++k) row.push_back({k, sign * rate.slope[k]});
    row.push_back({excess, -share});
    if (common) row.push_back({*common, -static_cast<double>(sign)});
    lp.add_row(-kInfinity, limit - sign * rate.constant, row);
  }

  const Program& program_;
  std::size_t h_;
  const std::vector<std::vector<double>>& mass_;
  Affine reward_{};
  std::vector<Affine> functional_;
};

}  // namespace

Expected<Candidate> solve_myopically(const Program& program, const Deadline& deadline) {
  const Shape& n = program.shape();
  for (const Parity& parity : program.parities)
    if (parity.step >= n.horizon)
      return fail("a myopic policy cannot keep a constraint on the whole episode", {},
                  fmt::format("drop {}, or use another method", option(episode_limit_called(parity.notion)->name)));
  Tables tables;
  for (const Box& box : program.boxes) tables.push_back(box.lo);
  std::vector<std::vector<double>> mass(n.groups, std::vector<double>(n.horizon * n.states()));
  for (std::size_t g = 0; g < n.groups; ++g)
    std::copy(program.model->initial(g).begin(), program.model->initial(g).end(), mass[g].begin());
  for (std::size_t h = 0; h < n.horizon && !deadline.over(); ++h) {
    const std::vector<double> rows = Step(program, h, mass).best_rows(deadline);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t b = i / n.features, at = h * n.features + i % n.features;
      tables[b][at] = std::clamp(rows[i], program.boxes[b].lo[at], program.boxes[b].hi[at]);
    }
    for (std::size_t b = 0; b < tables.size(); ++b) settle(program, b, tables[b]);
    if (h + 1 == n.horizon) break;
    for (std::size_t b = 0; b < program.blocks.size(); ++b)
      for (const std::size_t g : program.blocks[b].groups) {
        // From this step to the next, by the same recursion.
        const auto two = std::span(mass[g]).subspan(h * n.states(), 2 * n.states());
        const std::vector<double> here(two.begin(), two.begin() + static_cast<std::ptrdiff_t>(n.states()));
        forward(program.model->kernel(g, h), here, std::span(tables[b]).subspan(h * n.features, 2 * n.features), two);
      }
  }
  return assess(program, std::move(tables));
}

}  // namespace fairstep
