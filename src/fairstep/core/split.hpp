// People split into a design part and an audit part: who goes where, and what the two parts of a log have in common.
//
// Person p goes to the design part if SipHash-2-4 of p, under a key made of the seed, is below share * 2^64. Nothing
// else about a person or a log has a say in it: docs/logs.md has the definition, and numbers to test one's own against.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/core/siphash.hpp>

namespace fairstep {

class Splitter {
 public:
  /// The split must be one that `check` takes.
  explicit Splitter(const Split& split);

  [[nodiscard]] PartRole role_of(std::string_view person) const {
    return siphash(person, key_) < design_below_ ? PartRole::design : PartRole::audit;
  }
  /// A number is hashed as its decimal digits.
  [[nodiscard]] PartRole role_of(std::int64_t person) const;

 private:
  SipKey key_;
  std::uint64_t design_below_;
};

/// SHA-256 of what the design part says in its tables: equal for whoever counts the same people, in whatever order and
/// out of whatever files. Decisions without a label are tables too; the rest of the record of the log, the history and
/// the part itself are left out.
[[nodiscard]] std::string fingerprint(const Counts& design);

struct SplitCounts {
  Counts design, audit;
};

/// Why there cannot be such a part.
[[nodiscard]] tl::unexpected<Error> nobody_in_part(PartRole role);

/// Counts of either part, which have the same names and steps, learn what they are. An error if nobody is in a part.
[[nodiscard]] Expected<void> mark_parts(const Split& split, Counts& design, Counts& audit);

/// An error unless these are the two parts of one split of the same logs, the design part first, with the tables that
/// it had then (of a sum of several logs that cannot be seen). Of an Error, `input` is "design" or "audit".
[[nodiscard]] Expected<void> check_counterparts(const Counts& design, const Counts& audit);

}  // namespace fairstep
