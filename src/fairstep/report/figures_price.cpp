// The price of fairness on the true model, and how surely every solve is solved.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include <fmt/format.h>

#include <fairstep/report/internal/figure.hpp>
#include <fairstep/report/internal/numbers.hpp>

namespace fairstep::report {
namespace {

double total(const std::vector<double>& prices) {
  double sum = 0;
  for (const double price : prices) sum += price;  // one that there was no time for leaves the sum unknown
  return sum;
}

Panel price(const Setting& setting) {
  Panel made;
  made.id = "price-" + setting.id;
  made.chart = "price";
  made.heading = short_name(setting) + " · return by limit";
  made.how =
      "On the left the best return that any policy can have when no step's gap may exceed the limit; the shaded part, "
      "where it can "
      "be seen, is between what was found and what was proven.";
  made.table.columns = {{"limit", "limit", kFewDecimals},
                        {"value", "return", 5},
                        {"upper", "proven at most", 5, Rounded::up},
                        {"price", "shadow price"},
                        {"outcome", "outcome"}};
  double strict = kUnknown, free = kUnknown, least = 2, most = -1;
  for (const FrontierPoint& point : setting.frontier->points) {
    made.table.rows.push_back({point.limit, point.value, point.upper,
                               point.shadow_price.empty() ? kUnknown : total(point.shadow_price), point.outcome});
    if (std::isnan(point.value)) continue;
    if (point.limit < least) least = point.limit, strict = point.value;
    if (point.limit > most) most = point.limit, free = point.value;
  }
  made.title = std::isnan(strict) ? "No limit could be kept"
                                  : fmt::format("A limit of {:g} costs {} of the return", least,
                                                percent((free - strict) / std::abs(free), 1));
  return made;
}

Panel shadow(const Setting& setting) {
  Panel made;
  made.id = "shadow-" + setting.id;
  made.chart = "heat-wide";
  made.heading = short_name(setting) + " · shadow prices";
  made.how =
      "On the right what a unit more of one step's limit would add to the return, at each limit; where nothing is "
      "coloured the "
      "limit does not bind.";
  made.table.columns = {{"x", "limit"}, {"y", "step"}, {"value", "shadow price"}, {"mark", ""}};
  double most = 0;
  std::string where = "No limit binds";
  for (const FrontierPoint& point : setting.frontier->points)
    for (std::size_t h = 0; h < point.shadow_price.size(); ++h) {
      const double price = point.shadow_price[h];
      made.table.rows.push_back({fmt::format("{:g}", point.limit), fmt::format("{}", h), price, 0.0});
      if (price > most) {
        most = price;
        where = fmt::format("The limit costs most at step {}: {} per unit, at a limit of {:g}", h, fixed(price, 3),
                            point.limit);
      }
    }
  made.title = where;
  made.shown = pivoted(made.table, "step", 4);
  made.parameters = {
      {"xTitle", "limit on the gap"}, {"yTitle", "step"}, {"most", most}, {"valueTitle", "shadow price"}};
  space_labels(made);
  return made;
}

/// A gap is never shown narrower than it is; what is below a millionth is one.
double two_digits_up(double gap) {
  if (!(gap > 1e-6)) return 1e-6;
  const double unit = std::pow(10.0, std::floor(std::log10(gap)) - 1);
  return std::ceil(gap / unit - 1e-9) * unit;
}

Panel certificate(const Setting& setting, double asked) {
  Panel made;
  made.id = "proof-" + setting.id;
  made.chart = "proof";
  made.heading = short_name(setting) + " · proofs";
  made.how =
      "How far the policy of a solve may be from the optimum, on a logarithmic axis: a mark for each gap, rounded up "
      "to "
      "two digits, that any solve has (what is below 0.0001 % stands at the left edge). Left of the rule it is proven "
      "as closely as asked.";
  made.table.columns = {
      {"method", "method"}, {"gap", "proven to within", 7, Rounded::up}, {"solves", "solves", 0}, {"kind", ""}};
  std::size_t proven = 0, all = 0, unbounded = 0;
  double worst = 0;
  made.shown.columns = {{"method", "method"},
                        {"solves", "solves", 0},
                        {"proven", "proven", 0},
                        {"unbounded", "no bound", 0},
                        {"worst", "widest gap proven", 6, Rounded::up}};
  for (const MethodRuns& method : setting.methods) {
    std::size_t proven_here = 0, all_here = 0, unbounded_here = 0;
    double worst_here = 0;
    std::map<double, std::size_t> solves_with;
    for (const RunRecord& run : method.repeats)
      for (const std::size_t l : thinned(run.updates.size())) {
        const UpdateRecord& update = run.updates[l];
        ++all_here;
        proven_here += update.gap_to_bound <= asked ? 1U : 0U;
        unbounded_here += std::isnan(update.gap_to_bound) ? 1U : 0U;
        if (update.gap_to_bound > worst_here) worst_here = update.gap_to_bound;
        if (!std::isnan(update.gap_to_bound)) ++solves_with[two_digits_up(update.gap_to_bound)];
      }
    for (const auto& [gap, solves] : solves_with)
      made.table.rows.push_back({method.about.label, gap, static_cast<double>(solves), name_of(method.kind)});
    made.shown.rows.push_back({method.about.label, static_cast<double>(all_here), static_cast<double>(proven_here),
                               static_cast<double>(unbounded_here), worst_here});
    all += all_here, proven += proven_here, unbounded += unbounded_here;
    worst = std::max(worst, worst_here);
  }
  made.title = fmt::format("{} of {} solves are proven to {}", proven, all, percent_asked(asked));
  if (proven < all) made.title += fmt::format(", the widest of the others to {}", percent_up(worst, 2));
  if (unbounded > 0) made.title += fmt::format("; {} without a bound", unbounded);
  made.parameters = {{"asked", asked}};
  return made;
}

}  // namespace

Group price_of_fairness(const Evidence& evidence) {
  Group group{"price", "The price of fairness", "", {}, {}};
  group.text =
      "With the population known there is nothing to learn: these are the best returns under a limit on every step's "
      "gap, each with a proven upper bound, and what each step's limit costs.";
  for (const Setting& setting : evidence.settings) {
    if (!setting.frontier || setting.frontier->points.empty()) continue;
    group.panels.push_back(price(setting));
    group.panels.push_back(shadow(setting));
  }
  return group;
}

Group certificates(const Evidence& evidence) {
  const double asked = std::isnan(evidence.plan.certificate_gap) ? 1e-3 : evidence.plan.certificate_gap;
  Group group{"proofs", "How surely every problem was solved", "", {}, {}};
  group.text =
      "Every update solves a program that is not convex. The search ends with a policy and with a bound that no policy "
      "can exceed; the share between the two is what is not proven. A bound that is far away does not make a policy "
      "bad.";
  for (const Setting& setting : evidence.settings) group.panels.push_back(certificate(setting, asked));
  return group;
}

}  // namespace fairstep::report
