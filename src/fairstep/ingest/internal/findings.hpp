// What is not as it should be in a log, by its kind and by what it is about: how many rows, and the first of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <fairstep/core/log_record.hpp>
#include <fairstep/ingest/internal/chunk.hpp>
#include <fairstep/ingest/internal/odd_values.hpp>
#include <fairstep/ingest/internal/roles.hpp>

namespace fairstep::internal {

class Findings {
 public:
  struct Found {
    std::int64_t rows = 0;
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();  ///< place
    OddValues values{};                                               ///< of those rows, where there are any

    template <class Wire>
    void travel(Wire& wire) {
      wire(rows, first, values);
    }
  };

  void note(Anomaly anomaly, Role role, std::uint64_t place) {
    Found& found = at(anomaly, role);
    ++found.rows;
    found.first = std::min(found.first, place);
  }
  void note(const Problem& problem, std::uint64_t place, std::string_view value) {
    const Anomaly anomaly = problem.why == kMissing      ? Anomaly::missing
                            : problem.why == kUnreadable ? Anomaly::unreadable
                            : problem.why == kUnknown    ? Anomaly::unknown
                                                         : Anomaly::out_of_range;
    note(anomaly, problem.role, place);
    if (!value.empty()) at(anomaly, problem.role).values.note(value);
  }

  [[nodiscard]] const Found& operator()(Anomaly anomaly, Role role) const {
    return found_[static_cast<std::size_t>(anomaly)][static_cast<std::size_t>(role)];
  }

  /// Rows of nobody known are in every part of the people: `with_nobody` once.
  void add(const Findings& other, bool with_nobody = true) {
    for (std::size_t i = 0; i < kAnomalies; ++i)
      for (std::size_t j = 0; j < kRoles; ++j) {
        if (!with_nobody && j == static_cast<std::size_t>(Role::person)) continue;
        found_[i][j].rows += other.found_[i][j].rows;
        found_[i][j].first = std::min(found_[i][j].first, other.found_[i][j].first);
        found_[i][j].values.add(other.found_[i][j].values);
      }
  }

  template <class Wire>
  void travel(Wire& wire) {
    wire(found_);
  }

 private:
  [[nodiscard]] Found& at(Anomaly anomaly, Role role) {
    return found_[static_cast<std::size_t>(anomaly)][static_cast<std::size_t>(role)];
  }

  std::array<std::array<Found, kRoles>, kAnomalies> found_{};
};

}  // namespace fairstep::internal
