// What the documents inside a certificate prove where labels follow features: Theorem I of docs/guarantees.md. Features
// are the states; labels that were not seen are as a rule says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/check/bounds.hpp>
#include <fairstep/check/question.hpp>
#include <fairstep/check/sets.hpp>

namespace fairstep::rigorous {

/// Rows with a label and without together.
struct FeatureTables {
  std::vector<Real> first{};        ///< [g,x]
  std::vector<Real> transitions{};  ///< [g,x,a,x1]
  struct Labels {
    Real ones = 0, zeros = 0, unseen = 0;
    Real lost = 0;  ///< decisions that are missing altogether
  };
  std::vector<Labels> labels{};    ///< [g,x]
  std::vector<Real> lost_first{};  ///< [g]
  std::vector<Real> in_doubt{};    ///< [g]
  std::vector<Real> lost_next{};   ///< [g,x,a]

  [[nodiscard]] FeatureTables without_losses() const;
};
[[nodiscard]] FeatureTables feature_tables(const Question& question, const Json& counts);

/// Whether any row was lost that lacks more than a label.
[[nodiscard]] bool lost_any_feature(const Json& counts);

/// The rule said by `refused` and `odds` of an object. Whether there is such a rule is not judged.
[[nodiscard]] LabelRule rule_of(const Json& object);

/// Holds the share of y=1 among all people with a feature, except with probability `label`.
[[nodiscard]] Interval share_of_ones(const FeatureTables::Labels& seen, const LabelRule& rule, const Interval& label);

/// Rates of people who follow the policy, by the sets around the rows of features.
class FeatureBounds : public Proofs {
 public:
  /// The first two must outlive this.
  FeatureBounds(const Question& question, const FeatureTables& tables, const Split& split, const LabelRule& rule);

  [[nodiscard]] bool prove(const End& end, Real value, Real slack) override;
  [[nodiscard]] std::vector<Real> estimates(std::size_t g, Rate rate) const override;
  /// [g,x]
  [[nodiscard]] const std::vector<Interval>& shares() const { return shares_; }

 private:
  [[nodiscard]] Real greatest(std::size_t g, std::size_t h, std::vector<Real> payoff) const;
  /// P(label | x), within these.
  [[nodiscard]] Interval share(std::size_t g, std::size_t x, Rate rate) const;

  const Question& q_;
  const FeatureTables& tables_;
  std::vector<RowSet> first_{};     ///< [g]
  std::vector<RowSet> rows_{};      ///< [g,x,a]
  std::vector<Interval> shares_{};  ///< [g,x]
};

}  // namespace fairstep::rigorous
