// Column generation: the master is solved, priced, and its bound proven.
#include <fairstep/optimise/bound/relaxation.hpp>

#include <algorithm>
#include <cmath>

#include <fairstep/optimise/bound/lagrangian.hpp>

namespace fairstep {
namespace {

/// Effort of one pricing proof at the most; hard kernels of paper size take some thousands.
constexpr std::size_t kProofEffort = 60000;
/// And once it is late, so that there is a bound at all.
constexpr std::size_t kLateEffort = 50;
/// What a linear program of the master costs besides its iterations, in the same units.
constexpr std::size_t kLpEffort = 10;
/// Rows and variables that make an iteration cost a unit.
constexpr std::size_t kLpSize = 100;
/// Rounds of column generation at the most.
constexpr std::size_t kRounds = 500;

double elastic_price_of(const Program& program) {
  const Range rewards = program.model->reward_range();
  const double scale =
      std::max(std::abs(rewards.low), std::abs(rewards.high)) * static_cast<double>(program.shape().horizon);
  return 1000 * std::max(scale, 1e-12);
}

}  // namespace

Relaxation::Relaxation(const Program& program, Pricing& pricing, double tolerance, const Tables& usual,
                       const Deadline& deadline)
    : program_(program),
      pricing_(pricing),
      master_(program),
      columns_(program, master_, deadline),
      formulation_(program, pricing, master_, tolerance, usual, deadline),
      elastic_price_(elastic_price_of(program)) {}

/// A box may be too narrow for every column so far, and without one the master has no solution.
void Relaxation::give_each_block_a_column() {
  for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
    if (columns_.has_one_inside(b)) continue;
    pricing_.set_prices(std::vector<double>(program_.functionals, 0.0), 1);
    columns_.add(b, pricing_.search(b, boxes()[b], {}).front().accept);
  }
}

Relaxation::Outcome Relaxation::optimise(const Aim& aim, const Deadline& deadline) {
  master_.set_objective(aim.objective);
  master_.stop_when(deadline.over_now());
  Outcome outcome;
  double meanwhile = kInfinity;
  bool in_time = true;
  try {
    generate(aim, deadline, outcome, meanwhile);
  } catch (const OutOfTime&) {
    in_time = false;
  }
  if ((!in_time || master_.last().status == LpStatus::stopped) && meanwhile < outcome.bound) {
    outcome.bound = meanwhile;
    evidence_ = meanwhile_;
  }
  if (recorder_ && outcome.bound < kInfinity) write_down(aim, evidence_);
  master_.stop_when({});
  master_.clear_objective(aim.objective);
  return outcome;
}

void Relaxation::generate(const Aim& aim, const Deadline& deadline, Outcome& outcome, double& meanwhile) {
  std::vector<double> price(program_.functionals);
  give_each_block_a_column();
  const std::size_t blocks = program_.blocks.size();
  const auto shares = static_cast<double>(blocks);
  std::vector<double> best(blocks), remembering(blocks);
  std::vector<std::vector<double>> starts(blocks);
  while (true) {
    ++outcome.rounds;
    const LpSolution& solution = master_.solve();
    deadline.spend(kLpEffort + solution.iterations * master_.size() / kLpSize);
    if (solution.status != LpStatus::optimal) break;
    outcome.master = solution.objective;
    if (outcome.master >= aim.hopeless) break;
    if (outcome.rounds < kRounds && !deadline.passed() && formulation_.tangents().add_where_off(aim.precision))
      continue;
    for (std::size_t j = 0; j < program_.functionals; ++j) price[j] = -master_.price_of_functional(j);
    pricing_.set_prices(price, -master_.price_of_value());
    double gain = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      // columns in use are good places to start from
      const std::vector<std::vector<double>> from = columns_.in_use(b);
      std::vector<Priced> found = pricing_.search(b, boxes()[b], from, &remembering[b]);
      deadline.spend(1 + from.size());
      for (const Priced& one : found) {
        const double reduced = one.value - master_.price_of_block(b);
        if (reduced <= 0.1 * aim.precision / shares) continue;
        columns_.add(b, one.accept);
        gain += reduced;
      }
      starts[b] = std::move(found.front().accept);
    }
    lower(meanwhile, meanwhile_, aim.objective, remembering);
    // An end of a range is known well enough, and where memory is worth little nothing is left to prove.
    if (aim.hopeless < kInfinity && meanwhile - outcome.master <= aim.precision) {
      if (meanwhile < outcome.bound) {
        outcome.bound = meanwhile;
        evidence_ = meanwhile_;
      }
      break;
    }
    const bool late = deadline.passed() || outcome.rounds >= kRounds;
    if (gain > 0 && !late) continue;
    // No better column by ascent: prove it, or learn of one that ascent missed.
    bool again = false;
    for (std::size_t b = 0; b < blocks; ++b) {
      // As precise as asked for, or just enough to get below what is enough; roughly, where that is out of reach.
      const double away = std::isfinite(aim.enough) ? aim.enough - outcome.master : 0;
      const double share = std::max({0.5 * aim.precision, 0.9 * away, -0.1 * away}) / shares;
      const Priced proof = pricing_.prove(b, boxes()[b], starts[b],
                                          {.tolerance = share,
                                           .enough = master_.price_of_block(b) + share,
                                           .max_effort = late ? kLateEffort : deadline.left(kProofEffort)});
      outcome.nodes += proof.nodes;
      deadline.spend(proof.effort);
      best[b] = std::isfinite(proof.bound) ? proof.bound : remembering[b];
      if (!late && proof.value - master_.price_of_block(b) > share) {
        columns_.add(b, proof.accept);
        again = true;
      }
    }
    lower(outcome.bound, evidence_, aim.objective, best);
    if (!again || late || outcome.bound < aim.enough) break;
  }
}

void Relaxation::lower(double& bound, Evidence& evidence, std::span<const Coefficient> objective,
                       std::span<const double> best) {
  const double here = lagrangian_bound(master_, objective, best);
  if (!(here < bound)) return;
  bound = here;
  if (recorder_) evidence = {last_prices(master_), here};
}

void Relaxation::write_down(const Aim& aim, const Evidence& evidence) {
  switch (aim.about) {
    case Aim::About::value:
      recorder_->value(aim.objective, evidence.prices, evidence.bound);
      return;
    case Aim::About::excess:
      recorder_->nothing(aim.objective, evidence.prices, evidence.bound);
      return;
    case Aim::About::end:
      recorder_->end(aim.variable, aim.sign, aim.objective, evidence.prices, evidence.bound);
  }
}

Relaxation::Outcome Relaxation::maximise(double precision, double enough, const Deadline& deadline) {
  const std::vector<Coefficient> objective = formulation_.objective(elastic_price_);
  const Outcome outcome = optimise({objective, precision, enough, kInfinity, Aim::About::value}, deadline);
  if (master_.has_prices()) known_of_objective_ = last_prices(master_).row;
  return outcome;
}

double Relaxation::least_excess(double precision, const Deadline& deadline) {
  const std::vector<Coefficient> objective = formulation_.least_excess();
  return -optimise({objective, precision, -kInfinity, kInfinity, Aim::About::excess}, deadline).bound;
}

}  // namespace fairstep
