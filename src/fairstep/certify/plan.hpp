// How many more people it takes until a certificate reaches a limit, and which cells hold it back.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/estimate/estimate.hpp>

namespace fairstep {

/// A row of the kernel, or the first state of a group, by what its doubt adds to the group's.
struct RowPlan {
  std::size_t group = 0;
  std::optional<Cell> cell{};  ///< none: the group's first states
  std::int64_t seen = 0;       ///< successors, or people
  std::int64_t more = 0;       ///< so many more, if the plan is possible
  double doubt = 0;            ///< its part of the group's doubt, between 0 and 1: radius times how often it is met
};

/// What a certificate would be about if the people were split in two parts.
struct SplitForecast {
  double share = 0;  ///< of the people, in the design part
  double gap = 0;    ///< the widest certified gap, about: frequencies of both parts are taken as those of the counts
};

struct Plan {
  enum class Outcome {
    reached,     ///< the certificate is there already
    possible,    ///< with `scale` times the people
    too_far,     ///< the estimated gap itself is wider: more data will show it, not mend it
    unseen,      ///< cells that the policy may meet have never been seen, so more of the same data does not help
    left_out,    ///< the share of rows that are left out stands in the way, and more of the same data has the same
    unfinished,  ///< it was stopped; `not_enough` and `enough` are what was settled
  };
  double target = 0;
  Outcome outcome = Outcome::reached;
  double scale = 1;                    ///< of all counts, if possible: about, as frequencies will not stay the same
  std::int64_t not_enough = 0;         ///< the most times the counts that were shown not to reach it; 0 if none was
  std::int64_t enough = 0;             ///< the fewest that were shown to reach it; 0 if none was
  std::vector<std::int64_t> people{};  ///< [g] more of these, if possible; of both parts, if there is a design part
  Periods periods{};                   ///< of the rows; none: they are of all steps
  std::vector<RowPlan> rows{};         ///< those that are met, most doubt first
  /// Of the people counted, if they are not a part already. To choose a share by: for another log than this one, as a
  /// share that was chosen by looking at the people it splits is a choice made on the same data.
  std::vector<SplitForecast> splits{};
};

template <>
inline constexpr auto kWords<Plan::Outcome> = words<Plan::Outcome>({{Plan::Outcome::reached, "reached"},
                                                                    {Plan::Outcome::possible, "possible"},
                                                                    {Plan::Outcome::too_far, "too_far"},
                                                                    {Plan::Outcome::unseen, "unseen"},
                                                                    {Plan::Outcome::left_out, "left_out"},
                                                                    {Plan::Outcome::unfinished, "unfinished"}});

/// Counts are taken times a factor, all frequencies as they are, also those of rows that are left out. `options` as for
/// the certificate, which may be given if it is there already; so is the design part, which grows as the counts do.
/// What the watch stops is unfinished, and no error.
[[nodiscard]] Expected<Plan> plan(const Counts& counts, const Policy& policy, const CertifyOptions& options,
                                  double target, const Watch& watch = {}, const Certificate* known = nullptr,
                                  const Counts* design = nullptr);

}  // namespace fairstep
