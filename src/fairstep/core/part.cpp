#include <fairstep/core/part.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace fairstep {
namespace {

constexpr std::string_view kAddedTo = "as in the counts added to";

bool is_fingerprint(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

Expected<void> check(const Split& split) {
  if (split.share > 0 && split.share < 1) return {};
  return fail_option("split", fmt::format(" is {}, expected a share of the people above 0 and below 1", split.share));
}

Expected<void> check(const Part& part) {
  if (!(part.split.share > 0 && part.split.share < 1))
    return fail(fmt::format("part.share is {}, expected a number above 0 and below 1", part.split.share),
                "/part/share");
  if (part.logs.empty()) return fail("part.logs is empty, expected the fingerprint of a log", "/part/logs");
  for (std::size_t i = 0; i < part.logs.size(); ++i) {
    const std::string pointer = fmt::format("/part/logs/{}", i);
    if (!is_fingerprint(part.logs[i]))
      return fail(fmt::format("part.logs[{}] is \"{}\", expected 64 digits of base 16", i, part.logs[i]), pointer);
    if (i > 0 && part.logs[i] < part.logs[i - 1])
      return fail(fmt::format("part.logs[{}] comes before part.logs[{}], expected them sorted", i, i - 1), pointer);
  }
  return {};
}

std::string name_of(const Part& part) { return fmt::format("{} part", name_of(part.role)); }

std::string in_words(const Part& part) {
  const double share = part.role == PartRole::design ? part.split.share : 1 - part.split.share;
  std::string text =
      fmt::format("the {} of a split: {:.6g} % of the people, seed {}", name_of(part), 100 * share, part.split.seed);
  if (part.logs.size() > 1) text += fmt::format(", of {} logs", part.logs.size());
  return text;
}

Expected<std::optional<Part>> merge(const std::optional<Part>& ours, const std::optional<Part>& theirs) {
  if (!ours && !theirs) return std::nullopt;
  if (!ours)
    return fail(
        fmt::format("these counts are the {} of a split, expected counts of all people {}", name_of(*theirs), kAddedTo),
        "/part");
  if (!theirs)
    return fail(
        fmt::format("these counts are of all people of a log, expected the {} of a split {}", name_of(*ours), kAddedTo),
        "/part");
  if (ours->role != theirs->role)
    return fail(fmt::format("these counts are the {} of a split, expected the {} {}: one part proves what is made from "
                            "the other, and the sum would be good for neither",
                            name_of(*theirs), name_of(*ours), kAddedTo),
                "/part/role");
  if (ours->split.share != theirs->split.share)
    return fail(fmt::format("part.share is {}, expected {} {}", theirs->split.share, ours->split.share, kAddedTo),
                "/part/share");
  if (ours->split.seed != theirs->split.seed)
    return fail(fmt::format("part.seed is {}, expected {} {}", theirs->split.seed, ours->split.seed, kAddedTo),
                "/part/seed");
  Part both = *ours;
  both.logs.insert(both.logs.end(), theirs->logs.begin(), theirs->logs.end());
  std::sort(both.logs.begin(), both.logs.end());
  return both;
}

}  // namespace fairstep
