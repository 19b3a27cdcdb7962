// Bounds on gaps and value by people who were split in two parts: the design part says where to look, the audit part
// proves. Several times as narrow as the worst case over all rows, at the price of an assumption more (the parts do not
// depend on each other, and the policy was made without the audit part). docs/guarantees.md, H.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/direction.hpp>
#include <fairstep/certify/followed.hpp>
#include <fairstep/certify/two_samples.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// An error unless the one is the design part and the other the audit part of the same split.
[[nodiscard]] Expected<void> check_parts(const Counts& design, const Counts& audit);

/// A policy's rewards, as far as the design part has fixed them, and how much less the audit part cannot rule out.
struct Earnings {
  std::vector<double> share{};  ///< [g]
  double discount = 1;
  Tensor<double, 4> reward{};                ///< [g,x,y,a]
  std::optional<Tensor<double, 4>> least{};  ///< [g,x,y,a] if rewards are counted
};

class TwoParts {
 public:
  /// All must outlive this. Once it is stopped, nothing it says holds.
  TwoParts(const Counts& design, const Counts& audit, const Lost& lost, const Policy& policy,
           const Estimate& audit_estimate, const Balls& sets, const DeltaSplit& split, std::stop_token stop);

  /// The greatest that the rates of i and j can be apart at step h; empty if the design part has nobody with the rate.
  /// `rate` is what the worst case says of it, `qualified` of P(y=1); both are needed for rates given a label.
  [[nodiscard]] std::optional<double> apart(std::size_t i, std::size_t j, std::size_t h, FollowedRate about,
                                            const RateBounds& rate, const RateBounds* qualified);

  /// At least this, for people of all groups with these shares.
  [[nodiscard]] double value(const Earnings& earnings);

  /// Of group g, at all steps before the last: each end for a share `path` of delta.
  [[nodiscard]] const Deviations& deviations(std::size_t g) const { return deviations_[g]; }
  /// [g,h] P(y=1), each end for a share `path`.
  [[nodiscard]] const std::vector<Range>& qualified();

 private:
  struct OfRate {
    double rate = 0;      ///< in the design part's population
    double people = 1;    ///< P(y) there
    Direction direction;  ///< payoff (a - rate) 1(y) / people; a, if all are meant
  };
  using OfRates = std::vector<std::optional<OfRate>>;  ///< [g,h]; none where nobody is meant

  void follow_to(std::size_t steps);
  [[nodiscard]] std::optional<OfRate> of_rate(std::size_t g, std::size_t h, FollowedRate about) const;
  [[nodiscard]] const OfRates& of_rates(FollowedRate about);

  std::size_t horizon_;
  DeltaSplit split_;
  std::stop_token stop_;
  std::vector<TwoSamples> samples_{};     ///< [g]
  std::vector<Deviations> deviations_{};  ///< [g]
  std::map<FollowedRate, OfRates> of_rates_{};
  std::vector<Range> qualified_{};  ///< [g,h] P(y=1)
};

}  // namespace fairstep
