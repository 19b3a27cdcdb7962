#include <fairstep/optimise/program/compile.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/feature_order.hpp>
#include <fairstep/optimise/program/support.hpp>

namespace fairstep {
namespace {

using States = std::vector<bool>;  ///< [x,y]

/// [h] where people of a group may be under some policy. Whoever cannot be anywhere else is nobody, whom no limit is
/// about: a rate of them has no denominator, whatever the policy.
std::vector<States> reachable_states(const Model& model, std::size_t g) {
  const Shape& n = model.shape();
  std::vector<States> reached(n.horizon, States(n.states()));
  for (std::size_t s = 0; s < n.states(); ++s) reached[0][s] = model.initial(g)[s] > 0;
  for (std::size_t h = 1; h < n.horizon; ++h) {
    const bool same_kernel = h > 1 && model.periods().of(h - 1) == model.periods().of(h - 2);
    if (same_kernel && reached[h - 1] == reached[h - 2]) {  // and so on, as long as the kernel is the same
      reached[h] = reached[h - 1];
      continue;
    }
    const KernelView kernel = model.kernel(g, h - 1);
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      if (!reached[h - 1][cell / kActions]) continue;
      const double* row = kernel.row(cell);
      for (std::size_t s = 0; s < n.states(); ++s)
        if (row[s] > 0) reached[h][s] = true;
    }
  }
  return reached;
}

/// Collects the functionals of a program while its rows are written.
class Builder {
 public:
  explicit Builder(const Model& model) : model_(model) {
    program_.model = &model;
    program_.terms.resize(model.shape().groups);
    for (std::size_t g = 0; g < model.shape().groups; ++g) reachable_.push_back(reachable_states(model, g));
  }

  /// E[payoff | event] at one step. weight(g,x,y) of the event, payoff(g,x,y,a).
  template <class Event, class Payoff>
  std::optional<Mean> mean(std::size_t step, const Event& event, const Payoff& payoff, std::string name) {
    return mean_over({step}, event, payoff, std::move(name));
  }

  /// The same over several steps: sum of numerators over sum of denominators. Nothing if no policy ever meets the
  /// event.
  template <class Event, class Payoff>
  std::optional<Mean> mean_over(const std::vector<std::size_t>& steps, const Event& event, const Payoff& payoff,
                                std::string name) {
    const Shape& n = model_.shape();
    double fixed = 0;  // the part of the denominator that no policy changes
    bool varies = false;
    bool possible = false;
    for (std::size_t g = 0; g < n.groups; ++g)
      for (const std::size_t h : steps) {
        double least = 1, most = 0;
        for (std::size_t x = 0; x < n.features; ++x)
          for (std::size_t y = 0; y < kLabels; ++y) {
            if (!reachable_[g][h][state_of(x, y)]) continue;
            const double e = event(g, x, y);
            least = std::min(least, e);
            most = std::max(most, e);
            if (h == 0) fixed += e * model_.initial(g)[state_of(x, y)];
          }
        if (h > 0 && least == most) fixed += most;
        if (h > 0 && least != most) varies = true;
        if (most > 0) possible = true;
      }
    if (!possible || (!varies && fixed == 0)) return std::nullopt;
    varies = varies || divide_always_;

    const double scale = varies ? 1 : 1 / fixed;
    Mean result{.numerator = program_.functionals++,
                .denominator = {},
                .name = std::move(name),
                .fixed_denominator = varies ? 1 : fixed};
    if (varies) result.denominator = program_.functionals++;
    for (std::size_t g = 0; g < n.groups; ++g) {
      std::vector<double> top(n.cells()), bottom(n.cells());
      bool any = false;
      for (std::size_t x = 0; x < n.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y)
          for (std::size_t a = 0; a < kActions; ++a) {
            const double e = event(g, x, y);
            top[cell_of(x, y, a)] = scale * e * payoff(g, x, y, a);
            bottom[cell_of(x, y, a)] = e;
            any = any || e != 0;
          }
      if (!any) continue;
      for (const std::size_t h : steps) {
        program_.terms[g].push_back({result.numerator, h, top});
        if (varies) program_.terms[g].push_back({*result.denominator, h, bottom});
      }
    }
    return result;
  }

