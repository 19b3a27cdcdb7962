// The options by which certify is told what to prove, and which limits: notions, ratios, a fairness file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/fairness.hpp>

#include "shell/options.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

/// What to bound, and the limits that the bounds are held against.
struct Proof {
  std::vector<Notion> notions{};  ///< in order; those that ratios follow from are among them
  std::vector<RatioNotion> ratios{};
  std::optional<std::size_t> reference{};
  bool aggregate_dp = false;
  std::optional<double> gap_limit{};  ///< --limit, if it is for gaps
  Fairness limits{};                  ///< all of them
  [[nodiscard]] bool limited() const;
  /// Whether a gap is asked for itself, and not only for a ratio that follows from it.
  bool gaps = false;
};

/// A limit that is not proven.
struct NotProven {
  std::string what{};  ///< "dp gap"
  std::size_t step = 0;
  bool per_step = true;
  bool at_least = false;  ///< of a ratio
  double bound = 0;       ///< NaN if there is none
  double limit = 0;
};

struct ProofOptions {
  std::vector<std::string> notions{};
  std::optional<double> limit{};
  std::optional<std::string> reference{};
  std::optional<double> aggregate_dp{};

  void declare(Options& options);
  /// Reads the file, if one is named.
  [[nodiscard]] Result<Proof> proof(const Counts& counts) const;
};

/// The limit of each kind that is missed by most, gaps first; none if all are proven.
[[nodiscard]] std::vector<NotProven> not_proven(const Proof& proof, const Certificate& certificate);
/// `the gap may be 0.0512`, beside a limit.
[[nodiscard]] std::string in_words(const NotProven& missed);

}  // namespace fairstep::cli
