#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/environments/internal/building_blocks.hpp>

namespace fairstep {
namespace {

constexpr std::uint64_t kPurpose = 0x72616e646f6d;  // "random": no other use of the seed shares these streams
enum Table : std::uint64_t { share, initial, transition, reward, noise, leave, first_step };

Rng stream(std::uint64_t seed, Table table, std::size_t g) { return Rng(seed, kPurpose, table, g); }

/// Whole-number weights and one division each: no sum of doubles, so no compiler or processor can make a difference.
std::uint64_t weight(Rng& rng) { return 1 + (rng() >> 44); }

void fill_distribution(std::span<double> row, Rng& rng) {
  std::uint64_t sum = 0;
  for (double& p : row) {
    const std::uint64_t w = weight(rng);
    sum += w;
    p = static_cast<double>(w);
  }
  for (double& p : row) p /= static_cast<double>(sum);
}

/// Uniform on 0 .. most, without bias: draws from the last, incomplete round are thrown away.
std::size_t uniform_index(std::size_t most, Rng& rng) {
  const std::uint64_t n = most + 1;
  const std::uint64_t complete = Rng::max() - Rng::max() % n;
  std::uint64_t r = rng();
  while (r >= complete) r = rng();
  return static_cast<std::size_t>(r % n);
}

/// Draws which `count` successors a row has, every set as likely (Floyd's sampling), and their probabilities.
void fill_sparse(std::span<double> row, std::size_t count, Rng& rng, std::vector<std::size_t>& chosen) {
  chosen.clear();
  for (std::size_t last = row.size() - count; last < row.size(); ++last) {
    const std::size_t drawn = uniform_index(last, rng);
    chosen.push_back(row[drawn] == 0 ? drawn : last);
    row[chosen.back()] = 1;
  }
  std::sort(chosen.begin(), chosen.end());
  std::uint64_t sum = 0;
  for (const std::size_t s1 : chosen) {
    const std::uint64_t w = weight(rng);
    sum += w;
    row[s1] = static_cast<double>(w);
  }
  for (const std::size_t s1 : chosen) row[s1] /= static_cast<double>(sum);
}

void fill_transitions(std::size_t g, const RandomOptions& options, ModelSpec& spec) {
  Rng rng = stream(options.seed, Table::transition, g);
  std::vector<std::size_t> chosen;
  const std::size_t states = options.features * kLabels;
  for (std::size_t x = 0; x < options.features; ++x)
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a) {
        const std::span<double> row = spec.transition.block(g, x, y, a);
        if (options.successors == 0 || options.successors == states)
          fill_distribution(row, rng);
        else
          fill_sparse(row, options.successors, rng, chosen);
      }
}

void fill_group(std::size_t g, const RandomOptions& options, ModelSpec& spec) {
  Rng first = stream(options.seed, Table::initial, g);
  fill_distribution(spec.initial.block(g), first);
  fill_transitions(g, options, spec);
  Rng pay = stream(options.seed, Table::reward, g);
  for (double& r : spec.reward.block(g)) r = 2 * pay.uniform() - 1;
  if (options.reward_noise > 0) {
    Rng rng = stream(options.seed, Table::noise, g);
    for (double& w : spec.reward_noise.block(g)) w = options.reward_noise * rng.uniform();
  }
  if (options.participation) {
    Rng out = stream(options.seed, Table::leave, g);
    for (double& p : spec.participation->leave.block(g)) p = 0.25 * out.uniform();
    Rng in = stream(options.seed, Table::first_step, g);
    fill_distribution(spec.participation->first_step.block(g), in);
  }
}

/// Between a third and three times the others' each, so that no group is next to nothing.
std::vector<double> random_shares(const RandomOptions& options) {
  std::vector<std::uint64_t> weights;
  for (std::size_t g = 0; g < options.groups; ++g) {
    Rng rng = stream(options.seed, Table::share, g);
    weights.push_back((std::uint64_t{1} << 19) + weight(rng));
  }
  const auto sum = static_cast<double>(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}));
  std::vector<double> shares;
  for (const std::uint64_t w : weights) shares.push_back(static_cast<double>(w) / sum);
  return shares;
}

Expected<void> check(const RandomOptions& options) {
  // Before anything of that size is made: even the names of 10^12 features would not fit.
  if (auto ok = building_blocks::check_size(options.groups, options.features, options.horizon); !ok) return ok;
  if (options.successors > options.features * kLabels)
    return fail_option("successors", fmt::format(" is {}, expected at most {} (features times labels), or 0 for all",
                                                 options.successors, options.features * kLabels));
  if (!(options.reward_noise >= 0 && options.reward_noise <= kLargestReward))
    return fail_option("reward_noise", fmt::format(" is {}, expected a number from 0 to 1e100", options.reward_noise));
  return {};
}

std::vector<std::string> numbered(const char* prefix, std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", prefix, i));
  return names;
}

}  // namespace

Expected<Model> make_random(const RandomOptions& options) {
  if (auto ok = check(options); !ok) return tl::unexpected(ok.error());
  auto spec = building_blocks::blank_spec(numbered("g", options.groups), numbered("x", options.features),
                                          options.horizon, options.discount);
  if (!spec) return tl::unexpected(spec.error());
  spec->description = fmt::format("random: seed {}, {} groups, {} features, horizon {}", options.seed, options.groups,
                                  options.features, options.horizon);
  if (options.successors > 0) spec->description += fmt::format(", {} successors", options.successors);
  spec->share = random_shares(options);
  if (options.reward_noise > 0) spec->reward_noise = Tensor<double, 4>(spec->reward.extents());
  if (options.participation)
    spec->participation =
        Participation{Tensor<double, 4>(spec->reward.extents()), Tensor<double, 2>({options.groups, options.horizon})};
  for (std::size_t g = 0; g < options.groups; ++g) fill_group(g, options, *spec);
  return Model::make(std::move(*spec));
}

}  // namespace fairstep
