// What an estimate rests on, group by group: how much was seen, where nothing was, and how far off the rows may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

struct Spread {
  double largest = 0;              ///< over all cells
  std::optional<double> median{};  ///< over those with data; none if there are none
};

struct GroupSummary {
  std::int64_t people = 0;
  std::int64_t decisions = 0;
  std::int64_t successors = 0;
  std::size_t unvisited = 0;       ///< cells
  Cell thinnest{};                 ///< the cell with the fewest seen successors, of several the first
  std::int64_t thinnest_seen = 0;  ///< these
  double initial_radius = 0;       ///< of the first state's distribution
  Spread row_radius{};             ///< of the rows of all cells
  Spread reward_radius{};          ///< meaningless if the radii have none
};

/// [g]
[[nodiscard]] std::vector<GroupSummary> summarise(const Estimate& estimate, const Radii& radii);

/// Keys of `fairstep/fit/1` from `groups` on; they are listed in docs/cli.md.
[[nodiscard]] Json to_json(const Estimate& estimate, const Radii& radii);

/// A line for each group, and the unvisited cells, as many as a screen holds.
[[nodiscard]] std::string to_text(const Estimate& estimate, const Radii& radii, std::size_t width);

/// What was not seen and therefore not estimated. `rule` is the word for rows without a successor.
[[nodiscard]] std::vector<std::string> unseen(const Estimate& estimate, const std::string& rule);

/// The document `fairstep/radii/1`.
[[nodiscard]] std::string radii_document(const Estimate& estimate, const Radii& radii, const RadiiOptions& options);

}  // namespace fairstep::cli
