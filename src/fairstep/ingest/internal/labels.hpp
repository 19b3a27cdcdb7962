// Decisions whose label nobody knows: how many there are, and what can be said about them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fairstep/core/error.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/ingest/internal/tally.hpp>

namespace fairstep::internal {

/// Decisions by action, with and without a label.
struct Labels {
  std::array<std::int64_t, kActions> with{}, without{};

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

/// Labels are missing, and nobody said what to do.
[[nodiscard]] Error missing_labels(const Labels& labels, const std::string& column, const std::string& file);

/// P(y=1 | accepted, group, feature) in the order of the tally's own names; an error where nobody was accepted whose
/// label is needed.
[[nodiscard]] Expected<Tensor<double, 2>> label_shares(Tally& tally, const std::string& file);

}  // namespace fairstep::internal
