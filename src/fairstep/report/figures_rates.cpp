// Regret and violation against the theorems' rates, and the relaxations that the limits were given.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include <fmt/format.h>

#include <fairstep/learn/rates.hpp>
#include <fairstep/report/internal/figure.hpp>
#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/verdicts.hpp>

namespace fairstep::report {
namespace {

/// What is smaller is a rounding error of zero, and has no logarithm worth showing.
constexpr double kNothing = 1e-9;

struct PowerLaw {
  const char* id;
  const char* name;
  double UpdateRecord::* measured;
  double UpdateRecord::* theorem;
};

/// Measured means, the theorem's expression through the last one, and the power law fitted to the later half.
Panel power_law(const Setting& setting, const MethodRuns& ours, const PowerLaw& quantity, const Slopes& slopes) {
  Panel made;
  made.id = fmt::format("{}-{}", quantity.id, setting.id);
  made.chart = "powerlaw";
  made.heading = fmt::format("{} · {}, how fast", short_name(setting), quantity.name);
  made.how =
      "Both axes are logarithmic, so that a power of k is a straight line. The theorem's expression is moved to meet "
      "the last point, since only its slope says something; the fit is over the later half of the updates.";
  made.table.columns = {{"series", "series"},
                        {"k", "k", kAsPower},
                        {"mean", quantity.name, 6},
                        {"low", "from", 6, Rounded::down},
                        {"high", "to", 6, Rounded::up}};
  const auto& updates = ours.repeats.front().updates;
  std::vector<std::uint64_t> omitted, k;
  std::vector<double> mean;
  for (const std::size_t l : thinned(ours.updates())) {
    const Band band = ours.band(l, [&](const UpdateRecord& update) { return update.*quantity.measured; });
    if (!(band.mean > kNothing)) {
      omitted.push_back(updates[l].k);
      continue;
    }
    k.push_back(updates[l].k);
    mean.push_back(band.mean);
    made.table.rows.push_back({"measured", static_cast<double>(updates[l].k), band.mean,
                               band.low > 0 ? band.low : kUnknown, band.low > 0 ? band.high : kUnknown});
  }
  if (k.size() >= 2) {
    const auto last =
        std::find_if(updates.begin(), updates.end(), [&](const auto& update) { return update.k == k.back(); });
    const double scale = mean.back() / ((*last).*quantity.theorem);
    std::vector<std::uint64_t> later_k;
    std::vector<double> later;
    for (std::size_t i = 0; i < k.size(); ++i)
      if (k[i] >= updates[slopes.first_update].k) {
        later_k.push_back(k[i]);
        later.push_back(mean[i]);
      }
    const PowerFit fit = fit_power(later_k, later);
    for (std::size_t l = 0; l < ours.updates(); ++l)
      if (updates[l].k >= k.front() && updates[l].k <= k.back())
        made.table.rows.push_back(
            {"theorem", static_cast<double>(updates[l].k), scale * (updates[l].*quantity.theorem), kUnknown, kUnknown});
    // A fit to what few updates are left of that half would say little.
    if (fit.points >= 2 && later_k.size() + slopes.first_update == ours.updates())
      for (const std::uint64_t at : later_k)
        made.table.rows.push_back({"fit", static_cast<double>(at),
                                   std::exp(fit.intercept + fit.slope * std::log(static_cast<double>(at))), kUnknown,
                                   kUnknown});
  }
  const bool is_regret = quantity.measured == &UpdateRecord::regret;
  if (is_regret && !omitted.empty() && omitted.back() == updates[ours.updates() - 1].k)
    made.title = fmt::format(
        "Regret is negative from k = {} on: violation buys return",
        k.empty() ? as_power(omitted.front()) : as_power(*std::upper_bound(omitted.begin(), omitted.end(), k.back())));
  else if (slopes.measured.count > 0)
    made.title = fmt::format("{} falls with exponent {} (theorem {})", is_regret ? "Regret" : "Violation",
                             with_band(slopes.measured, 3), fixed(slopes.theorem, 3));
  else
    made.title = fmt::format("Of the {} there is no power law to fit", quantity.name);
  if (!omitted.empty()) {
    made.note = "Left out, since they have no logarithm: k = ";
    for (std::size_t i = 0; i < omitted.size(); ++i) made.note += (i == 0 ? "" : ", ") + as_power(omitted[i]);
    made.note += ".";
  }
  made.table.grouped = true;
  made.parameters = {{"yTitle", std::string(quantity.name)}};
  return made;
}

Panel relaxation(const Setting& setting) {
  Panel made;
  made.id = "relaxation-" + setting.id;
  made.chart = "relaxation";
  made.heading = short_name(setting) + " · relaxation";
  made.how =
      "What was allowed on top of the limit at the widest step, on a logarithmic axis. Above the rule at 1 a limit "
      "cannot bind: two shares never differ by more than 1.";
  if (setting.notion != Notion::dp) made.note = "Where too few of the qualified are sure to be seen, the lemma says 1.";
  made.table.columns = {{"method", "method"},           {"k", "k", kAsPower},
                        {"mean", "relaxation"},         {"low", "from", 4, Rounded::down},
                        {"high", "to", 4, Rounded::up}, {"vacuous", "vacuous at", 0},
                        {"runs", "of repeats", 0},      {"kind", ""}};
  std::string words;
  for (const MethodRuns& method : setting.methods) {
    if (method.about.method != "constrained") continue;
    std::size_t vacuous_updates = 0;
    std::uint64_t last_vacuous = 0;
    for (const std::size_t l : thinned(method.updates())) {
      const Band band = method.band(l, [](const UpdateRecord& update) {
        return update.relaxation.empty() ? kUnknown
                                         : *std::max_element(update.relaxation.begin(), update.relaxation.end());
      });
      std::size_t vacuous = 0;
      for (const RunRecord& run : method.repeats) vacuous += run.updates[l].vacuous.empty() ? 0U : 1U;
      const std::uint64_t k = method.repeats[0].updates[l].k;
      if (vacuous > 0) {
        ++vacuous_updates;
        last_vacuous = k;
      }
      made.table.rows.push_back({method.about.label, static_cast<double>(k), band.mean, band.low, band.high,
                                 static_cast<double>(vacuous), static_cast<double>(method.repeats.size()),
                                 name_of(method.kind)});
    }
    if (!words.empty()) words += "; ";
    words += method.about.label + ": ";
    words += vacuous_updates == 0                  ? "in effect at every update"
             : vacuous_updates == method.updates() ? "vacuous to the end"
                                                   : "vacuous up to k = " + as_power(last_vacuous);
  }
  made.title = words;
  made.table.grouped = true;
  made.parameters = {{"yTitle", std::string("relaxation")}};
  return made;
}

}  // namespace

Group learning_rates(const Evidence& evidence) {
  Group group{"rates", "How fast: regret and violation against the theorems", "", {}, {}};
  group.text =
      "Regret is what is missing per step to the best fair policy of the true model; violation is the average gap. The "
      "theorems bound both by an expression that falls like k^(-1/3) up to a logarithm, for large k and with a "
      "constant that they do not give.";
  group.legend = {
      {"ours", "measured, mean and 95 % interval"}, {"theorem", "slope of the theorem"}, {"fit", "power law fitted"}};
  for (const Setting& setting : evidence.settings) {
    const MethodRuns* ours = setting.find(Kind::ours);
    if (ours == nullptr) continue;
    group.panels.push_back(
        power_law(setting, *ours, {"regret", "regret per step", &UpdateRecord::regret, &UpdateRecord::reference_regret},
                  regret_slopes(*ours)));
    group.panels.push_back(
        power_law(setting, *ours, {"rate", "violation", &UpdateRecord::violation, &UpdateRecord::reference_violation},
                  violation_slopes(*ours)));
  }
  return group;
}

Group relaxations(const Evidence& evidence) {
  Group group{"relaxation", "The relaxation in use, and where it was vacuous", "", {}, {}};
  group.text =
      "While little is known the method relaxes its limits by what the lemmas say. With their constants as printed "
      "that is more than 1 for longer than most logs are, and the constraint constrains nothing; the runs above scale "
      "it.";
  for (const Setting& setting : evidence.settings) {
    Panel panel = relaxation(setting);
    if (panel.table.rows.empty()) continue;
    if (group.legend.empty())
      for (const MethodRuns& method : setting.methods)
        if (method.about.method == "constrained") group.legend.push_back({name_of(method.kind), method.about.label});
    group.panels.push_back(std::move(panel));
  }
  return group;
}

}  // namespace fairstep::report
