#include <fairstep/core/model.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairstep {
namespace {

/// The index of a sparse kernel pays below this share of non-zero entries; above it dense rows are faster.
constexpr double kSparseBelow = 0.25;

Expected<void> check_names(const std::vector<std::string>& names, const char* what, std::size_t at_least) {
  const std::string pointer = fmt::format("/{}", what);
  if (names.size() < at_least)
    return fail(fmt::format("{} has {} name{}, expected at least {}", what, names.size(), names.size() == 1 ? "" : "s",
                            at_least),
                pointer);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty())
      return fail(fmt::format("{}[{}] is an empty name", what, i), fmt::format("{}/{}", pointer, i));
    if (!seen.insert(names[i]).second)
      return fail(fmt::format("{}[{}] is \"{}\" again, expected different names", what, i, names[i]),
                  fmt::format("{}/{}", pointer, i));
  }
  return {};
}

template <std::size_t Rank>
Expected<void> check_extents(const Tensor<double, Rank>& tensor, const std::array<std::size_t, Rank>& expected,
                             const char* key) {
  if (tensor.extents() == expected) return {};
  return fail(
      fmt::format("{} has size {}, expected {}", key, fmt::join(tensor.extents(), " x "), fmt::join(expected, " x ")),
      fmt::format("/{}", key));
}

/// Where an entry is, twice: for people, [g=black,x=2,y=0,a=1], and for programs, /1/2/0/1.
struct Place {
  std::string brackets;
  std::string pointer;
};

/// Reads the flat offset of a [g, ...axes] tensor back into indices; the group is shown by its name.
Place place(std::size_t flat, std::span<const std::size_t> extents, std::span<const char* const> axes,
            const std::vector<std::string>& groups) {
  std::vector<std::size_t> index(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    index[axis] = flat % extents[axis];
    flat /= extents[axis];
  }
  Place result;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::string shown = axis == 0 ? groups[index[0]] : std::to_string(index[axis]);
    result.brackets += fmt::format("{}{}={}", axis == 0 ? "[" : ",", axes[axis], shown);
    result.pointer += fmt::format("/{}", index[axis]);
  }
  result.brackets += "]";
  return result;
}

constexpr std::array<const char*, 6> kTransitionAxes{"g", "x", "y", "a", "x1", "y1"};
constexpr std::array<const char*, 3> kInitialAxes{"g", "x", "y"};
constexpr std::array<const char*, 4> kCellAxes{"g", "x", "y", "a"};
constexpr std::array<const char*, 2> kStepAxes{"g", "h"};

struct Field {
  const char* key;
  const std::vector<std::string>& groups;
};

/// Every entry is a finite number within [low, high].
template <std::size_t Rank>
Expected<void> check_entries(const Field& field, const Tensor<double, Rank>& tensor,
                             const std::array<const char*, Rank>& axes, double low, double high, const char* right) {
  const auto values = tensor.flat();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && values[i] >= low && values[i] <= high) continue;
    const Place at = place(i, tensor.extents(), axes, field.groups);
    return fail(fmt::format("{}{} is {}, expected {}", field.key, at.brackets, values[i], right),
                fmt::format("/{}{}", field.key, at.pointer));
  }
  return {};
}

/// The rows under the first `leading` axes are distributions.
template <std::size_t Rank>
Expected<void> check_rows(const Field& field, const Tensor<double, Rank>& tensor,
                          const std::array<const char*, Rank>& axes, std::size_t leading) {
  if (auto ok = check_entries(field, tensor, axes, 0, 1, "a probability between 0 and 1"); !ok) return ok;
  std::size_t rows = 1;
  for (std::size_t axis = 0; axis < leading; ++axis) rows *= tensor.extents()[axis];
  const std::size_t length = tensor.size() / rows;
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (const double p : tensor.flat().subspan(r * length, length)) sum += p;
    if (std::abs(sum - 1) <= kSumTolerance) continue;
    const Place at = place(r, std::span(tensor.extents()).first(leading), std::span(axes).first(leading), field.groups);
    return fail(fmt::format("{}{} sums to {}, expected 1 (within {})", field.key, at.brackets, sum, kSumTolerance),
                fmt::format("/{}{}", field.key, at.pointer), "probabilities are never rescaled silently; fix the row");
  }
  return {};
}