  /// Whether means have denominators even where no policy can change them.
  void divide_always(bool always) { divide_always_ = always; }

  /// The rate of group g at step h with `sign` times what its numerator may be off by added to it.
  Mean moved(const Mean& rate, std::size_t g, std::size_t h, const Doubt& doubt, double sign) {
    const double scale = sign / rate.fixed_denominator;
    Mean result = rate;
    result.numerator = program_.functionals++;
    std::vector<Term>& terms = program_.terms[g];
    const auto counted =
        std::find_if(terms.begin(), terms.end(), [&](const Term& term) { return term.functional == rate.numerator; });
    const std::vector<double> own = counted->weight;
    for (std::size_t t = 0; t <= h; ++t) {
      std::vector<double> weight(model_.shape().cells(), t == 0 ? scale * doubt.start[g] : 0.0);  // everybody starts
      if (t < h)
        std::transform(weight.begin(), weight.end(), doubt.cell.block(g).begin(), weight.begin(),
                       [&](double w, double off) { return w + scale * off; });
      else
        std::transform(weight.begin(), weight.end(), own.begin(), weight.begin(), std::plus<>{});
      terms.push_back({result.numerator, t, std::move(weight)});
    }
    return result;
  }

  Program& program() { return program_; }

 private:
  const Model& model_;
  std::vector<std::vector<States>> reachable_{};  ///< [g][h]
  bool divide_always_ = false;
  Program program_{};
};

double at_step(const std::vector<double>& values, std::size_t h) { return values.size() == 1 ? values[0] : values[h]; }

const auto kAccepted = [](std::size_t, std::size_t, std::size_t, std::size_t a) { return a == 1 ? 1.0 : 0.0; };

/// The groups' rates P(a=1 | event(y)) at the steps, those that are defined.
template <class Event>
std::vector<Mean> group_rates(Builder& builder, const Model& model, const std::vector<std::size_t>& steps,
                              const Event& event) {
  std::vector<Mean> rates;
  for (std::size_t g = 0; g < model.shape().groups; ++g) {
    const auto of_group = [&](std::size_t group, std::size_t, std::size_t y) {
      return group == g && event(y) ? 1.0 : 0.0;
    };
    if (auto rate = builder.mean_over(steps, of_group, kAccepted, model.names().groups[g])) rates.push_back(*rate);
  }
  return rates;
}

/// Rates that a notion compares over these steps, one vector per rate: [which][g].
std::vector<std::pair<std::string, std::vector<Mean>>> compared(Builder& builder, const Model& model, Notion notion,
                                                                const std::vector<std::size_t>& steps) {
  const auto everybody = [](std::size_t) { return true; };
  const auto qualified = [](std::size_t y) { return y == 1; };
  const auto unqualified = [](std::size_t y) { return y == 0; };
  switch (notion) {
    case Notion::dp:
      return {{"dp", group_rates(builder, model, steps, everybody)}};
    case Notion::eqopt:
      return {{"eqopt", group_rates(builder, model, steps, qualified)}};
    case Notion::eqodds:
      return {{"eqodds, y=1", group_rates(builder, model, steps, qualified)},
              {"eqodds, y=0", group_rates(builder, model, steps, unqualified)}};
  }
  return {};
}

/// A hopeful limit holds for the least that a group's rate may be against the most that another's may be; a cautious
/// one the other way round.
void allow_for(const Doubt& doubt, Builder& builder, const Model& model, Parity& parity) {
  parity.cautious = doubt.stance == Doubt::Stance::cautious;
  const double sign = parity.cautious ? 1 : -1;
  const auto& groups = model.names().groups;
  std::vector<Mean> rates;
  std::swap(rates, parity.means);
  for (const Mean& rate : rates) {
    const auto g = static_cast<std::size_t>(std::find(groups.begin(), groups.end(), rate.name) - groups.begin());
    parity.means.push_back(builder.moved(rate, g, parity.step, doubt, sign));
    parity.lower.push_back(builder.moved(rate, g, parity.step, doubt, -sign));
  }
}

void add_parities(Builder& builder, const Model& model, const Fairness& fairness) {
  const Shape& n = model.shape();
  for (const StepwiseParity& wanted : fairness.parity)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (auto& [name, rates] : compared(builder, model, wanted.notion, {h})) {
        if (rates.size() < 2) continue;
        Parity parity{std::move(rates), {}, at_step(wanted.limit, h), h, name};
        if (wanted.doubt) allow_for(*wanted.doubt, builder, model, parity);
        builder.program().parities.push_back(std::move(parity));
      }
}

/// For every ordered pair that is compared, limit * rate - other rate <= 0: with a number for a denominator that is
/// linear in the occupancy, as a gap is.
void add_ratios(Builder& builder, const Model& model, const Fairness& fairness) {
  Program& program = builder.program();
  for (const StepwiseRatio& wanted : fairness.ratios)
    for (std::size_t h = 0; h < model.shape().horizon; ++h)
      for (auto& [name, rates] : compared(builder, model, notion_of(wanted.notion), {h})) {
        Ratio ratio{std::move(rates), {}, limit_at(wanted, h)};
        for (std::size_t i = 0; i < ratio.means.size(); ++i)
          if (wanted.reference && ratio.means[i].name == model.names().groups[*wanted.reference]) ratio.reference = i;
        if (ratio.means.size() < 2 || wanted.reference.has_value() != ratio.reference.has_value()) continue;
        for (std::size_t i = 0; i < ratio.means.size(); ++i)
          for (std::size_t j = 0; j < ratio.means.size(); ++j)
            if (i != j && (!ratio.reference || i == *ratio.reference))
              program.rows.push_back({{ratio.means[i], ratio.means[j]},
                                      {ratio.least, -1.0},
                                      0,
                                      h,
                                      name_of(wanted.notion),
                                      program.ratios.size()});
        program.ratios.push_back(std::move(ratio));
      }
}

void add_other_rows(Builder& builder, const Model& model, const Fairness& fairness) {
  const Shape& n = model.shape();
  std::vector<std::size_t> steps(n.horizon);
  std::iota(steps.begin(), steps.end(), std::size_t{0});
  for (const EpisodeLimit& whole : kEpisodeLimits) {
    const auto& limit = fairness.*whole.limit;
    if (!limit) continue;
    for (auto& [name, rates] : compared(builder, model, whole.notion, steps))
      if (rates.size() > 1)
        builder.program().parities.push_back({std::move(rates), {}, *limit, n.horizon, over_the_episode(whole.notion)});
  }
  for (std::size_t h = 0; h < n.horizon; ++h) {
    if (fairness.capacity) {
      const auto share = [&](std::size_t g, std::size_t, std::size_t) { return model.share(g); };
      if (auto accepted = builder.mean(h, share, kAccepted, "everybody"))
        builder.program().rows.push_back({{*accepted}, {1.0}, at_step(fairness.capacity->share, h), h, "capacity", {}});
    }
    for (const MomentConstraint& moment : fairness.moments) {
      std::vector<std::optional<Mean>> means;
      for (const ConditionalMean& mean : moment.means)
        means.push_back(builder.mean(
            h, [&](std::size_t g, std::size_t x, std::size_t y) { return model.share(g) * mean.event(g, x, y); },
            [&](std::size_t g, std::size_t x, std::size_t y, std::size_t a) { return mean.payoff(g, x, y, a); },
            mean.name));
      for (std::size_t k = 0; k < moment.bound.size(); ++k) {
        MeanRow row{{}, {}, moment.bound[k], h, moment.names[k], {}};
        bool defined = true;
        for (std::size_t j = 0; j < means.size(); ++j) {
          if (moment.matrix(k, j) == 0) continue;
          defined = defined && means[j].has_value();
          if (!defined) break;
          row.means.push_back(*means[j]);
          row.coefficient.push_back(moment.matrix(k, j));
        }
        // A row about nobody holds by itself, as the paper has it for conditional rates.
        if (defined && !row.means.empty()) builder.program().rows.push_back(std::move(row));
      }
    }
  }
}

Expected<void> add_policy_class(Program& program, const PolicyClass& policies) {
  if (auto ok = check(policies); !ok) return ok;
  const Shape& n = program.shape();
  if (policies.group_independent) {
    program.blocks.emplace_back();
    for (std::size_t g = 0; g < n.groups; ++g) program.blocks[0].groups.push_back(g);
  } else {
    for (std::size_t g = 0; g < n.groups; ++g) program.blocks.push_back({{g}});
  }
  const double ceiling = policies.floor_kind == FloorKind::two_sided ? 1 - policies.floor : 1;
  program.deterministic = policies.deterministic;
  program.rules.shape = n;
  program.rules.floor = policies.floor;
  program.rules.ceiling = ceiling;
  program.rules.stationary = policies.stationary;
  if (policies.is_monotone()) {
    auto order = feature_order(program.model->names().features, policies.order, policies.monotone_in);
    if (!order) return tl::unexpected(order.error());
    program.rules.chains = std::move(*order);
    program.rules.one_cut = policies.threshold;
  }
  program.boxes.assign(program.blocks.size(), {std::vector<double>(program.table_size(), policies.floor),
                                               std::vector<double>(program.table_size(), ceiling)});
  return policies.min_seen > 0 ? restrict_to_seen(program, policies.min_seen) : Expected<void>{};
}

/// Of the same rates some have a denominator and some a number for it.
bool is_mixed(const std::vector<Mean>& rates) {
  const auto divided = [](const Mean& rate) { return rate.denominator.has_value(); };
  return std::any_of(rates.begin(), rates.end(), divided) && !std::all_of(rates.begin(), rates.end(), divided);
}

/// As `compared`, for a penalty: what is multiplied out needs a denominator on both sides, or a number on both.
std::vector<std::pair<std::string, std::vector<Mean>>> penalised(Builder& builder, const Model& model, Notion notion,
                                                                 std::size_t h, PenaltyForm form) {
  auto all = compared(builder, model, notion, {h});
  const auto mixed = [](const auto& one) { return is_mixed(one.second); };
  if (form != PenaltyForm::cross || std::none_of(all.begin(), all.end(), mixed)) return all;
  builder.divide_always(true);
  all = compared(builder, model, notion, {h});
  builder.divide_always(false);
  return all;
}

/// Multiplied out, a difference of quotients is scaled by both denominators; those that are numbers go into the weight.
PenaltyTerm penalty_term(const Mean& first, const Mean& second, double lambda, PenaltyForm form, std::size_t h) {
  const bool multiplied_out = form == PenaltyForm::cross && first.denominator && second.denominator;
  const double scale = form == PenaltyForm::cross ? first.fixed_denominator * second.fixed_denominator : 1;
  return {first, second, lambda * scale * scale, multiplied_out, h};
}

}  // namespace

