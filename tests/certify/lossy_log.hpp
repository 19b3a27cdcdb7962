// Logs of people drawn from a model, parts of which an adversary makes unusable, and their counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep::testing {

struct LogRow {
  std::size_t g = 0, h = 0, x = 0, y = 0, a = 0;
  double reward = 0;
};
using Person = std::vector<LogRow>;

/// What of a row cannot be read; then the row is in no count, and charged wherever it may belong.
enum class Loss { none, label, group, row };

/// So many of each group, who all stay.
[[nodiscard]] std::vector<Person> draw_people(const Model& model, const Policy& policy, std::size_t people,
                                              std::uint64_t seed);

/// `adversary` sees a row and a number between 0 and 1, and says what is lost of it.
[[nodiscard]] Counts count(const Model& model, const std::vector<Person>& people,
                           Loss (*adversary)(const LogRow&, double), std::uint64_t seed);

}  // namespace fairstep::testing
