#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/environments/internal/building_blocks.hpp>

namespace fairstep {
namespace {

/// P(y | x) of a score.
std::array<double, kLabels> labels(double repay) { return {1 - repay, repay}; }

/// From every score: `move` of those with a decided loan go one up or down, and all draw a label for where they are.
void fill_group(std::size_t g, const LendingOptions& options, ModelSpec& spec) {
  const std::size_t scores = options.repay.size();
  const auto arrive = [&](std::size_t x, std::size_t y, std::size_t a, std::size_t x1, double mass) {
    for (std::size_t y1 = 0; y1 < kLabels; ++y1)
      spec.transition(g, x, y, a, x1, y1) += mass * labels(options.repay[x1])[y1];
  };
  for (std::size_t x = 0; x < scores; ++x) {
    const std::size_t down = x == 0 ? 0 : x - 1;
    const std::size_t up = x + 1 == scores ? x : x + 1;
    for (std::size_t y = 0; y < kLabels; ++y) {
      spec.initial(g, x, y) = options.scores[g][x] * labels(options.repay[x])[y];
      const std::size_t moved = y == 1 ? up : down;
      arrive(x, y, 0, x, 1);
      if (moved == x) {
        arrive(x, y, 1, x, 1);
      } else {
        arrive(x, y, 1, x, 1 - options.move);
        arrive(x, y, 1, moved, options.move);
      }
    }
    spec.reward(g, x, 0, 1) = -1;
    spec.reward(g, x, 1, 1) = options.interest;
  }
}

}  // namespace

Expected<Model> make_lending(const LendingOptions& options) {
  std::vector<std::string> features;
  for (std::size_t x = 0; x < options.repay.size(); ++x) features.push_back(std::to_string(x));
  if (features.empty()) return fail_option("repay", " has 0 entries, expected one for each score");
  if (auto ok = building_blocks::check_probabilities("repay", options.repay, features); !ok)
    return tl::unexpected(ok.error());
  if (options.scores.size() != options.groups.size())
    return fail_option("scores", fmt::format(" has {} rows, expected {} (one for each of {})", options.scores.size(),
                                             options.groups.size(), fmt::join(options.groups, ", ")));
  for (std::size_t g = 0; g < options.groups.size(); ++g)
    if (auto ok = building_blocks::check_distribution({"scores", fmt::format("[{}]", options.groups[g])},
                                                      options.scores[g], features);
        !ok)
      return tl::unexpected(ok.error());
  if (!(options.interest >= 0 && options.interest <= kLargestReward))
    return fail_option("interest", fmt::format(" is {}, expected a number from 0 to 1e100", options.interest));
  if (!(options.move >= 0 && options.move <= 1))
    return fail_option("move", fmt::format(" is {}, expected a probability between 0 and 1", options.move));

  auto spec = building_blocks::blank_spec(options.groups, features, options.horizon, options.discount);
  if (!spec) return tl::unexpected(spec.error());
  spec->description = fmt::format("credit lending, {} scores, horizon {}, interest {}, move {}", features.size(),
                                  options.horizon, options.interest, options.move);
  spec->names.labels = {"defaults", "repays"};
  if (!options.share.empty()) spec->share = options.share;
  if (auto ok = building_blocks::check_distribution({"share"}, spec->share, options.groups); !ok)
    return tl::unexpected(ok.error());
  for (std::size_t g = 0; g < options.groups.size(); ++g) fill_group(g, options, *spec);
  return Model::make(std::move(*spec));
}

}  // namespace fairstep
