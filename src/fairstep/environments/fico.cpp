#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/environments/internal/building_blocks.hpp>

#include "fico_table.hpp"

namespace fairstep {
namespace {

constexpr std::size_t kLevels = 5;
// The columns of the data, in their order.
constexpr std::array<std::string_view, fico::kGroups> kGroupNames{"white", "black", "hispanic", "asian"};
// The paper has them for white and black only; the others get what treats a gain and a loss alike.
constexpr std::array<double, fico::kGroups> kGain{0.1, 0.9, 0.5, 0.5};
constexpr std::array<double, fico::kGroups> kLoss{0.9, 0.1, 0.5, 0.5};

constexpr std::size_t kHalfPoints = 200;  ///< from the lowest score to the highest

/// The nearest of so many levels, spread evenly over the scores; a score halfway goes up.
constexpr std::size_t level_of(int half_points, std::size_t levels) {
  return (static_cast<std::size_t>(half_points) * (levels - 1) + kHalfPoints / 2) / kHalfPoints;
}

/// A group's people at one level, all in whole numbers: nothing is rounded before the last division.
struct Level {
  std::int64_t people = 0;     ///< hundredths of a percent of the group
  std::int64_t qualified = 0;  ///< those who do not default, in 1/10000 of the unit of `people`
};

constexpr std::int64_t kWhole = 10000;  ///< hundredths of a percent

constexpr void add_people(std::size_t column, std::span<Level> levels) {
  std::int64_t below = 0;
  for (const fico::Row& row : fico::kRows) {
    const std::int64_t people = row.at_most[column] - below;
    Level& level = levels[level_of(row.half_points, levels.size())];
    level.people += people;
    level.qualified += people * (kWhole - row.defaulted[column]);
    below = row.at_most[column];
  }
}

constexpr std::array<Level, kLevels> levels_of(std::size_t column) {
  std::array<Level, kLevels> levels{};
  add_people(column, levels);
  return levels;
}

/// What the arithmetic above rests on: scores and shares rise to 100, and nobody's level is empty.
constexpr bool table_is_sound() {
  for (std::size_t column = 0; column < fico::kGroups; ++column) {
    std::int64_t below = 0;
    int score = -1;
    for (const fico::Row& row : fico::kRows) {
      if (row.half_points <= score || row.at_most[column] < below) return false;
      if (row.defaulted[column] < 0 || row.defaulted[column] > kWhole) return false;
      score = row.half_points;
      below = row.at_most[column];
    }
    if (score != kHalfPoints || below != kWhole) return false;
    for (const Level& level : levels_of(column))
      if (level.people == 0) return false;
  }
  return true;
}
static_assert(table_is_sound(), "data/fico is not what it was: look at it before using it");

using KernelRows = std::array<std::array<double, kLevels>, kLevels>;  // [x][x1]

/// G of the appendix, [y][a][x][x1]: p(x1 | x,y,a), the same for every group.
constexpr std::array<std::array<KernelRows, kActions>, kLabels> kG{{
    {{
        {{{0.38, 0.24, 0.19, 0.13, 0.06},
          {0.25, 0.30, 0.20, 0.15, 0.10},
          {0.18, 0.23, 0.27, 0.18, 0.14},
          {0.14, 0.18, 0.23, 0.27, 0.18},
          {0.10, 0.15, 0.20, 0.25, 0.30}}},  // y = 0, refused
        {{{0.30, 0.25, 0.20, 0.15, 0.10},
          {0.18, 0.27, 0.23, 0.18, 0.14},
          {0.14, 0.18, 0.27, 0.23, 0.18},
          {0.10, 0.15, 0.20, 0.30, 0.25},
          {0.10, 0.15, 0.20, 0.25, 0.30}}},  // y = 0, accepted
    }},
    {{
        {{{0.38, 0.24, 0.19, 0.13, 0.06},
          {0.25, 0.30, 0.20, 0.15, 0.10},
          {0.18, 0.23, 0.27, 0.18, 0.14},
          {0.14, 0.18, 0.23, 0.27, 0.18},
          {0.10, 0.15, 0.20, 0.25, 0.30}}},  // y = 1, refused
        {{{0.30, 0.25, 0.20, 0.15, 0.10},
          {0.18, 0.27, 0.23, 0.18, 0.14},
          {0.14, 0.18, 0.27, 0.23, 0.18},
          {0.10, 0.15, 0.20, 0.30, 0.25},
          {0.06, 0.13, 0.19, 0.24, 0.38}}},  // y = 1, accepted
    }},
}};

/// The data's columns of the groups asked for.
Expected<std::vector<std::size_t>> columns_of(const std::vector<std::string>& groups) {
  if (groups.size() < 2 || groups.size() > kGroupNames.size())
    return fail_option("groups",
                       fmt::format(" has {}, expected 2 to 4 of {}", groups.size(), fmt::join(kGroupNames, ", ")));
  std::vector<std::size_t> columns;
  for (const std::string& group : groups) {
    const auto* const found = std::find(kGroupNames.begin(), kGroupNames.end(), group);
    if (found == kGroupNames.end())
      return fail_option("groups",
                         fmt::format(" has \"{}\", expected 2 to 4 of {}", group, fmt::join(kGroupNames, ", ")), {},
                         did_you_mean(group, kGroupNames));
    const auto column = static_cast<std::size_t>(found - kGroupNames.begin());
    if (std::find(columns.begin(), columns.end(), column) != columns.end())
      return fail_option("groups", fmt::format(" has \"{}\" twice, expected different groups", group));
    columns.push_back(column);
  }
  return columns;
}

/// The option, or the defaults of the columns in use.
std::vector<double> given_or(const std::vector<double>& given, const std::vector<std::size_t>& columns,
                             const std::array<double, fico::kGroups>& defaults) {
  if (!given.empty()) return given;
  std::vector<double> result;
  for (const std::size_t column : columns) result.push_back(defaults[column]);
  return result;
}

std::vector<double> shares_of(const std::vector<std::size_t>& columns) {
  std::int64_t all = 0;
  for (const std::size_t column : columns) all += fico::kPeople[column];
  std::vector<double> share;
  for (const std::size_t column : columns)
    share.push_back(static_cast<double>(fico::kPeople[column]) / static_cast<double>(all));
  return share;
}

void fill_group(std::size_t g, const std::array<Level, kLevels>& levels, ModelSpec& spec) {
  std::array<std::array<double, kLabels>, kLevels> label{};  // [x][y] P(y | x)
  for (std::size_t x = 0; x < kLevels; ++x) {
    const std::int64_t all = levels[x].people * kWhole;
    const std::array<std::int64_t, kLabels> by_label{all - levels[x].qualified, levels[x].qualified};
    for (std::size_t y = 0; y < kLabels; ++y) {
      label[x][y] = static_cast<double>(by_label[y]) / static_cast<double>(all);
      spec.initial(g, x, y) = static_cast<double>(by_label[y]) / static_cast<double>(kWhole * kWhole);
    }
  }
  for (std::size_t x = 0; x < kLevels; ++x)
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a)
        for (std::size_t x1 = 0; x1 < kLevels; ++x1)
          for (std::size_t y1 = 0; y1 < kLabels; ++y1)
            spec.transition(g, x, y, a, x1, y1) = kG[y][a][x][x1] * label[x1][y1];
}

/// P(y=1) at a score, in half points, by the curve of the data: a line between neighbouring scores.
double qualified_at(std::size_t column, double half_points) {
  const auto* const above = std::find_if(fico::kRows.begin() + 1, fico::kRows.end() - 1,
                                         [&](const fico::Row& row) { return row.half_points >= half_points; });
  const auto* const below = above - 1;
  const double up = (half_points - below->half_points) / (above->half_points - below->half_points);
  const double defaulted =
      (1 - up) * static_cast<double>(below->defaulted[column]) + up * static_cast<double>(above->defaulted[column]);
  return 1 - defaulted / static_cast<double>(kWhole);
}

/// Points that a score moves after a loan; the bands are 100 / (bands - 1) points apart.
constexpr int kRepaid = 10, kDefaulted = -20;

/// Where a score goes from band x: a band, and the next one with probability `up`, so that on average it is `points`
/// away; no further than the ends of the scale.
struct Move {
  std::size_t band;
  double up;
};
Move move_by(int points, std::size_t x, std::size_t bands) {
  const auto gaps = static_cast<std::int64_t>(bands - 1);
  const std::int64_t hundredths =
      std::clamp(100 * static_cast<std::int64_t>(x) + points * gaps, std::int64_t{0}, 100 * gaps);
  return {static_cast<std::size_t>(hundredths / 100), static_cast<double>(hundredths % 100) / 100};
}

void fill_banded_group(std::size_t g, std::size_t column, ModelSpec& spec) {
  const std::size_t bands = spec.names.features.size();
  std::vector<Level> levels(bands);
  add_people(column, levels);
  std::vector<std::array<double, kLabels>> label(bands);  // [x][y] P(y | x)
  for (std::size_t x = 0; x < bands; ++x) {
    const auto all = static_cast<double>(levels[x].people * kWhole);
    const auto qualified = static_cast<double>(levels[x].qualified);
    const double here = all > 0 ? qualified / all
                                : qualified_at(column, static_cast<double>(kHalfPoints * x) /
                                                           static_cast<double>(bands - 1));  // nobody is there
    label[x] = {1 - here, here};
    for (std::size_t y = 0; y < kLabels; ++y)
      spec.initial(g, x, y) = (y == 1 ? qualified : all - qualified) / static_cast<double>(kWhole * kWhole);
  }
  const auto arrive = [&](std::size_t x, std::size_t y, std::size_t a, const Move& to) {
    for (std::size_t y1 = 0; y1 < kLabels; ++y1) {
      spec.transition(g, x, y, a, to.band, y1) = (1 - to.up) * label[to.band][y1];
      if (to.up > 0) spec.transition(g, x, y, a, to.band + 1, y1) = to.up * label[to.band + 1][y1];
    }
  };
  for (std::size_t x = 0; x < bands; ++x)
    for (std::size_t y = 0; y < kLabels; ++y) {
      arrive(x, y, 0, {x, 0});
      arrive(x, y, 1, move_by(y == 1 ? kRepaid : kDefaulted, x, bands));
    }
}

/// The scores of so many levels, to two decimals.
std::vector<std::string> names_of(std::size_t levels) {
  std::vector<std::string> names;
  for (std::size_t x = 0; x < levels; ++x)
    names.push_back(
        fmt::format("{}", std::round(1e4 * static_cast<double>(x) / static_cast<double>(levels - 1)) / 100));
  return names;
}

/// The paper's rewards; where there are bands, a loan of the same size for everybody.
building_blocks::ScoreRewards rewards_of(const FicoOptions& options, const std::vector<std::size_t>& columns) {
  const auto everywhere = [](const std::vector<double>& given, std::size_t length, double usual) {
    return given.empty() ? std::vector<double>(length, usual) : given;
  };
  if (options.bands > 0)
    return {everywhere(options.gain, columns.size(), 1), everywhere(options.loss, columns.size(), 3),
            everywhere(options.score, options.bands, 1)};
  return {given_or(options.gain, columns, kGain), given_or(options.loss, columns, kLoss),
          options.score.empty() ? std::vector<double>{0, 0.25, 0.5, 0.75, 1} : options.score};
}

}  // namespace

