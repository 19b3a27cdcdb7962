#include <fairstep/core/same_people.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace fairstep {
namespace {

/// What the record of a log that was in memory has in place of a file's name.
constexpr std::string_view kFrame = "frame";

bool has_anybody(const Counts& counts) {
  const auto visits = counts.visits().flat();
  return std::any_of(visits.begin(), visits.end(), [](std::int64_t n) { return n > 0; });
}

bool have_same_tables(const Counts& a, const Counts& b) {
  return a.first() == b.first() && a.visits() == b.visits() && a.transitions() == b.transitions() &&
         a.reward_sum() == b.reward_sum() && a.reward_squares() == b.reward_squares();
}

}  // namespace

Expected<void> check_different_people(const Counts& ours, const Counts& theirs) {
  if (!has_anybody(theirs)) return {};
  if (!merge(ours.part(), theirs.part())) return {};  // they cannot be added, whoever they are of
  if (have_same_tables(ours, theirs))
    return fail("the counts are the same to the last number as those added to: these people would be counted twice");
  if (ours.part() && theirs.part())
    for (std::size_t i = 0; i < theirs.part()->logs.size(); ++i)
      if (std::binary_search(ours.part()->logs.begin(), ours.part()->logs.end(), theirs.part()->logs[i]))
        return fail("a part of this log is in the counts added to as well: its people would be counted twice",
                    fmt::format("/part/logs/{}", i));
  if (!ours.log() || !theirs.log()) return {};
  const auto& files = theirs.log()->files;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i] != kFrame &&
        std::find(ours.log()->files.begin(), ours.log()->files.end(), files[i]) != ours.log()->files.end())
      return fail(
          fmt::format("the log {} is in the counts added to as well: its people would be counted twice", files[i]),
          fmt::format("/log/files/{}", i));
  return {};
}

}  // namespace fairstep
