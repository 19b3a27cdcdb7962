// What the columns of a log are about, how the engine hands them over, and where in the log a row is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace fairstep::internal {

/// How DuckDB hands a column over.
enum class ValueType { absent, integer /* int64 */, integer32, real /* double */, text };

/// The values of a row, in the order in which the queries have them and in which a row is judged.
enum class Role : std::uint8_t { person, step, group, x, a, y, reward, time, weight, row };
inline constexpr std::size_t kRoles = 10;  ///< `row` stands for the row as a whole and comes last
inline constexpr std::array<const char*, kRoles> kRoleNames{"person", "step",   "group", "x",      "a",
                                                            "y",      "reward", "time",  "weight", ""};

/// Row `row` (from 0) of file `file`, as one number that grows along the log.
[[nodiscard]] constexpr std::uint64_t place_of(std::uint64_t file, std::uint64_t row) { return file << 44U | row; }
[[nodiscard]] constexpr std::uint64_t file_of(std::uint64_t place) { return place >> 44U; }
[[nodiscard]] constexpr std::uint64_t row_of(std::uint64_t place) { return place & ((std::uint64_t{1} << 44U) - 1); }

/// A whole number that stands for none.
template <class Integer>
inline constexpr Integer kNoInteger = std::numeric_limits<Integer>::min();

}  // namespace fairstep::internal
