// Gaps and value of people who were split in two parts: docs/guarantees.md, Theorem H.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <fairstep/check/bounds.hpp>
#include <fairstep/check/directions.hpp>
#include <fairstep/check/paths.hpp>
#include <fairstep/check/plan.hpp>
#include <fairstep/check/question.hpp>
#include <fairstep/check/sets.hpp>

namespace fairstep::rigorous {

class TwoParts {
 public:
  /// What else is known of a rate of group g at step h, P(y=1) among them.
  using Known = std::function<Interval(Rate rate, std::size_t g, std::size_t h)>;

  /// All must outlive this.
  TwoParts(const Question& question, const Split& split, const Bounds& bounds, Known known);

  /// At least how far apart the rates of groups i and j can be at step h; none if nothing is asked, as by the design
  /// part nobody has the label.
  [[nodiscard]] std::optional<Real> gap(std::size_t i, std::size_t j, std::size_t h, Rate rate);

  /// What a certificate may have rounded that up by: the fewer people have the label, the more each of them is paid.
  [[nodiscard]] Real rounding(std::size_t i, std::size_t j, std::size_t h, Rate rate);

  /// The value of the policy is at least this. Rewards are known or counted.
  [[nodiscard]] Real least_value() const;

 private:
  /// A rate as a question: by how much, in the design part's population, is paid what it is off.
  struct OfRate {
    Real people = 1;  ///< P(y) by the design part
    Interval rate{};  ///< what must be added to the answer, with what is of second order; formula (6)
    Direction direction{};
    Interval remainder{};
  };

  [[nodiscard]] const std::optional<OfRate>& of_rate(std::size_t g, std::size_t h, Rate rate);
  [[nodiscard]] std::optional<OfRate> of_accepted(std::size_t g, std::size_t h) const;
  [[nodiscard]] std::optional<OfRate> of_labelled(std::size_t g, std::size_t h, std::size_t y) const;
  [[nodiscard]] Interval labelled(std::size_t g, std::size_t h, std::size_t y) const;
  [[nodiscard]] Group group(std::size_t g) const { return {q_, g, plans_[g], bounds_.worst_case(g)}; }
  [[nodiscard]] Real planned_reward(std::size_t g, std::size_t cell) const;
  [[nodiscard]] Interval less_rewards(std::size_t g) const;

  const Question& q_;
  const Split& split_;
  const Bounds& bounds_;
  Known known_;
  std::vector<Plan> plans_{};  ///< [g]
  std::vector<Paths> paths_{};
  std::map<Rate, std::vector<std::optional<OfRate>>> rates_{};  ///< [g,h]
};

}  // namespace fairstep::rigorous
