#include <fairstep/certify/two_parts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <fairstep/certify/sets.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/split.hpp>

namespace fairstep {
namespace {

/// Whether the rate is about people with label y.
bool is_about(FollowedRate rate, std::size_t y) {
  return rate == FollowedRate::accept || (rate == FollowedRate::tpr) == (y == 1);
}

Range minus(const Range& a, const Range& b) { return {a.low - b.high, a.high - b.low}; }

/// What is not of second order in it is in the direction: (tau - design)(1 - D/D-bar), formula (6).
Range of_denominator(const Range& rate, double design, const Range& people, double design_people) {
  return times({rate.low - design, rate.high - design},
               {1 - people.high / design_people, 1 - people.low / design_people});
}

}  // namespace

Expected<void> check_parts(const Counts& design, const Counts& audit) {
  if (auto ok = check_counterparts(design, audit); !ok) {
    Error error = ok.error();
    if (error.input == "audit") error.input = "counts";
    return tl::unexpected(std::move(error));
  }
  const bool same_names = design.names().groups == audit.names().groups;
  if (same_names && design.names().features == audit.names().features && design.horizon() == audit.horizon()) {
    if (design.periods() == audit.periods()) return {};
    return tl::unexpected(in_input(
        "design", fail("periods are not those of the audit part", "/periods", "count both parts at once").value()));
  }
  return tl::unexpected(in_input(
      "design", fail(fmt::format("{} are not those of the audit part", same_names ? "features or steps" : "groups"),
                     same_names ? "/features" : "/groups")
                    .value()));
}

TwoParts::TwoParts(const Counts& design, const Counts& audit, const Lost& lost, const Policy& policy,
                   const Estimate& audit_estimate, const Balls& sets, const DeltaSplit& split, std::stop_token stop)
    : horizon_(audit.horizon()), split_(split), stop_(std::move(stop)), deviations_(audit.shape().groups) {
  for (std::size_t g = 0; g < audit.shape().groups; ++g)
    samples_.emplace_back(design, audit, lost, policy, audit_estimate, sets, g);
  follow_to(horizon_ - 1);
}

/// Deviations at all steps before this.
void TwoParts::follow_to(std::size_t steps) {
  for (std::size_t g = 0; g < samples_.size(); ++g)
    for (std::size_t t = deviations_[g].size(); t < steps; ++t) {
      const TwoSamples& samples = samples_[g];
      std::vector<Range> of_step(samples.states(), Range{-1, 1});
      for (std::size_t s = 0; s < samples.states() && !stop_.stop_requested(); ++s) {
        Payoff here(t + 1, samples.states());
        here(t, s) = 1;
        const Direction direction(samples, here, deviations_[g]);
        const Range share = answer_range(std::array{SignedDirection{direction}}, split_.path);
        const double design = samples.mass(t)[s];
        of_step[s] = {std::max(0.0, share.low) - design, std::min(1.0, share.high) - design};
      }
      deviations_[g].push_back(std::move(of_step));
    }
}

std::optional<TwoParts::OfRate> TwoParts::of_rate(std::size_t g, std::size_t h, FollowedRate about) const {
  const TwoSamples& samples = samples_[g];
  double people = 0;
  double accepted = 0;
  for (std::size_t s = 0; s < samples.states(); ++s) {
    if (!is_about(about, s % kLabels)) continue;
    people += samples.mass(h)[s];
    accepted += samples.mass(h)[s] * samples.acts(h, s, 1);
  }
  if (people == 0) return std::nullopt;
  Payoff payoff(h + 1, samples.states());
  const double rate = accepted / people;
  for (std::size_t s = 0; s < samples.states(); ++s)
    payoff(h, s) = about == FollowedRate::accept  ? samples.acts(h, s, 1)
                   : is_about(about, s % kLabels) ? (samples.acts(h, s, 1) - rate) / people
                                                  : 0;
  return OfRate{rate, people, Direction(samples, payoff, deviations_[g])};
}

const TwoParts::OfRates& TwoParts::of_rates(FollowedRate about) {
  const auto [found, is_new] = of_rates_.try_emplace(about);
  if (is_new)
    for (std::size_t g = 0; g < samples_.size(); ++g)
      for (std::size_t h = 0; h < horizon_; ++h)
        found->second.push_back(stop_.stop_requested() ? std::nullopt : of_rate(g, h, about));
  return found->second;
}

const std::vector<Range>& TwoParts::qualified() {
  if (!qualified_.empty()) return qualified_;
  for (const TwoSamples& samples : samples_)
    for (std::size_t h = 0; h < horizon_; ++h) {
      Payoff payoff(h + 1, samples.states());
      for (std::size_t s = 1; s < samples.states(); s += kLabels) payoff(h, s) = 1;
      const auto g = static_cast<std::size_t>(&samples - samples_.data());
      const Direction direction(samples, payoff, deviations_[g]);
      qualified_.push_back(answer_range(std::array{SignedDirection{direction}}, split_.path));
    }
  return qualified_;
}

std::optional<double> TwoParts::apart(std::size_t i, std::size_t j, std::size_t h, FollowedRate about,
                                      const RateBounds& rate, const RateBounds* qualified_by_sets) {
  const OfRates& all = of_rates(about);
  const auto& one = all[i * horizon_ + h];
  const auto& other = all[j * horizon_ + h];
  if (!one || !other) return std::nullopt;
  Range apart = answer_range(std::array{SignedDirection{one->direction, 1}, SignedDirection{other->direction, -1}},
                             split_.question);
  if (about != FollowedRate::accept) {
    const auto rest = [&](std::size_t g, const OfRate& found) {
      const Range by_sets = qualified_by_sets->range(g, h);
      const Range by_parts = qualified()[g * horizon_ + h];
      const Range labelled{std::max(by_sets.low, by_parts.low), std::min(by_sets.high, by_parts.high)};
      const Range people = about == FollowedRate::tpr ? labelled : Range{1 - labelled.high, 1 - labelled.low};
      return of_denominator(rate.range(g, h), found.rate, people, found.people);
    };
    const double between = one->rate - other->rate;
    const Range second = minus(rest(i, *one), rest(j, *other));
    apart = plus(apart, {between + second.low, between + second.high});
    const double size = 2 + std::max(std::abs(second.low), std::abs(second.high));
    apart = {apart.low - kOutwards * size, apart.high + kOutwards * size};
  }
  const double gap = std::max(apart.high, -apart.low);
  return gap <= 0 ? 0 : std::min(1.0, gap + kOutwards);
}

double TwoParts::value(const Earnings& earnings) {
  if (earnings.least) follow_to(horizon_);
  std::vector<Direction> directions;
  double less = 0;
  double size = 0;
  for (std::size_t g = 0; g < samples_.size(); ++g) {
    const TwoSamples& samples = samples_[g];
    Payoff payoff(horizon_, samples.states());
    double weight = earnings.share[g];
    for (std::size_t t = 0; t < horizon_; ++t, weight *= earnings.discount)
      for (std::size_t s = 0; s < samples.states(); ++s) {
        double missing = 0;
        for (std::size_t a = 0; a < kActions; ++a) {
          const double reward = earnings.reward.block(g)[s * kActions + a];
          payoff(t, s) += weight * samples.acts(t, s, a) * reward;
          if (earnings.least)
            missing += weight * samples.acts(t, s, a) * (earnings.least->block(g)[s * kActions + a] - reward);
        }
        if (!earnings.least) continue;
        const Range& deviation = deviations_[g][t][s];
        const double here = samples.mass(t)[s];
        less += missing * (missing < 0 ? std::min(1.0, here + deviation.high) : std::max(0.0, here + deviation.low));
        size += std::abs(missing);
      }
    directions.emplace_back(samples, payoff, deviations_[g]);
  }
  std::vector<SignedDirection> questions;
  for (const Direction& direction : directions) questions.push_back({direction});
  return answer_range(questions, split_.question).low + less - kOutwards * (size + std::abs(less));
}

}  // namespace fairstep
