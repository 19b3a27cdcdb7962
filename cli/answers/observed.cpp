#include "answers/observed.hpp"

#include <limits>

#include <fmt/format.h>

#include "answers/evaluation_json.hpp"
#include "answers/nested.hpp"
#include "answers/table.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t sum(std::span<const std::int64_t> values) { return static_cast<std::uint64_t>(total(values)); }

}  // namespace

Observed::Observed(const Shape& n)
    : people_(n.groups), decisions_({n.groups, n.horizon, kLabels, kActions}), reward_(n.groups) {}

Observed::Observed(const Counts& counts) : Observed(counts.shape()) {
  const Shape n = counts.shape();
  for (std::size_t g = 0; g < n.groups; ++g) {
    people_[g] = counts.people(g);
    for (const double reward : counts.reward_sum().block(g)) reward_[g] += reward;
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y)
          for (std::size_t a = 0; a < kActions; ++a) decisions_(g, h, y, a) += counts.visits()(g, h, x, y, a);
  }
}

void Observed::add(std::span<const Decision> rows) {
  for (const Decision& row : rows) {
    ++decisions_(row.group, row.step, row.y, row.a);
    reward_[row.group] += row.reward;
    if (row.person < next_person_) continue;
    ++people_[row.group];
    next_person_ = row.person + 1;
  }
}

std::uint64_t Observed::people() const { return sum(people_); }

std::uint64_t Observed::decisions() const { return sum(decisions_.flat()); }

std::int64_t Observed::over_steps(std::size_t g, std::size_t y, std::size_t a) const {
  std::int64_t total = 0;
  for (std::size_t h = 0; h < decisions_.extents()[1]; ++h) total += decisions_(g, h, y, a);
  return total;
}

std::int64_t Observed::of_group(std::size_t g) const { return total(decisions_.block(g)); }

double Observed::reward_per_decision(std::size_t g) const {
  return of_group(g) > 0 ? reward_[g] / static_cast<double>(of_group(g)) : std::numeric_limits<double>::quiet_NaN();
}

Json Observed::to_json(const Names& names) const {
  const auto [groups, horizon, labels, actions] = decisions_.extents();
  Tensor<double, 2> accept({groups, horizon}), tpr({groups, horizon}), fpr({groups, horizon}),
      qualified({groups, horizon});
  Json decisions = Json::array();
  Json reward = Json::array();
  for (std::size_t g = 0; g < groups; ++g) {
    decisions.push_back(of_group(g));
    reward.push_back(number_or_null(reward_per_decision(g)));
    for (std::size_t h = 0; h < horizon; ++h) {
      const std::int64_t bad = decisions_(g, h, 0, 0) + decisions_(g, h, 0, 1);
      const std::int64_t good = decisions_(g, h, 1, 0) + decisions_(g, h, 1, 1);
      accept(g, h) = share(decisions_(g, h, 0, 1) + decisions_(g, h, 1, 1), bad + good);
      tpr(g, h) = share(decisions_(g, h, 1, 1), good);
      fpr(g, h) = share(decisions_(g, h, 0, 1), bad);
      qualified(g, h) = share(good, bad + good);
    }
  }
  return {{"groups", names.groups},
          {"horizon", horizon},
          {"people", people_},
          {"decisions", decisions},
          {"reward_per_decision", reward},
          {"rates",
           {{"accept", nested(accept)}, {"tpr", nested(tpr)}, {"fpr", nested(fpr)}, {"qualified", nested(qualified)}}}};
}

std::vector<std::string> Observed::undefined_rates(const Names& names) const {
  std::vector<std::string> warnings;
  for (std::size_t g = 0; g < names.groups.size(); ++g)
    for (std::size_t y = 0; y < kLabels; ++y) {
      std::vector<std::size_t> steps;
      for (std::size_t h = 0; h < decisions_.extents()[1]; ++h)
        if (decisions_(g, h, y, 0) + decisions_(g, h, y, 1) == 0) steps.push_back(h);
      if (!steps.empty())
        warnings.push_back(fmt::format("rates.{}[g={}] is undefined at {}: nobody {} of {} was seen there",
                                       y == 1 ? "tpr" : "fpr", names.groups[g], in_words(steps), names.labels[y],
                                       names.groups[g]));
    }
  return warnings;
}

std::string Observed::to_text(const Names& names, std::size_t width) const {
  Column group{"group", {}, true};
  Block sizes{"", {{"people", {}}}};
  Block qualified{"share", {{names.labels[1], {}}}};
  Block accepted{"accepted", {{"of all", {}}, {"of " + names.labels[1], {}}, {"of " + names.labels[0], {}}}};
  Block reward{"mean", {{"reward", {}}}};
  for (std::size_t g = 0; g < names.groups.size(); ++g) {
    const std::int64_t bad = over_steps(g, 0, 0) + over_steps(g, 0, 1);
    const std::int64_t good = over_steps(g, 1, 0) + over_steps(g, 1, 1);
    group.cells.push_back(names.groups[g]);
    sizes.columns[0].cells.push_back(with_thousands(people_[g]));
    qualified.columns[0].cells.push_back(number_or_dash(share(good, good + bad)));
    accepted.columns[0].cells.push_back(number_or_dash(share(over_steps(g, 0, 1) + over_steps(g, 1, 1), good + bad)));
    accepted.columns[1].cells.push_back(number_or_dash(share(over_steps(g, 1, 1), good)));
    accepted.columns[2].cells.push_back(number_or_dash(share(over_steps(g, 0, 1), bad)));
    reward.columns[0].cells.push_back(number_or_dash(reward_per_decision(g)));
  }
  return fmt::format("{} people, {} decisions\n\n", with_thousands(people()), with_thousands(decisions())) +
         lay_out(group, {sizes, qualified, accepted, reward}, width);
}

}  // namespace fairstep::cli
