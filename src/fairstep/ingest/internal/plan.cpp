#include <fairstep/ingest/internal/plan.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/mention.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/ingest/internal/shaping.hpp>

namespace fairstep::internal {
namespace {

/// Whoever maps columns maps any up to here: a weight is asked for by itself, and the row as a whole is no column.
constexpr const auto* kMapped = kRoleNames.end() - 2;

}  // namespace

Expected<void> check_options(const CountOptions& options) {
  for (const auto& [role, column] : options.columns) {
    if (role == kRoleNames[static_cast<std::size_t>(Role::weight)])
      return fail("columns has a weight, and counts have none: a certificate needs people who were drawn, each for one",
                  {}, "an audit of a log takes it: " + option("weight", column));
    if (std::find(kRoleNames.begin(), kMapped, role) == kMapped)
      return fail(
          fmt::format("columns has \"{}\", expected one of {}", role, fmt::join(kRoleNames.begin(), kMapped, ", ")));
  }
  if (options.weighing) {
    if (!(options.weighing->largest > 0 && options.weighing->largest <= kLargestReward))
      return fail_option("largest_weight", fmt::format(" is {}, expected more than 0 and at most {}",
                                                       options.weighing->largest, kLargestReward));
    if (options.window)
      return fail_option("weight", ": calendar windows have no weights", {}, "leave the time out of " + option("map"));
  }
  for (std::size_t i = 0; i < options.bins.size(); ++i)
    if (!std::isfinite(options.bins[i]) || (i > 0 && options.bins[i] <= options.bins[i - 1]))
      return fail(fmt::format("bins are {}, expected numbers that rise", fmt::join(options.bins, ",")));
  if (!options.bins.empty() && !options.features.empty() && options.features.size() != options.bins.size())
    return fail(fmt::format("there are {} bins and {} features, expected a name for each bin", options.bins.size(),
                            options.features.size()));
  if (auto ok = check(options.shape); !ok) return ok;
  for (const std::string& group : options.excluded_groups)
    if (std::find(options.groups.begin(), options.groups.end(), group) != options.groups.end())
      return fail(fmt::format("group {} is both among the groups and excluded", group));
  if (options.labels.size() != 2 || options.actions.size() != 2)
    return fail("labels and actions are two names each: of 0 and of 1");
  if (options.window && options.window->kind == CalendarUnit::Kind::days && options.window->days < 1)
    return fail(fmt::format("windows are {} days long, expected at least 1", options.window->days));
  return {};
}

Plan plan_for(const std::array<ValueType, kRoles>& type, const CountOptions& options,
              const std::optional<Split>& split) {
  Plan plan;
  plan.type = type;
  plan.split = split;
  plan.bins = options.bins;
  plan.groups = options.groups;
  plan.excluded = options.excluded_groups;
  plan.features = !options.bins.empty() && options.features.empty() ? bin_names(options.bins) : options.features;
  std::copy_n(options.labels.begin(), 2, plan.labels.begin());
  std::copy_n(options.actions.begin(), 2, plan.actions.begin());
  plan.first_step = options.first_step;
  if (options.first_step && options.horizon) plan.horizon = static_cast<std::int64_t>(*options.horizon);
  plan.window = options.window;
  if (options.weighing) plan.largest_weight = options.weighing->largest;
  plan.by_step = options.kernel != KernelChoice{};
  plan.texts = {missing_texts(options.shape),
                !options.shape.recodes.empty() || !options.shape.bins.empty() || options.shape.step};
  return plan;
}

}  // namespace fairstep::internal
