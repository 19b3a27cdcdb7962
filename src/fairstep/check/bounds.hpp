// What the documents inside a certificate prove about rates and value.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include <fairstep/check/question.hpp>
#include <fairstep/check/sets.hpp>
#include <fairstep/check/worst_case.hpp>

namespace fairstep::rigorous {

/// P(a=1), P(a=1 | y=1), P(a=1 | y=0), P(y=1).
enum class Rate { accept, tpr, fpr, qualified };

/// One end of a rate of group g at step h: the greatest if sign is 1, minus the least if it is -1.
struct End {
  std::size_t g = 0, h = 0;
  Rate rate = Rate::accept;
  Real sign = 1;
};

/// What proves ends of rates.
class Proofs {
 public:
  Proofs() = default;
  Proofs(const Proofs&) = delete;
  Proofs& operator=(const Proofs&) = delete;
  virtual ~Proofs() = default;

  /// Whether sign * rate <= value surely. For conditional rates the worst E[(sign * a - value) 1(y)] must be at most
  /// `slack`, which is 0 or less.
  [[nodiscard]] virtual bool prove(const End& end, Real value, Real slack) = 0;

  /// [h] the rate under the estimated model, NaN if nobody has it; not rounded to any side.
  [[nodiscard]] virtual std::vector<Real> estimates(std::size_t g, Rate rate) const = 0;
};

class Bounds : public Proofs {
 public:
  /// Both must outlive this.
  Bounds(const Question& question, const Split& split);

  /// By the sets or by those who followed the policy.
  [[nodiscard]] bool prove(const End& end, Real value, Real slack) override;
  [[nodiscard]] std::vector<Real> estimates(std::size_t g, Rate rate) const override;

  /// Holds P(y=1) of group g at step h, by the sets.
  [[nodiscard]] Interval qualified(std::size_t g, std::size_t h);

  /// Of group g: known, or of all people counted, in the design part if there is one.
  [[nodiscard]] Interval share(std::size_t g) const;

  /// The least mean reward there can be, if rewards are known or counted.
  [[nodiscard]] Real least_reward(std::size_t g, std::size_t cell) const;

  /// The sets around the rows of group g.
  [[nodiscard]] const WorstCase& worst_case(std::size_t g) const { return worst_[g]; }

  struct Worth {
    Real least = 0;     ///< rounded down
    Real estimate = 0;  ///< not rounded to any side
    Real scale = 0;     ///< what could be earned or lost at most
  };
  /// Rewards must be known or counted.
  [[nodiscard]] Worth worth() const;

 private:
  [[nodiscard]] bool sets_prove(const End& end, Real value, Real slack);
  [[nodiscard]] bool followers_prove(const End& end, Real value) const;
  [[nodiscard]] Real away(std::size_t g, std::size_t h) const;
  [[nodiscard]] std::vector<std::vector<Real>> estimated_masses(std::size_t g) const;
  [[nodiscard]] Real greatest_mean(const End& end);
  [[nodiscard]] Real mean_reward(std::size_t g, std::size_t cell) const;

  const Question& q_;
  const Split& split_;
  std::vector<WorstCase> worst_{};  ///< [g]
  std::map<std::tuple<std::size_t, std::size_t, Rate, Real>, Real>
      means_{};  ///< ends of P(a=1) and P(y=1) found so far
};

}  // namespace fairstep::rigorous
