#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/environments/internal/building_blocks.hpp>

namespace fairstep {
namespace {

constexpr std::size_t kFeatures = 5;

/// D of the appendix, [x][x1]: p(x1 | x), whatever the group and the label.
constexpr std::array<std::array<double, kFeatures>, kFeatures> kD{{
    {0.30, 0.25, 0.20, 0.15, 0.10},
    {0.22, 0.26, 0.22, 0.17, 0.13},
    {0.17, 0.21, 0.24, 0.21, 0.17},
    {0.13, 0.17, 0.22, 0.26, 0.22},
    {0.10, 0.15, 0.20, 0.25, 0.30},
}};

/// [a][y1]: p(y1 | y,a), the same for both y.
constexpr std::array<std::array<double, kLabels>, kActions> kNextLabel{{{0.6, 0.4}, {0.4, 0.6}}};

void fill_group(std::size_t g, double qualified, ModelSpec& spec) {
  for (std::size_t x = 0; x < kFeatures; ++x) {
    spec.initial(g, x, 0) = 0.2 * (1 - qualified);
    spec.initial(g, x, 1) = 0.2 * qualified;
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a)
        for (std::size_t x1 = 0; x1 < kFeatures; ++x1)
          for (std::size_t y1 = 0; y1 < kLabels; ++y1)
            spec.transition(g, x, y, a, x1, y1) = kD[x][x1] * kNextLabel[a][y1];
  }
}

/// The option, or the paper's two values and 0.5 for further groups.
std::vector<double> given_or(const std::vector<double>& given, std::size_t groups, double first, double second) {
  if (!given.empty()) return given;
  std::vector<double> result(groups, 0.5);
  result[0] = first;
  result[1] = second;
  return result;
}

}  // namespace

Expected<Model> make_synthetic(const SyntheticOptions& options) {
  auto spec = building_blocks::blank_spec(options.groups, {"0", "1", "2", "3", "4"}, options.horizon, options.discount);
  if (!spec) return tl::unexpected(spec.error());
  const std::size_t groups = options.groups.size();

  spec->description =
      fmt::format("synthetic: {}, horizon {}, kernel D", fmt::join(options.groups, ", "), options.horizon);
  const std::vector<double> qualified = given_or(options.qualified, groups, 0.5, 0.5);
  if (auto ok = building_blocks::check_probabilities("qualified", qualified, options.groups); !ok)
    return tl::unexpected(ok.error());
  if (!options.share.empty()) spec->share = options.share;
  if (auto ok = building_blocks::check_distribution({"share"}, spec->share, options.groups); !ok)
    return tl::unexpected(ok.error());
  const building_blocks::ScoreRewards rewards{given_or(options.gain, groups, 0.1, 0.9),
                                              given_or(options.loss, groups, 0.9, 0.1), options.score};
  if (auto ok = building_blocks::fill_rewards(rewards, *spec); !ok) return tl::unexpected(ok.error());
  for (std::size_t g = 0; g < groups; ++g) fill_group(g, qualified[g], *spec);
  return Model::make(std::move(*spec));
}

}  // namespace fairstep