Expected<Program> compile(const Model& model, const Fairness& fairness, const PolicyClass& policies) {
  if (auto ok = check(fairness, model); !ok) return tl::unexpected(ok.error());
  Builder builder(model);
  if (auto ok = add_policy_class(builder.program(), policies); !ok) return tl::unexpected(ok.error());
  add_parities(builder, model, fairness);
  add_ratios(builder, model, fairness);
  add_other_rows(builder, model, fairness);
  return std::move(builder.program());
}

Expected<Program> compile_penalty(const Model& model, const Fairness& fairness, const PolicyClass& policies,
                                  double lambda, PenaltyForm form) {
  if (auto ok = check(fairness, model); !ok) return tl::unexpected(ok.error());
  if (!(std::isfinite(lambda) && lambda >= 0))
    return fail_option("penalty", fmt::format(" is {}, expected a finite number of 0 or more", lambda));
  if (!fairness.ratios.empty())
    return fail("a penalty is on gaps, and does not know ratios", {},
                fmt::format("drop {}, or use the constrained method", name_of(fairness.ratios[0].notion)));
  Builder builder(model);
  if (auto ok = add_policy_class(builder.program(), policies); !ok) return tl::unexpected(ok.error());
  const Shape& n = model.shape();
  for (const StepwiseParity& parity : fairness.parity)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (const auto& [name, rates] : penalised(builder, model, parity.notion, h, form))
        for (std::size_t i = 0; i < rates.size(); ++i)
          for (std::size_t j = i + 1; j < rates.size(); ++j)
            if (lambda > 0) builder.program().penalties.push_back(penalty_term(rates[i], rates[j], lambda, form, h));
  add_other_rows(builder, model, fairness);
  return std::move(builder.program());
}

}  // namespace fairstep
