// Which part of the people counts are of, if the people of a log were split in two: a policy is made from the design
// part, in whatever way, and the audit part proves what is claimed about it. docs/logs.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/words.hpp>

namespace fairstep {

enum class PartRole { design, audit };
template <>
inline constexpr auto kWords<PartRole> = words<PartRole>({{PartRole::design, "design"}, {PartRole::audit, "audit"}});

/// How people are split: by a hash of each person's key, never by rows.
struct Split {
  double share = 0.5;      ///< of the people that go to the design part
  std::uint64_t seed = 0;  ///< of the hash

  friend bool operator==(const Split&, const Split&) = default;
};

/// An error unless the share leaves something to both parts.
[[nodiscard]] Expected<void> check(const Split& split);

struct Part {
  PartRole role = PartRole::design;
  Split split{};
  /// What was split: the fingerprint (core/split.hpp) of the design part of each log, sorted. Both parts of a log have
  /// the same.
  std::vector<std::string> logs{};

  friend bool operator==(const Part&, const Part&) = default;
};

/// An error if this is the part of no split.
[[nodiscard]] Expected<void> check(const Part& part);

/// `design part`
[[nodiscard]] std::string name_of(const Part& part);
/// `the design part of a split: 30 % of the people, seed 7`
[[nodiscard]] std::string in_words(const Part& part);

/// The part that both are together; an error unless they are parts of the same kind of the same split, or both of no
/// split at all.
[[nodiscard]] Expected<std::optional<Part>> merge(const std::optional<Part>& ours, const std::optional<Part>& theirs);

}  // namespace fairstep
