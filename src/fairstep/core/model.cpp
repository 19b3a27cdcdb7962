#include <fairstep/core/model.hpp>

#include <algorithm>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/core/shared/text.hpp>

namespace fairstep {
namespace {

using internal::Field;

/// The index of a sparse kernel pays below this share of non-zero entries; above it dense rows are faster.
constexpr double kSparseBelow = 0.25;

Expected<void> check_shares(const std::vector<double>& share, const std::vector<std::string>& groups) {
  if (share.size() != groups.size())
    return fail_option("share", fmt::format(" has size {}, expected {}", share.size(), groups.size()), "/share");
  double sum = 0;
  for (std::size_t g = 0; g < share.size(); ++g) {
    if (!(share[g] >= 0 && share[g] <= 1))
      return fail_option("share",
                         fmt::format("[g={}] is {}, expected a probability between 0 and 1", groups[g], share[g]),
                         fmt::format("/share/{}", g));
    sum += share[g];
  }
  if (!internal::is_one(sum))
    return fail_option("share", " " + internal::wrong_sum(sum), "/share",
                       "shares are never rescaled silently; fix the numbers");
  return {};
}

Expected<void> check_rewards(const ModelSpec& spec, const Shape& n) {
  const Field mean("reward", spec.names.groups);
  const Field noise("reward_noise", spec.names.groups);
  if (auto ok = internal::check_extents(mean, spec.reward, kCellAxes, n); !ok) return ok;
  if (auto ok = internal::check_entries(mean, spec.reward, kCellAxes, -kLargestReward, kLargestReward,
                                        "a number between -1e100 and 1e100");
      !ok)
    return ok;
  if (spec.reward_noise.empty()) return {};
  if (auto ok = internal::check_extents(noise, spec.reward_noise, kCellAxes, n); !ok) return ok;
  return internal::check_entries(noise, spec.reward_noise, kCellAxes, 0.0, kLargestReward,
                                 "a number between 0 and 1e100");
}

Expected<void> check_participation(const Participation& p, const Shape& n, const std::vector<std::string>& groups) {
  const Field leave("participation", "leave", groups);
  const Field first("participation", "first_step", groups);
  if (auto ok = internal::check_extents(leave, p.leave, kCellAxes, n); !ok) return ok;
  if (auto ok = internal::check_probabilities(leave, p.leave, kCellAxes); !ok) return ok;
  if (auto ok = internal::check_extents(first, p.first_step, kFirstStepAxes, n); !ok) return ok;
  return internal::check_distributions(first, p.first_step, kFirstStepAxes, 1);
}

Expected<void> check(const ModelSpec& spec) {
  if (!internal::is_utf8(spec.description)) return fail("description is not valid UTF-8", "/description");
  if (auto ok = internal::check_names(spec.names); !ok) return ok;
  const std::vector<std::string>& groups = spec.names.groups;
  const Shape n{groups.size(), spec.horizon, spec.names.features.size(), spec.periods.number()};
  if (auto ok = internal::check_horizon(n); !ok) return ok;
  if (auto ok = check(spec.periods, n); !ok) return ok;
  if (auto ok = check_shares(spec.share, groups); !ok) return ok;

  const Field initial("initial", groups);
  if (auto ok = internal::check_extents(initial, spec.initial, kInitialAxes, n); !ok) return ok;
  if (auto ok = internal::check_distributions(initial, spec.initial, kInitialAxes, 1); !ok) return ok;

  const Field transition("transition", groups);
  if (auto ok = internal::check_by_period(transition, spec.transition, kTransitionAxes, n, !spec.periods.pooled(),
                                          [&](const auto& table, const auto& axes) {
                                            return internal::check_distributions(transition, table, axes,
                                                                                 axes.size() - 2);
                                          });
      !ok)
    return ok;

  if (auto ok = check_rewards(spec, n); !ok) return ok;
  if (!(spec.discount > 0 && spec.discount <= 1))
    return fail_option("discount", fmt::format(" is {}, expected more than 0 and at most 1", spec.discount),
                       "/discount");
  if (spec.participation)
    if (auto ok = check_participation(*spec.participation, n, groups); !ok) return ok;
  if (spec.rests_on) return check(*spec.rests_on, n, groups);
  return {};
}

NonZeros index_nonzeros(std::span<const double> rows, std::size_t states) {
  NonZeros result;
  const auto filled =
      static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](double p) { return p != 0; }));
  if (static_cast<double>(filled) >= kSparseBelow * static_cast<double>(rows.size())) return result;
  result.state.reserve(filled);
  result.probability.reserve(filled);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % states == 0) result.start.push_back(result.state.size());
    if (rows[i] == 0) continue;
    result.state.push_back(static_cast<std::uint32_t>(i % states));
    result.probability.push_back(rows[i]);
  }
  result.start.push_back(result.state.size());
  return result;
}

Range range_of_rewards(const ModelSpec& spec) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < spec.reward.size(); ++i) {
    const double noise = spec.reward_noise.empty() ? 0 : spec.reward_noise.flat()[i];
    range.low = std::min(range.low, spec.reward.flat()[i] - noise);
    range.high = std::max(range.high, spec.reward.flat()[i] + noise);
  }
  return range;
}

}  // namespace

Expected<Model> Model::make(ModelSpec spec) {
  if (auto ok = check(spec); !ok) return tl::unexpected(ok.error());
  Model model;
  model.spec_ = std::move(spec);
  const Periods& periods = model.spec_.periods;
  model.shape_ = {model.spec_.names.groups.size(), model.spec_.horizon, model.spec_.names.features.size(),
                  periods.number()};
  for (std::size_t g = 0; g < model.shape_.groups; ++g)
    for (std::size_t k = 0; k < periods.number(); ++k)
      model.nonzeros_.push_back(index_nonzeros(model.spec_.transition.of(g, k), model.shape_.states()));
  if (!periods.pooled())
    for (std::size_t h = 0; h < model.shape_.horizon; ++h)
      model.period_of_.push_back(static_cast<std::uint32_t>(periods.of(h)));
  model.reward_range_ = range_of_rewards(model.spec_);
  return model;
}

}  // namespace fairstep
