// simulate_counts: whole crowds at once. People in the same state are exchangeable, so their next states are one
// multinomial draw, and all that is drawn per step is a split per (group, state, action).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <fairstep/core/rng.hpp>
#include <fairstep/simulate/binomial.hpp>
#include <fairstep/simulate/crowd.hpp>
#include <fairstep/simulate/simulate.hpp>

namespace fairstep {
namespace {

class CrowdWalk {
 public:
  /// People of different parts share no draw; 0 stands for all people.
  CrowdWalk(const Model& model, const Policy& policy, const SimulateOptions& options, std::uint64_t part = 0)
      : model_(model),
        policy_(policy),
        options_(options),
        part_(part),
        counts_(CountsSpec::zeros(model.shape().horizon, model.names(), recorded_periods(model, options))),
        here_(model.shape().states()),
        next_(model.shape().states()) {}

  /// [g] people.
  Expected<Counts> run(const std::vector<std::int64_t>& people) {
    for (std::size_t g = 0; g < people.size(); ++g) walk_group(g, people[g]);
    if (options_.stop.stop_requested()) return fail("stopped before the end");
    fill_rewards(model_, draw_high_rewards(), counts_);
    return Counts::make(std::move(counts_));
  }

  std::vector<std::int64_t> people_per_group() {
    const std::size_t groups = model_.shape().groups;
    const auto people = static_cast<std::int64_t>(options_.crowd.people);
    if (options_.crowd.per_group) return std::vector<std::int64_t>(groups, people);
    std::vector<std::int64_t> result(groups);
    Rng draw = rng(Use::group);
    multinomial_.split(people, model_.spec().share, draw, result);
    return result;
  }

  /// How many of a group's people toss heads, each with probability `share`.
  std::int64_t heads(std::size_t g, std::int64_t people, double share) const {
    Rng draw = rng(Use::part, g);
    return binomial(people, share, draw);
  }

 private:
  /// The stream of one draw: whichever the order of work, each (group, step, cell) gets the same randomness.
  [[nodiscard]] Rng rng(Use use, std::size_t g = 0, std::size_t h = 0, std::size_t cell = 0) const {
    return Rng(options_.seed, options_.stream, g * model_.shape().horizon + h, cell,
               static_cast<std::uint64_t>(use) | part_ << 32U);
  }

  /// [h] people who take part from step h on.
  std::vector<std::int64_t> entrants(std::size_t g, std::int64_t people) {
    std::vector<std::int64_t> result(model_.shape().horizon);
    if (model_.spec().participation) {
      Rng draw = rng(Use::first_step, g);
      multinomial_.split(people, model_.spec().participation->first_step.block(g), draw, result);
    } else {
      result[0] = people;
    }
    return result;
  }

  void walk_group(std::size_t g, std::int64_t people) {
    const std::vector<std::int64_t> entering = entrants(g, people);
    std::vector<std::int64_t> new_here(here_.size());
    here_.assign(here_.size(), 0);
    for (std::size_t h = 0; h < entering.size(); ++h) {
      new_here.assign(new_here.size(), 0);
      Rng draw = rng(Use::entrant, g, h);
      multinomial_.split(entering[h], model_.initial(g), draw, new_here);
      for (std::size_t s = 0; s < here_.size(); ++s) {
        counts_.first.block(g)[s] += new_here[s];
        here_[s] += new_here[s];
      }
      step(g, h);
      here_.swap(next_);
    }
  }

  /// Decides about everybody in here_ and moves those who stay to next_.
  void step(std::size_t g, std::size_t h) {
    next_.assign(next_.size(), 0);
    for (std::size_t s = 0; s < here_.size() && !options_.stop.stop_requested(); ++s) {
      if (here_[s] == 0) continue;
      Rng draw = rng(Use::decision, g, h, s);
      const std::int64_t accepted = binomial(here_[s], policy_.accept(g, h, s / kLabels), draw);
      move_on(g, h, s * kActions, here_[s] - accepted);
      move_on(g, h, s * kActions + 1, accepted);
    }
  }

