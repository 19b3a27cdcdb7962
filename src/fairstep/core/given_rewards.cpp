#include <fairstep/core/given_rewards.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/quantity.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/core/suggest.hpp>

namespace fairstep {
namespace {

/// `y1a1`, without the number; none if it is no such name.
std::optional<RewardEntry> cell_named(std::string_view name) {
  const auto bit = [](char c) -> std::optional<std::size_t> {
    if (c != '0' && c != '1') return std::nullopt;
    return static_cast<std::size_t>(c - '0');
  };
  if (name.size() != 4 || name[0] != 'y' || name[2] != 'a' || !bit(name[1]) || !bit(name[3])) return std::nullopt;
  return RewardEntry{std::nullopt, std::nullopt, bit(name[1]), bit(name[3]), 0};
}

std::string name_of_cell(std::size_t y, std::size_t a) { return fmt::format("y{}a{}", y, a); }

/// The places of an axis that an entry is about: one, or all.
struct Places {
  std::size_t first = 0, end = 0;

  static Places of(const std::optional<std::size_t>& chosen, std::size_t size) {
    return chosen ? Places{*chosen, *chosen + 1} : Places{0, size};
  }
};

/// The place of a name, if one is named.
Expected<std::optional<std::size_t>> place_of(const std::optional<std::string>& name,
                                              const std::vector<std::string>& known, std::size_t entry,
                                              const char* key) {
  if (!name) return std::optional<std::size_t>();
  const auto found = std::find(known.begin(), known.end(), *name);
  if (found != known.end()) return std::optional(static_cast<std::size_t>(found - known.begin()));
  std::string hint = did_you_mean(*name, std::vector<std::string_view>(known.begin(), known.end()));
  if (hint.empty()) hint = fmt::format("they have {}", fmt::join(known, ", "));
  return fail(fmt::format("rewards[{}].{} is \"{}\", which the counts do not have", entry, key, *name),
              fmt::format("/rewards/{}/{}", entry, key), hint);
}

/// Fills the cells that an entry is about; `named` has the number of the entry that each cell was filled by.
Expected<void> fill(const RewardEntry& entry, std::size_t number, const Names& names, Tensor<double, 4>& reward,
                    Tensor<std::size_t, 4>& named) {
  const auto at = [number](const char* key) { return fmt::format("/rewards/{}/{}", number, key); };
  const auto group = place_of(entry.group, names.groups, number, "group");
  if (!group) return tl::unexpected(group.error());
  const auto feature = place_of(entry.feature, names.features, number, "x");
  if (!feature) return tl::unexpected(feature.error());
  for (const auto& [key, value] : {std::pair{"y", entry.label}, {"a", entry.action}})
    if (value && *value > 1)
      return fail(fmt::format("rewards[{}].{} is {}, expected 0 or 1", number, key, *value), at(key));
  if (!(std::abs(entry.reward) <= kLargestReward))
    return fail(
        fmt::format("rewards[{}].reward is {}, expected a number between -1e100 and 1e100", number, entry.reward),
        at("reward"));
  const auto [g0, g1] = Places::of(*group, names.groups.size());
  const auto [x0, x1] = Places::of(*feature, names.features.size());
  const auto [y0, y1] = Places::of(entry.label, kLabels);
  const auto [a0, a1] = Places::of(entry.action, kActions);
  for (std::size_t g = g0; g < g1; ++g)
    for (std::size_t x = x0; x < x1; ++x)
      for (std::size_t y = y0; y < y1; ++y)
        for (std::size_t a = a0; a < a1; ++a) {
          if (named(g, x, y, a) != 0)
            return fail(fmt::format("rewards[{}] and rewards[{}] both name group {}, x {}, y {}, a {}, expected each "
                                    "cell once",
                                    named(g, x, y, a) - 1, number, names.groups[g], names.features[x], y, a),
                        fmt::format("/rewards/{}", number));
          named(g, x, y, a) = number + 1;
          reward(g, x, y, a) = entry.reward;
        }
  return {};
}

}  // namespace

Expected<GivenRewards> rewards_from(std::string_view text) {
  GivenRewards given;
  given.elsewhere = 0;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string_view part = text.substr(from, comma - from);
    const std::size_t equals = part.find('=');
    auto entry = cell_named(part.substr(0, equals));
    const auto number = equals == std::string_view::npos ? std::nullopt : parse_number(part.substr(equals + 1));
    if (!entry || !number)
      return fail_option("reward", fmt::format(" has \"{}\", expected label, decision and number: y1a1=1", part), {},
                         "as in y1a1=1,y0a1=-4: what accepting (a1) the qualified (y1) and the others earns; or the "
                         "name of a file, for rewards by group and feature");
    entry->reward = *number;
    if (std::any_of(given.entries.begin(), given.entries.end(), [&](const RewardEntry& other) {
          return other.label == entry->label && other.action == entry->action;
        }))
      return fail_option("reward", fmt::format(" names {} twice, expected it once", part.substr(0, equals)));
    if (!(std::abs(entry->reward) <= kLargestReward))
      return fail_option("reward", fmt::format(" has \"{}\", expected a number between -1e100 and 1e100", part));
    given.entries.push_back(std::move(*entry));
    from = comma + 1;
  }
  return given;
}

Expected<Tensor<double, 4>> rewards_by_cell(const GivenRewards& given, const Names& names) {
  const Shape n{names.groups.size(), 1, names.features.size()};
  Tensor<double, 4> reward(extents_of(kCellAxes, n), given.elsewhere.value_or(0));
  Tensor<std::size_t, 4> named(extents_of(kCellAxes, n));  // the number of the entry, and 1
  if (given.elsewhere && !(std::abs(*given.elsewhere) <= kLargestReward))
    return fail(fmt::format("elsewhere is {}, expected a number between -1e100 and 1e100", *given.elsewhere),
                "/elsewhere");
  for (std::size_t i = 0; i < given.entries.size(); ++i)
    if (auto ok = fill(given.entries[i], i, names, reward, named); !ok) return tl::unexpected(ok.error());
  if (given.elsewhere) return reward;
  const auto numbers = named.flat();
  const auto missing = static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), 0) - numbers.begin());
  if (missing == numbers.size()) return reward;
  const std::vector<std::size_t> cell = internal::unflatten(missing, named.extents());  // [g,x,y,a]
  return fail(fmt::format("no reward is given for group {}, x {}, y {}, a {} (of {} cells, {} have none), expected one "
                          "for every cell",
                          names.groups[cell[0]], names.features[cell[1]], cell[2], cell[3], numbers.size(),
                          std::count(numbers.begin(), numbers.end(), 0)),
              "/rewards", "\"elsewhere\": 0 is for all cells that are not named");
}

std::string not_named(const GivenRewards& given) {
  std::vector<std::string> missing;
  for (std::size_t y = 0; y < kLabels; ++y)
    for (std::size_t a = 0; a < kActions; ++a)
      if (std::none_of(given.entries.begin(), given.entries.end(), [&](const RewardEntry& entry) {
            return entry.label.value_or(y) == y && entry.action.value_or(a) == a;
          }))
        missing.push_back(name_of_cell(y, a));
  if (missing.size() < 2) return missing.empty() ? std::string() : missing.front();
  const std::string last = missing.back();
  missing.pop_back();
  return fmt::format("{} and {}", fmt::join(missing, ", "), last);
}

}  // namespace fairstep
