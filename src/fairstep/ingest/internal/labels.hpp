// Decisions whose label nobody knows: how many there are, and what can be said about them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/look.hpp>
#include <fairstep/ingest/internal/plan.hpp>
#include <fairstep/ingest/internal/scan.hpp>
#include <fairstep/ingest/internal/tally.hpp>

namespace fairstep::internal {

/// Decisions by action, with and without a label.
struct Labels {
  std::array<std::int64_t, kActions> with{}, without{};

  void add(const Labels& other) {
    for (std::size_t a = 0; a < kActions; ++a) {
      with[a] += other.with[a];
      without[a] += other.without[a];
    }
  }
  [[nodiscard]] bool missing() const { return without[0] + without[1] > 0; }
  /// Whether it is the decision that hides the label: at least half of the refused have none, and the accepted mostly
  /// have one.
  [[nodiscard]] bool censored() const {
    const auto share = [&](std::size_t a) {
      const auto all = static_cast<double>(with[a] + without[a]);
      return all > 0 ? static_cast<double>(without[a]) / all : 0.0;
    };
    return without[0] > 0 && share(0) >= 0.5 && share(1) < share(0);
  }
};

[[nodiscard]] Labels labels_of(Tally& tally);

/// An error if labels are missing and nobody said what to do.
[[nodiscard]] Expected<Censoring> what_to_assume(Tally& tally, const LogFiles& log, const CountOptions& options);

/// Labels of a part are to be drawn, by the shares of those that were `seen` there among the accepted of the same group
/// and feature. An error where nobody was accepted whose label is needed.
[[nodiscard]] Expected<void> draw_labels(Plan& plan, Tally& seen, const LogFiles& log, std::size_t part = 0);

/// What is done in each part of the people; an error is about all of them.
[[nodiscard]] Expected<std::vector<Censoring>> what_to_assume(std::vector<Scanned>& parts, const LogFiles& log,
                                                              const CountOptions& options);
/// For each part that assumes so, by its own shares alone: what one part has seen of labels is not to reach the other.
/// Whether labels are to be drawn at all.
[[nodiscard]] Expected<bool> draw_labels(Plan& plan, std::vector<Scanned>& parts,
                                         const std::vector<Censoring>& censoring, const LogFiles& log);

}  // namespace fairstep::internal
