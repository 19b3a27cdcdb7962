#include <fairstep/core/fairness.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>

namespace fairstep {
namespace {

Expected<void> check_per_step(const std::vector<double>& values, std::size_t horizon, const std::string& what,
                              const std::string& pointer, double most) {
  if (values.size() != 1 && values.size() != horizon)
    return fail_option(what, fmt::format(" has {} entries, expected 1 or {} (one per step)", values.size(), horizon),
                       pointer);
  for (std::size_t h = 0; h < values.size(); ++h)
    if (!(values[h] >= 0 && values[h] <= most)) {
      const bool for_all = values.size() == 1;  // a number of its own, not the first of a list
      return fail_option(
          what,
          fmt::format("{} is {}, expected between 0 and {}", for_all ? "" : fmt::format("[h={}]", h), values[h], most),
          for_all ? pointer : fmt::format("{}/{}", pointer, h));
    }
  return {};
}

Expected<void> check_doubt(const Doubt& doubt, const Shape& n) {
  if (doubt.start.size() != n.groups || doubt.cell.extents() != extents_of(kCellAxes, n))
    return fail(
        fmt::format("the doubt about a model of {} groups and {} features has the wrong size", n.groups, n.features));
  const auto sound = [](double value) { return value >= 0 && value <= 1; };
  if (!std::all_of(doubt.start.begin(), doubt.start.end(), sound) ||
      !std::all_of(doubt.cell.flat().begin(), doubt.cell.flat().end(), sound))
    return fail("the doubt about a model has an entry outside [0,1]");
  return {};
}

Expected<void> check_moment(const MomentConstraint& moment, const Shape& n, std::size_t i) {
  const std::string at = fmt::format("/moments/{}", i);
  const std::size_t rows = moment.bound.size();
  if (moment.means.empty()) return fail("a moment constraint has no means, expected at least 1", at + "/means");
  if (rows == 0) return fail("a moment constraint has no rows, expected at least 1", at + "/rows");
  if (moment.matrix.extents() != std::array{rows, moment.means.size()} || moment.names.size() != rows)
    return fail(fmt::format("the matrix is {} x {}, expected {} x {} (rows x means)", moment.matrix.extents()[0],
                            moment.matrix.extents()[1], rows, moment.means.size()),
                at + "/matrix");
  for (const double m : moment.matrix.flat())
    if (!std::isfinite(m)) return fail("the matrix has an entry that is not a finite number", at + "/matrix");
  for (const double c : moment.bound)
    if (!std::isfinite(c)) return fail("a bound is not a finite number", at + "/bound");
  for (std::size_t j = 0; j < moment.means.size(); ++j) {
    const ConditionalMean& mean = moment.means[j];
    const std::string here = fmt::format("{}/means/{}", at, j);
    if (mean.payoff.extents() != std::array{n.groups, n.features, kLabels, kActions})
      return fail(fmt::format("payoff of \"{}\" has the wrong size", mean.name), here + "/payoff");
    if (mean.event.extents() != std::array{n.groups, n.features, kLabels})
      return fail(fmt::format("event of \"{}\" has the wrong size", mean.name), here + "/event");
    for (const double value : mean.payoff.flat())
      if (!std::isfinite(value))
        return fail(fmt::format("payoff of \"{}\" is not finite", mean.name), here + "/payoff");
    for (const double value : mean.event.flat())
      if (value != 0 && value != 1)
        return fail(fmt::format("event of \"{}\" has the entry {}, expected 0 or 1", mean.name, value),
                    here + "/event");
  }
  return {};
}

}  // namespace

const char* in_words(Notion notion) {
  return notion == Notion::dp ? "demographic parity" : notion == Notion::eqopt ? "equal opportunity" : "equalized odds";
}

const char* in_words(RatioNotion ratio) {
  return ratio == RatioNotion::dp ? "adverse impact ratio" : "equal-opportunity ratio";
}

std::string over_the_episode(Notion notion) { return std::string("aggregate ") + name_of(notion); }

const EpisodeLimit* episode_limit_called(std::string_view name) {
  const auto* const found = std::find_if(kEpisodeLimits.begin(), kEpisodeLimits.end(), [&](const EpisodeLimit& whole) {
    return over_the_episode(whole.notion) == name;
  });
  return found == kEpisodeLimits.end() ? nullptr : found;
}

void append(Fairness& all, Fairness more) {
  std::move(more.parity.begin(), more.parity.end(), std::back_inserter(all.parity));
  std::move(more.moments.begin(), more.moments.end(), std::back_inserter(all.moments));
  std::move(more.ratios.begin(), more.ratios.end(), std::back_inserter(all.ratios));
  for (const EpisodeLimit& whole : kEpisodeLimits)
    if (more.*whole.limit) all.*whole.limit = more.*whole.limit;
  if (more.capacity) all.capacity = std::move(more.capacity);
}

Expected<void> check(const Fairness& fairness, const Model& model) { return check(fairness, model.shape()); }

Expected<void> check(const Fairness& fairness, const Shape& n) {
  for (std::size_t i = 0; i < fairness.parity.size(); ++i) {
    const StepwiseParity& parity = fairness.parity[i];
    if (auto ok = check_per_step(parity.limit, n.horizon, "limit", fmt::format("/parity/{}/limit", i), 1); !ok)
      return ok;
    if (parity.doubt)
      if (auto ok = check_doubt(*parity.doubt, n); !ok) return ok;
  }
  for (std::size_t i = 0; i < fairness.ratios.size(); ++i) {
    const StepwiseRatio& ratio = fairness.ratios[i];
    if (auto ok = check_per_step(ratio.limit, n.horizon, "limit", fmt::format("/ratios/{}/limit", i), 1); !ok)
      return ok;
    if (ratio.reference && *ratio.reference >= n.groups)
      return fail_option("reference", fmt::format(" is group {}, but there are {}", *ratio.reference, n.groups),
                         fmt::format("/ratios/{}/reference", i));
  }
  for (const EpisodeLimit& whole : kEpisodeLimits)
    if (const auto& limit = fairness.*whole.limit; limit && !(*limit >= 0 && *limit <= 1))
      return fail_option(whole.name, fmt::format(" is {}, expected between 0 and 1", *limit),
                         fmt::format("/{}", whole.name));
  if (fairness.capacity)
    if (auto ok = check_per_step(fairness.capacity->share, n.horizon, "capacity", "/capacity", 1); !ok) return ok;
  for (std::size_t i = 0; i < fairness.moments.size(); ++i)
    if (auto ok = check_moment(fairness.moments[i], n, i); !ok) return ok;
  return {};
}

}  // namespace fairstep
