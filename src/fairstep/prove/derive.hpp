// How much a claim proves.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/prove/beliefs.hpp>
#include <fairstep/prove/proof.hpp>
#include <fairstep/prove/relations.hpp>

namespace fairstep::prove {

/// Tables of a block lie in it: lo[h,x] <= P(a=1) <= hi[h,x].
struct Bounds {
  std::vector<double> lo{}, hi{};
};

/// Where the tables and the quantities of a part of the tree are.
struct Place {
  std::vector<Bounds> box{};        ///< [block]
  std::vector<Real> low{}, high{};  ///< [quantity] as claimed, so far
};

/// The ends of claimed ranges that something rests on: [quantity].
struct Uses {
  std::vector<bool> low{}, high{};
};

/// Beginnings of tables that are looked at for one claim, at the most.
inline constexpr std::size_t kMostBeginnings = 2'000'000;

class Derivation {
 public:
  /// All of these must outlive it.
  Derivation(const Model& model, const Asked& asked, const Relations& relations, std::size_t beliefs);

  [[nodiscard]] const Relations& relations() const { return relations_; }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& blocks() const { return blocks_; }
  /// All policies of the class.
  [[nodiscard]] Place everywhere() const;
  /// After a box has changed: rates lie between the entries of their step.
  void narrow_rates(Place& place) const;
  /// There is a range of which nothing is left; marks the ends that say so.
  [[nodiscard]] bool is_empty(const Place& place, Uses* uses = nullptr) const;

  /// A claim with names looked up.
  struct Sum {
    std::optional<std::size_t> target{};  ///< its quantity; none: 0
    double sign = 1;
    std::vector<std::pair<std::size_t, double>> rows{}, ranges{};
  };
  [[nodiscard]] Expected<Sum> sum_of(const Claim& claim, const std::string& pointer) const;

  /// What prices leave to tables to earn, and all the rest.
  struct Left {
    std::vector<std::vector<Interval>> pay{};  ///< [g][h,x,y,a]
    Real rest = 0;
  };
  /// `bound` is that of the cutoff. Marks what it rests on.
  [[nodiscard]] Left left_by(const Sum& sum, const Place& place, std::optional<double> bound, Uses* uses) const;
  /// What tables of a block earn at the most, gone through as the claim has it.
  [[nodiscard]] Expected<Real> most_of(std::size_t block, const Left& left, const Bounds& box,
                                       const Claim::Tables& tables, const std::string& pointer) const;
  /// By policies that remember; `values` [group of the block].
  [[nodiscard]] Real remembering(std::size_t block, const Left& left, const Bounds& box,
                                 std::vector<Beliefs::Values>& values) const;
  /// Goes through tables step by step: whether none earns more than `enough`. At most so many beginnings of tables are
  /// looked at: nothing if they do not suffice.
  [[nodiscard]] std::optional<bool> settle(std::size_t block, const Left& left, const Bounds& box, Real enough,
                                           std::size_t beginnings) const;
  [[nodiscard]] const Beliefs& beliefs_of(std::size_t g) const { return beliefs_[g]; }

  /// All of it: what the claim's quantity, times its sign, is at the most.
  [[nodiscard]] Expected<Real> most(const Claim& claim, const Place& place, std::optional<double> bound,
                                    const std::string& pointer) const;

 private:
  class Ends;

  const Model& model_;
  const Asked& asked_;
  const Relations& relations_;
  std::vector<std::vector<std::size_t>> blocks_;
  std::vector<std::size_t> block_of_{};  ///< [g]
  std::vector<Beliefs> beliefs_{};       ///< [g]
  Real most_people_;                     ///< at a step, by rounding of a kernel's rows
};

}  // namespace fairstep::prove
