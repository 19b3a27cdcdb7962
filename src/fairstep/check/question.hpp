// What a certificate is about, read from the documents inside it: counts, what they may lack, policy, rewards.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/check/documents.hpp>
#include <fairstep/check/interval.hpp>

namespace fairstep::rigorous {

/// Odds are at most this.
inline constexpr double kMostOdds = 1e6;

/// What is assumed of labels that were not seen.
struct LabelRule {
  enum class Kind { like_accepted, odds, anything } kind = Kind::like_accepted;
  Real odds = 1;
};

struct Question {
  std::size_t groups = 0, horizon = 0, features = 0;
  std::size_t states = 0, cells = 0;   ///< of a group: s = 2x + y, cell = 2s + a
  std::vector<std::string> names{};    ///< [g]
  std::vector<std::size_t> starts{0};  ///< [k] first steps of the periods, each with a kernel of its own

  double delta = 0;
  bool followed = false;
  bool dp = false, eqopt = false, eqodds = false;
  bool ratios = false;                     ///< of rates that notions compare
  std::optional<std::size_t> reference{};  ///< of the ratios; none: the greatest rate
  bool aggregate = false;                  ///< the gap of accepted shares over all steps

  std::vector<Real> accept{};          ///< [g,h,x]
  std::vector<Real> first{};           ///< [g,s]
  std::vector<Real> visits{};          ///< [g,h,cell]
  std::vector<Real> transitions{};     ///< [g,k,cell,s]
  std::vector<Real> reward_sum{};      ///< [g,cell]
  std::vector<Real> reward_squares{};  ///< [g,cell]

  /// At most so many are missing from the counts.
  struct Lost {
    std::vector<Real> first{};        ///< [g] people whose first state is not there
    std::vector<Real> in_doubt{};     ///< [g] people whose first state may not be the one that is there
    std::vector<Real> cells{};        ///< [g,cell] decisions
    std::vector<Real> transitions{};  ///< [g,cell]
    bool any = false;
  } lost{};

  /// The design part of the people, if they were split in two parts. It says where to look, and need not be right.
  struct Design {
    std::vector<Real> first{};        ///< [g,s]
    std::vector<Real> visits{};       ///< [g,h,cell]
    std::vector<Real> transitions{};  ///< [g,k,cell,s]
    std::vector<Real> reward_sum{};   ///< [g,cell]
    Real share = 0;                   ///< of the people, above 0 and below 1
  };
  std::optional<Design> design{};

  /// Labels follow features, and those not seen are as this says.
  std::optional<LabelRule> labels{};

  enum class Value { none, known, counted } value = Value::none;
  std::vector<Real> reward{};    ///< [g,cell] means, if known
  std::vector<Real> share{};     ///< [g], if known
  Real least = 0, greatest = 0;  ///< single rewards, if counted
  Real discount = 1;

  [[nodiscard]] Real accepted(std::size_t g, std::size_t h, std::size_t x) const {
    return accept[(g * horizon + h) * features + x];
  }
  /// Decisions in a cell, over all steps.
  [[nodiscard]] Real visits_of(std::size_t g, std::size_t cell) const;
  /// Decisions of a group at a step.
  [[nodiscard]] Real visits_at(std::size_t g, std::size_t h) const;
  [[nodiscard]] Real people(std::size_t g) const;

  [[nodiscard]] std::size_t periods() const { return starts.size(); }
  /// Where the kernel's row of a cell at step t is among the group's: [k,cell].
  [[nodiscard]] std::size_t row_at(std::size_t t, std::size_t cell) const;
  /// Rows of a group's kernels.
  [[nodiscard]] std::size_t rows() const { return periods() * cells; }
};

/// Of documents that have the right form.
[[nodiscard]] Question question_of(const Documents& documents);

/// The same question if nothing were missing from the counts.
[[nodiscard]] Question without_losses(Question question);

}  // namespace fairstep::rigorous