Expected<void> check_shares(const std::vector<double>& share, const std::vector<std::string>& groups) {
  if (share.size() != groups.size())
    return fail(fmt::format("share has {} entries, expected {} (one per group)", share.size(), groups.size()),
                "/share");
  double sum = 0;
  for (std::size_t g = 0; g < share.size(); ++g) {
    if (!(std::isfinite(share[g]) && share[g] >= 0 && share[g] <= 1))
      return fail(fmt::format("share[g={}] is {}, expected a probability between 0 and 1", groups[g], share[g]),
                  fmt::format("/share/{}", g));
    sum += share[g];
  }
  if (std::abs(sum - 1) > kSumTolerance)
    return fail(fmt::format("share sums to {}, expected 1 (within {})", sum, kSumTolerance), "/share",
                "shares are never rescaled silently; fix the numbers");
  return {};
}

Expected<void> check_participation(const Participation& p, const Shape& n, const std::vector<std::string>& groups) {
  const Field leave{"participation/leave", groups};
  const Field first{"participation/first_step", groups};
  if (auto ok = check_extents(p.leave, {n.groups, n.features, kLabels, kActions}, leave.key); !ok) return ok;
  if (auto ok = check_entries(leave, p.leave, kCellAxes, 0, 1, "a probability between 0 and 1"); !ok) return ok;
  if (auto ok = check_extents(p.first_step, {n.groups, n.horizon}, first.key); !ok) return ok;
  return check_rows(first, p.first_step, kStepAxes, 1);
}

Expected<void> check(const ModelSpec& spec) {
  if (auto ok = check_names(spec.names.groups, "groups", 2); !ok) return ok;
  if (auto ok = check_names(spec.names.features, "features", 1); !ok) return ok;
  for (const auto& [key, names] : {std::pair{"labels", &spec.names.labels}, {"actions", &spec.names.actions}}) {
    if (auto ok = check_names(*names, key, 2); !ok) return ok;
    if (names->size() != 2)
      return fail(fmt::format("{} has {} names, expected 2", key, names->size()), fmt::format("/{}", key),
                  "labels and actions are binary");
  }
  if (spec.horizon < 1) return fail("horizon is 0, expected at least 1", "/horizon");
  const std::vector<std::string>& groups = spec.names.groups;
  const Shape n{groups.size(), spec.horizon, spec.names.features.size()};

  if (auto ok = check_shares(spec.share, groups); !ok) return ok;

  if (auto ok = check_extents(spec.initial, {n.groups, n.features, kLabels}, "initial"); !ok) return ok;
  if (auto ok = check_rows({"initial", groups}, spec.initial, kInitialAxes, 1); !ok) return ok;

  if (auto ok =
          check_extents(spec.transition, {n.groups, n.features, kLabels, kActions, n.features, kLabels}, "transition");
      !ok)
    return ok;
  if (auto ok = check_rows({"transition", groups}, spec.transition, kTransitionAxes, 4); !ok) return ok;

  constexpr double any = std::numeric_limits<double>::max();
  if (auto ok = check_extents(spec.reward, {n.groups, n.features, kLabels, kActions}, "reward"); !ok) return ok;
  if (auto ok = check_entries({"reward", groups}, spec.reward, kCellAxes, -any, any, "a finite number"); !ok) return ok;
  if (!spec.reward_noise.empty()) {
    if (auto ok = check_extents(spec.reward_noise, spec.reward.extents(), "reward_noise"); !ok) return ok;
    if (auto ok = check_entries({"reward_noise", groups}, spec.reward_noise, kCellAxes, 0, any,
                                "a finite number that is not negative");
        !ok)
      return ok;
  }

  if (!(spec.discount > 0 && spec.discount <= 1))
    return fail(fmt::format("discount is {}, expected more than 0 and at most 1", spec.discount), "/discount");
  if (spec.participation) return check_participation(*spec.participation, n, groups);
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
  model.shape_ = {model.spec_.names.groups.size(), model.spec_.horizon, model.spec_.names.features.size()};
  for (std::size_t g = 0; g < model.shape_.groups; ++g)
    model.nonzeros_.push_back(index_nonzeros(model.spec_.transition.block(g), model.shape_.states()));
  model.reward_range_ = range_of_rewards(model.spec_);
  return model;
}

}  // namespace fairstep