Expected<Model> make_fico(const FicoOptions& options) {
  const auto columns = columns_of(options.groups);
  if (!columns) return tl::unexpected(columns.error());
  if (options.bands == 1 || options.bands > kHalfPoints + 1)
    return fail_option("bands", fmt::format(" is {}, expected 2 to {}, or 0 for the paper's five levels", options.bands,
                                            kHalfPoints + 1));
  const bool banded = options.bands > 0;
  auto spec = building_blocks::blank_spec(options.groups, names_of(banded ? options.bands : kLevels), options.horizon,
                                          options.discount);
  if (!spec) return tl::unexpected(spec.error());

  spec->description = fmt::format("FICO scores of {}, horizon {}, {}", fmt::join(options.groups, ", "), options.horizon,
                                  banded ? fmt::format("{} bands", options.bands) : "kernel G");
  spec->share = options.share.empty() ? shares_of(*columns) : options.share;
  if (auto ok = building_blocks::check_distribution({"share"}, spec->share, options.groups); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = building_blocks::fill_rewards(rewards_of(options, *columns), *spec); !ok)
    return tl::unexpected(ok.error());
  for (std::size_t g = 0; g < columns->size(); ++g) {
    if (banded)
      fill_banded_group(g, (*columns)[g], *spec);
    else
      fill_group(g, levels_of((*columns)[g]), *spec);
  }
  return Model::make(std::move(*spec));
}

}  // namespace fairstep
