// The optimisation problem in the one form that every method below works on.
//
// A policy acts through linear functionals of occupancy: sum over (g,h,x,y,a) of weight * P(x,y,a at h | g). Rates are
// quotients of two of them (or one of them, where no policy can change the denominator). Everything else, dp and eqopt,
// capacity and the general family, is a row over such means.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/evaluate/passes.hpp>
#include <fairstep/optimise/backends/backends.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/table_rules.hpp>

namespace fairstep {

/// Groups that share one table accept[h,x]: one group each by default, all in one if the policy may not see the group.
struct Block {
  std::vector<std::size_t> groups{};
};

/// weight[x,y,a] at one (g,h).
struct Term {
  std::size_t functional = 0;
  std::size_t step = 0;
  std::vector<double> weight{};
};

/// numerator / denominator, both functionals; without a denominator the numerator itself.
struct Mean {
  std::size_t numerator = 0;
  std::optional<std::size_t> denominator{};
  std::string name{};
  double fixed_denominator = 1;  ///< what the numerator was divided by, where no policy can change it
};

/// Any two of the means differ by at most the limit. Where the model is in doubt each group has two means, one for each
/// side of the comparison: no mean exceeds any of `lower` by more than the limit.
struct Parity {
  std::vector<Mean> means{};
  std::vector<Mean> lower{};  ///< [i] shares the denominator of means[i]; empty: the means themselves
  double limit = 0;
  std::size_t step = 0;  ///< the horizon for a constraint on the whole episode
  std::string notion{};
  bool cautious = false;  ///< a mean is above its own `lower`

  [[nodiscard]] bool two_sided() const { return !lower.empty(); }
  [[nodiscard]] const Mean& lower_of(std::size_t i) const { return lower.empty() ? means[i] : lower[i]; }
};

/// No mean is less than `least` times any other, or than that of the reference. Each pair is a row of the program; this
/// is for bounds, which do better with all of them at once.
struct Ratio {
  std::vector<Mean> means{};
  std::optional<std::size_t> reference{};  ///< one of the means
  double least = 0;

  /// A pair with numbers for denominators is as linear as can be; otherwise the rows leave something to be gained.
  [[nodiscard]] bool is_plain() const;
};

/// sum of coefficient * mean <= upper.
struct MeanRow {
  std::vector<Mean> means{};
  std::vector<double> coefficient{};
  double upper = 0;
  std::size_t step = 0;
  std::string name{};
  std::optional<std::size_t> ratio{};  ///< which it is part of: the second mean is at least so many times the first
};

/// What a ratio row has where the policy is: the second mean over the first. NaN if that is 0 or of nobody.
[[nodiscard]] double ratio_of(const MeanRow& row, std::span<const double> functional);

/// - weight * (mean_0 - mean_1)^2, or with the quotients multiplied out: (N_0 D_1 - N_1 D_0)^2.
struct PenaltyTerm {
  Mean first{}, second{};
  double weight = 0;
  bool multiplied_out = false;
  std::size_t step = 0;
};

/// - price * mean in the objective: what a block pays for its own rates, where it is looked at alone. A mean of nobody
/// may be called whatever suits.
struct Toll {
  Mean mean{};
  double price = 0;
};

struct Program {
  const Model* model = nullptr;
  const Backends* backends = &libraries();  ///< whom all that work on it ask
  std::vector<Block> blocks{};
  std::vector<Box> boxes{};    ///< [block]
  bool deterministic = false;  ///< every entry at an end of its box
  TableRules rules{};          ///< of every table
  std::size_t functionals = 0;
  std::vector<std::vector<Term>> terms{};  ///< [g]
  std::vector<Parity> parities{};
  std::vector<MeanRow> rows{};
  std::vector<Ratio> ratios{};  ///< their pairs are among the rows
  std::vector<PenaltyTerm> penalties{};
  std::vector<Toll> tolls{};  ///< no mean twice

  [[nodiscard]] const Shape& shape() const { return model->shape(); }
  [[nodiscard]] std::size_t table_size() const { return shape().horizon * shape().features; }
};

/// What a block's table does: its part of the value and of each functional.
struct Effect {
  double value = 0;
  std::vector<double> functional{};
};

/// The greatest excess over any limit, in units of the limit; negative if there is room everywhere, -infinity if there
/// are no limits. `functional` is summed over the blocks. A mean of nobody (denominator 0) satisfies its rows.
[[nodiscard]] double excess_of(const Program& program, std::span<const double> functional);

/// What a penalty squares; NaN where a mean is of nobody.
[[nodiscard]] double gap_of(const PenaltyTerm& penalty, std::span<const double> functional);
/// What the penalties and tolls take away.
[[nodiscard]] double penalty_of(const Program& program, std::span<const double> functional);

/// Numerator over denominator; NaN for a mean of nobody.
[[nodiscard]] double mean_of(const Mean& mean, std::span<const double> functional);
/// The greatest mean less the least of `lower`; means of nobody do not count.
[[nodiscard]] double width_of(const Parity& parity, std::span<const double> functional);
/// The left side of a row; NaN if it has a mean of nobody.
[[nodiscard]] double height_of(const MeanRow& row, std::span<const double> functional);

/// Room for the passes of one block; make it once.
struct Workspace {
  explicit Workspace(const Shape& shape);
  std::vector<double> mass{};    ///< [h,x,y]
  std::vector<double> q{};       ///< [h,x,y,a]
  std::vector<double> v{};       ///< [h,x,y]
  std::vector<double> reward{};  ///< [h,x,y,a]
};

/// What group g earns with this table, and its part of each functional [j], given where its people are: mass[h,x,y].
/// Adds to both.
void add_payoffs(const Program& program, std::size_t g, std::span<const double> accept, std::span<const double> mass,
                 double& value, std::span<double> functional);

[[nodiscard]] Effect effect_of(const Program& program, std::size_t block, std::span<const double> accept,
                               Workspace& work, const AtWork& at_work = {});

/// reward[h,x,y,a] of group g when each functional is paid its price and value counts `value_weight`.
void price_rewards(const Program& program, std::size_t g, std::span<const double> price, double value_weight,
                   std::span<double> reward);

/// gradient[h,x] of the functional with these step rewards, in the table of g; `work.q` is left behind. Adds to
/// gradient.
void add_gradient(const Program& program, std::size_t g, std::span<const double> accept, std::span<const double> reward,
                  std::span<const double> mass, Workspace& work, std::span<double> gradient,
                  const AtWork& at_work = {});

/// Measures tables, one per block.
[[nodiscard]] Candidate assess(const Program& program, Tables tables);

}  // namespace fairstep
