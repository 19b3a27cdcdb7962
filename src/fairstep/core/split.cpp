#include <fairstep/core/split.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/sha256.hpp>

namespace fairstep {
namespace {

/// The second half of every key, so that nothing else is hashed under the same one: the bytes `fairstep`.
constexpr std::uint64_t kPurpose = 0x7065747372696166U;

/// Nobody's hash is at or above it and below share * 2^64. The product is exact: only the exponent changes.
std::uint64_t threshold(double share) { return static_cast<std::uint64_t>(std::ceil(std::ldexp(share, 64))); }

/// Names have no control characters in them.
std::string line_of(const std::vector<std::string>& names) { return fmt::format("{}\n", fmt::join(names, "\t")); }

std::string line_of(std::span<const std::int64_t> table) { return fmt::format("{}\n", fmt::join(table, ",")); }

/// The bits of each number in base 16: a text on which everybody agrees. There is one zero.
std::string line_of(std::span<const double> table) {
  std::string line;
  for (const double number : table)
    fmt::format_to(std::back_inserter(line), "{}{:016x}", line.empty() ? "" : ",",
                   std::bit_cast<std::uint64_t>(number + 0.0));
  return line + '\n';
}

bool has_nobody(const Counts& counts) {
  const auto visits = counts.visits().flat();
  return std::all_of(visits.begin(), visits.end(), [](std::int64_t n) { return n == 0; }) &&
         (!counts.log() || counts.log()->unlabelled.empty());
}

Expected<void> check_role(const Counts& counts, PartRole role, std::string_view input) {
  if (counts.part() && counts.part()->role == role) return {};
  const std::string found =
      counts.part() ? fmt::format("the {} of a split", name_of(*counts.part())) : "those of all people of a log";
  return tl::unexpected(in_input(
      input, fail(fmt::format("these counts are {}, expected the {} part of a split", found, name_of(role)), "/part")
                 .value()));
}

}  // namespace

Splitter::Splitter(const Split& split) : key_{split.seed, kPurpose}, design_below_(threshold(split.share)) {}

PartRole Splitter::role_of(std::int64_t person) const {
  std::array<char, 20> digits{};  // of -2^63
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), person);
  return role_of(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

std::string fingerprint(const Counts& design) {
  std::string text = fmt::format("{}\n", design.horizon());
  for (const auto* names :
       {&design.names().groups, &design.names().features, &design.names().labels, &design.names().actions})
    text += line_of(*names);
  if (!design.periods().pooled()) {
    std::vector<std::string> names;
    std::vector<std::int64_t> steps;
    for (const Period& period : design.periods().list) {
      names.push_back(period.name);
      steps.push_back(static_cast<std::int64_t>(period.first_step));
    }
    text += line_of(names);
    text += line_of(std::span<const std::int64_t>(steps));
  }
  text += line_of(design.first().flat());
  text += line_of(design.visits().flat());
  text += line_of(design.periods().pooled() ? design.transitions().flat() : design.spec().by_period.flat());
  text += line_of(design.reward_sum().flat());
  text += line_of(design.reward_squares().flat());
  if (design.log() && design.log()->unlabelled_rows) {  // a policy can be made from these as well
    text += line_of(design.log()->unlabelled.flat());
    text += line_of(design.log()->unlabelled_rows->first.flat());
    text += line_of(design.log()->unlabelled_rows->transitions.flat());
  }
  return sha256(text);
}

tl::unexpected<Error> nobody_in_part(PartRole role) {
  return about("split", fail(fmt::format("nobody is in the {} part of the split", name_of(role)), {},
                             "there are too few people for this share: take another one, or do not split"));
}

Expected<void> mark_parts(const Split& split, Counts& design, Counts& audit) {
  if (auto ok = check(split); !ok) return ok;
  const std::string log = fingerprint(design);
  if (auto ok = design.mark(Part{PartRole::design, split, {log}}); !ok) return ok;
  if (auto ok = audit.mark(Part{PartRole::audit, split, {log}}); !ok) return ok;
  for (const Counts* counts : {&design, &audit})
    if (has_nobody(*counts)) return nobody_in_part(counts->part()->role);
  return {};
}

Expected<void> check_counterparts(const Counts& design, const Counts& audit) {
  if (auto ok = check_role(design, PartRole::design, "design"); !ok) return ok;
  if (auto ok = check_role(audit, PartRole::audit, "audit"); !ok) return ok;
  const auto differ = [](const char* key, const std::string& found, const std::string& expected) {
    return tl::unexpected(in_input(
        "audit",
        fail(fmt::format("part.{} is {}, expected {} as in the design part: these are not the two parts of one split",
                         key, found, expected),
             fmt::format("/part/{}", key))
            .value()));
  };
  const Part& one = *design.part();
  const Part& other = *audit.part();
  if (one.split.share != other.split.share)
    return differ("share", fmt::format("{}", other.split.share), fmt::format("{}", one.split.share));
  if (one.split.seed != other.split.seed)
    return differ("seed", fmt::format("{}", other.split.seed), fmt::format("{}", one.split.seed));
  if (one.logs != other.logs)
    return differ("logs", fmt::format("{}", fmt::join(other.logs, ", ")), fmt::format("{}", fmt::join(one.logs, ", ")));
  if (one.logs.size() > 1) return {};  // a sum: the fingerprints are of its terms
  if (const std::string expected = fingerprint(design); one.logs.front() != expected)
    return tl::unexpected(in_input(
        "design",
        fail(fmt::format("part.logs[0] is {}, expected {}, the fingerprint of these tables: they are not those that "
                         "the audit part was split from",
                         one.logs.front(), expected),
             "/part/logs/0", "take the file as it was written when the people were split")
            .value()));
  return {};
}

}  // namespace fairstep