  void move_on(std::size_t g, std::size_t h, std::size_t cell, std::int64_t people) {
    if (people == 0) return;
    counts_.visits.block(g, h)[cell] = people;
    if (h + 1 == model_.shape().horizon) return;  // the last successor is never seen
    if (model_.spec().participation) {
      Rng draw = rng(Use::departure, g, h, cell);
      people -= binomial(people, model_.spec().participation->leave.block(g)[cell], draw);
    }
    const std::size_t states = here_.size();
    arrivals_.assign(states, 0);
    Rng draw = rng(Use::successor, g, h, cell);
    multinomial_.split(people, {model_.kernel(g, h).row(cell), states}, draw, arrivals_);
    const auto seen = counts_.transitions.block(g).subspan(cell * states, states);
    for (std::size_t s = 0; s < states; ++s) {
      seen[s] += arrivals_[s];
      next_[s] += arrivals_[s];
    }
    if (counts_.periods.pooled()) return;
    const auto in_period = counts_.by_period.block(g, counts_.periods.of(h)).subspan(cell * states, states);
    std::transform(in_period.begin(), in_period.end(), arrivals_.begin(), in_period.begin(), std::plus<>{});
  }

  /// [g,x,y,a] visits that earned the higher of a cell's two rewards. The steps need no draws of their own: over all
  /// of them the number is again binomial.
  Tensor<std::int64_t, 4> draw_high_rewards() {
    Tensor<std::int64_t, 4> high(counts_.reward_sum.extents());
    const Shape& n = model_.shape();
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t x = 0; x < n.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y)
          for (std::size_t a = 0; a < kActions; ++a) {
            if (reward_noise(model_, g, x, y, a) == 0) continue;
            Rng draw = rng(Use::reward, g, 0, cell_of(x, y, a));
            high(g, x, y, a) = binomial(counts_.visits_of(g, x, y, a), 0.5, draw);
          }
    return high;
  }

  const Model& model_;
  const Policy& policy_;
  const SimulateOptions& options_;
  std::uint64_t part_;
  CountsSpec counts_;
  std::vector<std::int64_t> here_;        ///< [s] people of the group at hand, at the step at hand
  std::vector<std::int64_t> next_;        ///< [s] those of them who are there at the next step
  std::vector<std::int64_t> arrivals_{};  ///< [s] out of one cell
  Multinomial multinomial_{};
};

}  // namespace

Expected<Counts> simulate_counts(const Model& model, const Policy& policy, const SimulateOptions& options) {
  if (auto ok = check_question(model, policy, options); !ok) return tl::unexpected(ok.error());
  CrowdWalk walk(model, policy, options);
  return walk.run(walk.people_per_group());
}

Expected<SplitCounts> simulate_split_counts(const Model& model, const Policy& policy, const SimulateOptions& options,
                                            const Split& split) {
  if (auto ok = check(split); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_question(model, policy, options); !ok) return tl::unexpected(ok.error());
  CrowdWalk everybody(model, policy, options);
  std::vector<std::int64_t> audit_people = everybody.people_per_group();
  std::vector<std::int64_t> design_people(audit_people.size());
  for (std::size_t g = 0; g < audit_people.size(); ++g) {
    design_people[g] = everybody.heads(g, audit_people[g], split.share);
    audit_people[g] -= design_people[g];
  }
  auto design = CrowdWalk(model, policy, options, 1).run(design_people);
  if (!design) return tl::unexpected(design.error());
  auto audit = CrowdWalk(model, policy, options, 2).run(audit_people);
  if (!audit) return tl::unexpected(audit.error());
  SplitCounts both{std::move(*design), std::move(*audit)};
  if (auto ok = mark_parts(split, both.design, both.audit); !ok) return tl::unexpected(ok.error());
  return both;
}

}  // namespace fairstep
