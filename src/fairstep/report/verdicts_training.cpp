// Claims about the way there: convergence, bands, steps, rates, constants and proofs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairstep/learn/assumptions.hpp>
#include <fairstep/learn/rates.hpp>
#include <fairstep/report/internal/comparison.hpp>
#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/verdicts.hpp>

namespace fairstep::report {
namespace {

double violation(const UpdateRecord& update) { return update.violation; }

/// What limit and relaxation allow, on the average over steps; no gap is more than 1.
double allowed_on_average(const UpdateRecord& update) {
  double sum = 0;
  for (std::size_t h = 0; h < update.relaxation.size(); ++h)
    sum += std::min(1.0, update.limit[std::min(h, update.limit.size() - 1)] + update.relaxation[h]);
  return sum / static_cast<double>(update.relaxation.size());
}

/// The first update of the later half.
std::size_t later_half(const MethodRuns& method) { return method.updates() / 2; }

Slopes slopes(const MethodRuns& method, double UpdateRecord::* measured, double UpdateRecord::* theorem) {
  Slopes made;
  made.first_update = later_half(method);
  std::vector<double> found;
  for (const RunRecord& run : method.repeats) {
    std::vector<std::uint64_t> k;
    std::vector<double> value, reference;
    for (std::size_t l = made.first_update; l < method.updates(); ++l) {
      k.push_back(run.updates[l].k);
      value.push_back(run.updates[l].*measured);
      reference.push_back(run.updates[l].*theorem);
    }
    found.push_back(fit_power(k, value).slope);
    made.theorem = fit_power(k, reference).slope;
  }
  made.measured = band_of(found);
  return made;
}

Finding by_slope(const Slopes& slopes, const std::string& what, const MethodRuns& ours) {
  Finding made;
  if (slopes.measured.count == 0) {
    made.evidence = fmt::format("The {} has no logarithm at two later updates of any repeat.", what);
    return made;
  }
  const double low = std::isnan(slopes.measured.low) ? slopes.measured.mean : slopes.measured.low;
  const double high = std::isnan(slopes.measured.high) ? slopes.measured.mean : slopes.measured.high;
  made.ruling = high <= slopes.theorem ? Ruling::holds : low <= slopes.theorem ? Ruling::undecided : Ruling::fails;
  made.evidence = fmt::format("From k = {} on the {} falls like k^({}); the theorem's expression like k^({}).",
                              as_power(ours.repeats.front().updates[slopes.first_update].k), what,
                              with_band(slopes.measured), fixed(slopes.theorem, 3));
  return made;
}

}  // namespace

Slopes violation_slopes(const MethodRuns& method) {
  return slopes(method, &UpdateRecord::violation, &UpdateRecord::reference_violation);
}

Slopes regret_slopes(const MethodRuns& method) {
  return slopes(method, &UpdateRecord::regret, &UpdateRecord::reference_regret);
}

namespace verdicts {

Finding convergence(const Setting& setting, const ExperimentRecord&) {
  const MethodRuns& ours = *setting.find(Kind::ours);
  Finding made;
  if (ours.updates() < 3) {
    made.evidence = "There are fewer than three updates.";
    return made;
  }
  const std::size_t last = ours.updates() - 1;
  std::vector<double> change;
  for (const RunRecord& run : ours.repeats)
    change.push_back(run.updates[last].violation - run.updates[last - 1].violation);
  const Band moved = band_of(change);
  const double low = std::isnan(moved.low) ? moved.mean : moved.low;
  const double high = std::isnan(moved.high) ? moved.mean : moved.high;
  const double level = final_violation(ours).mean, allowed = 0.05 * level;
  made.ruling = low >= -allowed && high <= allowed ? Ruling::holds
                : low > allowed || high < -allowed ? Ruling::fails
                                                   : Ruling::undecided;
  made.evidence = fmt::format(
      "From k = {} to {} it changed by {} and ended at {}", as_power(ours.repeats.front().updates[last - 1].k),
      as_power(ours.repeats.front().updates[last].k), with_band(moved), with_band(final_violation(ours)));
  made.evidence += level > 0 ? fmt::format(": by {} of that level.", percent(std::abs(moved.mean) / level)) : ".";
  return made;
}

Finding narrow_bands(const Setting& setting, const ExperimentRecord&) {
  const auto width = [](const MethodRuns& method) {
    double sum = 0;
    for (std::size_t l = later_half(method); l < method.updates(); ++l) sum += method.band(l, violation).half_width();
    return sum / static_cast<double>(method.updates() - later_half(method));
  };
  const MethodRuns& ours = *setting.find(Kind::ours);
  std::vector<double> others;
  std::size_t wider = 0;
  for (const MethodRuns& method : setting.methods)
    if (method.kind == Kind::penalty || method.kind == Kind::unconstrained) others.push_back(width(method));
  Finding made;
  if (others.empty() || ours.repeats.size() < 2 || std::isnan(width(ours))) {
    made.evidence = "There are no bands to compare: a single repeat, or no baseline.";
    return made;
  }
  for (const double other : others) wider += other > width(ours) ? 1U : 0U;
  std::sort(others.begin(), others.end());
  const double median = (others[(others.size() - 1) / 2] + others[others.size() / 2]) / 2;
  made.ruling = width(ours) <= median / 2 ? Ruling::holds : Ruling::fails;
  made.evidence =
      fmt::format("Average half-width {} against a median of {} over the baselines; {} of {} have a wider one.",
                  fixed(width(ours), 5), fixed(median, 5), wider, others.size());
  return made;
}

Finding worst_step(const Setting& setting, const ExperimentRecord&) {
  const MethodRuns& ours = *setting.find(Kind::ours);
  std::vector<double> margin;
  for (const RunRecord& run : ours.repeats) {
    const UpdateRecord& last = run.updates.back();
    const std::vector<double>& gaps = setting.gaps(last);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t h = 0; h < gaps.size() && h < last.relaxation.size(); ++h)
      least = std::min(least, last.limit[std::min(h, last.limit.size() - 1)] + last.relaxation[h] - gaps[h]);
    margin.push_back(std::isinf(least) ? std::nan("") : least);
  }
  const auto worst = [&](const UpdateRecord& update) { return setting.worst_gap(update); };
  const Band room = band_of(margin);
  if (room.count == 0)
    return {{},
            {},
            Ruling::undecided,
            "There is no step at which two groups can be compared: somebody is missing in each."};
  Finding made;
  // Limits are kept to a solver's tolerance.
  constexpr double tolerance = 1e-6;
  const double low = std::isnan(room.low) ? room.mean : room.low;
  const double high = std::isnan(room.high) ? room.mean : room.high;
  made.ruling = low >= -tolerance                                    ? Ruling::holds
                : low >= -kTieOfViolation && high <= kTieOfViolation ? Ruling::tie
                : high < -tolerance                                  ? Ruling::fails
                                                                     : Ruling::undecided;
  made.evidence =
      fmt::format("The worst step's gap is {}, the average {}; the margin to limit plus relaxation is {}.",
                  with_band(ours.band(ours.updates() - 1, worst)), with_band(final_violation(ours)), with_band(room));
  if (const MethodRuns* penalty = setting.nearest_penalty())
    made.evidence += fmt::format(" The penalty nearest in the average (lambda {:g}: {}) has {} at its worst step.",
                                 penalty->about.lambda, with_band(final_violation(*penalty)),
                                 with_band(penalty->band(penalty->updates() - 1, worst)));
  return made;
}

Finding violation_rate(const Setting& setting, const ExperimentRecord&) {
  const MethodRuns& ours = *setting.find(Kind::ours);
  const Slopes found = violation_slopes(ours);
  Finding made = by_slope(found, "violation", ours);
  const std::size_t first = found.first_update, later = ours.updates() - first;
  std::size_t decided = 0;
  for (std::size_t l = first; l < ours.updates(); ++l) {
    const double allowed = ours.band(l, allowed_on_average).mean;
    decided += std::abs(ours.band(l, violation).mean - allowed) <= 0.1 * allowed ? 1U : 0U;
  }
  if (2 * decided < later || found.measured.count == 0) return made;
  made.ruling = Ruling::undecided;
  made.evidence += fmt::format(
      " But this is circular: at {} of these {} updates the violation is what limit and relaxation allow, to 10 %, and "
      "that falls by its own formula.",
      decided, later);
  return made;
}

Finding regret_rate(const Setting& setting, const ExperimentRecord&) {
  const MethodRuns& ours = *setting.find(Kind::ours);
  const Band regret = ours.band(ours.updates() - 1, [](const UpdateRecord& update) { return update.regret; });
  if (regret.count == 0)
    return {{}, {}, Ruling::undecided, "The best fair policy was not found, so that there is no regret."};
  if (regret.mean <= 0)
    return {{},
            {},
            Ruling::holds,
            fmt::format("The regret is {} at the last update: negative, the violation that is left buys return.",
                        with_band(regret))};
  return by_slope(regret_slopes(ours), "regret", ours);
}

Finding literal_constants(const Setting& setting, const ExperimentRecord&) {
  const MethodRuns* literal = setting.find(Kind::literal);
  if (literal == nullptr)
    return {{}, {}, Ruling::undecided, "The experiment has no run with the constants as printed."};
  std::size_t vacuous = 0, updates = 0, in_effect_at_the_end = 0;
  std::vector<double> least;
  for (const RunRecord& run : literal->repeats) {
    for (const UpdateRecord& update : run.updates) {
      ++updates;
      vacuous += update.vacuous.size() >= update.relaxation.size() ? 1U : 0U;
    }
    const UpdateRecord& last = run.updates.back();
    in_effect_at_the_end += last.vacuous.size() < last.relaxation.size() ? 1U : 0U;
    least.push_back(*std::min_element(last.relaxation.begin(), last.relaxation.end()));
  }
  Finding made;
  made.ruling = in_effect_at_the_end == literal->repeats.size() ? Ruling::holds
                : in_effect_at_the_end > 0                      ? Ruling::undecided
                                                                : Ruling::fails;
  made.evidence = fmt::format(
      "The relaxation is 1 or more at every step of {} of {} updates, and {} at the last one; the violation ends at "
      "{}.",
      vacuous, updates, fixed(band_of(least).mean, 1), with_band(final_violation(*literal)));
  return made;
}

Finding inside(const Setting& setting, const ExperimentRecord& plan) {
  if (!setting.oracle) return {{}, {}, Ruling::undecided, "The experiment does not say what the best fair policy is."};
  const OracleRecord& best = *setting.oracle;
  const std::vector<double>& share = setting.model->spec().share;
  const UpdateRecord& last = setting.find(Kind::ours)->repeats.front().updates.back();
  auto people = static_cast<double>(plan.people_per_episode);
  if (plan.people_by_share) people *= *std::min_element(share.begin(), share.end());  // of the smallest group
  const AtEpisode at{setting.model->shape(), last.k, plan.delta};
  const auto first = first_episode_of_theorems(at, {best.kernel_least, best.policy_least, best.policy_at_ends}, people);
  // C~ aside.
  const auto visited = first_episode_of_theorems(at, {best.kernel_least, 1, 0}, people);
  const double promised = promised_visits(at, best.kernel_least, last.floor, people);
  Finding made;
  made.ruling = first && *first <= static_cast<double>(last.k) ? Ruling::holds : Ruling::fails;
  made.evidence = fmt::format("{} of the entries of the best fair policy are at 0 or 1, and C~ is {}: there is ",
                              percent(best.policy_at_ends), fixed(best.policy_least, 4));
  made.evidence += first ? fmt::format("a T, {:.2g}.", *first) : "no T.";
  made.evidence += fmt::format(
      " The kernel's least entry, C of Assumption 1(a), is {:.2g}; with it the lemma promises ", best.kernel_least);
  made.evidence += promised > 0
                       ? fmt::format("{:.0f} visits of every cell at k = {}", std::floor(promised), as_power(last.k))
                       : fmt::format("no visits at k = {}", as_power(last.k));
  made.evidence += visited ? fmt::format(", and half of what is expected from k = {:.2g} on.", *visited) : ".";
  return made;
}

Finding solved(const Setting& setting, const ExperimentRecord& plan) {
  const double asked = std::isnan(plan.certificate_gap) ? 1e-3 : plan.certificate_gap;
  std::size_t proven = 0, unbounded = 0, all = 0;
  double worst = 0;
  for (const MethodRuns& method : setting.methods)
    for (const RunRecord& run : method.repeats)
      for (const UpdateRecord& update : run.updates) {
        ++all;
        if (std::isnan(update.gap_to_bound)) {
          ++unbounded;
          continue;
        }
        proven += update.gap_to_bound <= asked ? 1U : 0U;
        worst = std::max(worst, update.gap_to_bound);
      }
  Finding made;
  made.ruling = proven == all ? Ruling::holds : Ruling::undecided;
  made.evidence = fmt::format("{} of {} solves are proven to {}", proven, all, percent_asked(asked));
  if (proven < all)
    made.evidence += fmt::format("; the widest of the others is {}, and {} have no bound within the time allowed",
                                 percent_up(worst), unbounded);
  made.evidence += ".";
  return made;
}

}  // namespace verdicts
}  // namespace fairstep::report
