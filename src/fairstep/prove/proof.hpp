// A proof that no policy of a class is worth more than a bound, or that none keeps the limits: what is in the file.
//
// It is a tree. Each of its parts is about policies whose tables lie in boxes, and whose groups' rates lie around
// common ones, t, which lie in ranges. In each part a list of claims narrows ranges, one end at a time, until one of
// them shows that nothing is left: nothing that is worth more than the bound. A part that is not done by then is split
// in two.
//
// A claim holds by a sum: what it is about is, for every policy, what prices make of rows (relations.hpp) and what is
// left. What is left of the value and of people's shares is for tables to earn; what is left of the rest lies in
// ranges. Any prices prove something, so the file has prices, and a checker works out what they prove.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>

namespace fairstep::prove {

/// What was asked: which policies, and what they must keep.
struct Asked {
  std::vector<StepwiseParity> parity{};  ///< limits by step, without doubt
  std::vector<double> capacity{};        ///< [h] of all people no more are accepted; empty: as many as may be
  double floor = 0;
  bool two_sided = true;  ///< floor <= P(a=1) <= 1 - floor; else floor <= P(a=1)
  bool group_independent = false;
};

struct Claim {
  enum class About {
    high,     ///< a range ends here at the latest
    low,      ///< it begins here at the earliest
    value,    ///< no policy of the part is worth more than the bound
    nothing,  ///< no policy of the part keeps the limits
  };
  About about = About::value;
  std::string quantity{};  ///< whose range, as relations.hpp names them
  double to = 0;           ///< where the range ends
  /// Prices on rows and on ranges, by their names.
  std::vector<std::pair<std::string, double>> rows{}, ranges{};
  /// How the tables of a block are gone through.
  struct Tables {
    /// In preorder: an entry to settle at either end, -1 where a policy that remembers bounds the rest. Empty: that is
    /// so at once.
    std::vector<int> tree{};
    /// Or step by step: no table earns more. What is settled up to a step either cannot, by policies that remember from
    /// there on, or goes on.
    std::optional<double> most{};
  };
  std::vector<Tables> tables{};  ///< [block]; empty: nothing but policies that remember
};

struct Part {
  std::vector<Claim> claims{};
  struct Split {
    std::optional<std::size_t> limit{};            ///< whose common rate is at most `at`, or at least
    std::size_t block = 0, step = 0, feature = 0;  ///< otherwise: whose entry is
    double at = 0;
    std::size_t at_most = 0, at_least = 0;  ///< which parts of the proof these are: later ones
  };
  std::optional<Split> split{};
};

struct Proof {
  std::string statement{};  ///< all of it in words
  std::string model_sha256{};
  Asked asked{};
  std::optional<double> bound{};             ///< none: no policy keeps the limits
  std::optional<double> value{};             ///< `policy` is worth at least this
  std::optional<std::string> policy{};       ///< as a document
  std::size_t beliefs = 0;                   ///< of each feature, in grids
  std::vector<std::vector<double>> scale{};  ///< [limit][group of it] what its denominator is multiplied by
  std::vector<Part> parts{};                 ///< the first is the whole, and every other is half of an earlier one
};

inline constexpr std::string_view kProofSchema = "fairstep/proof/1";

[[nodiscard]] std::string to_text(const Proof& proof);
/// Of the right form, and as it was written; whether it proves anything is not looked at. `limits` are as many as the
/// model has steps.
[[nodiscard]] Expected<Proof> proof_from(std::string_view text);

}  // namespace fairstep::prove
